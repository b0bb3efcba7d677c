"""Searching a slot again: the anchor with other words, a neighbour in the other source."""

from __future__ import annotations

from coi_tui.model.address import parse_address, slot_of
from coi_tui.model.errors import CoiError
from coi_tui.model.sources import SOURCES, in_words
from coi_tui.screens.bench.surface import Part
from coi_tui.session.papers.source_order import question_at


class Searching(Part):
    """``f``. Every search shows its plan first."""

    def off_search(self) -> str:
        if self.session.read_only_reason:
            return "this session is read-only"
        if self.desk.busy:
            return "a job runs already; S stops it"
        slot = slot_of(self.chain.address) if self.composed and self.chain.row is not None else ""
        if not slot:
            return "this is a text; go to a paper's row, or to its branch for the anchor"
        if parse_address(slot).pos and not self.session.sources.other_source(parse_address(slot).branch):
            return "its candidates cite their neighbour or are cited by it: there are no words to change; p pins a paper"
        return ""

    def do_search(self) -> None:
        """The words of the anchor's search can be changed; lists of citations have none, so there the other source is asked."""
        slot = slot_of(self.chain.address)
        at = parse_address(slot)
        if at.pos == 0:
            from coi_tui.screens.sheets.find_sheet import WordsSheet

            words = str(self.session.state.value(f"Q{at.branch}#text") or "")
            self.app.push_screen(WordsSheet(at.branch, words), lambda said: self._with_words(slot, said))
            return
        from coi_tui.screens.sheets.confirm import ConfirmSheet

        other = self.session.sources.other_source(at.branch)
        order, question = self.session.sources.preferring(other, at.branch), self._holder(at.branch)
        whom = f"for question {question} alone, which has an order of its own" if question else "in this session alone"
        text = (
            f"The search for {slot} asks {in_words(order)} from now on, {whom}. "
            "What is in the chain stays; a plan is shown before anything is sent. u takes the choice back."
        )
        title = f"Search {SOURCES[other]} {'first' if len(order) > 1 else 'instead'}?"
        self.app.push_screen(ConfirmSheet(title, text, "search there"), lambda yes: self._there(slot, other, yes))

    def _holder(self, question: int) -> int:
        """Whose order a choice at a row changes: the question's where it has its own, else the session's (0)."""
        return question if self.session.sources.chosen(question) else 0

    async def _with_words(self, slot: str, said: str | None) -> None:
        if said is None:
            self.say("Nothing was searched.")
            return
        question = f"Q{parse_address(slot).branch}"
        try:
            if said and said != str(self.session.state.value(f"{question}#text") or ""):
                await self.desk.decide(lambda: self.session.edits.save(question, said))
                self.refresh_rows()
            self.open_plan(self.session.planner.to_search_again(slot))
        except CoiError as error:
            self.trouble(error)

    async def _there(self, slot: str, other: str, yes: bool | None) -> None:
        if not yes:
            self.say("Nothing was changed.")
            return
        try:
            question = parse_address(slot).branch
            order, holder = self.session.sources.preferring(other, question), self._holder(question)
            await self.desk.decide(lambda: self.session.sources.set(order, holder))
            self.refresh_rows()
            self.open_plan(self.session.planner.to_search_again(slot))
        except CoiError as error:
            self.trouble(error)

    # -- the order of preference ----------------------------------------------------------------------------------------------

    def off_sources(self) -> str:
        return f"this session is read-only ({reason})" if (reason := self.session.read_only_reason) else ""

    def do_sources(self) -> None:
        """The order for the session, and for the question of this row where it has one."""
        from coi_tui.screens.sheets.sources_sheet import SourcesSheet

        here = self.chain.address if self.composed and self.chain.row is not None else ""
        question = question_at(here)
        sheet = SourcesSheet(self.session, question if question in self.session.state.branches else 0)
        self.app.push_screen(sheet, self._ordered)

    async def _ordered(self, given: dict[int, str] | None) -> None:
        if not given:
            self.say("The order of sources stays as it was.")
            return
        try:
            for question, names in given.items():
                await self.desk.decide(lambda q=question, n=names: self.session.sources.set(n, q))  # type: ignore[misc]
        except CoiError as error:
            self.trouble(error)
            return
        self.did(" ".join(self.session.sources.effect(question) for question in given))
