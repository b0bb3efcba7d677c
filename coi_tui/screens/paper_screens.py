"""Lists of papers (candidates for a slot, papers found, rejected papers), and the sheets that pin a paper or attach a PDF."""

from __future__ import annotations

from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, TypeVar

from textual.widgets import Input

from coi_tui.model.document import Table, plain_table
from coi_tui.model.errors import CoiError
from coi_tui.model.papers import Paper
from coi_tui.model.text import count, moment
from coi_tui.present.candidate_list import (
    Candidate,
    Candidates,
    about,
    arranged,
    candidates,
    paper_blocks,
)
from coi_tui.present.plain_text import parts
from coi_tui.screens.base import UNCHANGED, ConfirmSheet
from coi_tui.screens.lists import About, SessionListScreen
from coi_tui.screens.open_sessions import SessionController
from coi_tui.screens.reader_screen import ReaderScreen
from coi_tui.screens.sheets import AskText, Parts
from coi_tui.session.decisions.preview import Preview, words
from coi_tui.session.queries.history import ShelfLine, shelf
from coi_tui.widgets.key_actions import LIST_ACTIONS, UNDO, KeyAction
from coi_tui.widgets.lines import cut

if TYPE_CHECKING:
    from coi_tui.session.lookup import LookupResult

Row = TypeVar("Row")
LINK_FROM = 100
ORDERS = ("rank", "year", "citations")
SEARCH = "search again"
"""What the candidates give where another search is wanted."""


class SlotListScreen(SessionListScreen[str, Row]):
    """Papers for a slot. Enter puts one there, and the screen gives a sentence about it."""

    VERB = "use"
    CHANGES = ON_ROW = frozenset({"choose"})

    _preview: tuple[tuple[int, str], Preview] | None = None

    def paper(self, row: Row) -> Paper | None:
        """The record of a row's paper."""
        raise NotImplementedError

    def place(self, paper: Paper) -> object:
        """Put a paper into the slot."""
        raise NotImplementedError

    def preview(self, paper: Paper) -> Preview:
        """What putting a paper into the slot would change; worked out once for each state."""
        key = (self.state.seq, paper.id)
        if self._preview is None or self._preview[0] != key:
            self._preview = (key, self.session.preview(self.address, paper))
        return self._preview[1]

    def ahead(self, row: Row) -> Parts:
        """The preview in words."""
        paper = self.paper(row)
        return words(self.preview(paper), self.state, self.VERB) if paper else ()

    def off_choose(self) -> str:
        paper = self.paper(self.here)
        if paper is None:
            return "its record is missing"
        ahead = self.preview(paper)
        return ahead.problem.rstrip(".") or ("it is already in this slot" if ahead.here else "")

    async def do_choose(self) -> None:
        """Put the paper there, after a question where a pinned one would go; nothing where the
        session has changed since the preview."""
        paper = self.paper(self.here)
        assert paper is not None  # the key is off where there is none
        if self.moved:
            self.load()
            self.say("The session has changed. Check the preview again, then press Enter.")
        elif self.preview(paper).drops_pin:
            text = f"You pinned the paper at {self.address}. Replace it with “{cut(paper.title, 60)}”? The pinned one stays listed under X."
            sheet = ConfirmSheet("Replace a pinned paper?", text, "replace it")
            self.ask(sheet, lambda _: self._place(paper), UNCHANGED)
        else:
            await self._place(paper)

    async def _place(self, paper: Paper) -> None:
        await self.controller.decide(lambda: self.place(paper))
        verb = "Pinned" if self.VERB == "pin" else "Put"
        self.dismiss(f"{verb} “{cut(paper.title, 50)}” at {self.address}; u undoes it.")


class FoundScreen(SlotListScreen[Paper]):
    """Papers that were looked up, to be pinned. None is guessed."""

    PLACE = "found"
    ACTIONS = (
        KeyAction("choose", "enter", "pin", "pin this paper", 1),
        *LIST_ACTIONS,
    )
    NAMES = ("[1] Found", "[2] Preview")
    KEY = attrgetter("id")
    VERB = "pin"
    GUARDED = True

    def __init__(self, controller: SessionController, address: str, found: LookupResult) -> None:
        super().__init__(controller, address)
        self.items, self.found = found.papers, found

    def heading(self) -> tuple[str, str]:
        found = count(len(self.items), "paper")
        return f"Pin into {self.address}: {found} found", f"read as {self.found.read_as}"

    def columns(self, width: int) -> Table:
        found = self.found
        rows = (
            (
                _or_dash(found.fits.get(p.id), ".2f"),
                f"{p.year or '????'}",
                _or_dash(p.citations.count),
                p.title,
            )
            for p in self.items
        )
        return plain_table(("fit", "year", "cited", "title"), rows)

    def about(self, at: int) -> About:
        paper = self.items[at]
        return paper.id, paper.title, [*self.ahead(paper), *parts(paper_blocks(paper))]

    def paper(self, row: Paper) -> Paper:
        return row

    def place(self, paper: Paper) -> object:
        if self.session.slot_of(self.address):
            return self.session.decide("pin", self.address, paper=paper)
        return self.session.edits.add_paper(self.address, paper)


