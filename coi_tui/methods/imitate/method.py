"""Imitate-and-Evolve as the engine sees it: its steps, what is wanted section by section and round by round, its rows, what it takes."""

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
from coi_tui.methods.imitate.contents import (
    AnswersContent,
    GateContent,
    PairContent,
    RefereeContent,
)
from coi_tui.methods.imitate.document import imitate_document
from coi_tui.methods.imitate.kinds import OWN_KINDS
from coi_tui.methods.imitate.manuscript import gates, steps_of
from coi_tui.methods.imitate.outlines import OutlineStep, PlanStepStep
from coi_tui.methods.imitate.plan_steps import cell, cells_of_section, later_cell
from coi_tui.methods.imitate.reads import thought
from coi_tui.methods.imitate.request import PairsStep, PairStep, SideStep, SplitStep
from coi_tui.methods.imitate.reviews import AnswersStep, GateStep, HeadStep, RefereeStep
from coi_tui.methods.imitate.sections import EvolveStep, LaterStepStep, PassagesStep, SectionStep
from coi_tui.methods.imitate.settings import MOST_ROUNDS, MOST_STEPS, bounds_of
from coi_tui.methods.shared.branched import BranchedMethod
from coi_tui.methods.shared.review_rounds import RoundState, next_of
from coi_tui.methods.shared.rivals import RivalsStep
from coi_tui.model.address import Address, Branch, parse_address
from coi_tui.model.content import IdeaContent
from coi_tui.model.document import MethodDocument
from coi_tui.model.entries import Decision
from coi_tui.model.state import State
from coi_tui.model.wording import clipped, count

if TYPE_CHECKING:
    from coi_tui.methods.services import ServiceSet

