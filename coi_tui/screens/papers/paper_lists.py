"""Lists of papers: the candidates for a slot with what choosing one would change, and the shelf."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual.content import Content

from coi_tui.model.text import count, moment
from coi_tui.present.candidates import Candidate, about, arranged, candidates, paper_blocks
from coi_tui.present.text import parts
from coi_tui.screens.listing import Listing
from coi_tui.screens.papers.paper_sheets import PinSheet
from coi_tui.screens.papers.slot_choice import SlotChoice
from coi_tui.screens.session_controller import SessionController
from coi_tui.screens.sheets.text_sheets import AskText
from coi_tui.session.availability import Action
from coi_tui.session.decisions.preview import Preview, words
from coi_tui.session.queries.history import ShelfLine, shelf
from coi_tui.widgets.key_actions import DECIDE, LIST_ACTIONS, LOOK, MAKE, KeyAction
from coi_tui.widgets.panes import column, cut, fit

LINK_FROM = 100
ORDERS = ("match", "year", "citations")
SEARCH = "search again"
"""What the screen gives where another search is wanted."""


CANDIDATES_ACTIONS = (
    KeyAction(
        "choose",
        "enter",
        "Enter",
        "use",
        "put this paper into the slot; that accepts it too",
        DECIDE,
        1,
    ),
    KeyAction(
        "pin", "p", "p", "pin", "pin another paper by DOI, arXiv id, URL or title", DECIDE, 2
    ),
    KeyAction("read", "o", "o", "read", "read what there is of this paper", LOOK, 3),
    KeyAction(
        "search",
        "f",
        "f",
        "search",
        "search again; an anchor with other words",
        MAKE,
        4,
    ),
    KeyAction(
        "find", "slash", "/", "filter", "show only candidates that contain some words", LOOK, 5
    ),
    KeyAction("sort", "m", "m", "sort", "sort by match, by year, by citations", LOOK, 6),
    *LIST_ACTIONS,
    KeyAction("cancel", "escape,q", "Esc", "back", "back; nothing is changed", DECIDE, 9),
)


class CandidatesScreen(Listing[str, Candidate]):
    """Gives a sentence about what was chosen, or None."""

    PLACE = "candidates"
    ACTIONS = CANDIDATES_ACTIONS
    NAMES = ("[1] Candidates   by match", "[2] Preview")
    CHANGES, ON_ROW, NO_ROW = (
        frozenset({"choose", "pin"}),
        frozenset({"choose", "read"}),
        "there are no candidates",
    )
    EMPTY = "There are no candidates here yet: r or g searches for some (a plan first), p pins a paper that you know."

    def __init__(self, controller: SessionController, address: str) -> None:
        super().__init__(controller)
        self.address = address
        self.list = candidates(controller.session.state, address)
        self.choice = SlotChoice(self)
        self.order, self.words = "match", ""

    def keys(self) -> Sequence[str]:
        return [e.paper for e in self.items]

    def take(self) -> None:
        self.list = arranged(candidates(self.session.state, self.address), self.order, self.words)
        self.items = self.list.entries

    def do_sort(self) -> None:
        self.order = ORDERS[(ORDERS.index(self.order) + 1) % len(ORDERS)]
        self.lines.border_title = Content(f"[1] Candidates   by {self.order}")
        self.load()

    def do_find(self) -> None:
        sheet = AskText(
            "Filter",
            "Only rows that contain all of these words are shown; an empty line shows all.",
            "filter",
            hint="words in a title, a year, a flag",
            value=self.words,
            at_bottom=True,
        )
        self.app.push_screen(sheet, self._filtered)

    def _filtered(self, words: str | None) -> None:
        if words is not None:
            self.words = words
            self.load()

    def do_read(self) -> None:
        from coi_tui.screens.papers.reader_screen import ReaderScreen

        assert self.chosen is not None
        paper = self.session.state.papers[self.chosen.paper]
        self.app.push_screen(ReaderScreen(self.controller, paper, self.address))

    def do_search(self) -> None:
        self.dismiss(SEARCH)

    def first(self) -> int:
        """On the first that could be chosen, not on what stands there."""
        free = (n for n, e in enumerate(self.items) if e.mark == " ")
        return next(free, 0)

    def heading(self) -> tuple[str, str]:
        listed = sum(e.rank is not None for e in self.items)
        kept = f"   with “{cut(self.words, 24)}”" if self.words else ""
        reach = f", {self.list.extent}" if self.list.extent else ""
        return f"Papers for {self.address}", f"{count(listed, 'candidate')}{reach}{kept}"

    def row_texts(self, width: int) -> Sequence[Content]:
        return [_row(e, width) for e in self.items]

    def preview(self, entry: Candidate) -> Preview:
        """What choosing it would do, worked out once for each state."""
        return self.choice.preview(self.address, self.session.state.papers[entry.paper])

    def told(self, at: int) -> tuple[str, str, Sequence[tuple[str, str]]]:
        entry, state = self.items[at], self.session.state
        ahead = words(self.preview(entry), state) if entry.paper in state.papers else []
        searched = [("Searched", "\n".join([*self.list.searched, self.list.ranked]))]
        return entry.paper, entry.title, [*ahead, *parts(about(state, entry)), *searched]

    # -- actions

    def _recorded(self) -> bool:
        """Whether there is a record of the paper under the cursor."""
        return self.chosen is not None and self.chosen.paper in self.session.state.papers

    def off_read(self) -> str:
        return "" if self._recorded() else "there is no record of this paper"

    def off_search(self) -> str:
        return self.controller.refusals(self.address)[Action.SEARCH]

    def off_choose(self) -> str:
        entry = self.chosen
        if entry is None:
            return ""
        if not self._recorded():
            return "its record is missing"
        ahead = self.preview(entry)
        return ahead.problem.rstrip(".") or ("it is already in this slot" if ahead.here else "")

    async def do_choose(self) -> None:
        if self.chosen is not None:
            await self.choice.choose(self.address, self.session.state.papers[self.chosen.paper])

    def do_pin(self) -> None:
        self.app.push_screen(PinSheet(self.controller, self.address), self._pinned)

    def _pinned(self, said: str | None) -> None:
        if said is not None:
            self.dismiss(said)


def _or_dash(number: float | None, form: str = "") -> str:
    """A number in a form, or a dash where there is none."""
    return "-" if number is None else format(number, form)


def _row(e: Candidate, width: int) -> Content:
    """Mark, rank, year, citations, match, link, title, flags; the flags are cut last."""
    link = fit(e.link or "-", 10) + " " if width >= LINK_FROM else ""
    left = f"{e.mark} {_or_dash(e.rank):>3}  {e.year or '????'} {_or_dash(e.citations):>6}  {_or_dash(e.match, '.2f'):^4}  {link}"
    flags = cut("; ".join(e.flags), max(18, width // 3))
    room = max(8, width - cell_len(left) - (cell_len(flags) + 2 if flags else 0))
    text = cut(left + (f"{fit(e.title, room)}  {flags}" if flags else cut(e.title, room)), width)
    return Content.styled(text, "dim") if e.mark in "x-" else Content(text)


MEANS = {
    "rejected": "It is not proposed again there. Enter reopens it: it may then be proposed and used again.",
    "replaced": "Another paper took its place. c opens its slot, where it can be put back.",
    "detached": "It comes back by itself with a neighbour that it is linked to. Reopened, it only waits to be proposed or used again.",
    "late": "It was found for a chain that had changed in the meantime. c opens its slot, where it can be used.",
}
KEPT_OUT = "You left it out of this session: it is never proposed. Enter reopens it: it may then be proposed and used."


SHELF_ACTIONS = (
    KeyAction(
        "choose", "enter,a", "Enter", "reopen", "let it be proposed again (also a)", DECIDE, 1
    ),
    KeyAction(
        "candidates", "c", "c", "its slot", "the candidates of the slot that it left", DECIDE, 2
    ),
    KeyAction("undo", "u", "u", "undo", "undo the last decision", DECIDE, 3),
    *LIST_ACTIONS,
    KeyAction("cancel", "escape,q", "Esc", "back", "back", DECIDE, 9),
)


class ShelfScreen(Listing[str, ShelfLine]):
    """Gives the address of a slot whose candidates are wanted, or None. Reopening happens here."""

    PLACE = "shelf"
    ACTIONS = SHELF_ACTIONS
    NAMES = ("[1] Papers   newest first", "[2] Paper")
    CHANGES, ON_ROW, NO_ROW = (
        frozenset({"choose"}),
        frozenset({"choose", "candidates"}),
        "no paper was rejected",
    )
    EMPTY = "No paper was rejected, replaced or detached."

    def keys(self) -> Sequence[str]:
        return [f"{line.item.paper} {line.where}" for line in self.items]

    def take(self) -> None:
        self.items = shelf(self.session.state, self.session.core.journal.entries)

    def heading(self) -> tuple[str, str]:
        return "Rejected papers", count(self.count, "paper")

    def row_texts(self, width: int) -> Sequence[Content]:
        return [Content(cut(self._row(line, width), width)) for line in self.items]

    @property
    def _places(self) -> int:
        return column((line.where for line in self.items), 5, 12)

    def _row(self, line: ShelfLine, width: int) -> str:
        left = f"{line.item.kind:8}  {fit(line.where, self._places)}  "
        reason = cut(line.item.reason or "no reason given", max(18, width // 3))
        return (
            left + fit(line.title, max(8, width - len(left) - cell_len(reason) - 2)) + "  " + reason
        )

    def told(self, at: int) -> tuple[str, str, Sequence[tuple[str, str]]]:
        line = self.items[at]
        paper = self.session.state.papers.get(line.item.paper)
        left = line.where if line.item.branch else "the session"
        where = f"{line.item.kind} from {left}{f', {moment(line.time)}' if line.time else ''}: {line.item.reason or 'no reason given'}"
        lines = parts(paper_blocks(paper)) if paper else ()
        means = MEANS[line.item.kind] if line.item.branch else KEPT_OUT
        return f"{line.item.paper} {line.where}", line.title, [("", where), ("", means), *lines]

    def off_candidates(self) -> str:
        return (
            "this paper left no slot"
            if self.at is not None and not self.items[self.at].item.branch
            else ""
        )

    async def do_choose(self) -> None:
        if self.at is None:
            return
        line = self.items[self.at]
        await self.controller.decide(
            lambda: self.session.decisions.reopen(line.item.paper, line.item.branch)
        )
        self.load()
        where = f"branch {line.item.branch}" if line.item.branch else "the session"
        self.say(
            f"Reopened “{cut(line.title, 50)}”: it may be proposed and used again in {where}. u undoes it."
        )

    def do_candidates(self) -> None:
        if self.at is not None:
            self.dismiss(self.items[self.at].where)
