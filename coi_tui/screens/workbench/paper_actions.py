"""Papers: the candidates of a slot, pins, searches with other words or another source, the reader, and PDFs of one's own."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from coi_tui.model.address import Branch, parse_address, question_of, slot_of
from coi_tui.model.errors import CoiError
from coi_tui.model.papers import Paper
from coi_tui.model.sources import SOURCES, in_words
from coi_tui.screens.session_controller import SessionController
from coi_tui.screens.workbench.changes import tell_first
from coi_tui.screens.workbench.commands import Command, Commands, WorkbenchView
from coi_tui.session.availability import Action
from coi_tui.session.papers.source_order import question_at
from coi_tui.session.runs.plans import Plan

if TYPE_CHECKING:
    from coi_tui.session.session import Session

UNCHANGED = "Nothing was changed."


class PaperActions:
    """What the keys do that are about the paper of a row."""

    def __init__(
        self,
        view: WorkbenchView,
        controller: SessionController,
        open_plan: Callable[[Plan], None],
        copy_address: Callable[[str], None],
    ) -> None:
        self._view, self._controller, self._session = view, controller, controller.session
        self._open_plan, self._copy_address = open_plan, copy_address

    def commands(self) -> Commands:
        """The keys about papers."""
        return {
            "candidates": Command(self.candidates, asks=Action.CHOOSE),
            "pin": Command(self.pin, asks=Action.PIN),
            "search": Command(self.search, asks=Action.SEARCH),
            "attach": Command(self.attach, asks=Action.ATTACH),
            "sources": Command(self.sources, self._controller.not_writable),
            "read": Command(self.read, self._off_read, on_row=True),
            "browser": Command(self.browse, self._off_browse, on_row=True),
        }

    # -- what stands in a slot --------------------------------------------------------------------------------------

    def candidates(self) -> None:
        """The papers that may stand in the slot of the row."""
        self.choose_for(slot_of(self._view.address))

    def choose_for(self, slot: str) -> None:
        """Show the candidates of a slot."""
        from coi_tui.screens.papers.paper_lists import CandidatesScreen

        self._view.open(CandidatesScreen(self._controller, slot), partial(self._placed, slot))

    def pin(self) -> None:
        """Put a paper that the person knows into the slot of the row."""
        from coi_tui.screens.papers.paper_sheets import PinSheet

        slot = slot_of(self._view.address)
        self._view.open(PinSheet(self._controller, slot), partial(self._placed, slot))

    async def _placed(self, slot: str, said: str | None) -> None:
        """What a screen for this slot did; the cursor goes to a paper that was put there."""
        from coi_tui.screens.papers.paper_lists import SEARCH

        if said == SEARCH:
            self._view.refresh_rows()
            await self._view.act("search")
            return
        self._view.done(said or UNCHANGED)
        if said and slot in self._view.rows:
            self._view.go_to_row(slot, said)

    # -- searching again --------------------------------------------------------------------------------------------

    def search(self) -> None:
        """The words of the anchor's search can be changed; lists of citations have none, so there the other source is asked."""
        slot = slot_of(self._view.address)
        at = parse_address(slot)
        if at.pos:
            self._offer_other_source(slot)
            return
        from coi_tui.screens.sheets.text_sheets import WordsSheet

        words = str(self._session.state.value(f"{question_of(at.branch)}#text") or "")
        self._view.open(WordsSheet(at.branch, words), lambda said: self._search_words(slot, said))

    async def _search_words(self, slot: str, said: str | None) -> None:
        if said is None:
            self._view.say("Nothing was searched.")
            return
        question = question_of(parse_address(slot).branch)
        changed = said not in ("", str(self._session.state.value(f"{question}#text") or ""))
        if not changed:
            self._plan_search(slot)
            return

        def save(session: Session) -> object:
            return session.edits.save(question, said)

        ahead, change = (
            partial(self._session.consequences, question, save),
            partial(save, self._session),
        )
        await tell_first(
            self._view,
            ahead,
            f"Search for {slot} with these words?",
            change,
            "",
            lambda: self._plan_search(slot),
        )

    def _offer_other_source(self, slot: str) -> None:
        from coi_tui.screens.sheets.confirm_sheet import ConfirmSheet

        sources, branch = self._session.sources, parse_address(slot).branch
        other = sources.other_source(branch)
        order, question = sources.preferring(other, branch), self._holder(branch)
        whom = (
            f"for question {question} alone, which has an order of its own"
            if question
            else "in this session alone"
        )
        text = (
            f"The search for {slot} asks {in_words(order)} from now on, {whom}. "
            "What is in the chain stays; a plan is shown before anything is sent. u takes the choice back."
        )
        title = f"Search {SOURCES[other]} {'first' if len(order) > 1 else 'instead'}?"
        self._view.open(
            ConfirmSheet(title, text, "search there"),
            lambda yes: self._search_other(slot, other, yes),
        )

    def _holder(self, question: Branch) -> Branch:
        """Whose order a choice at a row changes: the question's where it has its own, else the session's (0)."""
        return question if self._session.sources.chosen(question) else 0

    async def _search_other(self, slot: str, other: str, yes: bool | None) -> None:
        if not yes:
            self._view.say(UNCHANGED)
            return
        sources, question = self._session.sources, parse_address(slot).branch
        order, holder = sources.preferring(other, question), self._holder(question)
        if await self._view.commit(lambda: sources.set(order, holder), ""):
            self._plan_search(slot)

    def _plan_search(self, slot: str) -> None:
        try:
            self._open_plan(self._session.planner.to_search_again(slot))
        except CoiError as error:
            self._view.trouble(error)

    def sources(self) -> None:
        """The order of sources for the session, and for the question of this row where it has one."""
        from coi_tui.screens.sheets.search_sheets import SourcesSheet

        question = question_at(self._view.address)
        sheet = SourcesSheet(
            self._session, question if question in self._session.state.branches else 0
        )
        self._view.open(sheet, self._order_sources)

    async def _order_sources(self, given: dict[Branch, str] | None) -> None:
        if not given:
            self._view.say("The order of sources stays as it was.")
            return
        for question, names in given.items():
            if not await self._view.commit(
                lambda q=question, n=names: self._session.sources.set(n, q), ""
            ):  # type: ignore[misc]
                return
        self._view.done(" ".join(self._session.sources.effect(question) for question in given))

    # -- reading ----------------------------------------------------------------------------------------------------

    def _paper_here(self) -> Paper | None:
        """The paper of a slot's row or of its card's."""
        state, address = self._session.state, self._view.address
        if parse_address(address).part not in ("slot", "card"):
            return None
        held = state.slot(slot_of(address)).paper
        return state.papers.get(held) if held else None

    def _paper(self) -> Paper:
        paper = self._paper_here()
        assert paper is not None  # the key is off on a row without one
        return paper

    def _off_read(self) -> str:
        return "" if self._paper_here() is not None else "this row holds no paper"

    def _off_browse(self) -> str:
        paper = self._paper_here()
        return "" if paper is not None and paper.url else "no page is known for this row"

    def read(self) -> None:
        """Read the paper of the row."""
        from coi_tui.screens.papers.reader_screen import ReaderScreen

        address = slot_of(self._view.address)
        self._view.open(
            ReaderScreen(self._controller, self._paper(), address),
            lambda text: self._was_read(address, text),
        )

    def _was_read(self, address: str, text: str | None) -> None:
        """``text``: a reference to be offered for the next slot before the paper, where that is free."""
        self._view.refresh_rows()  # a PDF may have been attached there
        if text is None:
            return
        from coi_tui.screens.papers.paper_sheets import PinSheet

        at = parse_address(address)
        before = f"{at.branch}/{at.pos - 1:+d}"
        if at.pos > 0 or self._session.state.slot(before).paper is not None:
            self._view.say(
                f"There is no free place before {address}: reject or replace what stands there first."
            )
            return
        self._view.open(PinSheet(self._controller, before, text), partial(self._placed, before))

    def browse(self) -> None:
        """Open the page of the paper; over ssh its address is copied."""
        import webbrowser

        url = str(self._paper().url)
        if os.environ.get("SSH_CONNECTION"):
            self._copy_address(url)
            self._view.say(f"Over ssh no browser is opened; the address is copied: {url}")
        else:
            self._view.say(
                f"Opened {url}"
                if webbrowser.open(url)
                else f"No browser could be opened; the address is {url}"
            )

    def attach(self) -> None:
        """Attach a PDF of one's own to the paper of the row."""
        from coi_tui.screens.papers.paper_sheets import AttachSheet

        sheet = AttachSheet(self._controller, slot_of(self._view.address), self._paper().title)
        self._view.open(sheet, lambda said: self._view.done(said or "Nothing was attached."))
