"""Imitate-and-Evolve as the engine sees it: its steps, what is wanted section by section and round
by round, and its rows."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from coi_tui.engine.declarations import OutlineRow, View
from coi_tui.methods.base.cell_table import held, title_of
from coi_tui.methods.branched import BranchedMethod, Planned
from coi_tui.methods.imitate.contents import SIDES, GateContent, PairRow
from coi_tui.methods.imitate.document import imitate_document
from coi_tui.methods.imitate.kinds import OWN_KINDS
from coi_tui.methods.imitate.manuscript import cells_of_section, gates, steps_of
from coi_tui.methods.imitate.settings import MOST_ROUNDS, MOST_STEPS, bounds_of
from coi_tui.methods.imitate.tasks import TASKS
from coi_tui.model.address import Branch, parse_address
from coi_tui.model.content import IdeaContent
from coi_tui.model.document import MethodDocument
from coi_tui.model.state import State
from coi_tui.model.text import clipped

if TYPE_CHECKING:
    pass

SHARED_CELLS = (
    ("split", "split"),
    ("algorithm", "papers"),
    ("application", "papers"),
    ("pairs", "pairs"),
)
BRANCH_CELLS = (
    ("pair", "pairs"),
    ("outline1", "outlines"),
    ("outline2", "outlines"),
    ("plan", "plan"),
)
"""The cells of the instance, and those of each branch before its sections, with their stages."""
SECTION_STAGES = tuple(f"section-{n}" for n in range(1, MOST_STEPS + 1))
ROUND_STAGES = tuple(f"revision-{n}" for n in range(1, MOST_ROUNDS + 1))
ROUND_CELLS = {"referee": "review", "answers": "points taken or rebutted", "gate": "revised"}


class ImitateAndEvolve(BranchedMethod):
    """A pair of papers a branch, a plan after their outlines, a section for each step, rounds of
    review, then title and abstract."""

    name, short = "Imitate-and-Evolve", "Imitate"
    own_stages = (
        "split",
        "papers",
        "pairs",
        "outlines",
        "plan",
        *SECTION_STAGES,
        *ROUND_STAGES,
        "rivals",
        "ideas",
    )
    own_kinds, tasks = OWN_KINDS, TASKS

    # -- its course

    def course(
        self, state: State, last: str, failed: Container[str] = (), *, supposed: bool = False
    ) -> Iterator[Planned]:
        for name, stage in SHARED_CELLS:
            yield Planned(f"{self.instance}/{name}", stage)
        for branch in self.branches(state):
            for name, stage in BRANCH_CELLS:
                yield Planned(f"{branch}/{name}", stage)
            # How many sections there will be is not known before the plan.
            if supposed or state.in_use(f"{branch}/plan") is not None:
                steps = steps_of(state, branch)
                for number in steps:
                    for address in cells_of_section(branch, number, steps):
                        yield Planned(address, f"section-{number}")
                yield from self._rounds(state, branch, last, supposed=supposed)

    def _rounds(
        self, state: State, branch: Branch, last: str, *, supposed: bool
    ) -> Iterator[Planned]:
        """The rounds that the stage names, else those of the settings. Points and revisions are
        known only once a review is there, and there may be none."""
        most = bounds_of(state, self.instance).rounds if last else MOST_ROUNDS
        if last in ROUND_STAGES:
            most = ROUND_STAGES.index(last) + 1
        now, comes = self._next_round(state, branch, most)
        for number in range(1, most + 1) if supposed else ():
            if number < now or comes:
                for name in ROUND_CELLS:
                    least = int(name == "referee" and number == now)
                    yield Planned(f"{branch}/{name}{number}", f"revision-{number}", least)
        if not supposed and comes:
            yield Planned(f"{branch}/{comes}{now}", f"revision-{now}")

    def _next_round(self, state: State, branch: Branch, most: int) -> tuple[int, str]:
        """The round that is going on, and the cell that comes next in it; none where the rounds are
        over: no round is left, the last one changed nothing, or there is no point to carry out."""
        done = gates(state, branch)
        number = len(done) + 1
        if number > most:
            return number, ""
        if state.in_use(f"{branch}/referee{number}") is None:
            gate = held(state, f"{branch}/gate{number - 1}", GateContent)
            changed = not done or any(gate.kept(row.section) for row in gate.rows)
            return number, "referee" if changed else ""
        if state.in_use(f"{branch}/answers{number}") is None:
            return number, "answers" if state.value(f"{branch}/referee{number}#points") else ""
        return number, "gate" if state.value(f"{branch}/answers{number}#taken") else ""

    def idea_comes(self, view: View, branch: Branch) -> bool:
        """Whether the rounds of review are over, or cannot go on in this job."""
        most = bounds_of(view.state, self.instance).rounds
        number, comes = self._next_round(view.state, branch, most)
        stopped = any(f"{branch}/{name}{number}" in view.failed for name in ROUND_CELLS)
        return not comes or stopped

    # -- what it declares

    def outline(self, state: State, failed: Mapping[str, str]) -> Iterator[OutlineRow]:
        """The shared cells; then for each branch its paradigm, its plan, each section with what it
        was made from, the rounds, the idea."""
        numbered = {"outline", "passages", "step", "section", "later", *ROUND_CELLS}
        for row in super().outline(state, failed):
            at = parse_address(row.address)
            if at.part == "plan":
                for n, side in enumerate(SIDES, 1):
                    title = f"outline of the {side}"
                    yield OutlineRow(f"{at.branch}/outline{n}", 2, title=title)
                yield row
                yield from self._section_rows(state, at.branch)
            elif at.part not in numbered:
                yield row

    def _section_rows(self, state: State, branch: Branch) -> Iterator[OutlineRow]:
        steps = steps_of(state, branch)
        for n in steps:
            name = f"section {n}"
            yield OutlineRow(f"{branch}/section{n}", 2, name, name)
            yield OutlineRow(f"{branch}/passages{n}", 3, title="evidence")
            yield OutlineRow(f"{branch}/step{n}", 3, title="step")
            for later in steps[n:]:
                told = f"step {later}"
                yield OutlineRow(f"{branch}/later{n}.{later}", 4, told, f"{told} after {name}")
        for n in range(1, MOST_ROUNDS + 1):
            for name, title in ROUND_CELLS.items():
                yield OutlineRow(f"{branch}/{name}{n}", 2, title=title)

    def branch_title(self, state: State, branch: Branch) -> str:
        """The title of the manuscript, else the papers that it imitates."""
        pair = held(state, f"{branch}/pair", PairRow)
        papers = filter(None, (pair.algorithm, pair.application))
        usual = " + ".join(title_of(state, paper) for paper in papers) or "no paradigm yet"
        return held(state, f"{branch}/idea", IdeaContent).title or usual

    def idea_source(self, state: State, branch: Branch) -> str:
        """The two papers that it imitates."""
        titles = [state.value(f"{branch}/outline{n}#title") for n in (1, 2)]
        return "after " + " and ".join(clipped(title, 5) for title in titles if title)

    def document(self, state: State, branches: Sequence[Branch]) -> MethodDocument:
        return imitate_document(state, self.instance, branches)


METHOD = ImitateAndEvolve
