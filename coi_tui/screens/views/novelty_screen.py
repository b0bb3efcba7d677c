"""The novelty report of a branch: paper by paper, the model's verdict and beside it one's own."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from coi_tui.model.address import Branch
from coi_tui.screens.listing import Listing
from coi_tui.screens.session_controller import SessionController
from coi_tui.session.availability import Action
from coi_tui.session.queries.candidates import paper_lines
from coi_tui.session.queries.comparisons import JUDGEMENTS, Compared, compared
from coi_tui.widgets.formatting import ago, cut, fit
from coi_tui.widgets.key_actions import DECIDE, LIST_ACTIONS, LOOK, MAKE, KeyAction, bindings

WORDS_FROM = 70
"""Cells of a row from which the whole verdict and the year stand in it."""
SIGNS = {"close match": "!", "partial": "~", "not close": "."}


NOVELTY_ACTIONS = (
    KeyAction("judge", "c", "c", "your judgement", "cycles through: same idea; overlaps, differs; unrelated; none", DECIDE, 1),
    KeyAction("verify", "v", "v", "check again", "search again and judge (a plan first)", MAKE, 2),
    KeyAction("bad", "B", "B", "bad case", "mark this paper as a bad case: the next draft must differ from it", DECIDE, 3),
    KeyAction("read", "enter,o", "Enter", "read", "read what there is of this paper (also o)", LOOK, 4),
    KeyAction("note", "m", "m", "note", "a private note on this report; it is never sent", DECIDE, 5),
    KeyAction("undo", "u", "u", "undo", "undo the last decision", DECIDE, 7),
    *LIST_ACTIONS,
    KeyAction("cancel", "escape,q", "Esc", "back", "back to the row", DECIDE, 9),
)


class NoveltyScreen(Listing[str, Compared]):
    """Gives the name of an action of the workbench to go on with (``verify``), or None."""

    PLACE = "novelty"
    ACTIONS = NOVELTY_ACTIONS
    BINDINGS = bindings(PLACE, ACTIONS)
    NAMES = ("[1] Papers compared   close ones first", "[2] Overlap")
    CHANGES, ON_ROW, NO_ROW = frozenset({"judge", "bad", "note"}), frozenset({"judge", "bad", "read"}), "there is no paper"
    EMPTY = "Nothing was found that could be compared. That says nothing about how new the idea may be."

    def __init__(self, controller: SessionController, branch: Branch) -> None:
        super().__init__(controller)
        self.branch, self.address = branch, f"{branch}/nov"

    def keys(self) -> Sequence[str]:
        return [c.paper for c in self.items]

    def take(self) -> None:
        self.items = compared(self.session.state, self.branch)

    def heading(self) -> tuple[str, str]:
        report = self.session.state.in_use(self.address)
        fresh = self.session.core.freshness(self.address).status
        if report is None:
            return f"Novelty of {self.branch}/idea", "no report yet"
        c = report.content
        counts = f"{c['counts']['close match']} close, {c['counts']['partial']} partial, {c['counts']['not close']} not close"
        said = "INCONCLUSIVE" if c["verdict"] == "INCONCLUSIVE" else f"{c['judged']} papers: {counts}"
        status = {"stale": "STALE: the idea has changed", "upstream": "stale^"}.get(fresh, "fresh")
        failed = "last check failed   " if self.session.queries.failed_check(self.address) else ""
        return f"Novelty of {self.branch}/idea   {said}", f"{failed}{status}"

    def row_texts(self, width: int) -> Sequence[Content]:
        return [Content(cut(self._row(c, width), width)) for c in self.items]

    def _row(self, c: Compared, width: int) -> str:
        words = f"{c.verdict:11}  {c.year or '????'}  " if width >= WORDS_FROM else f"{c.verdict.split()[0]:7}  "
        left = f"{SIGNS.get(c.verdict, '?')} {words}"
        yours = f"  you: {c.yours}" if c.yours else ""
        flags = f"{'  NEW' if c.new else ''}{'  bad case' if c.bad else ''}{yours}"
        return left + fit(c.title, max(10, width - len(left) - len(flags))) + flags

    def told(self, at: int) -> tuple[str, str, Sequence[tuple[str, str]]]:
        c, report = self.items[at], self.session.state.in_use(self.address)
        paper = self.session.state.papers.get(c.paper)
        parts = [("MODEL", f"{c.verdict}{f', overlap: {c.overlap}' if c.overlap else ''}. {c.reason}"),
                 ("YOU", c.yours or "no judgement yet; c cycles through: " + ", ".join(JUDGEMENTS))]  # fmt: skip
        if failed := self.session.queries.failed_check(self.address):
            parts.insert(0, ("LAST CHECK FAILED", failed))
        if note := self.session.state.notes.get(self.address):
            parts.append(("YOUR NOTE (never sent)", note))
        parts.append(("SEARCH BEHIND THIS REPORT", self._searches()))
        if report is not None and report.content.get("why"):
            parts.append(("INCONCLUSIVE", str(report.content["why"])))
        return c.paper, c.title, [*parts, *(list(paper_lines(paper))[1:] if paper else [])]

    def _searches(self) -> str:
        report = self.session.state.in_use(self.address)
        rows = report.content["searches"] if report else []
        lines = [
            f"{'the whole idea: ' if s.get('whole') else ''}“{s['query']}” in {s['source']} {s['date']}: {s['hits']} hits, {s['outcome']}"
            for s in rows
        ]
        dates = [str(s["date"]) for s in rows if s.get("date")]
        age = f"Searched {ago(max(dates))}. " if dates else ""
        return f"{age}Not searched: theses, patents, anything without an abstract. A search, not a proof.\n" + "\n".join(lines)

    # -- actions --------------------------------------------------------------------------------------------------

    def off_read(self) -> str:
        return "" if self.at is None or self.items[self.at].paper in self.session.state.papers else "there is no record of this paper"

    def off_bad(self) -> str:
        return "it is a bad case already" if self.at is not None and self.items[self.at].bad else ""

    def off_verify(self) -> str:
        return self.controller.refusals(self.address)[Action.VERIFY]

    async def do_judge(self) -> None:
        assert self.at is not None
        c = self.items[self.at]
        round_ = [*JUDGEMENTS, ""]
        chosen = round_[(round_.index(c.yours) + 1) % len(round_)] if c.yours else JUDGEMENTS[0]
        await self.controller.decide(lambda: self.session.judgements.judge(self.branch, c.paper, chosen))
        self.load()
        self.say(f"Your judgement: {chosen or 'none'}. It stands beside the model's verdict and in the export; u undoes it.")

    async def do_bad(self) -> None:
        assert self.at is not None
        c = self.items[self.at]
        await self.controller.decide(lambda: self.session.judgements.tick_bad_case(self.branch, c.paper))
        self.load()
        self.say(f"Marked as a bad case: the next draft must differ from it. {self.branch}/idea is stale now; u undoes it.")

    def do_note(self) -> None:
        from coi_tui.screens.sheets.text_sheets import NoteSheet

        self.app.push_screen(NoteSheet(self.address, self.session.state.notes.get(self.address, "")), self._noted)

    async def _noted(self, text: str | None) -> None:
        if text is not None:
            await self.controller.decide(lambda: self.session.decisions.note(self.address, text))
            self.load()
            self.say("The note is saved; it is never sent.")

    def do_read(self) -> None:
        from coi_tui.screens.papers.reader_screen import ReaderScreen

        assert self.at is not None
        self.app.push_screen(ReaderScreen(self.controller, self.session.state.papers[self.items[self.at].paper], self.address))

    def do_verify(self) -> None:
        self.dismiss("verify")
