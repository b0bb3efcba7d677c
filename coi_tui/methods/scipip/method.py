"""SciPIP as the engine sees it: its tasks, and what is wanted in which mode."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

from coi_tui.methods.base.cell_table import stored
from coi_tui.methods.branched import BranchedMethod, Planned
from coi_tui.methods.evidence.cards import records_evidence
from coi_tui.methods.ideas.sketches import in_short
from coi_tui.methods.scipip import ScipipSettings
from coi_tui.methods.scipip.kinds import (
    OWN_KINDS,
    FilteredContent,
    ImprovedContent,
    RetrievedContent,
)
from coi_tui.methods.scipip.retrieval import DRAFTS as DRAFTS
from coi_tui.methods.scipip.tasks import TASKS
from coi_tui.model.address import READING, Branch, cell_at
from coi_tui.model.content import ReadPapers, Sketch
from coi_tui.model.document import MethodDocument, ProposalWarning
from coi_tui.model.state import State
from coi_tui.model.text import listed


class Scipip(BranchedMethod):
    """Background, brainstorm, retrieval in three routes, problem, first ideas, filter, improvement;
    then an idea a branch."""

    name, short = "SciPIP", "SciPIP"
    own_stages = (
        "background",
        "brainstorm",
        "entities",
        "retrieval",
        "problem",
        "drafts",
        "filter",
        "rivals",
        "ideas",
    )
    own_kinds, tasks = OWN_KINDS, TASKS
    evidence = staticmethod(records_evidence)

    def course(
        self, state: State, last: str, failed: Container[str] = (), *, supposed: bool = False
    ) -> Iterator[Planned]:
        """Its cells without those that the mode and the path of this instance do not make."""
        bounds = state.bounds(ScipipSettings, self.instance)
        without = {"brainstorm"} if bounds.mode == "A" else set()
        without.add("problem" if bounds.path == "inspiration" else "inspired")
        yield Planned(READING, "entities")
        for kind in self.own_kinds:
            if kind.shared and kind.task and kind.name not in without:
                yield Planned(cell_at(self.instance, kind.name), kind.stage)

    def has_source(self, state: State, branch: Branch) -> bool:
        """Once the ideas are improved, whether there is one of its number."""
        improved = state.read(cell_at(self.instance, "improved"), ImprovedContent)
        number = int(str(branch).rpartition("/")[2])
        return improved is None or number <= len(improved.ideas)

    def short_ideas(self, state: State) -> Iterator[tuple[str, Sketch]]:
        """The improved ideas; before there are any, those that stay."""
        improved = stored(state, cell_at(self.instance, "improved"), ImprovedContent).ideas
        left = stored(state, cell_at(self.instance, "filtered"), FilteredContent)
        stay = [one for n, one in enumerate(left.judged, 1) if str(n) not in left.off]
        name = "improved" if improved else "filtered"
        for one in improved or stay:
            text = one.description if improved else one.name
            yield cell_at(self.instance, name), in_short(one.name if improved else "", text)

    def document(self, state: State, branches: Sequence[Branch]) -> MethodDocument:
        """Papers without a text, and what the retrieval says of itself."""
        records = cell_at(self.instance, "records")
        unread = [row.title for row in stored(state, records, ReadPapers).papers if row.unread]
        note = stored(state, cell_at(self.instance, "retrieved"), RetrievedContent).note
        warning = ProposalWarning(
            "Not read", f"no text could be had of {listed(unread)}.", (records,)
        )
        return MethodDocument(warnings=(warning,) if unread else (), limits=(note,) if note else ())


METHOD = Scipip