SHARED_STAGES = {"split": ("split",), "papers": ("algorithm", "application"), "pairs": ("pairs",)}
"""The cells of the instance, by their stage."""
BRANCH_STAGES = {"pairs": ("pair",), "outlines": ("outline1", "outline2"), "plan": ("plan",)}
"""The cells of each branch before its sections, by their stage."""
SECTION_STAGES = tuple(f"section-{n}" for n in range(1, MOST_STEPS + 1))
ROUND_STAGES = tuple(f"revision-{n}" for n in range(1, MOST_ROUNDS + 1))
STAGES = (
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
ROUND_CELLS = ("referee", "answers", "gate")


class ImitateAndEvolve(BranchedMethod):
    """A pair of papers a branch, a plan after their outlines, a section for each step, rounds of review, then title and abstract."""

    name, short = "Imitate-and-Evolve", "Imitate"
    own_stages = STAGES
    own_kinds = OWN_KINDS

    def make_steps(self, tools: ServiceSet | None) -> dict[str, Step]:
        side = SideStep(tools)
        return {
            "split": SplitStep(tools),
            "algorithm": side,
            "application": side,
            "pairs": PairsStep(tools),
            "pair": PairStep(tools),
            "outline": OutlineStep(tools),
            "plan": PlanStepStep(tools),
            "passages": PassagesStep(tools),
            "step": EvolveStep(tools),
            "section": SectionStep(tools),
            "later": LaterStepStep(tools),
            "referee": RefereeStep(tools),
            "answers": AnswersStep(tools),
            "gate": GateStep(tools),
            "rivals": RivalsStep(tools, thought),
            "idea": HeadStep(tools),
        }

    @property
    def steps(self) -> list[Step]:
        """Every step once; the search of both sides is one."""
        return list(dict.fromkeys(super().steps))

    # -- what is wanted -------------------------------------------------------------------------------------------

    def wanted(self, view: View, until: str) -> Sequence[Want]:
        """As for any method, but title and abstract wait until the rounds of review are over."""
        open_ = {f"{b}/idea" for b in self.branches(view.state) if not self._settled(view, b)}
        return [want for want in super().wanted(view, until) if want.address not in open_]

    def wanted_first(self, view: View, last: str) -> Iterable[Want]:
        reached = self._reached_by(last)
        for stage, names in SHARED_STAGES.items():
            if stage in reached:
                yield from (self.want(f"{self.instance}/{name}", stage) for name in names)
        for branch in self.branches(view.state):
            if view.scope.holds(branch):
                yield from self._wanted_of(view, branch, last, reached)

    def _wanted_of(
        self, view: View, branch: Branch, last: str, reached: Sequence[str]
    ) -> Iterator[Want]:
        for stage, names in BRANCH_STAGES.items():
            if stage in reached:
                yield from (self.want(cell(branch, name), stage) for name in names)
        if view.state.in_use(cell(branch, "plan")) is None:
            return  # how many sections there will be is not known before
        steps = steps_of(view.state, branch)
        for number in range(1, steps + 1):
            if SECTION_STAGES[number - 1] in reached:
                yield from (
                    self.want(a, f"section-{number}")
                    for a in cells_of_section(branch, number, steps)
                )
        if (most := self._rounds(view.state, last)) and self._written(view.state, branch):
            yield from self._wanted_round(view, branch, most)

    def _wanted_round(self, view: View, branch: Branch, most: int) -> Iterator[Want]:
        """The cell that comes next in the rounds of review, if any."""
        number, comes = self._next_round(view.state, branch, most)
        if comes == "review":
            yield self.want(cell(branch, "referee", number), f"revision-{number}")
        elif comes == "refine":
            yield self.want(cell(branch, "answers", number), f"revision-{number}")
            answers = view.state.read(cell(branch, "answers", number), AnswersContent)
            if answers is not None and answers.taken:
                yield self.want(cell(branch, "gate", number), f"revision-{number}")

    def _next_round(self, state: State, branch: Branch, most: int) -> tuple[int, str]:
        """The round that is going on, and what comes next in it; nothing where the rounds are over."""
        done = gates(state, branch)
        number = len(done) + 1
        if number > most:
            return number, ""
        review = state.read(cell(branch, "referee", number), RefereeContent)
        points = review is not None and bool(review.points)
        back = bool(done) and not _kept_any(state, branch, done[-1])
        if review is None and back:
            return number, ""
        return number, next_of(
            RoundState(
                review is not None,
                review is not None,
                points,
                len(done),
                most,
                self._rebutted(state, branch, number),
            )
        )

    def _rebutted(self, state: State, branch: Branch, number: int) -> bool:
        """Whether every point of a round was rebutted, so that there is nothing to carry out."""
        answers = state.read(cell(branch, "answers", number), AnswersContent)
        return answers is not None and not answers.taken

    def _settled(self, view: View, branch: Branch) -> bool:
        """Whether the text is written and its rounds of review are over, or cannot go on in this job."""
        if not self._written(view.state, branch):
            return False
        number, comes = self._next_round(
            view.state, branch, bounds_of(view.state, self.instance).rounds
        )
        return not comes or any(cell(branch, name, number) in view.failed for name in ROUND_CELLS)

    def _written(self, state: State, branch: Branch) -> bool:
        """Whether every section is there."""
        if state.in_use(cell(branch, "plan")) is None:
            return False
        return all(
            state.in_use(cell(branch, "section", n)) is not None
            for n in range(1, steps_of(state, branch) + 1)
        )

    def _reached_by(self, last: str) -> tuple[str, ...]:
        return (
            self.own_stages[: self.own_stages.index(last) + 1]
            if last in self.own_stages
            else self.own_stages
        )

    def _rounds(self, state: State, last: str) -> int:
        """How many rounds of review belong to a run: those that the stage names, else those that the settings say."""
        if last in ROUND_STAGES:
            return ROUND_STAGES.index(last) + 1
        reached = last == "ideas" or last not in self.own_stages
        return bounds_of(state, self.instance).rounds if reached else 0

    # -- what it takes --------------------------------------------------------------------------------------------

    def forecast(
        self, state: State, until: str, scope: Scope = EVERYTHING, adjust: Adjust = as_guessed
    ) -> Sequence[Forecast]:
        reached = self._reached_by(until)
        lines = [
            self._line(state, stage, f"{self.instance}/{name}", adjust)
            for stage, names in SHARED_STAGES.items()
            if stage in reached
            for name in names
        ]
        for branch in self.branches(state):
            if scope.holds(branch):
                lines += self._forecast_branch(state, branch, until, reached, adjust)
        own = (*SHARED_STAGES, *BRANCH_STAGES, *SECTION_STAGES, *ROUND_STAGES)
        after = [
            line for line in super().forecast(state, until, scope, adjust) if line.stage not in own
        ]
        return [*(line for line in lines if line is not None), *after]

    def _line(self, state: State, stage: str, address: str, adjust: Adjust) -> Forecast | None:
        """The line of one cell; None where it is there."""
        if state.in_use(address) is not None:
            return None
        step, part = self.step(address), parse_address(address).part
        assert step is not None
        return Forecast(
            stage, _TOLD.get(part, part), "not made yet", adjust(step, step.cost(state, address))
        )

    def _forecast_branch(
        self, state: State, branch: Branch, until: str, reached: Sequence[str], adjust: Adjust
    ) -> Iterator[Forecast | None]:
        for stage, names in BRANCH_STAGES.items():
            if stage in reached:
                yield from (self._line(state, stage, cell(branch, name), adjust) for name in names)
        steps = steps_of(state, branch)
        for number in range(1, steps + 1):
            if SECTION_STAGES[number - 1] in reached:
                yield from self._forecast_section(state, branch, number, steps, adjust)
        for number in range(1, self._rounds(state, until) + 1):
            yield from self._forecast_round(state, branch, number, adjust)

    def _forecast_section(
        self, state: State, branch: Branch, number: int, steps: int, adjust: Adjust
    ) -> Iterator[Forecast]:
        """Evidence, step and section in one line, and one for the later steps that are looked at again."""
        missing = [a for a in cells_of_section(branch, number, steps) if state.in_use(a) is None]
        later = [a for a in missing if parse_address(a).part == "later"]
        cost = Cost()
        for address in missing:
            if address not in later and (step := self.step(address)) is not None:
                cost += adjust(step, step.cost(state, address))
        if len(missing) > len(later):
            yield Forecast(
                f"section-{number}",
                f"section {number}: evidence, step and text",
                "not made yet",
                cost,
            )
        if later:
            step = self.by_part["later"]
            each = adjust(step, step.cost(state, later[0])).times(len(later), len(later))
            yield Forecast(
                f"section-{number}",
                f"{count(len(later), 'later step')}, revised or kept",
                "not made yet",
                each,
            )

    def _forecast_round(
        self, state: State, branch: Branch, number: int, adjust: Adjust
    ) -> Iterator[Forecast]:
        """A round of review; its points and revisions are known only once it is there, and there may be none."""
        done, comes = self._next_round(state, branch, MOST_ROUNDS)
        if number < done or (number == done and not comes):
            return
        for name in ROUND_CELLS:
            address, step = cell(branch, name, number), self.by_part[name]
            if state.in_use(address) is None:
                cost = adjust(step, step.cost(state, address))
                certain = name == "referee" and number == done
                yield Forecast(
                    f"revision-{number}",
                    _TOLD[name],
                    "not made yet",
                    cost if certain else cost.times(0, 1, 1),
                )

    # -- what it declares -----------------------------------------------------------------------------------------

    def outline(self, state: State, failed: Mapping[str, str]) -> Iterator[OutlineRow]:
        """The shared cells; then for each branch its paradigm, its plan, each section with what it was made from, the rounds, the idea."""
        numbered = {
            kind.name for kind in OWN_KINDS if kind.stage in (*SECTION_STAGES, *ROUND_STAGES)
        } | {"outline"}
        for row in super().outline(state, failed):
            at = parse_address(row.address)
            if at.part == "plan":
                yield from (
                    OutlineRow(cell(at.branch, "outline", n), 2, title=f"outline of the {side}")
                    for n, side in _SIDES
                )
                yield row
                yield from self._section_rows(state, at.branch)
            elif at.part not in numbered:
                yield row

    def _section_rows(self, state: State, branch: Branch) -> Iterator[OutlineRow]:
        steps = steps_of(state, branch)
        for number in range(1, steps + 1):
            yield OutlineRow(
                cell(branch, "section", number), 2, f"section {number}", f"section {number}"
            )
            for name in ("passages", "step"):
                yield OutlineRow(cell(branch, name, number), 3, title=_TOLD[name])
            for later in range(number + 1, steps + 1):
                yield OutlineRow(
                    later_cell(branch, number, later),
                    4,
                    f"step {later}",
                    f"step {later} after section {number}",
                )
        for number in range(1, MOST_ROUNDS + 1):
            yield from (
                OutlineRow(cell(branch, name, number), 2, title=_TOLD[name]) for name in ROUND_CELLS
            )

    def options(self, state: State, address: str) -> Iterator[MenuOption]:
        """As declared, without sections that no plan has and rounds that lie beyond the next one."""
        branches = self.branches(state)
        steps = max((steps_of(state, branch) for branch in branches), default=0)
        rounds = max((len(gates(state, branch)) for branch in branches), default=0)
        beyond = {*SECTION_STAGES[steps:], *ROUND_STAGES[rounds + 1 :]}
        yield from (
            option for option in super().options(state, address) if option.until not in beyond
        )

    def branch_title(self, state: State, branch: Branch) -> str:
        """The title of the manuscript, else the papers that it imitates."""
        idea, pair = (
            state.read(f"{branch}/idea", IdeaContent),
            state.read(cell(branch, "pair"), PairContent),
        )
        papers = (
            [state.papers[p].title for p in (pair.algorithm, pair.application) if p in state.papers]
            if pair is not None
            else []
        )
        return (idea.title if idea else "") or " + ".join(papers) or "no paradigm yet"

    def idea_source(self, state: State, branch: Branch) -> str:
        """The two papers that it imitates."""
        titles = [state.value(f"{cell(branch, 'outline', n)}#title") for n in (1, 2)]
        return "after " + " and ".join(clipped(title, 5) for title in titles if title)

    def document(
        self, state: State, branches: Sequence[Branch], decisions: Sequence[Decision]
    ) -> MethodDocument:
        return imitate_document(state, self.instance, branches)

    def reached(self, state: State) -> str:
        """The last stage of which something exists; sections and rounds by their numbers."""
        made = [at for at in map(parse_address, state.cells) if at.instance == self.instance]
        stage_of = {kind.name: kind.stage for kind in self.kinds}
        stages = {_stage_of(at, stage_of.get(at.part, "")) for at in made}
        return next((stage for stage in reversed(self.stages) if stage in stages), "")


_SIDES = ((1, "algorithm"), (2, "application"))
_TOLD = {
    "split": "the request in its parts",
    "algorithm": "papers on the algorithm",
    "application": "papers on the application",
    "pairs": "every pair scored",
    "pair": "the pair to imitate",
    "outline": "outline of a paper",
    "plan": "a plan after both outlines",
    "passages": "evidence",
    "step": "step",
    "referee": "review of the manuscript",
    "answers": "points taken or rebutted",
    "gate": "revised sections",
}


def _stage_of(at: Address, stage: str) -> str:
    """The stage of a cell: of a numbered one that of its section or round."""
    number = at.item.partition(".")[0]
    if stage == "section-1":
        return f"section-{number}"
    return f"revision-{number}" if stage == "revision-1" else stage


def _kept_any(state: State, branch: Branch, number: int) -> bool:
    """Whether a round changed the text."""
    gate = state.read(cell(branch, "gate", number), GateContent)
    return gate is not None and any(
        getattr(gate, f"text{row.section}", "").strip() for row in gate.rows
    )
