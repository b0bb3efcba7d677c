"""The novelty report of a branch: paper by paper, the model's verdict and beside it one's own."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual.content import Content

from coi_tui.model.address import Branch
from coi_tui.model.content import CLOSENESS, NoveltyReport, NoveltySearch
from coi_tui.model.text import count
from coi_tui.screens.listing import Listing
from coi_tui.screens.session_controller import SessionController
from coi_tui.screens.sheets.text_sheets import NoteSheet
from coi_tui.session.queries.candidates import paper_lines
from coi_tui.session.queries.comparisons import JUDGEMENTS, Compared, compared
from coi_tui.widgets.key_actions import DECIDE, LOOK, MAKE, VIEW_ACTIONS, KeyAction
from coi_tui.widgets.panes import ago, cut, fit

WORDS_FROM = 70
"""Cells of a row from which the whole verdict and the year stand in it."""
SIGNS = {"close match": "!", "partial": "~", "not close": "."}


NOVELTY_ACTIONS = (
    KeyAction(
        "judge",
        "c",
        "c",
        "your judgement",
        "cycles through: same idea; overlaps, differs; unrelated; none",
        DECIDE,
        1,
    ),
    KeyAction("verify", "v", "v", "check again", "search again and judge (a plan first)", MAKE, 2),
    KeyAction(
        "against",
        "P",
        "P",
        "search against",
        "search for the strongest prior work: the idea done already (a plan first)",
        MAKE,
        3,
    ),
    KeyAction(
        "bad",
        "B",
        "B",
        "prior art to avoid",
        "prior art to avoid (a bad case): the next draft must differ from it",
        DECIDE,
        3,
    ),
    KeyAction(
        "read", "enter,o", "Enter", "read", "read what there is of this paper (also o)", LOOK, 4
    ),
    KeyAction(
        "paper_note",
        "n",
        "n",
        "your note",
        "a note beside your judgement of this paper; exported, seen by no model",
        DECIDE,
        6,
    ),
    KeyAction(
        "claims",
        "e",
        "e",
        "edit claims",
        "write the claims yourself; every further check searches and judges by yours",
        DECIDE,
        6,
    ),
    KeyAction(
        "verdict",
        "C",
        "C",
        "your verdict",
        "your own verdict on the idea: close match; partial; not close; none",
        DECIDE,
        7,
    ),
    KeyAction(
        "note",
        "m",
        "m",
        "private note",
        "a private note on this report; it is never sent and not exported",
        DECIDE,
        8,
    ),
    *VIEW_ACTIONS,
)


class NoveltyScreen(Listing[str, Compared]):
    """Gives the name of an action of the workbench to go on with (``verify``), or None."""

    PLACE = "novelty"
    ACTIONS = NOVELTY_ACTIONS
    NAMES = (
        "[1] Papers, close ones first   claims: = same ~ overlaps / differs . none",
        "[2] Overlap",
    )
    GOES_ON = frozenset({"verify", "against"})
    CHANGES = frozenset({"judge", "bad", "note", "paper_note", "claims", "verdict"})
    ON_ROW, NO_ROW = frozenset({"judge", "bad", "read", "paper_note"}), "there is no paper"
    EMPTY = (
        "Nothing was found that could be compared. That says nothing about how new the idea may be."
    )

    def __init__(self, controller: SessionController, branch: Branch) -> None:
        super().__init__(controller)
        self.branch, self.address = branch, f"{branch}/nov"

    def keys(self) -> Sequence[str]:
        return [c.paper for c in self.items]

    def take(self) -> None:
        self.items = compared(self.session.state, self.branch)

    @property
    def report(self) -> NoveltyReport | None:
        """The report in use, read through its model: an older one may lack fields."""
        return self.session.state.read(self.address, NoveltyReport)

    def heading(self) -> tuple[str, str]:
        report = self.report
        fresh = self.session.core.freshness(self.address).status
        if report is None:
            return f"Novelty of {self.branch}/idea", "no report yet"
        close, partial, other = numbers = report.numbers()
        said = (
            f"{count(sum(numbers), 'paper')}: {close} close, {partial} partial, {other} not close"
        )
        if report.verdict == "INCONCLUSIVE":
            said = f"INCONCLUSIVE: {report.why or 'too little was found'}"
        yours = f"   yours: {own}" if (own := self.session.state.own_verdict(self.branch)) else ""
        status = {"stale": "STALE: the idea has changed", "upstream": "input stale"}.get(
            fresh, "up to date"
        )
        failed = "last check failed   " if self.session.queries.failed_check(self.address) else ""
        return f"Novelty of {self.branch}/idea   {said}{yours}", f"{failed}{status}"

    def row_texts(self, width: int) -> Sequence[Content]:
        return [Content(cut(self._row(c, width), width)) for c in self.items]

    def _row(self, c: Compared, width: int) -> str:
        words = (
            f"{c.verdict:11}  {c.year or '????'}  "
            if width >= WORDS_FROM
            else f"{c.verdict.split()[0]:7}  "
        )
        claims = f"{c.marks}  " if c.marks and width >= WORDS_FROM else ""
        left = f"{SIGNS.get(c.verdict, '?')} {words}{claims}"
        yours = f"  you: {c.yours}" if c.yours else ""
        flags = f"{'  NEW' if c.new else ''}{'  avoid' if c.bad else ''}{yours}"
        return left + fit(c.title, max(10, width - len(left) - len(flags))) + flags

    def told(self, at: int) -> tuple[str, str, Sequence[tuple[str, str]]]:
        c = self.items[at]
        paper = self.session.state.papers.get(c.paper)
        parts = [
            ("VERDICT", f"{c.verdict}{f', overlap: {c.overlap}' if c.overlap else ''}. {c.reason}"),
            ("YOU", c.yours or "no judgement yet; c cycles through: " + "; ".join(JUDGEMENTS)),
        ]
        if c.note:
            parts.append(("YOUR NOTE (in the export)", c.note))
        parts += [
            ("CLAIM " + name, text.strip())
            for name, _, text in (line.partition("\n") for line in c.claims)
        ]
        if failed := self.session.queries.failed_check(self.address):
            parts.insert(0, ("LAST CHECK FAILED", failed))
        if note := self.session.state.notes.get(self.address):
            parts.append(("YOUR PRIVATE NOTE (never sent)", note))
        parts.append(("SEARCH BEHIND THIS REPORT", self._searches()))
        return (
            c.paper,
            c.title,
            [*self._why(), *parts, *(list(paper_lines(paper))[1:] if paper else [])],
        )

    def told_of_none(self) -> Sequence[tuple[str, str]]:
        return (
            [*self._why(), ("SEARCH BEHIND THIS REPORT", self._searches())]
            if self.report is not None
            else ()
        )

    def _why(self) -> Sequence[tuple[str, str]]:
        """Why the report concludes nothing, where it does not."""
        return (
            [("INCONCLUSIVE", self.report.why)]
            if self.report is not None and self.report.why
            else []
        )

    def _searches(self) -> str:
        rows = self.report.searches if self.report is not None else []
        lines = [
            f"{_searched_for(s)}“{s.query}” in {s.source} {s.date}: {count(s.hits, 'hit')}, {s.outcome}{f' ({s.note})' if s.note else ''}"
            for s in rows
        ]
        dates = [s.date for s in rows if s.date]
        age = f"Searched {ago(max(dates))}. " if dates else ""
        return (
            f"{age}Not searched: theses, patents, anything without an abstract. A search, not a proof.\n"
            + "\n".join(lines)
        )

    # -- actions

    def off_read(self) -> str:
        return (
            ""
            if self.at is None or self.items[self.at].paper in self.session.state.papers
            else "there is no record of this paper"
        )

    def off_bad(self) -> str:
        return "it is marked already" if self.at is not None and self.items[self.at].bad else ""

    async def do_judge(self) -> None:
        c = self.here
        chosen = _after(JUDGEMENTS, c.yours)
        await self.controller.decide(
            lambda: self.session.decide(
                "judge", f"{self.branch}/nov", {"paper": c.paper, "judgement": chosen}
            )
        )
        self.done(
            f"Your judgement: {chosen or 'none'}. It stands beside the report's verdict and in the export; u undoes it."
        )

    async def do_bad(self) -> None:
        c = self.here
        marked = f"Marked as prior art to avoid: the next draft must differ from it. {self.branch}/idea is stale now; u undoes it."
        await self.change(
            self.address,
            "Mark it as prior art to avoid?",
            lambda s: s.decide("tick", f"{self.branch}/nov", c.paper),
            lambda _: self.done(marked),
        )

    def do_claims(self) -> None:
        from coi_tui.screens.texts.edit_screen import EditScreen

        address = f"{self.branch}/claims"
        started = (
            self.session.state.in_use(address) is not None
            or self.session.edits.draft(address) is not None
        )
        start = None if started else self.session.edits.claims_as_text(self.branch)
        self.app.push_screen(EditScreen(self.controller, address, start=start), self.done)

    async def do_verdict(self) -> None:
        chosen = _after(CLOSENESS, self.session.state.own_verdict(self.branch))
        await self.controller.decide(
            lambda: self.session.decide("judge", f"{self.branch}/nov", {"judgement": chosen})
        )
        self.done(
            f"Your verdict on the idea: {chosen or 'none'}. It stands beside the report's through every check; u undoes it."
        )

    def do_paper_note(self) -> None:
        c = self.here
        self._note(
            NoteSheet(c.title, c.note, shared=True),
            lambda text: self.session.decide(
                "judge", f"{self.branch}/nov", {"paper": c.paper, "note": text}
            ),
            "The note stands beside your judgement, here and in the export; u undoes it.",
        )

    def do_note(self) -> None:
        self._note(
            NoteSheet(self.address, self.session.state.notes.get(self.address, "")),
            lambda text: self.session.decide("note", self.address, text),
            "The note is saved; it is never sent.",
        )

    def _note(self, sheet: NoteSheet, change: Callable[[str], object], said: str) -> None:
        async def noted(text: str | None) -> None:
            if text is not None:
                await self.controller.decide(lambda: change(text))
                self.done(said)

        self.app.push_screen(sheet, noted)

    def do_read(self) -> None:
        from coi_tui.screens.papers.reader_screen import ReaderScreen

        paper = self.session.state.papers[self.here.paper]
        self.app.push_screen(ReaderScreen(self.controller, paper, self.address))


def _after(choices: Sequence[str], now: str) -> str:
    """The choice after this one, round and round; the last is none."""
    order = ["", *choices]
    return order[(order.index(now) + 1) % len(order)]


def _searched_for(search: NoveltySearch) -> str:
    """What a search was for: the whole idea, or a claim by its number."""
    if search.whole:
        return "the whole idea: "
    if search.angle:
        return f"against it, {search.angle}: "
    return f"claim {search.claim}: " if search.claim else ""
