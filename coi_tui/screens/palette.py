"""The command palette: Textual's, made safe for early and late keys, with what works now first, and
``go 1/+1`` in it."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.await_complete import AwaitComplete
from textual.binding import Binding, BindingType
from textual.command import CommandList, CommandPalette, DiscoveryHit, Hit, Hits, Provider
from textual.css.query import NoMatches
from textual.system_commands import SystemCommandsProvider
from textual.worker import Worker

from coi_tui.model.errors import CoiError
from coi_tui.screens.base import outdated
from coi_tui.screens.workbench.workbench import WorkbenchScreen
from coi_tui.session import wording
from coi_tui.widgets.fields import turn_page


class Commands(CommandList):
    """The list of commands: pages are turned only where there are some, and a click on a row that
    is gone hits nothing."""

    def action_page_down(self) -> None:
        turn_page(self, super().action_page_down)

    def action_page_up(self) -> None:
        turn_page(self, super().action_page_up)

    def on_click(self, event: events.Click) -> None:
        if (row := event.style.meta.get("option")) is not None and row >= self.option_count:
            event.prevent_default()


class Palette(CommandPalette):
    """Leaves once, and turns pages only where there are some."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("pagedown", "page_down", "Next page", show=False),
        Binding("pageup", "page_up", "Previous page", show=False),
    ]

    async def on_event(self, event: events.Event) -> None:
        """As every screen, without sizes that the terminal has no more."""
        if not outdated(self, event):
            await super().on_event(event)

    def on_mount(self, event: events.Mount) -> None:
        """Do nothing where the palette was closed before it came up: Textual asks for the screen
        below it."""
        if self not in self.app.screen_stack[1:]:
            event.prevent_default()

    def on_click(self, event: events.Click) -> None:
        """Close at a click beside the list; one that comes when the window has become smaller hits
        nothing."""
        x, y = event.screen_x, event.screen_y
        if not (0 <= x < self.size.width and 0 <= y < self.size.height):
            event.prevent_default()

    def compose(self) -> ComposeResult:
        """Textual's widgets, with a list of our own."""
        yield from (
            Commands() if type(widget) is CommandList else widget for widget in super().compose()
        )

    @property
    def _list(self) -> Commands:
        return self.query_one(Commands)

    def action_page_down(self) -> None:
        self._list.action_page_down()

    def action_page_up(self) -> None:
        self._list.action_page_up()

    def dismiss(self, result: None = None) -> AwaitComplete:
        """Leave, unless another screen is on top."""
        return super().dismiss(result) if self.app.screen is self else AwaitComplete()

    def run_worker(self, work: Any, *args: Any, **options: Any) -> Worker[Any]:
        """Gather commands while the palette is there: Textual goes on for a moment when its widgets
        are gone, and would end the app."""
        return super().run_worker(partial(self._while_here, work), *args, **options)

    async def _while_here(self, work: Any) -> Any:
        try:
            return await (work() if callable(work) else work)
        except NoMatches:
            if self in self.app.screen_stack and self.query(CommandList):
                raise


OFF = "(off: "
"""How the help of a command begins to say that it does nothing now, and why."""


class ActionProvider(SystemCommandsProvider):
    """The actions of the screen: what works now stands first, in the order of its keys, and what is
    off last."""

    async def discover(self) -> Hits:
        commands = [
            command for command in self.app.get_system_commands(self.screen) if command.discover
        ]
        works_first = sorted(commands, key=lambda command: OFF in command.help)
        for place, command in enumerate(works_first):
            yield DiscoveryHit(
                command.title, command.callback, text=f"{place:04}", help=command.help
            )  # sorted by its text

    async def search(self, query: str) -> Hits:
        async for hit in super().search(query):
            yield (
                replace(hit, score=hit.score / 2)
                if isinstance(hit, Hit) and OFF in (hit.help or "")
                else hit
            )


GO = re.compile(r":?\s*go\s+(\S.*)", re.IGNORECASE)

FIRST = 1000.0
"""A score above those of names that merely look like what was typed."""


class GoProvider(Provider):
    """Offers the rows whose address or title has what is typed, also after ``go``, which says where
    there is none."""

    async def search(self, query: str) -> Hits:
        said, screen = GO.fullmatch(query.strip()), self.screen
        if not isinstance(screen, WorkbenchScreen):
            return
        text, go_to = said[1] if said else query.strip(), screen.navigation.go_to
        try:
            address = screen.navigation.row_of(text)
        except CoiError as error:
            if said:
                yield Hit(FIRST, f"go {text}", partial(screen.say, str(error)), help=error.message)
        else:
            said_of = wording.sentence(screen.chain.rows[address])
            yield Hit(FIRST, f"go {address}", partial(go_to, text), text=f"go {text}", help=said_of)
        matcher = self.matcher(text)
        for row in screen.chain.rows.values():
            if text and text.casefold() in row.title.casefold():
                shown = f"{row.address}  {row.title}"
                score = matcher.match(shown) / 2  # commands come first
                yield Hit(score, matcher.highlight(shown), partial(go_to, row.address), text=shown)

    async def discover(self) -> Hits:
        if isinstance(self.screen, WorkbenchScreen):
            ask = self.screen.search.do_find
            yield DiscoveryHit(
                "go ADDRESS", ask, help="type an address after go: go 1/+1, go 1/-1..0, go 2/idea"
            )
