"""Searching a slot again: the anchor with other words, a neighbour in the other source."""

from __future__ import annotations

from coi_tui.model.address import parse_address
from coi_tui.model.errors import CoiError
from coi_tui.screens.bench.surface import Surface
from coi_tui.session.papers.again import other_source, plan_again
from coi_tui.session.papers.candidates import slot_of

SOURCES = {"semantic_scholar": "Semantic Scholar", "openalex": "OpenAlex"}


class Searching(Surface):
    """``f``. Every search shows its plan first."""

    def off_search(self) -> str:
        if self.session.read_only_reason:
            return "this session is read-only"
        if self.desk.busy:
            return "a job runs already; S stops it"
        slot = slot_of(self.chain.address) if self.composed and self.chain.row is not None else ""
        if not slot:
            return "this is a text; go to a paper's row, or to its branch for the anchor"
        if parse_address(slot).pos and not other_source(self.session):
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

        other = other_source(self.session)
        text = (
            f"The search for {slot} asks {SOURCES[other]} from now on, in this session alone. "
            "What is in the chain stays; a plan is shown before anything is sent. u takes the choice back."
        )
        self.app.push_screen(
            ConfirmSheet(f"Search {SOURCES[other]} instead?", text, "search there"), lambda yes: self._there(slot, other, yes)
        )

    async def _with_words(self, slot: str, said: str | None) -> None:
        if said is None:
            self.say("Nothing was searched.")
            return
        question = f"Q{parse_address(slot).branch}"
        try:
            if said and said != str(self.session.state.value(f"{question}#text") or ""):
                await self.desk.decide(lambda: self.session.edit(question, said))
                self.refresh_rows()
            self.open_plan(plan_again(self.session, slot))
        except CoiError as error:
            self.trouble(error)

    async def _there(self, slot: str, other: str, yes: bool | None) -> None:
        if not yes:
            self.say("Nothing was changed.")
            return
        try:
            await self.desk.decide(lambda: self.session.set_settings({"source": other}))
            self.refresh_rows()
            self.open_plan(plan_again(self.session, slot))
        except CoiError as error:
            self.trouble(error)
