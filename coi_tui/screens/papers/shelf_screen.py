"""The shelf: papers that were rejected, replaced or detached, with the reason; each can come back."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual.content import Content

from coi_tui.screens.listing import Listing
from coi_tui.session.queries.detail import paper_lines
from coi_tui.session.queries.history import ShelfLine, shelf
from coi_tui.widgets.formatting import cut, fit
from coi_tui.widgets.key_actions import DECIDE, LIST_ACTIONS, KeyAction, bindings

MEANS = {
    "rejected": "It is not proposed again there. Enter reopens it: it may then be proposed and chosen again.",
    "replaced": "Another paper took its place. c opens its slot, where it can be chosen back.",
    "detached": "It comes back by itself with a neighbour that it is linked to. Reopened, it only waits to be proposed or chosen again.",
    "late": "It was found for a chain that had changed in the meantime. c opens its slot, where it can be chosen.",
}
KEPT_OUT = "You keep it out of this session: it is never proposed. Enter reopens it: it may then be proposed and chosen."


SHELF_ACTIONS = (
    KeyAction("choose", "enter,a", "Enter", "reopen", "take it off the shelf, so that it may be proposed again (also a)", DECIDE, 1),
    KeyAction("candidates", "c", "c", "its slot", "the candidates of the slot that it left", DECIDE, 2),
    KeyAction("undo", "u", "u", "undo", "undo the last decision", DECIDE, 3),
    *LIST_ACTIONS,
    KeyAction("cancel", "escape,q", "Esc", "back", "back", DECIDE, 9),
)


class ShelfScreen(Listing[str, ShelfLine]):
    """Gives the address of a slot whose candidates are wanted, or None. Reopening happens here."""

    PLACE = "shelf"
    ACTIONS = SHELF_ACTIONS
    BINDINGS = bindings(PLACE, ACTIONS)
    NAMES = ("[1] Shelf   newest first", "[2] Paper")
    EMPTY = "The shelf is empty: nothing was rejected, replaced or detached."

    def keys(self) -> Sequence[str]:
        return [f"{line.item.paper} {line.where}" for line in self.items]

    def take(self) -> None:
        self.items = shelf(self.session.state, self.session.core.journal.entries)

    def heading(self) -> tuple[str, str]:
        return "Rejected and detached papers", f"{self.count} on the shelf"

    def row_texts(self, width: int) -> Sequence[Content]:
        return [Content(cut(self._row(line, width), width)) for line in self.items]

    def _row(self, line: ShelfLine, width: int) -> str:
        left = f"{line.item.kind:8}  {line.where:5}  "
        reason = cut(line.item.reason or "no reason given", max(18, width // 3))
        return left + fit(line.title, max(8, width - len(left) - cell_len(reason) - 2)) + "  " + reason

    def told(self, at: int) -> tuple[str, str, Sequence[tuple[str, str]]]:
        line = self.items[at]
        paper = self.session.state.papers.get(line.item.paper)
        left = line.where if line.item.branch else "the session"
        where = f"{line.item.kind} from {left}{f', {line.time}' if line.time else ''}: {line.item.reason or 'no reason given'}"
        lines = list(paper_lines(paper))[1:] if paper else []
        means = MEANS[line.item.kind] if line.item.branch else KEPT_OUT
        return f"{line.item.paper} {line.where}", line.title, [("", where), ("", means), *lines]

    def off(self, name: str) -> str:
        if name == "choose" and self.session.read_only_reason:
            return f"this session is read-only ({self.session.read_only_reason})"
        if name in ("choose", "candidates") and self.at is None:
            return "the shelf is empty"
        if name == "candidates" and self.at is not None and not self.items[self.at].item.branch:
            return "this paper left no slot"
        return ""

    async def do_choose(self) -> None:
        if self.at is None:
            return
        line = self.items[self.at]
        await self.controller.decide(lambda: self.session.decisions.reopen(line.item.paper, line.item.branch))
        self.load()
        where = f"branch {line.item.branch}" if line.item.branch else "the session"
        self.say(f"Reopened “{cut(line.title, 50)}”: it may be proposed and chosen again in {where}. u undoes it.")

    async def do_undo(self) -> None:
        self.say(f"Undone: {await self.controller.decide(self.session.undo_stack.undo)}.")
        self.load()

    def do_candidates(self) -> None:
        if self.at is not None:
            self.dismiss(self.items[self.at].where)
