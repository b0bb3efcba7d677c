"""SciPIP as the engine sees it: its steps, and what is wanted in which mode."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from coi_tui.engine.declarations import CellKind, OutlineRow
from coi_tui.engine.steps import EVERYTHING, Adjust, Forecast, Scope, Step, View, Want, as_guessed
from coi_tui.methods.scipip.contents import ImprovedContent
from coi_tui.methods.scipip.document import scipip_document
from coi_tui.methods.scipip.kinds import OWN_KINDS
from coi_tui.methods.scipip.reads import thought
from coi_tui.methods.scipip.records import InspiredStep, RecordsStep
from coi_tui.methods.scipip.retrieval import RetrievalStep
from coi_tui.methods.scipip.searching import EntitiesStep, NearestStep
from coi_tui.methods.scipip.settings import bounds_of
from coi_tui.methods.scipip.texts import (
    BackgroundStep,
    BrainstormStep,
    FilterStep,
    FirstIdeasStep,
    IdeaStep,
    ImproveStep,
    ProblemStep,
)
from coi_tui.methods.shared.branched import BranchedMethod
from coi_tui.methods.shared.evidence import records_evidence
from coi_tui.methods.shared.reading_list import ReadingListStep
from coi_tui.methods.shared.rivals import RivalsStep
from coi_tui.model.address import READING, Branch
from coi_tui.model.document import MethodDocument
from coi_tui.model.entries import Decision
from coi_tui.model.state import State
from coi_tui.model.wording import count

if TYPE_CHECKING:
    from coi_tui.methods.services import ServiceSet

STAGES = (
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


class Scipip(BranchedMethod):
    """Background, brainstorm, retrieval in three routes, problem, first ideas, filter, improvement; then an idea a branch."""

    name, short = "SciPIP", "SciPIP"
    own_stages = STAGES
    own_kinds = OWN_KINDS

    def __init__(self, instance: str, tools: ServiceSet | None = None) -> None:
        super().__init__(instance, tools, records_evidence)

    def make_steps(self, tools: ServiceSet | None) -> dict[str, Step]:
        return {
            READING: ReadingListStep(tools),
            "background": BackgroundStep(tools),
            "brainstorm": BrainstormStep(tools),
            "nearest": NearestStep(tools),
            "entities": EntitiesStep(tools),
            "retrieved": RetrievalStep(tools),
            "records": RecordsStep(tools),
            "problem": ProblemStep(tools),
            "inspired": InspiredStep(tools),
            "first": FirstIdeasStep(tools),
            "filtered": FilterStep(tools),
            "improved": ImproveStep(tools),
            "rivals": RivalsStep(tools, thought),
            "idea": IdeaStep(tools),
        }

    def made_here(self, state: State) -> list[CellKind]:
        """The kinds of cells that all branches share and that the mode and the path of this instance make."""
        bounds = bounds_of(state, self.instance)
        without = {"brainstorm"} if bounds.mode == "A" else set()
        without |= {"problem", "filtered"} if bounds.path == "inspiration" else {"inspired"}
        return [
            kind
            for kind in self.own_kinds
            if kind.shared and kind.step and kind.name not in without
        ]

    def branches(self, state: State) -> list[Branch]:
        """Its branches that are not parked; once the ideas are improved, as many as there are of these."""
        found = super().branches(state)
        improved = state.read(f"{self.instance}/improved", ImprovedContent)
        if improved is None:
            return found
        return [
            b
            for b in found
            if getattr(improved, f"idea{str(b).rpartition('/')[2]}", "")
            or state.in_use(f"{b}/idea") is not None
        ]

    def wanted_first(self, view: View, last: str) -> Iterable[Want]:
        reached = (
            self.own_stages[: self.own_stages.index(last) + 1]
            if last in self.own_stages
            else self.own_stages
        )
        if "entities" in reached:
            yield self.want(READING, "entities", "missing", "the papers that the session knows")
        for kind in self.made_here(view.state):
            if kind.stage in reached:
                yield self.want(f"{self.instance}/{kind.name}", kind.stage)

    def forecast(
        self, state: State, until: str, scope: Scope = EVERYTHING, adjust: Adjust = as_guessed
    ) -> Sequence[Forecast]:
        lines = list(super().forecast(state, until, scope, adjust))
        if (
            self.stages.index(until) >= self.stages.index("entities")
            and state.in_use(READING) is None
        ):
            step = self.by_part[READING]
            lines.insert(
                0,
                Forecast(
                    "entities",
                    "1 x reading list",
                    "not made yet",
                    adjust(step, step.cost(state, READING)),
                ),
            )
        return lines

    def _addresses(self, state: State, kind: CellKind, scope: Scope) -> list[str]:
        if kind.shared and kind.name not in {made.name for made in self.made_here(state)}:
            return []
        return super()._addresses(state, kind, scope)

    def outline(self, state: State, failed: Mapping[str, str]) -> Iterator[OutlineRow]:
        """As declared, without the cells that this mode and path do not make and that nothing was made in."""
        made = {kind.name for kind in self.made_here(state)}
        unused = {k.name for k in self.own_kinds if k.shared and k.step and k.name not in made}
        for row in super().outline(state, failed):
            name = row.address.rpartition("/")[2]
            if row.depth != 1 or name not in unused or state.in_use(row.address) is not None:
                yield row

    def idea_source(self, state: State, branch: Branch) -> str:
        """The papers that the ideas were drafted from."""
        return count(len(state.value(f"{self.instance}/records#papers") or []), "paper")

    def document(
        self, state: State, branches: Sequence[Branch], decisions: Sequence[Decision]
    ) -> MethodDocument:
        return scipip_document(state, self.instance, branches)
