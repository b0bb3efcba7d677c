"""Nova as the engine sees it: its steps, what is wanted in which round, its rows, and what a round takes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from coi_tui.engine.declarations import MenuOption, OutlineRow
from coi_tui.engine.steps import (
    EVERYTHING,
    Adjust,
    Cost,
    Forecast,
    Scope,
    Step,
    View,
    Want,
    as_guessed,
)
from coi_tui.methods.nova import reads
from coi_tui.methods.nova.contents import PlanContent, SeedContent, WeighedContent
from coi_tui.methods.nova.diversity_cell import DiversityStep
from coi_tui.methods.nova.document import nova_document
from coi_tui.methods.nova.kinds import OWN_KINDS
from coi_tui.methods.nova.proposals import InitialStep, ModulesStep, ProposalStep, seed_of
from coi_tui.methods.nova.rounds import FoundStep, NewSeedStep, PlanStep
from coi_tui.methods.nova.seeds import DraftsStep, SeedStep, WeighStep
from coi_tui.methods.nova.settings import MOST_STEPS, bounds_of
from coi_tui.methods.nova.target import TargetStep, TrendsStep
from coi_tui.methods.shared.branched import BranchedMethod
from coi_tui.methods.shared.novelty import NoveltyRules
from coi_tui.methods.shared.reading_list import ReadingListStep
from coi_tui.methods.shared.rivals import RivalsStep
from coi_tui.model.address import READING, Branch, parse_address
from coi_tui.model.content import IdeaContent
from coi_tui.model.document import MethodDocument
from coi_tui.model.entries import Decision
from coi_tui.model.state import State
from coi_tui.model.wording import count

if TYPE_CHECKING:
    from coi_tui.methods.services import ServiceSet

FIRST_STAGES = ("target", "trends", "drafts", "seeds")
ROUND_STAGES = tuple(
    stage for n in range(1, MOST_STEPS + 1) for stage in (f"plans-{n}", f"round-{n}")
)
STAGES = (*FIRST_STAGES, *ROUND_STAGES, "diversity", "proposals", "rivals", "ideas")


class Nova(BranchedMethod):
    """A target, seeds from three sources, then in each round a plan, its papers and new seeds for every seed that was not dropped."""

    name, short = "Nova", "Nova"
    own_stages = STAGES
    own_kinds = OWN_KINDS
    novelty = NoveltyRules(nearest=10, wanted=("problem", "mechanism"))

    def make_steps(self, tools: ServiceSet | None) -> dict[str, Step]:
        self.new_seed = NewSeedStep(tools)
        return {
            READING: ReadingListStep(tools),
            "target": TargetStep(tools),
            "trends": TrendsStep(tools),
            "drafts": DraftsStep(tools),
            "weighed": WeighStep(tools),
            "seed": SeedStep(tools),
            "plan": PlanStep(tools),
            "found": FoundStep(tools),
            "diversity": DiversityStep(tools),
            "initial": InitialStep(tools),
            "modules": ModulesStep(tools),
            "rivals": RivalsStep(tools, reads.thought),
            "idea": ProposalStep(tools),
        }

    @property
    def steps(self) -> list[Step]:
        return [*super().steps, self.new_seed]

    def step(self, address: str) -> Step | None:
        at = parse_address(address)
        return (
            self.new_seed
            if at.part == "seed" and reads.round_of(at.item)
            else super().step(address)
        )

    # -- what is wanted -------------------------------------------------------------------------------------------

    def branches(self, state: State) -> list[Branch]:
        """Its branches that are not parked; once the seeds are compared, those for which there is a seed."""
        found = super().branches(state)
        if state.in_use(f"{self.instance}/diversity") is None:
            return found
        return [b for b in found if seed_of(state, b) or state.in_use(f"{b}/idea") is not None]

    def wanted_first(self, view: View, last: str) -> Iterable[Want]:
        seeds = list(self._wanted_seeds(view, last))
        yield from seeds
        reached = self._reached_by(last)
        if "diversity" in reached and not any(self._to_come(view, want) for want in seeds):
            yield self.want(
                f"{self.instance}/diversity",
                "diversity",
                "stale",
                "seeds were added, edited or dropped",
            )
        if "proposals" in reached and view.state.in_use(f"{self.instance}/diversity") is not None:
            for branch in self.branches(view.state):
                if view.scope.holds(branch):
                    yield self.want(f"{branch}/initial", "proposals")
                    yield self.want(f"{branch}/modules", "proposals")

    def _to_come(self, view: View, want: Want) -> bool:
        """Whether a cell is still missing and this job has not failed at it, nor at what it is made from."""
        at, missing = parse_address(want.address), view.state.in_use(want.address) is None
        above = reads.parent_of(at.item) if at.part == "seed" else at.item
        before = [
            f"{self.instance}/{name}{item}"
            for item in reads.line_of(above)
            for name in ("seed", "plan", "found")
        ]
        return missing and not any(cell in view.failed for cell in (want.address, *before))

    def _wanted_seeds(self, view: View, last: str) -> Iterable[Want]:
        """What it takes to have the seeds of as many rounds as the stage says."""
        reached = self._reached_by(last)
        yield self.want(READING, "target", "missing", "the papers that the session knows")
        for stage, cell in (
            ("target", "target"),
            ("trends", "trends"),
            ("drafts", "drafts"),
            ("drafts", "weighed"),
        ):
            if stage in reached:
                yield self.want(f"{self.instance}/{cell}", stage)
        if "seeds" in reached:
            yield from (
                self.want(reads.seed(self.instance, item), "seeds")
                for item in self._first_seeds(view.state)
            )
        for number in range(1, self._rounds(view.state, last) + 1):
            yield from self._wanted_in_round(
                view, number, searched=f"round-{number}" in reached or last not in ROUND_STAGES
            )

    def _reached_by(self, last: str) -> tuple[str, ...]:
        return (
            self.own_stages[: self.own_stages.index(last) + 1]
            if last in self.own_stages
            else self.own_stages
        )

    def _rounds(self, state: State, last: str) -> int:
        """How many rounds belong to a run up to a stage: those that the stage names, else those that the settings say."""
        if last in ROUND_STAGES:
            return ROUND_STAGES.index(last) // 2 + 1
        return 0 if last in FIRST_STAGES else bounds_of(state, self.instance).steps

    def _first_seeds(self, state: State) -> list[str]:
        weighed = state.read(f"{self.instance}/weighed", WeighedContent)
        return [str(n) for n in range(1, len(weighed.kept) + 1)] if weighed is not None else []

    def _wanted_in_round(self, view: View, number: int, *, searched: bool) -> Iterator[Want]:
        """For each seed of the round before a plan, and where it is ``searched`` its papers and the seeds that replace it."""
        each = bounds_of(view.state, self.instance).each
        for item in reads.of_round(view.state, self.instance, number - 1):
            if not self._all_beside(view, item):
                continue
            yield self.want(f"{self.instance}/plan{item}", f"plans-{number}")
            if searched:
                yield self.want(f"{self.instance}/found{item}", f"round-{number}")
                for child in reads.children(item, each):
                    yield self.want(reads.seed(self.instance, child), f"round-{number}")

    def _all_beside(self, view: View, item: str) -> bool:
        """Whether every seed beside this one is there, or failed: what is not to be repeated is then known, whoever finished first."""
        above = reads.parent_of(item)
        beside = (
            reads.children(above, bounds_of(view.state, self.instance).each)
            if above
            else self._first_seeds(view.state)
        )
        cells = [reads.seed(self.instance, other) for other in beside]
        return all(view.state.in_use(cell) is not None or cell in view.failed for cell in cells)

    # -- what it takes --------------------------------------------------------------------------------------------

    def forecast(
        self, state: State, until: str, scope: Scope = EVERYTHING, adjust: Adjust = as_guessed
    ) -> Sequence[Forecast]:
        reached = self._reached_by(until)
        lines = list(self._forecast_first(state, reached, adjust))
        for number in range(1, self._rounds(state, until) + 1):
            lines += self._forecast_round(
                state,
                number,
                adjust,
                searched=f"round-{number}" in reached or until not in ROUND_STAGES,
            )
        return [*lines, *self._forecast_ideas(state, until, scope, adjust)]

    def _forecast_first(
        self, state: State, reached: Sequence[str], adjust: Adjust
    ) -> Iterator[Forecast]:
        cells = (
            (READING, "target"),
            ("target", "target"),
            ("trends", "trends"),
            ("drafts", "drafts"),
            ("weighed", "drafts"),
        )
        for name, stage in cells:
            address = READING if name == READING else f"{self.instance}/{name}"
            if stage in reached and state.in_use(address) is None:
                step = self.by_part[name]
                yield Forecast(
                    stage, _TOLD[name], "not made yet", adjust(step, step.cost(state, address))
                )
        if "seeds" in reached and (missing := self._missing_seeds(state)):
            yield Forecast(
                "seeds", f"{count(missing, 'seed')} of the best drafts", "not made yet", Cost()
            )

    def _missing_seeds(self, state: State) -> int:
        if state.read(f"{self.instance}/weighed", WeighedContent) is None:
            return bounds_of(state, self.instance).seeds
        return sum(
            state.in_use(reads.seed(self.instance, item)) is None
            for item in self._first_seeds(state)
        )

    def _forecast_round(
        self, state: State, number: int, adjust: Adjust, *, searched: bool
    ) -> Iterator[Forecast]:
        """The lines of one round. The number of seeds that it begins with is known, or follows from the settings."""
        known = reads.of_round(state, self.instance, number - 1)
        coming = self._seeds_before(state, number) - len(known)
        plans = coming + sum(state.in_use(f"{self.instance}/plan{item}") is None for item in known)
        if plans:
            cost = adjust(plan := self.by_part["plan"], plan.cost(state, f"{self.instance}/plan1"))
            yield Forecast(
                f"plans-{number}",
                f"{count(plans, 'search plan')}, one a seed",
                "not made yet",
                cost.times(plans, plans),
            )
        if searched:
            yield from self._forecast_searches(state, f"round-{number}", known, coming)
            yield from self._forecast_new(state, f"round-{number}", known, coming, adjust)

    def _forecast_searches(
        self, state: State, stage: str, known: Sequence[str], coming: int
    ) -> Iterator[Forecast]:
        """The searches of plans that were not carried out yet: as many as a plan has lines that are on, else between one and all."""
        open_ = [item for item in known if state.in_use(f"{self.instance}/found{item}") is None]
        bounds = [self._searches(state, item) for item in open_] + [
            (1, bounds_of(state, self.instance).lines)
        ] * coming
        least, most = sum(low for low, _ in bounds), sum(high for _, high in bounds)
        if most:
            said = f"{least}-{most} searches" if least < most else count(most, "search", "searches")
            yield Forecast(
                stage, f"{said}, one a line of a plan", "not made yet", Cost(searches=(least, most))
            )

    def _forecast_new(
        self, state: State, stage: str, known: Sequence[str], coming: int, adjust: Adjust
    ) -> Iterator[Forecast]:
        """The calls that write new seeds, one for each seed that is replaced."""
        each = bounds_of(state, self.instance).each
        calls = coming + sum(
            any(self._lacks(state, child) for child in reads.children(item, each)) for item in known
        )
        if calls:
            cost = adjust(
                self.new_seed, self.new_seed.cost(state, reads.seed(self.instance, "1.1"))
            )
            yield Forecast(
                stage,
                f"{count(calls * each, 'new seed')}, {each} for each old one",
                "not made yet",
                cost.times(calls, calls),
            )

    def _lacks(self, state: State, item: str) -> bool:
        return state.in_use(reads.seed(self.instance, item)) is None

    def _seeds_before(self, state: State, number: int) -> int:
        """How many seeds a round begins with: those there are and, for each seed above that has none yet, as many as will replace it."""
        if number == 1:
            return len(reads.of_round(state, self.instance, 0)) + self._missing_seeds(state)
        each = bounds_of(state, self.instance).each
        above = reads.of_round(state, self.instance, number - 2)
        to_come = self._seeds_before(state, number - 1) - len(above)
        missing = sum(
            self._lacks(state, child) for item in above for child in reads.children(item, each)
        )
        return len(reads.of_round(state, self.instance, number - 1)) + missing + to_come * each

    def _searches(self, state: State, item: str) -> tuple[int, int]:
        plan = state.read(f"{self.instance}/plan{item}", PlanContent)
        return (
            (len(plan.on()),) * 2
            if plan is not None
            else (1, bounds_of(state, self.instance).lines)
        )

    def _forecast_ideas(
        self, state: State, until: str, scope: Scope, adjust: Adjust
    ) -> Sequence[Forecast]:
        """What follows the seeds, as for any method."""
        return [
            line
            for line in super().forecast(state, until, scope, adjust)
            if line.stage not in (*FIRST_STAGES, *ROUND_STAGES)
        ]

    # -- what it declares -----------------------------------------------------------------------------------------

    def outline(self, state: State, failed: Mapping[str, str]) -> Iterator[OutlineRow]:
        """The shared cells, each seed with its plan, its papers and the seeds that replace it below it, then the proposals."""
        seeds = list(
            self._seed_rows(state, [str(n) for n in range(1, self._most_first(state) + 1)])
        )
        numbered = {f"{self.instance}/{name}" for name in ("seed", "plan", "found")}
        placed = False
        for row in super().outline(state, failed):
            if row.address not in numbered:
                yield row
            elif not placed:
                placed = True
                yield from seeds

    def _most_first(self, state: State) -> int:
        return max(
            [
                len(self._first_seeds(state)),
                *(int(item) for item in reads.of_round(state, self.instance, 0)),
            ],
            default=0,
        )

    def _seed_rows(self, state: State, items: Iterable[str]) -> Iterator[OutlineRow]:
        each = bounds_of(state, self.instance).each
        for item in items:
            seed, depth = reads.seed(self.instance, item), 1 + reads.round_of(item)
            yield OutlineRow(seed, depth, f"seed {item}", "seed idea")
            if state.in_use(seed) is None or state.cell(seed).rejected:
                continue
            yield OutlineRow(f"{self.instance}/plan{item}", depth + 1, title="search plan")
            yield OutlineRow(f"{self.instance}/found{item}", depth + 1, title="papers found")
            if reads.round_of(item) < MOST_STEPS:
                yield from self._seed_rows(state, reads.children(item, each))

    def options(self, state: State, address: str) -> Iterator[MenuOption]:
        """As declared, without the rounds that lie beyond the next one."""
        made = max((reads.round_of(item) for item in reads.living(state, self.instance)), default=0)
        beyond = ROUND_STAGES[2 * (made + 1) :]
        yield from (
            option for option in super().options(state, address) if option.until not in beyond
        )

    def branch_title(self, state: State, branch: Branch) -> str:
        """The title of the proposal, else of the seed that it is to be made from."""
        idea, item = state.read(f"{branch}/idea", IdeaContent), seed_of(state, branch)
        seed = state.read(reads.seed(self.instance, item), SeedContent) if item else None
        return (
            (idea.title if idea else "")
            or (f"seed {item}: {seed.title}" if seed else "")
            or "no seed yet"
        )

    def idea_source(self, state: State, branch: Branch) -> str:
        """Its seed, and the theory that led the seed."""
        item = seed_of(state, branch)
        seed = state.read(reads.seed(self.instance, item), SeedContent) if item else None
        return f"seed {item}" + (f", {seed.theory}" if seed and seed.theory else "") if item else ""

    def document(
        self, state: State, branches: Sequence[Branch], decisions: Sequence[Decision]
    ) -> MethodDocument:
        return nova_document(state, self.instance, branches)

    def reached(self, state: State) -> str:
        """The last stage of which something exists; a round by the seeds and plans that are numbered by it."""
        made = [at for at in map(parse_address, state.cells) if at.instance == self.instance]
        stage_of = {kind.name: kind.stage for kind in self.kinds}
        stages = {
            _stage_of(at.part, at.item) if at.item else stage_of.get(at.part, "") for at in made
        }
        return next((stage for stage in reversed(self.stages) if stage in stages), "")


_TOLD = {
    READING: "1 x reading list",
    "target": "the target and the papers near it",
    "trends": "a report over recent papers",
    "drafts": "drafts from three sources",
    "weighed": "the drafts weighed",
}


def _stage_of(part: str, item: str) -> str:
    number = reads.round_of(item)
    if part == "seed":
        return f"round-{number}" if number else "seeds"
    return f"plans-{number + 1}" if part == "plan" else f"round-{number + 1}"
