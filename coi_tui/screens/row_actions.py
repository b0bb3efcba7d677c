"""Keys about the text of a row and its versions (edit, compare, copy, export), about its paper
(candidates, pins, searches with other words, the reader, PDFs of one's own), and the screens that
Enter opens on a row."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from coi_tui.model.address import branch_of, cell_ref, match_of, question_of, slot
from coi_tui.model.document import Transcript, about_papers
from coi_tui.model.papers import Paper
from coi_tui.model.readers import readers
from coi_tui.present.chain_picture import chains_behind
from coi_tui.screens.base import UNCHANGED
from coi_tui.screens.chain_screen import ChainScreen
from coi_tui.screens.chain_view import ChainView
from coi_tui.screens.content_screen import ContentScreen, SourcesScreen, TalkScreen
from coi_tui.screens.edit_screen import EditScreen
from coi_tui.screens.forms import ExportSheet
from coi_tui.screens.history_screen import CompareScreen, HistoryScreen, LogScreen, ReadersScreen
from coi_tui.screens.paper_screens import (
    SEARCH,
    AttachSheet,
    CandidatesScreen,
    PinSheet,
    ShelfScreen,
)
from coi_tui.screens.reader_screen import ReaderScreen
from coi_tui.screens.sheets import AskChoice, AskText, Choice
from coi_tui.screens.verdict_screens import ArenaScreen, NoveltyScreen, ReviewScreen
from coi_tui.screens.wall_screen import WallScreen
from coi_tui.session.queries.provenance import FailureReport

MOST = 2


class WorkbenchDelegate:
    """A part of the workbench that carries out some of its keys."""

    def __init__(self, bench: ChainScreen) -> None:
        self.bench, self.controller, self.session = bench, bench.controller, bench.session


class TextActions(WorkbenchDelegate):
    """What the keys do that are about texts: edit, compare, copy, export.

    Two rows can be tagged; a third lets go of the first.
    """

    def do_edit(self, address: str = "", again: str = "e") -> None:
        """Edit the text of the row, or of an address without a row, with what opens it ``again``."""
        editor = EditScreen(self.controller, address or self.bench.address, again=again)
        self.bench.ask(editor, self.bench.done, UNCHANGED)

    def do_means(self) -> None:
        """Edit what the person has for the work, which experiment plans read."""
        self.do_edit("means", "“my means” under ?")

    def off_history(self) -> str:
        address = self.bench.address
        if self.session.state.cell(address).versions:
            return ""
        if cell_ref(address).form == "place":
            return "this is no text; a paper's card has versions"
        return "nothing has been made here yet"

    def do_history(self, at: int | None = None) -> None:
        """The versions of the text of the row."""
        screen = HistoryScreen(self.controller, self.bench.address, at)
        self.bench.ask(screen, self.bench.done)

    def _other_version(self) -> int | None:
        """The newest version of the text that is not in use."""
        state, address = self.session.state, self.bench.address
        used = state.in_use(address)
        others = [s for s in state.cell(address).versions if used is not None and s != used.seq]
        return others[-1] if others else None

    def off_diff(self) -> str:
        return "" if self._other_version() is not None else "there is no other version"

    def do_diff(self) -> None:
        """The version in use against the newest other one."""
        self.do_history(self._other_version())

    def do_log(self) -> None:
        """The decisions, newest first; one of them leads to its row."""
        self.bench.ask(LogScreen(self.controller), self.bench.go_near)

    def off_readers(self) -> str:
        return "" if readers(self.session.journal.entries) else "no second reader has sent anything"

    def do_readers(self) -> None:
        """What second readers decided otherwise."""
        self.bench.ask(ReadersScreen(self.controller), self.bench.go_near)

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
            rest = (
                f"= compares it with {tags[0]}."
                if len(tags) == MOST
                else "Tag another row, then = compares the two."
            )
            message = f"Tagged {address}. {rest}"
        self.bench.chain.tag(tags)
        self.bench.done(message)

    def off_compare(self) -> str:
        return "" if len(self.tagged) == MOST else "tag two rows with t first"

    def do_compare(self) -> None:
        """Show the two tagged rows side by side, in the order of the tree; two ideas meet in the
        arena, without the model's view."""
        first, second = sorted(self.tagged, key=list(self.bench.rows).index)
        places = [cell_ref(a) for a in (first, second)]
        ideas = [place.branch for place in places if place.kind == "idea"]
        if len(ideas) == MOST and set(ideas) <= set(self.session.state.ideas()):
            open_match(self.bench, match_of(*ideas))
        else:
            self.bench.app.push_screen(CompareScreen(self.controller, first, second))

    async def do_copy(self) -> None:
        """Copy what is selected, or the text of the row."""
        chosen = self.bench.get_selected_text()
        what = "what is selected" if chosen else f"the text of {self.bench.address}"
        await self.bench.copy(chosen or self.bench.detail.text, what)

    def do_export(self) -> None:
        """Write the proposal, the references or a picture."""
        from coi_tui.session.exports import written

        self.bench.ask(
            ExportSheet(self.session), lambda paths: self.bench.say(written(paths)), written(())
        )


