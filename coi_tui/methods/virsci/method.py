"""VirSci as the engine sees it: its steps, what is wanted next, its rows, and what a run takes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from coi_tui.engine.declarations import MenuOption, OutlineRow
from coi_tui.engine.steps import EVERYTHING, Adjust, Forecast, Scope, Step, View, Want, as_guessed
from coi_tui.methods.shared.branched import BranchedMethod
from coi_tui.methods.shared.novelty import NoveltyRules
from coi_tui.methods.shared.reading_list import ReadingListStep
from coi_tui.methods.shared.rivals import RivalsStep
from coi_tui.methods.virsci import course, plan, reads
from coi_tui.methods.virsci.abstracts import AbstractStep, IdeaStep, OverlapStep, RevisedStep
from coi_tui.methods.virsci.course import cell
from coi_tui.methods.virsci.discussion import GuestStep, SaidStep, SubjectStep, SummaryStep
from coi_tui.methods.virsci.document import virsci_document
from coi_tui.methods.virsci.ideas import BestStep, DigestStep, DraftStep, FoundStep
from coi_tui.methods.virsci.kinds import OWN_KINDS
from coi_tui.methods.virsci.measures_cell import MeasuresStep
from coi_tui.methods.virsci.plan import DRAFT_STAGES, STAGES, TOPIC_STAGES
from coi_tui.methods.virsci.rows import shared_rows
from coi_tui.methods.virsci.team import EcosystemStep, TeamStep
from coi_tui.methods.virsci.voting import NearStep, PollStep, VoteStep
from coi_tui.model.address import READING, Branch, parse_address
from coi_tui.model.content import IdeaContent
from coi_tui.model.document import MethodDocument
from coi_tui.model.entries import Decision
from coi_tui.model.state import State

if TYPE_CHECKING:
    from coi_tui.methods.services import ServiceSet


class VirSci(BranchedMethod):
    """A team is drawn, discusses a topic, writes ideas, votes on three of them and makes one into an abstract; one idea an instance."""

    name, short = "VirSci", "VirSci"
    own_stages = STAGES
    own_kinds = OWN_KINDS
    novelty = NoveltyRules(nearest=10)

    def make_steps(self, tools: ServiceSet | None) -> dict[str, Step]:
        return {
            READING: ReadingListStep(tools),
            "people": EcosystemStep(tools),
            "team": TeamStep(tools),
            "said": SaidStep(tools),
            "guest": GuestStep(tools),
            "sum": SummaryStep(tools),
            "subject": SubjectStep(tools),
            "found": FoundStep(tools),
            "draft": DraftStep(tools),
            "digest": DigestStep(tools),
            "best": BestStep(tools),
            "near": NearStep(tools),
            "vote": VoteStep(tools),
            "poll": PollStep(tools),
            "abstract": AbstractStep(tools),
            "overlap": OverlapStep(tools),
            "revised": RevisedStep(tools),
            "measures": MeasuresStep(tools),
            "rivals": RivalsStep(tools, reads.thought),
            "idea": IdeaStep(tools),
        }

    # -- what is wanted -------------------------------------------------------------------------------------------

    def wanted(self, view: View, until: str) -> Sequence[Want]:
        """As for any method; the idea only once an abstract has passed its self-review."""
        found = super().wanted(view, until)
        passed = course.final_abstract(view.state, self.instance)
        return [one for one in found if passed or parse_address(one.address).part != "idea"]

    def wanted_first(self, view: View, last: str) -> Iterable[Want]:
        reached = plan.reached_by(last)
        for address, stage in plan.cells(view.state, self.instance, reached):
            yield self.want(address, stage)

    # -- what it takes --------------------------------------------------------------------------------------------

    def forecast(
        self, state: State, until: str, scope: Scope = EVERYTHING, adjust: Adjust = as_guessed
    ) -> Sequence[Forecast]:
        lines = list(
            plan.forecast(state, self.instance, plan.reached_by(until), self.by_part, adjust)
        )
        own = set(self.own_stages) - {"rivals"}
        return [
            *lines,
            *(
                line
                for line in super().forecast(state, until, scope, adjust)
                if line.stage not in own
            ),
        ]

    # -- what it declares -----------------------------------------------------------------------------------------

    def outline(self, state: State, failed: Mapping[str, str]) -> Iterator[OutlineRow]:
        """The shared cells step by step, then the idea and what follows it."""
        waiting = plan.your_turn(state, self.instance)
        yield from shared_rows(
            state,
            self.instance,
            lambda a: state.in_use(a) is not None or a in failed or a == waiting,
        )
        shared = {f"{self.instance}/{kind.name}" for kind in OWN_KINDS if kind.shared}
        yield from (row for row in super().outline(state, failed) if row.address not in shared)

    def options(self, state: State, address: str) -> Iterator[MenuOption]:
        """As declared, without the turns that cannot come or lie beyond the next one."""
        beyond = plan.beyond(state, self.instance)
        yield from (
            option for option in super().options(state, address) if option.until not in beyond
        )

    def branch_title(self, state: State, branch: Branch) -> str:
        """The title of the idea, else how far the team has come."""
        idea = state.read(f"{branch}/idea", IdeaContent)
        return (idea.title if idea else "") or "no abstract yet"

    def idea_source(self, state: State, branch: Branch) -> str:
        """Its team."""
        return f"team of {len(course.members(state, self.instance))}"

    def document(
        self, state: State, branches: Sequence[Branch], decisions: Sequence[Decision]
    ) -> MethodDocument:
        return virsci_document(state, self.instance, branches)

    def shortfall(self, state: State) -> str:
        """What the run waits for: the person's words or vote, or another idea than the three that were discarded."""
        if waiting := plan.your_turn(state, self.instance):
            return f"It is your turn: write {waiting} (e, or `coi edit`), then run again."
        poll = cell(self.instance, "poll")
        if state.in_use(poll) is not None and not course.ranked_ideas(state, self.instance):
            return f"The vote is tied: let an idea win in {poll} (Enter and a, or `coi edit`), then run again."
        ideas = course.ranked_ideas(state, self.instance)
        if ideas and not course.attempt_now(state, self.instance):
            return "Put another idea into the vote, or add another team: every idea of the vote came too close to earlier work twice."
        return super().shortfall(state)

    def reached(self, state: State) -> str:
        """The last stage of which something exists; a turn by its number. A discussion that is over has had all its turns."""
        made = [at for at in map(parse_address, state.cells) if at.instance == self.instance]
        stage_of = {kind.name: kind.stage for kind in self.kinds}
        stages = {_stage_of(at.part, at.numbers, stage_of.get(at.part, "")) for at in made}
        stages |= plan.ended(state, self.instance)
        return next((stage for stage in reversed(self.stages) if stage in stages), "")


def _stage_of(part: str, numbers: tuple[int, ...], declared: str) -> str:
    if not numbers or declared not in (TOPIC_STAGES[0], DRAFT_STAGES[0]):
        return declared
    return f"{declared.partition('-')[0]}-{numbers[0]}"