class CandidatesScreen(SlotListScreen[Candidate]):
    """Gives a sentence about what was chosen, or None."""

    PLACE = "candidates"
    ACTIONS = (
        KeyAction("choose", "enter", "use", "put this paper into the slot; that accepts it too", 1),
        KeyAction("pin", "p", "pin", "pin another paper by DOI, arXiv id, URL or title", 2),
        KeyAction("read", "o", "read", "read what there is of this paper", 3),
        KeyAction("search", "f", "search", "search again; an anchor with other words", 4),
        KeyAction("find", "slash", "filter", "show only candidates that contain some words", 5),
        KeyAction("sort", "m", "sort", "sort by rank, by year, by citations", 6),
        *LIST_ACTIONS,
    )
    NAMES = ("[1] Candidates", "[2] Preview")
    KEY = attrgetter("paper")
    CHANGES, ON_ROW = frozenset({"choose", "pin"}), frozenset({"choose", "read"})
    NO_ROW = "there are no candidates"
    EMPTY = (
        "No candidates yet. f searches with words of yours (a plan first), p pins a paper that you know. "
        "Online sources (, opens the settings) and papers of your own (coi papers add FILE.bib) know more."
    )

    order = ORDERS[0]
    list: Candidates

    def take(self) -> None:
        self.list = arranged(candidates(self.state, self.address), self.order, self.words)
        self.items = self.list.entries

    def about_none(self) -> Parts:
        return [("Searched", "\n".join(self.list.searched))] if self.list.searched else []

    def first(self) -> int:
        """On the first that could be chosen, not on the one that is used."""
        return next((n for n, e in enumerate(self.items) if e.mark == " "), 0)

    def heading(self) -> tuple[str, str]:
        listed = sum(e.rank is not None for e in self.items)
        facts = [
            count(listed, "candidate") + (f", {self.list.extent}" if self.list.extent else ""),
            f"by {self.order}",
            f"with “{cut(self.words, 24)}”" if self.words else "",
        ]
        return f"Papers for {self.address}", "   ".join(filter(None, facts))

    def columns(self, width: int) -> Table:
        wide = width >= LINK_FROM
        link = "link" if wide and any(e.link for e in self.items) else ""
        rows = (
            (
                e.mark,
                _or_dash(e.rank),
                f"{e.year or '????'}",
                _or_dash(e.citations),
                _or_dash(e.match, ".2f"),
                (e.link or "-") if link else "",
                "; ".join(e.flags),
                e.title,
                e.why if wide else "",
            )
            for e in self.items
        )
        why = "why" if wide else ""
        return plain_table(("", "rank", "year", "cited", "fit", link, "notes", "title", why), rows)

    def style(self, row: Candidate) -> str:
        return "dim" if row.mark in "x-" else ""

    def about(self, at: int) -> About:
        entry, state = self.items[at], self.state
        order = f"Ranked {self.list.order}" if self.list.order else ""
        searched = "\n".join(filter(None, [*self.list.searched, self.list.ranked, order]))
        shown = [*self.ahead(entry), *parts(about(state, entry)), ("Searched", searched)]
        return entry.paper, entry.title, shown

    def paper(self, row: Candidate) -> Paper | None:
        return self.state.papers.get(row.paper)

    def place(self, paper: Paper) -> object:
        return self.session.decide("choose", self.address, paper.id)

    # -- actions

    def off_read(self) -> str:
        return "" if self.paper(self.here) else "there is no record of this paper"

    def off_search(self) -> str:
        return self.session.refusals(self.address)["search"]

    def do_sort(self) -> None:
        self.order = ORDERS[(ORDERS.index(self.order) + 1) % len(ORDERS)]
        self.load()

    def do_read(self) -> None:
        paper = self.paper(self.here)
        assert paper is not None  # the key is off where there is none
        self.app.push_screen(ReaderScreen(self.session.papers, paper, self.address))

    def do_search(self) -> None:
        self.dismiss(SEARCH)

    def do_pin(self) -> None:
        self.ask(PinSheet(self.controller, self.address), self.dismiss)


def _or_dash(number: float | None, form: str = "") -> str:
    """A number in a form, or a dash where there is none."""
    return "-" if number is None else format(number, form)


NO_REASON = "no reason given"
MEANS = {
    "rejected": "It is not proposed again there. Enter reopens it: it may then be proposed and used again.",
    "replaced": "Another paper took its place. c opens its slot, where it can be put back.",
    "detached": "It comes back by itself with a neighbour that it is linked to. Reopened, it only waits to be proposed or used again.",
    "late": "It was found for a chain that had changed in the meantime. c opens its slot, where it can be used.",
}
KEPT_OUT = "You left it out of this session: it is never proposed. Enter reopens it: it may then be proposed and used."