class PaperActions(WorkbenchDelegate):
    """What the keys do that are about the paper of a row."""

    # -- the paper of a slot

    def do_candidates(self) -> None:
        """The papers for the slot of the row."""
        self.choose_for(self.session.slot_of(self.bench.address))

    def choose_for(self, slot: str) -> None:
        """Show the candidates of a slot."""
        screen = CandidatesScreen(self.controller, slot)
        self.bench.ask(screen, partial(self._placed, slot), UNCHANGED)

    def do_pin(self) -> None:
        """Put a paper that the person knows into the slot of the row."""
        self._pin(self.session.slot_of(self.bench.address))

    def _pin(self, slot: str, text: str = "") -> None:
        sheet = PinSheet(self.controller, slot, text)
        self.bench.ask(sheet, partial(self._placed, slot), UNCHANGED)

    async def _placed(self, slot: str, message: str) -> None:
        """What a screen for this slot did; the cursor goes to a paper that was put there."""
        if message == SEARCH:
            await self.bench.action_act("search")
            return
        self.bench.done(message)
        if slot in self.bench.rows:
            self.bench.go_to_row(slot, message)

    # -- searching again

    def do_search(self) -> None:
        """The words of the anchor's search can be changed; lists of citations have none, and are
        asked for again."""
        slot = self.session.slot_of(self.bench.address)
        at = cell_ref(slot)
        if at.pos:
            self._plan_search(slot)
            return
        question = question_of(at.branch)
        words = str(self.session.state.value(f"{question}#text") or "")
        sheet = AskText(
            f"Search for the anchor of branch {at.branch} with these words",
            f"They become question {at.branch}; accepted and pinned papers stay. A plan is shown before anything is searched.",
            "search",
            hint="what the papers should be about",
            value=words,
            at_bottom=True,
        )

        async def typed(text: str) -> None:
            if text in ("", words):
                self._plan_search(slot)
                return
            await self.bench.change(
                question,
                f"Search for {slot} with these words?",
                lambda s: s.edits.save(question, text),
                "",
                lambda: self._plan_search(slot),
            )

        self.bench.ask(sheet, typed, "Nothing was searched.")

    def _plan_search(self, slot: str) -> None:
        self.bench.open_plan(self.session.planner.to_search_again(slot))

    # -- reading

    def _paper_here(self) -> Paper | None:
        """The paper of a slot's row or of its card's."""
        return self.session.paper_of(self.bench.address)

    def _paper(self) -> Paper:
        paper = self._paper_here()
        assert paper is not None  # the key is off on a row without one
        return paper

    def off_read(self) -> str:
        return "" if self._paper_here() is not None else "this row holds no paper"

    def do_read(self) -> None:
        """Read the paper of the row."""
        address = self.session.slot_of(self.bench.address)
        screen = ReaderScreen(self.session.papers, self._paper(), address)
        self.bench.ask(screen, partial(self._pin_before, address))

    def _pin_before(self, address: str, text: str) -> None:
        """Offer a reference of the paper for the next slot before it, where that is free."""
        at = cell_ref(address)
        before = slot(at.branch, at.pos - 1)
        if at.pos > 0 or self.session.paper_of(before) is not None:
            self.bench.say(
                f"There is no free place before {address}: reject or replace the paper there first."
            )
        else:
            self._pin(before, text)

    def do_attach(self) -> None:
        """Attach a PDF of one's own to the paper of the row."""
        sheet = AttachSheet(
            self.controller, self.session.slot_of(self.bench.address), self._paper().title
        )
        self.bench.ask(sheet, self.bench.done, "Nothing was attached.")


