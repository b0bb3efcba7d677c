"""Nova as the engine sees it: its tasks, what is wanted in which round, its rows, and its part of a
proposal."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import partial

from coi_tui.engine.declarations import OutlineRow
from coi_tui.methods.base.cell_table import is_made, stored
from coi_tui.methods.branched import BranchedMethod, Planned
from coi_tui.methods.ideas.novelty import NoveltyRules
from coi_tui.methods.ideas.sketches import in_short
from coi_tui.methods.nova import MOST_STEPS, NovaSettings
from coi_tui.methods.nova.kinds import OWN_KINDS, DiversityContent, DraftsContent, SeedContent
from coi_tui.methods.nova.seeds import (
    children,
    numbers,
    of_round,
    origins,
    parent_of,
    round_of,
    seed,
    seed_of,
)
from coi_tui.methods.nova.tasks import DRAFTS as DRAFTS
from coi_tui.methods.nova.tasks import TASKS
from coi_tui.model.address import READING, Branch, cell_at, cell_ref
from coi_tui.model.content import IdeaContent, Sketch
from coi_tui.model.document import MethodDocument
from coi_tui.model.state import State

FIRST = ("target", "trends", "drafts")
"""The first cells, which are stages too."""
ROUND_STAGES = tuple(
    stage for n in range(1, MOST_STEPS + 1) for stage in (f"plans-{n}", f"round-{n}")
)


def rounds_to(stage: str, usual: int) -> int:
    """How many rounds a run to a stage makes; for no stage, as many as there may be."""
    if stage in ROUND_STAGES:
        return ROUND_STAGES.index(stage) // 2 + 1
    return usual if stage else MOST_STEPS


class Nova(BranchedMethod):
    """A target, seeds from three sources, then in each round a plan, its papers and new seeds for
    every seed that was not dropped."""

    name, short = "Nova", "Nova"
    own_stages = (*FIRST, "seeds", *ROUND_STAGES, "diversity", "proposals", "rivals", "ideas")
    own_kinds, tasks = OWN_KINDS, TASKS
    novelty = NoveltyRules(nearest=10, wanted=("problem", "mechanism"))

    def has_source(self, state: State, branch: Branch) -> bool:
        """Once the seeds are compared, whether there is a seed for it."""
        return not is_made(state, self.instance, "diversity") or bool(seed_of(state, branch))

    # -- its course

    def course(
        self, state: State, last: str, failed: Container[str] = (), *, supposed: bool = False
    ) -> Iterator[Planned]:
        """For each round, as many as the stage says or else the settings, and for each seed of the
        round before a plan, its papers and the seeds that replace it.

        A round begins once the one before has come to its end, so that what is not to be repeated
        is known, whoever finished first; the seeds are compared after the last one.
        """
        bounds = state.bounds(NovaSettings, self.instance)
        yield Planned(READING, "target")
        for name in FIRST:
            yield Planned(cell_at(self.instance, name), name)
        drafted = is_made(state, self.instance, "drafts")
        if not (drafted or supposed):
            return
        coming, stage = self._first_seeds(state) if drafted else numbers(bounds.seeds), "seeds"
        for number in range(rounds_to(last, bounds.steps) + 1):
            if number:
                items, stage = of_round(state, self.instance, number - 1), f"round-{number}"
                items += filter(partial(self._missing, state), coming if supposed else ())
                coming = [child for item in items for child in children(item, bounds.each)]
                yield from self._searches(items, number)
            yield from (Planned(seed(self.instance, item), stage) for item in coming)
            if not supposed and any(self._to_come(state, item, failed) for item in coming):
                return
        yield from self._proposals(state, supposed=supposed)

    def _searches(self, items: Iterable[str], number: int) -> Iterator[Planned]:
        """The plan of a round and its papers, for each seed of the round before."""
        for item in items:
            yield Planned(cell_at(self.instance, "plan", item), f"plans-{number}")
            yield Planned(cell_at(self.instance, "found", item), f"round-{number}")

    def _proposals(self, state: State, *, supposed: bool) -> Iterator[Planned]:
        diversity = cell_at(self.instance, "diversity")
        yield Planned(diversity, "diversity", when="stale")
        if supposed or state.in_use(diversity) is not None:
            for branch in self.branches(state):
                yield Planned(cell_at(branch, "initial"), "proposals")
                yield Planned(cell_at(branch, "modules"), "proposals")

    def _first_seeds(self, state: State) -> list[str]:
        return numbers(stored(state, cell_at(self.instance, "drafts"), DraftsContent).seeds)

    def _missing(self, state: State, item: str) -> bool:
        return state.in_use(seed(self.instance, item)) is None

    def _to_come(self, state: State, item: str, failed: Container[str]) -> bool:
        """Whether a seed is still missing and this run has not failed at it, nor at what it is made
        from."""
        above = parent_of(item)
        made_from = (cell_at(self.instance, name, above) for name in ("plan", "found"))
        tried = any(cell in failed for cell in (seed(self.instance, item), *made_from))
        return self._missing(state, item) and not tried

    # -- what it declares

    def outline(self, state: State, failed: Mapping[str, str]) -> Iterator[OutlineRow]:
        """The shared cells, each seed with its plan, its papers and the seeds that replace it below
        it, then the proposals."""
        seeds, plan, found = (cell_at(self.instance, name) for name in ("seed", "plan", "found"))
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
            yield OutlineRow(cell_at(self.instance, "plan", item), depth + 1, title="search plan")
            yield OutlineRow(cell_at(self.instance, "found", item), depth + 1, title="papers found")
            if depth <= MOST_STEPS:
                each = state.bounds(NovaSettings, self.instance).each
                yield from self._seed_rows(state, children(item, each))

    def short_ideas(self, state: State) -> Iterator[tuple[str, Sketch]]:
        """The seeds that were not dropped."""
        for address in sorted(state.cells, key=lambda one: cell_ref(one).numbers):
            at, one = cell_ref(address), state.read(address, SeedContent)
            ours = at.instance == self.instance and at.kind == "seed"
            if ours and one is not None and not state.cell(address).rejected:
                yield address, in_short(one.title, one.text)

    def branch_title(self, state: State, branch: Branch) -> str:
        """The title of the proposal, else of the seed that it is to be made from."""
        if title := stored(state, cell_at(branch, "idea"), IdeaContent).title:
            return title
        item = seed_of(state, branch)
        title = stored(state, seed(self.instance, item), SeedContent).title if item else ""
        return f"seed {item}: {title}" if item else "no seed yet"

    # -- its part of a proposal

    def document(self, state: State, branches: Sequence[Branch]) -> MethodDocument:
        """The seeds that led to the ideas of these branches, one after the other."""
        items = (item for branch in branches for item in origins(seed_of(state, branch)))
        found = stored(state, cell_at(self.instance, "diversity"), DiversityContent)
        by_words = (
            "Seeds were compared by their words; ideas in wholly other words count as different."
        )
        return MethodDocument(
            tuple(seed(self.instance, item) for item in items),
            limits=(by_words,) if found.seeds and not found.model else (),
        )


METHOD = Nova
