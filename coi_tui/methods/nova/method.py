"""Nova as the engine sees it: its steps, what is wanted in which round, and its rows."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from coi_tui.engine.declarations import OutlineRow, Task
from coi_tui.methods.base.cell_table import held
from coi_tui.methods.branched import CourseMethod, Planned
from coi_tui.methods.evidence.reading_list import ReadingListTask
from coi_tui.methods.ideas.novelty import NoveltyRules
from coi_tui.methods.ideas.rivals import RivalsTask
from coi_tui.methods.nova import reads
from coi_tui.methods.nova.contents import SeedContent, WeighedContent
from coi_tui.methods.nova.diversity import DiversityTask
from coi_tui.methods.nova.document import nova_document
from coi_tui.methods.nova.kinds import OWN_KINDS
from coi_tui.methods.nova.picks import seed_of
from coi_tui.methods.nova.settings import MOST_STEPS, bounds_of
from coi_tui.methods.nova.target import TargetTask, TrendsTask
from coi_tui.methods.nova.tasks import (
    NEW_SEED,
    TASKS,
    DraftsTask,
    FoundTask,
    ModulesTask,
    SeedTask,
)
from coi_tui.model.address import READING, Branch, parse_address
from coi_tui.model.content import IdeaContent
from coi_tui.model.document import MethodDocument
from coi_tui.model.entries import Decision
from coi_tui.model.state import State

if TYPE_CHECKING:
    from coi_tui.methods.services import ServiceSet

FIRST_STAGES = ("target", "trends", "drafts", "seeds")
ROUND_STAGES = tuple(
    stage for n in range(1, MOST_STEPS + 1) for stage in (f"plans-{n}", f"round-{n}")
)
FIRST_CELLS = (
    ("target", "target"),
    ("trends", "trends"),
    ("drafts", "drafts"),
    ("weighed", "drafts"),
)


class Nova(CourseMethod):
    """A target, seeds from three sources, then in each round a plan, its papers and new seeds for
    every seed that was not dropped."""

    name, short = "Nova", "Nova"
    own_stages = (*FIRST_STAGES, *ROUND_STAGES, "diversity", "proposals", "rivals", "ideas")
    own_kinds = OWN_KINDS
    novelty = NoveltyRules(nearest=10, wanted=("problem", "mechanism"))

    def make_tasks(self, tools: ServiceSet | None) -> dict[str, Task]:
        self.new_seed = NEW_SEED.by(tools)
        return {
            READING: ReadingListTask(tools),
            "target": TargetTask(tools),
            "trends": TrendsTask(tools),
            "drafts": DraftsTask(tools),
            "seed": SeedTask(tools),
            "found": FoundTask(tools),
            "diversity": DiversityTask(tools),
            "modules": ModulesTask(tools),
            "rivals": RivalsTask(tools, reads.thought),
            **{name: task.by(tools) for name, task in TASKS.items()},
        }

    @property
    def steps(self) -> list[Task]:
        return [*super().steps, self.new_seed]

    def step(self, address: str) -> Task | None:
        at = parse_address(address)
        new = at.part == "seed" and reads.round_of(at.item)
        return self.new_seed if new else super().step(address)

    def branches(self, state: State) -> list[Branch]:
        """Its branches that are not parked; once the seeds are compared, those for which there is a
        seed."""
        found = super().branches(state)
        if state.in_use(f"{self.instance}/diversity") is None:
            return found
        return [b for b in found if seed_of(state, b) or state.in_use(f"{b}/idea") is not None]

    # -- its course

    def course(
        self, state: State, last: str, failed: Container[str] = (), *, supposed: bool = False
    ) -> Iterator[Planned]:
        """Round by round; the seeds are compared once no further one comes in this run."""
        to_seeds = list(self._to_seeds(state, last, failed, supposed=supposed))
        yield from to_seeds
        diversity = f"{self.instance}/diversity"
        if supposed or not any(self._to_come(state, one.address, failed) for one in to_seeds):
            yield Planned(diversity, "diversity", when="stale")
        if supposed or state.in_use(diversity) is not None:
            for branch in self.branches(state):
                yield Planned(f"{branch}/initial", "proposals")
                yield Planned(f"{branch}/modules", "proposals")

    def _to_seeds(
        self, state: State, last: str, failed: Container[str], *, supposed: bool
    ) -> Iterator[Planned]:
        """What it takes to have the seeds of as many rounds as the stage says, else the settings:
        for each seed of the round before a plan, its papers and the seeds that replace it."""
        bounds = bounds_of(state, self.instance)
        rounds = 0 if last in FIRST_STAGES else bounds.steps if last else MOST_STEPS
        if last in ROUND_STAGES:
            rounds = ROUND_STAGES.index(last) // 2 + 1
        yield Planned(READING, "target")
        for name, stage in FIRST_CELLS:
            yield Planned(f"{self.instance}/{name}", stage)
        coming = self._first_seeds(state)
        if supposed and state.in_use(f"{self.instance}/weighed") is None:
            coming = reads.numbers(bounds.seeds)
        for item in coming:
            yield Planned(reads.seed(self.instance, item), "seeds")
        for number in range(1, rounds + 1):
            seeds = reads.of_round(state, self.instance, number - 1)
            if supposed:
                seeds += [item for item in coming if self._missing(state, item)]
            else:
                seeds = [item for item in seeds if self._all_beside(state, item, failed)]
            coming = [child for item in seeds for child in reads.children(item, bounds.each)]
            for item in seeds:
                yield Planned(f"{self.instance}/plan{item}", f"plans-{number}")
                yield Planned(f"{self.instance}/found{item}", f"round-{number}")
            for item in coming:
                yield Planned(reads.seed(self.instance, item), f"round-{number}")

    def _first_seeds(self, state: State) -> list[str]:
        return reads.numbers(len(held(state, f"{self.instance}/weighed", WeighedContent).kept))

    def _missing(self, state: State, item: str) -> bool:
        return state.in_use(reads.seed(self.instance, item)) is None

    def _all_beside(self, state: State, item: str, failed: Container[str]) -> bool:
        """Whether every seed beside this one is there, or failed: what is not to be repeated is
        then known, whoever finished first."""
        above = reads.parent_of(item)
        each = bounds_of(state, self.instance).each
        beside = reads.children(above, each) if above else self._first_seeds(state)
        return not any(
            self._missing(state, one) and reads.seed(self.instance, one) not in failed
            for one in beside
        )

    def _to_come(self, state: State, address: str, failed: Container[str]) -> bool:
        """Whether a cell is still missing and this run has not failed at it, nor at what it is made
        from."""
        at = parse_address(address)
        above = reads.parent_of(at.item) if at.part == "seed" else at.item
        before = (address, *(f"{self.instance}/{name}{above}" for name in ("plan", "found")))
        return state.in_use(address) is None and not any(one in failed for one in before)

    # -- what it declares

    def outline(self, state: State, failed: Mapping[str, str]) -> Iterator[OutlineRow]:
        """The shared cells, each seed with its plan, its papers and the seeds that replace it below
        it, then the proposals."""
        numbered = [f"{self.instance}/{name}" for name in ("seed", "plan", "found")]
        for row in super().outline(state, failed):
            if row.address == numbered[0]:
                first = [*self._first_seeds(state), *reads.of_round(state, self.instance, 0)]
                yield from self._seed_rows(state, dict.fromkeys(first))
            elif row.address not in numbered:
                yield row

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

    def branch_title(self, state: State, branch: Branch) -> str:
        """The title of the proposal, else of the seed that it is to be made from."""
        item = seed_of(state, branch)
        seed = held(state, reads.seed(self.instance, item), SeedContent)
        usual = f"seed {item}: {seed.title}" if item else "no seed yet"
        return held(state, f"{branch}/idea", IdeaContent).title or usual

    def document(
        self, state: State, branches: Sequence[Branch], decisions: Sequence[Decision]
    ) -> MethodDocument:
        return nova_document(state, self.instance, branches)


METHOD = Nova
