"""Sheets that ask for a yes or tell of an error: a question, a message, a list of what is to be
accepted."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any

from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from coi_tui.screens.base import Sheet
from coi_tui.widgets.fields import MarkedList
from coi_tui.widgets.key_actions import DECIDE, HELP, RUN, KeyAction
from coi_tui.widgets.panes import Line, column, cut, fit

if TYPE_CHECKING:
    from textual.screen import Screen, ScreenResultCallbackType

    from coi_tui.session.decisions.bulk_accept import Undecided
    from coi_tui.session.decisions.impact import Impact

CONFIRM_ACTIONS = (
    KeyAction("no", "enter,escape,n,q", "Enter", "no, go back", "change nothing", DECIDE, 1),
    KeyAction("yes", "y", "y", "yes", "do it", DECIDE, 2),
)


class ConfirmSheet(Sheet[bool]):
    """Gives True only for ``y``, pressed after the question was drawn."""

    PLACE = "confirm"
    ACTIONS = CONFIRM_ACTIONS
    TAIL = ("no",)
    GUARDED = True

    def __init__(self, question: str, text: str, yes: str) -> None:
        super().__init__()
        self.question, self.text, self.yes = question, text, yes

    def body(self) -> ComposeResult:
        yield Line(self.question, id="title")
        yield Static(Content(self.text), id="text", markup=False)

    def label(self, item: KeyAction) -> str:
        return self.yes if item.id == "yes" else item.label

    def do_yes(self) -> None:
        self.dismiss(True)

    def do_no(self) -> None:
        self.dismiss(False)


CHANGE_ACTIONS = (
    KeyAction("yes", "enter,y", "Enter", "do it", "do it; it can be taken back", DECIDE, 1),
    KeyAction("no", "escape,n,q", "Esc", "go back", "change nothing", DECIDE, 2),
)


class ChangeSheet(ConfirmSheet):
    """What a decision changes beside its own row. Gives True for Enter, pressed after it was drawn:
    one undo takes it back."""

    PLACE = "change"
    ACTIONS = CHANGE_ACTIONS


async def confirm_impact(
    changes: Impact,
    question: str,
    go: Callable[[], Awaitable[None]],
    open: Callable[[Screen[Any], ScreenResultCallbackType[Any]], object],
    say: Callable[[str], object],
) -> None:
    """Go on with an act at once where it changes nothing but its own row; else say what it changes,
    and ask once.

    ``open`` shows a sheet, ``say`` tells that nothing was changed.
    """
    if not changes.asks:
        await go()
        return

    async def answered(yes: bool | None) -> None:
        if yes:
            await go()
        else:
            say("Nothing was changed.")

    open(
        ChangeSheet(
            question, f"{changes.sentence()} Nothing is deleted or charged; u undoes it.", "do it"
        ),
        answered,
    )


MESSAGE_ACTIONS = (
    KeyAction("copy", "y", "y", "copy", "copy the whole message", RUN, 1),
    KeyAction("cancel", "escape,enter,q", "Esc", "close", "close", DECIDE, 2),
)


class MessageSheet(Sheet[None]):
    """``parts`` are (heading, text) pairs, shown as they are."""

    PLACE = "message"
    ACTIONS = MESSAGE_ACTIONS
    TAIL = ("cancel",)

    def __init__(self, title: str, parts: list[tuple[str, str]]) -> None:
        super().__init__()
        self.heading, self.parts = title, [p for p in parts if p[1]]

    def body(self) -> ComposeResult:
        yield Line(self.heading, id="title")
        with VerticalScroll(id="text"):
            said = (
                Content.assemble((f"{head}\n", "bold"), f"{text}\n") for head, text in self.parts
            )
            yield Static(Content("\n").join(said), markup=False)

    def on_mount(self) -> None:
        self.query_one("#text").focus()

    def do_copy(self) -> None:
        self.app.copy_to_clipboard(
            "\n".join([self.heading, *(f"{head}: {text}" for head, text in self.parts)])
        )
        self.query_one("#title", Line).say(self.heading, "copied")


ACCEPT_ALL_ACTIONS = (
    KeyAction(
        "run",
        "enter",
        "Enter",
        "accept",
        "accept what is ticked; one undo takes all of it back",
        DECIDE,
        1,
    ),
    KeyAction("tick", "space", "Space", "tick", "tick or untick this one", DECIDE, 2),
    HELP,
    KeyAction("cancel", "escape,q", "Esc", "cancel", "close; nothing is accepted", DECIDE, 5),
)


class AcceptSheet(Sheet[list[str]]):
    """Gives the addresses to accept, or None."""

    PLACE = "accept_all"
    ACTIONS = ACCEPT_ALL_ACTIONS
    TAIL = ("cancel", "help")
    GUARDED = True

    def __init__(self, heading: str, items: Sequence[Undecided]) -> None:
        super().__init__()
        self.heading, self.items = heading, items
        self.ticked = {one.address for one in items if not one.off}

    def body(self) -> ComposeResult:
        yield Line(self.heading, "one undo takes all of it back", id="title")
        yield MarkedList(id="lines")
        yield Static("", id="sums", markup=False)

    def on_mount(self) -> None:
        self.query_one(MarkedList).focus()

    def on_resize(self, event: events.Resize) -> None:
        self.call_after_refresh(self._fill)

    def _fill(self) -> None:
        lines = self.query_one(MarkedList)
        addresses, kinds = (
            column((one.address for one in self.items), 4, 18),
            column((one.what for one in self.items), 5, 12),
        )
        lines.show(
            [self._row(one, addresses, kinds, lines.room) for one in self.items],
            lines.highlighted or 0,
        )
        self.query_one("#sums", Static).update(
            Content(f"{self.told} No step changes what you accepted.")
        )
        self.refresh_footer()

    @property
    def chosen(self) -> list[Undecided]:
        """What is ticked, from the top."""
        return [one for one in self.items if one.address in self.ticked]

    @property
    def told(self) -> str:
        """How many of what will be accepted."""
        from coi_tui.session.decisions.bulk_accept import in_sentence

        return in_sentence(self.chosen, len(self.items) - len(self.chosen))

    def _row(self, one: Undecided, addresses: int, kinds: int, width: int) -> Content:
        box = f"[{'x' if one.address in self.ticked else ' '}]"
        title = f"{one.year or '????'}  {one.title}" if not one.is_text else one.title
        first = cut(f"{box} {fit(one.address, addresses)}  {fit(one.what, kinds)}  {title}", width)
        return Content(
            first
            if not one.off
            else f"{first}\n    left out by default: {cut(one.off, width - 25)}"
        )

    def off(self, name: str) -> str:
        if name == "run":
            return "" if self.chosen else "nothing is ticked; Space ticks"
        return ""

    def label(self, item: KeyAction) -> str:
        return f"accept {len(self.chosen)}" if item.id == "run" else item.label

    def say(self, text: str) -> None:
        self.query_one("#sums", Static).update(Content(text))

    def do_tick(self) -> None:
        at = self.query_one(MarkedList).highlighted
        if at is not None:
            self.ticked ^= {self.items[at].address}
            self._fill()

    def do_run(self) -> None:
        self.dismiss([one.address for one in self.chosen])
