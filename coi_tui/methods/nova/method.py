"""Nova as the engine sees it: its tasks, what is wanted in which round, its rows, and its part of a
proposal."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING

from coi_tui.engine.declarations import OutlineRow, Task
from coi_tui.methods.base.cell_table import held
from coi_tui.methods.branched import BranchedMethod, Planned
from coi_tui.methods.evidence.reading_list import ReadingListTask
from coi_tui.methods.ideas.novelty import NoveltyRules
from coi_tui.methods.ideas.rivals import RivalsTask
from coi_tui.methods.nova.diversity import DiversityTask
from coi_tui.methods.nova.drafts import DRAFTS as DRAFTS
from coi_tui.methods.nova.kinds import (
    OWN_KINDS,
    DiversityContent,
    DraftsContent,
    SeedContent,
)
from coi_tui.methods.nova.seeds import (
    children,
    line_of,
    numbers,
    of_round,
    parent_of,
    round_of,
    seed,
    seed_of,
)
from coi_tui.methods.nova.settings import MOST_STEPS, bounds_of
from coi_tui.methods.nova.tasks import (
    NEW_SEED,
    TASKS,
    DraftsTask,
    FoundTask,
    ModulesTask,
    SeedTask,
    TargetTask,
    TrendsTask,
    thought,
)
from coi_tui.model.address import READING, Branch, parse_address
from coi_tui.model.content import IdeaContent
from coi_tui.model.document import MethodDocument
from coi_tui.model.state import State

if TYPE_CHECKING:
    from coi_tui.methods.services import ServiceSet

FIRST = ("target", "trends", "drafts")
"""The first cells, which are stages too."""
ROUND_STAGES = tuple(
    stage for n in range(1, MOST_STEPS + 1) for stage in (f"plans-{n}", f"round-{n}")
)


class Nova(BranchedMethod):
    """A target, seeds from three sources, then in each round a plan, its papers and new seeds for
    every seed that was not dropped."""

    name, short = "Nova", "Nova"
    own_stages = (*FIRST, "seeds", *ROUND_STAGES, "diversity", "proposals", "rivals", "ideas")
    own_kinds = OWN_KINDS
    novelty = NoveltyRules(nearest=10, wanted=("problem", "mechanism"))

    tasks = MappingProxyType(
        {
            READING: ReadingListTask,
            "target": TargetTask,
            "trends": TrendsTask,
            "drafts": DraftsTask,
            "seed": SeedTask,
            "found": FoundTask,
            "diversity": DiversityTask,
            "modules": ModulesTask,
            "rivals": partial(RivalsTask, thought=thought),
            **TASKS,
        }
    )

    def __init__(self, instance: str, tools: ServiceSet | None = None) -> None:
        super().__init__(instance, tools)
        self.new_seed = NEW_SEED.by(tools)

    @property
    def steps(self) -> list[Task]:
        return [*super().steps, self.new_seed]

    def step(self, address: str) -> Task | None:
        at = parse_address(address)
        new = at.part == "seed" and round_of(at.item)
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
        rounds = bounds.steps if last else MOST_STEPS
        if last in (*FIRST, "seeds"):
            rounds = 0
        elif last in ROUND_STAGES:
            rounds = ROUND_STAGES.index(last) // 2 + 1
        yield Planned(READING, "target")
        for name in FIRST:
            yield Planned(f"{self.instance}/{name}", name)
        coming = self._first_seeds(state)
        if supposed and state.in_use(f"{self.instance}/drafts") is None:
            coming = numbers(bounds.seeds)
        for item in coming:
            yield Planned(seed(self.instance, item), "seeds")
        for number in range(1, rounds + 1):
            items = of_round(state, self.instance, number - 1)
            if supposed:
                items += [item for item in coming if self._missing(state, item)]
            else:
                items = [item for item in items if self._round_complete(state, item, failed)]
            coming = [child for item in items for child in children(item, bounds.each)]
            for item in items:
                yield Planned(f"{self.instance}/plan{item}", f"plans-{number}")
                yield Planned(f"{self.instance}/found{item}", f"round-{number}")
            for item in coming:
                yield Planned(seed(self.instance, item), f"round-{number}")

    def _first_seeds(self, state: State) -> list[str]:
        return numbers(len(held(state, f"{self.instance}/drafts", DraftsContent).kept))

    def _missing(self, state: State, item: str) -> bool:
        return state.in_use(seed(self.instance, item)) is None

    def _round_complete(self, state: State, item: str, failed: Container[str]) -> bool:
        """Whether every seed that replaces the same one is there, or failed: what is not to be
        repeated is then known, whoever finished first."""
        above, each = parent_of(item), bounds_of(state, self.instance).each
        return not any(
            self._missing(state, one) and seed(self.instance, one) not in failed
            for one in (children(above, each) if above else self._first_seeds(state))
        )

    def _to_come(self, state: State, address: str, failed: Container[str]) -> bool:
        """Whether a cell is still missing and this run has not failed at it, nor at what it is made
        from."""
        at = parse_address(address)
        above = parent_of(at.item) if at.part == "seed" else at.item
        before = (address, *(f"{self.instance}/{name}{above}" for name in ("plan", "found")))
        return state.in_use(address) is None and not any(one in failed for one in before)

    # -- what it declares

    def outline(self, state: State, failed: Mapping[str, str]) -> Iterator[OutlineRow]:
        """The shared cells, each seed with its plan, its papers and the seeds that replace it below
        it, then the proposals."""
        seeds, plan, found = (f"{self.instance}/{name}" for name in ("seed", "plan", "found"))
        for row in super().outline(state, failed):
            if row.address == seeds:
                first = [*self._first_seeds(state), *of_round(state, self.instance, 0)]
                yield from self._seed_rows(state, dict.fromkeys(first))
            elif row.address not in (plan, found):
                yield row

    def _seed_rows(self, state: State, items: Iterable[str]) -> Iterator[OutlineRow]:
        for item in items:
            address, depth = seed(self.instance, item), 1 + round_of(item)
            yield OutlineRow(address, depth, f"seed {item}", "seed idea")
            if state.in_use(address) is None or state.cell(address).rejected:
                continue
            yield OutlineRow(f"{self.instance}/plan{item}", depth + 1, title="search plan")
            yield OutlineRow(f"{self.instance}/found{item}", depth + 1, title="papers found")
            if depth <= MOST_STEPS:
                each = bounds_of(state, self.instance).each
                yield from self._seed_rows(state, children(item, each))

    def branch_title(self, state: State, branch: Branch) -> str:
        """The title of the proposal, else of the seed that it is to be made from."""
        if title := held(state, f"{branch}/idea", IdeaContent).title:
            return title
        item = seed_of(state, branch)
        title = held(state, seed(self.instance, item), SeedContent).title if item else ""
        return f"seed {item}: {title}" if item else "no seed yet"

    # -- its part of a proposal

    def document(self, state: State, branches: Sequence[Branch]) -> MethodDocument:
        """The seeds that led to the ideas of these branches, one after the other."""
        items = (item for branch in branches for item in line_of(seed_of(state, branch)))
        seeds = [seed(self.instance, item) for item in items]
        found = held(state, f"{self.instance}/diversity", DiversityContent)
        by_words = (
            "Seeds were compared by their words; ideas in wholly other words count as different."
        )
        return MethodDocument(
            tuple(dict.fromkeys(at for at in seeds if state.in_use(at) is not None)),
            limits=(by_words,) if found.seeds and not found.model else (),
        )


METHOD = Nova
