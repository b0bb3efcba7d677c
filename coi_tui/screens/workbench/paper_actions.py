"""Papers: the candidates of a slot, pins, searches with other words, the reader,
and PDFs of one's own."""

from __future__ import annotations

from functools import partial

from coi_tui.model.address import parse_address, question_of, slot_of
from coi_tui.model.errors import CoiError
from coi_tui.model.papers import Paper
from coi_tui.screens.papers.paper_lists import SEARCH, CandidatesScreen
from coi_tui.screens.papers.paper_sheets import AttachSheet, PinSheet
from coi_tui.screens.sheets.text_sheets import WordsSheet
from coi_tui.screens.workbench.navigation import Part

UNCHANGED = "Nothing was changed."


class PaperActions(Part):
    """What the keys do that are about the paper of a row."""

    # -- what stands in a slot

    def do_candidates(self) -> None:
        """The papers that may stand in the slot of the row."""
        self.choose_for(slot_of(self.bench.address))

    def choose_for(self, slot: str) -> None:
        """Show the candidates of a slot."""
        self.bench.open(CandidatesScreen(self.controller, slot), partial(self._placed, slot))

    def do_pin(self) -> None:
        """Put a paper that the person knows into the slot of the row."""
        slot = slot_of(self.bench.address)
        self.bench.open(PinSheet(self.controller, slot), partial(self._placed, slot))

    async def _placed(self, slot: str, message: str | None) -> None:
        """What a screen for this slot did; the cursor goes to a paper that was put there."""
        if message == SEARCH:
            self.bench.refresh_rows()
            await self.bench.act("search")
            return
        self.bench.done(message or UNCHANGED)
        if message and slot in self.bench.rows:
            self.bench.go_to_row(slot, message)

    # -- searching again

    def do_search(self) -> None:
        """The words of the anchor's search can be changed; lists of citations have none, and are
        asked for again."""
        slot = slot_of(self.bench.address)
        at = parse_address(slot)
        if at.pos:
            self._plan_search(slot)
            return
        words = str(self.session.state.value(f"{question_of(at.branch)}#text") or "")
        self.bench.ask(
            WordsSheet(at.branch, words),
            lambda message: self._search_words(slot, message),
            "Nothing was searched.",
        )

    async def _search_words(self, slot: str, message: str) -> None:
        question = question_of(parse_address(slot).branch)
        changed = message not in ("", str(self.session.state.value(f"{question}#text") or ""))
        if not changed:
            self._plan_search(slot)
            return

        await self.bench.decide(
            question,
            f"Search for {slot} with these words?",
            lambda s: s.edits.save(question, message),
            "",
            lambda: self._plan_search(slot),
        )

    def _plan_search(self, slot: str) -> None:
        try:
            self.bench.runs.open_plan(self.session.planner.to_search_again(slot))
        except CoiError as error:
            self.bench.trouble(error)

    # -- reading

    def _paper_here(self) -> Paper | None:
        """The paper of a slot's row or of its card's."""
        state, address = self.session.state, self.bench.address
        if parse_address(address).part not in ("slot", "card"):
            return None
        paper_id = state.slot(slot_of(address)).paper
        return state.papers.get(paper_id) if paper_id else None

    def _paper(self) -> Paper:
        paper = self._paper_here()
        assert paper is not None  # the key is off on a row without one
        return paper

    def off_read(self) -> str:
        return "" if self._paper_here() is not None else "this row holds no paper"

    def do_read(self) -> None:
        """Read the paper of the row."""
        from coi_tui.screens.papers.reader_screen import ReaderScreen

        address = slot_of(self.bench.address)
        self.bench.open(
            ReaderScreen(self.controller, self._paper(), address),
            lambda text: self._was_read(address, text),
        )

    def _was_read(self, address: str, text: str | None) -> None:
        """``text``: a reference to be offered for the next slot before the paper, where that is
        free."""
        self.bench.refresh_rows()  # a PDF may have been attached there
        if text is None:
            return
        at = parse_address(address)
        before = f"{at.branch}/{at.pos - 1:+d}"
        if at.pos > 0 or self.session.state.slot(before).paper is not None:
            self.bench.say(
                f"There is no free place before {address}: reject or replace the paper there first."
            )
            return
        self.bench.open(PinSheet(self.controller, before, text), partial(self._placed, before))

    def do_attach(self) -> None:
        """Attach a PDF of one's own to the paper of the row."""
        sheet = AttachSheet(self.controller, slot_of(self.bench.address), self._paper().title)
        self.bench.open(sheet, lambda message: self.bench.done(message or "Nothing was attached."))