REMEDIES = {
    "retry": ("r", "try again", "a plan first"),
    "pin": ("p", "pin", "a paper that you know, by DOI or arXiv id"),
    "search": ("f", "search again", "an anchor with other words"),
    "keep": ("K", "leave as is", "the chain stays at this length"),
    "settings": (",", "settings", "keys and sources"),
}
"""Letter, name and explanation of what can be done about a failed task."""


class RowScreens(WorkbenchDelegate):
    """Opens the screen of a row, and goes on with what was chosen there."""

    def word_enter(self) -> str:
        bench = self.bench
        if bench.address == "X":
            return "open the list"
        if bench.has_view(bench.address):
            return "open"
        if self._sources_here():
            return "sources"
        return "why it failed" if bench.failure_here() is not None else ""

    def open(self) -> bool:
        """Open the screen of the row under the cursor; False where it has none, and its text is
        what there is."""
        bench, address = self.bench, self.bench.address
        if address == "X":
            bench.ask(ShelfScreen(self.controller), PaperActions(bench).choose_for)
        elif bench.has_view(address):
            self._open_view(address)
        elif (failure := bench.failure_here()) is not None:
            self._open_failure(failure)
        elif self._sources_here():
            bench.app.push_screen(SourcesScreen(self.controller, address))
        else:
            return False
        return True

    def _sources_here(self) -> bool:
        """Whether a text is read that cites papers."""
        document = self.session.document
        reads = self.bench.focused is self.bench.detail
        return reads and bool(about_papers(document(self.bench.address)))

    def _open_view(self, address: str) -> None:
        kind, branch = self.session.methods.kind(address), cell_ref(address).branch
        bench, controller = self.bench, self.controller
        if kind.view == "novelty":
            bench.ask(NoveltyScreen(controller, branch), bench.action_act)
        elif kind.view == "wall":
            bench.ask(WallScreen(controller, bench.open_plan), bench.go_near)
        elif kind.view == "review":
            bench.ask(ReviewScreen(controller, branch), bench.action_act)
        elif kind.view == "match":
            open_match(bench, address)
        else:
            talk = isinstance(self.session.listing(address), Transcript)
            screen = TalkScreen if talk else ContentScreen
            bench.ask(screen(controller, address), bench.go_near)

    def off_picture(self) -> str:
        behind = chains_behind(self.session.state, branch_of(self.bench.address))
        return "" if behind else "no chain of papers leads here"

    def do_picture(self) -> None:
        """The chain behind the row as a picture."""
        self.bench.ask(ChainView(self.controller, self.bench.address), self.bench.go_near)

    # -- what failed

    def _open_failure(self, failure: FailureReport) -> None:
        off = self._remedies_off(failure)
        choices = [
            Choice(name, label, text, key, off.get(name, ""))
            for name, (key, label, text) in REMEDIES.items()
        ]
        parts = [
            ("What happened", failure.happened),
            ("What is intact", failure.intact),
            ("Tried", failure.tried),
            ("Technical", failure.technical),
        ]
        sheet = AskChoice(failure.title, choices, "do this", parts=parts)
        self.bench.ask(sheet, partial(self._mend, failure))

    def _remedies_off(self, failure: FailureReport) -> Mapping[str, str]:
        off = {name: self.bench.why_off(name) for name in ("pin", "search", "settings")}
        if self.session.methods.kind(failure.address).has_row:
            off |= {"pin": "this is no place for a paper", "search": "this is no search"}
        if not failure.growing:
            off["keep"] = "only a search beyond the end of a chain can be skipped"
        off["retry"] = self.controller.not_writable()
        return off

    async def _mend(self, failure: FailureReport, choice: str) -> None:
        """Do what was chosen about a failed task."""
        if choice == "retry":
            self.bench.open_plan(self.session.planner.to_retry(failure.address))
        elif choice == "keep":
            message = "The chain is kept at this length; g goes on from here, u undoes it."
            await self.bench.commit(lambda s: s.decide("end", failure.address), message)
        else:
            await self.bench.action_act(choice)


def open_match(bench: ChainScreen, address: str) -> None:
    """The arena, at a match; then the plan for the model's judgement of one, or of all that are
    left."""
    planner = bench.session.planner

    def chosen(match: str) -> None:
        bench.open_plan(planner.to_judge_rest() if match == "A" else planner.to_judge(match))

    bench.ask(ArenaScreen(bench.controller, address), chosen)
