"""Sheets that ask for a yes, show a message, or list what is to be accepted."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from coi_tui.screens.base import Sheet
from coi_tui.screens.sheets.choice_sheet import ListSheet, in_parts
from coi_tui.widgets.key_actions import CANCEL, DECIDE, HELP, RUN, TICK, KeyAction
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
    KeyAction("yes", "enter,y", "Enter", "do it", "do it; it can be undone", DECIDE, 1),
    KeyAction("no", "escape,n,q", "Esc", "go back", "change nothing", DECIDE, 2),
)


class ChangeSheet(ConfirmSheet):
    """What else a decision changes. Gives True for Enter, pressed after it was drawn: the decision
    can be undone."""

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

    text = f"{changes.sentence()} Nothing is deleted or charged; u undoes it."
    open(ChangeSheet(question, text, "do it"), answered)


MESSAGE_ACTIONS = (
    KeyAction("copy", "y", "y", "copy", "copy the whole message", RUN, 1),
    KeyAction("cancel", "escape,enter,q", "Esc", "close", "close", DECIDE, 2),
)


class MessageSheet(Sheet[None]):
    """``parts`` are (heading, text) pairs, shown as they are."""

    PLACE = "message"
    ACTIONS: ClassVar[tuple[KeyAction, ...]] = MESSAGE_ACTIONS
    TAIL = ("cancel",)

    def __init__(self, title: str, parts: Sequence[tuple[str, str]]) -> None:
        super().__init__()
        self.heading, self.parts = title, parts

    def body(self) -> ComposeResult:
        yield Line(self.heading, id="title")
        with VerticalScroll(id="text"):
            yield Static(in_parts(self.parts), markup=False)

    def on_mount(self) -> None:
        self.query_one("#text").focus()

    def do_copy(self) -> None:
        lines = [self.heading, *(f"{head}: {text}" for head, text in self.parts if text)]
        self.app.copy_to_clipboard("\n".join(lines))
        self.query_one("#title", Line).say(self.heading, "copied")


ACCEPT_ALL_ACTIONS = (
    KeyAction(
        "run", "enter", "Enter", "accept", "accept what is ticked; one undo reverts it", DECIDE, 1
    ),
    TICK,
    HELP,
    CANCEL,
)


class AcceptSheet(ListSheet[list[str], "Undecided"]):
    """Gives the addresses to accept, or None."""

    PLACE = "accept_all"
    ACTIONS = ACCEPT_ALL_ACTIONS
    GUARDED = True

    def __init__(self, heading: str, items: Sequence[Undecided]) -> None:
        super().__init__(heading, "one undo reverts it", items)
        self.ticked = {one.address for one in items if not one.off}

    @property
    def chosen(self) -> list[Undecided]:
        """What is ticked, from the top."""
        return [one for one in self.items if one.address in self.ticked]

    def summary(self) -> str:
        from coi_tui.session.decisions.bulk_accept import in_sentence

        sums = in_sentence(self.chosen, len(self.items) - len(self.chosen))
        return self.told or f"{sums} No step changes what you accepted."

    def row_text(self, row: Undecided, width: int) -> Content:
        box = f"[{'x' if row.address in self.ticked else ' '}]"
        address = fit(row.address, column((one.address for one in self.items), 4, 18))
        kind = fit(row.what, column((one.what for one in self.items), 5, 12))
        title = row.title if row.is_text else f"{row.year or '????'}  {row.title}"
        first = cut(f"{box} {address}  {kind}  {title}", width)
        off = f"\n    left out by default: {cut(row.off, width - 25)}" if row.off else ""
        return Content(first + off)

    def off_run(self) -> str:
        return "" if self.chosen else "nothing is ticked; Space ticks"

    def label(self, item: KeyAction) -> str:
        return f"accept {len(self.chosen)}" if item.id == "run" else item.label

    def do_tick(self) -> None:
        if self.here is not None:
            self.ticked ^= {self.here.address}
            self.fill()

    def do_run(self) -> None:
        self.dismiss([one.address for one in self.chosen])
