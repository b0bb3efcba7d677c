"""Keys about the text of a row and its versions (edit, compare, copy, export), and about its paper:
candidates, pins, searches with other words, the reader, and PDFs of one's own."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from coi_tui.model.address import match_of, parse_address, question_of, slot_of
from coi_tui.model.errors import CoiError
from coi_tui.model.papers import Paper
from coi_tui.screens.forms import ExportSheet
from coi_tui.screens.history_screen import CompareScreen, HistoryScreen, LogScreen
from coi_tui.screens.navigation import Part
from coi_tui.screens.papers import SEARCH, AttachSheet, CandidatesScreen, PinSheet
from coi_tui.screens.row_texts import no_versions
from coi_tui.screens.sheets import WordsSheet
from coi_tui.screens.terminal import copy
from coi_tui.session.exports import written

MOST = 2


class TextActions(Part):
    """What the keys do that are about texts: edit, compare, copy, export.

    Two rows can be tagged; a third lets go of the first.
    """

    def do_edit(self, address: str = "") -> None:
        """Edit the text of the row."""
        from coi_tui.screens.edit_screen import EditScreen  # the text area loads when needed

        self.bench.open(EditScreen(self.controller, address or self.bench.address), self._edited)

    def do_means(self) -> None:
        """Edit what the person has for the work, which experiment plans read."""
        self.do_edit("means")

    def _edited(self, message: str | None) -> None:
        self.bench.done(message or "Nothing was changed.")

    def off_history(self) -> str:
        address = self.bench.address
        return "" if self.session.state.cell(address).versions else no_versions(address)

    def do_history(self) -> None:
        """The versions of the text of the row."""
        self.bench.open(
            HistoryScreen(self.controller, self.bench.address),
            lambda message: self.bench.done(message or ""),
        )

    def _other_version(self) -> int | None:
        """The newest version of the text that is not in use."""
        state, address = self.session.state, self.bench.address
        used = state.in_use(address)
        others = [s for s in state.cell(address).versions if used is not None and s != used.seq]
        return others[-1] if others else None

    def off_diff(self) -> str:
        if not self.session.edits.editable(self.bench.address):
            return "this row has no text with versions"
        return "" if self._other_version() is not None else "there is only one version"

    def do_diff(self) -> None:
        """The version in use against the newest other one."""
        address, other = self.bench.address, self._other_version()
        assert other is not None  # the key is off where there is none
        self.bench.open(
            HistoryScreen(self.controller, address, other),
            lambda said: self.bench.done(said or ""),
        )

    def do_log(self) -> None:
        """The decisions, newest first; one of them leads to its row."""
        self.bench.open(LogScreen(self.controller), self._go_from_log)

    def _go_from_log(self, address: str | None) -> None:
        self.bench.refresh_rows()
        if address is not None and not self._go_near([address]):
            self.bench.say(f"{address} has no row now.")

    @property
    def tagged(self) -> list[str]:
        """The tagged rows that are still there, the first one tagged first."""
        return [a for a in self.bench.chain.tagged if a in self.bench.rows]

    def do_tag(self) -> None:
        """Tag the row under the cursor, or take its tag away."""
        address = self.bench.address
        if address in self.tagged:
            tags = [a for a in self.tagged if a != address]
            message = f"{address} is not tagged any more."
        else:
            tags = [*self.tagged, address][-MOST:]
            ways = (
                f"= compares it with {tags[0]}."
                if len(tags) == MOST
                else "Tag another row, then = compares the two."
            )
            message = f"Tagged {address}. {ways}"
        self.bench.chain.tag(tags)
        self.bench.done(message)

    def off_compare(self) -> str:
        return "" if len(self.tagged) == MOST else "tag two rows with t first"

    def do_compare(self) -> None:
        """Show the two tagged rows beside each other, as they stand in the tree; two ideas meet in
        the arena, without the model's view."""
        first, second = sorted(self.tagged, key=list(self.bench.rows).index)
        ideas = [
            parse_address(a).branch for a in (first, second) if parse_address(a).part == "idea"
        ]
        if len(ideas) == MOST and set(ideas) <= set(self.session.state.ideas()):
            self.bench.row_screens.open_match(match_of(*ideas))
            return
        self.bench.open(
            CompareScreen(self.controller, first, second),
            lambda message: self.bench.done(message or ""),
        )

    async def do_copy(self) -> None:
        """Copy what is selected, or the text of the row."""
        chosen = self.bench.get_selected_text()
        what = "what is selected" if chosen else f"the text of {self.bench.address}"
        self.bench.say(await copy(self.bench.app, chosen or self.bench.detail.text, what))

    def do_export(self) -> None:
        """Write the proposal, the references or a picture."""
        self.bench.open(ExportSheet(self.session), self._exported)

    def _go_near(self, addresses: Sequence[str]) -> bool:
        """Put the cursor on the first row that one of these is of; that of its paper or branch
        where it has none of its own. False where there is none."""
        near = (
            row
            for address in addresses
            for row in (address, address.partition(".")[0], address.partition("/")[0])
        )
        target = next((row for row in near if row in self.bench.rows), "")
        if target:
            self.bench.go_to_row(target)
        return bool(target)

    def _exported(self, paths: list[str] | None) -> None:
        self.bench.done(written(paths or ()))


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
        from coi_tui.screens.reader_screen import ReaderScreen

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
