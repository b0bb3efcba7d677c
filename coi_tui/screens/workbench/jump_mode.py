"""Jump mode: a label beside each pane and row on the screen; its letters go there. Nothing here changes a session."""

from __future__ import annotations

from collections.abc import Callable

from textual import events
from textual.content import Content

from coi_tui.screens.workbench.commands import Command, Commands, WorkbenchView
from coi_tui.screens.workbench.pane_layout import PaneLayout
from coi_tui.widgets.chain_tree import ChainTree
from coi_tui.widgets.jump_labels import Jump, in_front

HINT = "Type the letters beside a row or a pane; Esc leaves."
CHANGED = "The rows have changed, so the labels were taken down."
LABEL = "bold reverse"


class JumpMode:
    """On between the key and the letters. Labels are taken down as soon as what stands on the screen changes."""

    def __init__(
        self, view: WorkbenchView, panes: PaneLayout, chain: ChainTree, changed: Callable[[], None]
    ) -> None:
        """``changed`` is called when the mode ended, so that the footer can be brought up to date."""
        self._view, self._panes, self._chain, self._changed = view, panes, chain, changed
        self._jump: Jump | None = None
        self._titles: dict[str, str | None] = {}
        """The titles of panes before they had labels."""

    def commands(self) -> Commands:
        """The key that begins it."""
        return {"jump": Command(self.toggle, self._off)}

    @property
    def on(self) -> bool:
        """Whether labels stand on the screen."""
        return self._jump is not None

    def _places(self) -> list[str]:
        """The panes on the screen by their ids, then the rows in sight by their addresses, from the top."""
        return [*self._panes.in_sight, *self._chain.in_sight]

    def _off(self) -> str:
        return "" if len(self._places()) > 1 else "only this pane is shown"

    def toggle(self) -> None:
        """Show the labels, or take them down."""
        if self.escape():
            return
        self._titles = {name: pane.border_title for name, pane in self._panes.in_sight.items()}
        self._show(Jump.to(self._places()))
        self._view.say(HINT)

    def _show(self, jump: Jump) -> None:
        self._jump = jump
        shown = jump.shown
        self._chain.show_labels(shown)
        for name, pane in self._panes.in_sight.items():
            title = Content.from_markup(self._titles.get(name) or "")
            pane.border_title = (
                Content.assemble((in_front(shown[name]), LABEL), title) if name in shown else title
            )

    def end(self, said: str = "") -> None:
        """Take the labels down and say something in place of the hint."""
        if self._jump is None:
            return
        self._jump = None
        self._chain.show_labels({})
        for name, title in self._titles.items():
            self._panes.pane(name).border_title = title
        self._view.say(said)
        self._changed()

    def escape(self) -> bool:
        """Leave; False where no labels stand on the screen."""
        on = self.on
        self.end()
        return on

    def check(self) -> None:
        """Take the labels down where what stands on the screen is no longer what they were given to."""
        if (
            self._jump is not None
            and list(self._jump.places.values()) != self._places()[: len(self._jump.places)]
        ):
            self.end(CHANGED)

    def take(self, event: events.Key) -> bool:
        """Whether a key was taken. A letter goes on to its place; any other key that types something leaves, and the rest do as ever."""
        was_on = self.on
        self.check()
        if self._jump is None:
            return was_on and event.is_printable  # it was meant for a label that is gone
        if event.key == "escape":
            return self.escape()
        found = self._jump.press(event.key) if event.is_printable else None
        if isinstance(found, Jump):
            self._show(found)
        elif found is None:
            self.end("No label begins like that." if event.is_printable else "")
        else:
            self.end()
            self._go(found)
        return event.is_printable

    def _go(self, place: str) -> None:
        if place in self._chain.rows:
            self._chain.go(place)
            self._chain.focus()
        elif place == "jobs":
            self._panes.go_to_jobs()
        else:
            self._panes.go(place)