class ShelfScreen(SessionListScreen[str, ShelfLine]):
    """Gives the address of a slot whose candidates are wanted, or None. Reopening happens here."""

    PLACE = "shelf"
    ACTIONS = (
        KeyAction("choose", "enter,a", "reopen", "let it be proposed again (also a)", 1),
        KeyAction("candidates", "c", "its slot", "the candidates of the slot that it left", 2),
        UNDO,
        *LIST_ACTIONS,
    )
    NAMES = ("[1] Papers   newest first", "[2] Paper")
    KEY = attrgetter("item.paper", "where")
    CHANGES, ON_ROW = frozenset({"choose"}), frozenset({"choose", "candidates"})
    NO_ROW = "no paper was rejected"
    EMPTY = "No paper was rejected, replaced or detached."

    def take(self) -> None:
        self.items = shelf(self.state, self.session.journal.entries)

    def heading(self) -> tuple[str, str]:
        return "Rejected papers", count(len(self.items), "paper")

    def columns(self, width: int) -> Table:
        rows = (
            (line.item.kind, line.where, line.item.reason or NO_REASON, line.title)
            for line in self.items
        )
        return plain_table([""] * 4, rows)

    def about(self, at: int) -> About:
        line = self.items[at]
        paper = self.state.papers.get(line.item.paper)
        left = line.where if line.item.branch else "the session"
        when = f", {moment(line.time)}" if line.time else ""
        why = f"{line.item.kind} from {left}{when}: {line.item.reason or NO_REASON}"
        means = MEANS[line.item.kind] if line.item.branch else KEPT_OUT
        lines = parts(paper_blocks(paper)) if paper else ()
        return f"{line.item.paper} {line.where}", line.title, [("", why), ("", means), *lines]

    def off_candidates(self) -> str:
        return "" if self.here.item.branch else "this paper left no slot"

    async def do_choose(self) -> None:
        line = self.here
        where = f"branch {line.item.branch}" if line.item.branch else "the session"
        title = cut(line.title, 50)
        await self.commit(
            lambda s: s.decide("reopen", str(line.item.branch or "X"), line.item.paper),
            f"Reopened “{title}”: it may be proposed and used again in {where}. u undoes it.",
        )

    def do_candidates(self) -> None:
        self.dismiss(self.here.where)


class WorkingSheet(AskText):
    """Stays open while what was typed is worked on. An error is shown, and the text stays."""

    SAYS = "#text"
    BUSY = MISSING = ""
    busy = False

    @property
    def typed(self) -> str:
        return self.query_one("#reason", Input).value.strip()

    async def work(self, text: str) -> None:
        """Do what the sheet is for. Raises CoiError."""
        raise NotImplementedError

    def on_input_changed(self) -> None:
        self.refresh_footer()

    def off_send(self) -> str:
        if not self.composed:
            return ""
        return self.BUSY if self.busy else "" if self.typed else self.MISSING

    def do_send(self) -> None:
        self.busy = True
        self.say(f"{self.BUSY.capitalize()} ...")
        self.replace_worker(partial(self._work, self.typed), "work")

    async def _work(self, text: str) -> None:
        try:
            await self.work(text)
        except CoiError as error:
            self.say(str(error))
        finally:
            self.busy = False
            self.refresh_footer()


class PinSheet(WorkingSheet):
    """Looks a paper up and shows what was found, to be pinned there. Gives a sentence about what
    was pinned, or None."""

    BUSY, MISSING = "looking it up", "enter an id, a URL or a title first"

    def __init__(self, controller: SessionController, address: str, text: str = "") -> None:
        self.controller, self.address = controller, address
        super().__init__(
            f"Pin a paper into {address}",
            controller.session.papers.lookup_disclosure(),
            "look up",
            hint="words, a title, DOI, arXiv id or URL",
            aside="a pinned paper is never replaced by a task",
            value=text,
        )

    async def work(self, text: str) -> None:
        found = await self.controller.session.papers.look_up(text)
        if self.is_current:
            screen = FoundScreen(self.controller, self.address, found)
            self.ask(screen, self.dismiss, "Nothing was pinned.")


STAYS = (
    "Its text is stored in this session and sent only in the prompt that reads this paper; a plan says so first. "
    "u undoes it; coi forget deletes it with the session."
)


class AttachSheet(WorkingSheet):
    """Reads a PDF and attaches it. Gives a sentence about what was attached, or None. Closing the
    sheet meanwhile ends the reading.

    Raises UsageError when it is made for a row without a paper.
    """

    BUSY, MISSING = "reading the PDF", "type or paste a path first"

    def __init__(self, controller: SessionController, address: str, title: str) -> None:
        self.controller, self.session, self.address = controller, controller.session, address
        changes = self.session.impact(address, lambda s: s.decide("attach", address)).sentence()
        super().__init__(
            f"Attach your PDF to {address}",
            f"{title}\n{changes} {STAYS}",
            "attach",
            hint="path of a PDF; ~, quotes and spaces are fine",
            aside="nothing is sent",
        )

    async def work(self, text: str) -> None:
        read = await self.session.papers.read_pdf(text)
        await self.controller.decide(lambda: self.session.decide("attach", self.address, read.own))
        doubt = self.session.papers.attach_doubt(self.address, read)
        self.dismiss(
            f"Attached to {self.address}: {cut(read.own.named, 150)}. {doubt or 'Its card can be refreshed from it; u undoes it.'}"
        )
