"""A base for methods that make a few shared cells and then one idea per branch.

A subclass names its stages, its kinds of cells and their steps, and says in ``wanted_first`` what
comes before the ideas; rows in the tree, the generate menu, the part of the proposal and everything
after the ideas follow from that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from coi_tui.engine.declarations import (
    EVERYTHING,
    CellKind,
    Cost,
    Forecast,
    MenuOption,
    OutlineRow,
    Scope,
    Task,
    View,
    Want,
)
from coi_tui.methods.shared.evidence import Evidence, no_evidence
from coi_tui.methods.shared.ideas import (
    IDEA_STAGES,
    IdeaStages,
    against_forecast,
    has_idea,
    matches_forecast,
    redraft_wanted,
    review_forecast,
    rounds_left,
    to_plan,
    with_one_call,
)
from coi_tui.methods.shared.ideas import options as options_of_idea
from coi_tui.methods.shared.kinds import BRANCH, IDEA_KINDS
from coi_tui.methods.shared.novelty import USUAL
from coi_tui.model.address import Branch, parse_address
from coi_tui.model.content import IdeaContent
from coi_tui.model.document import MethodDocument
from coi_tui.model.entries import Decision
from coi_tui.model.state import State

if TYPE_CHECKING:
    from coi_tui.methods.services import ServiceSet


def asks(line: Forecast) -> bool:
    """Whether a line asks anything of services."""
    return bool(line.cost.calls[1] or line.cost.searches[1])


class BranchedMethod(IdeaStages):
    """``instance`` is the name under which it stands in a session (``S1``); its cells are
    ``S1/...`` and ``S1/1/...``."""

    name = ""
    short = ""
    own_stages: tuple[str, ...] = ()
    """The stages up to the ideas, which must be the last of them and be called ``ideas``."""
    own_kinds: tuple[CellKind, ...] = ()
    """Kinds of the cells that all branches share, then of those of a branch, the idea last."""
    novelty = USUAL
    """What its ideas are compared with in a novelty check, and what is called close."""

    def __init__(
        self, instance: str, tools: ServiceSet | None = None, evidence: Evidence = no_evidence
    ) -> None:
        super().__init__(tools, evidence, self.novelty)
        self.instance = instance
        self.by_part = self.make_tasks(tools)

    def make_tasks(self, tools: ServiceSet | None) -> dict[str, Task]:
        """A step for each of its own kinds that a machine makes, by the kind's name."""
        raise NotImplementedError

    def wanted_first(self, view: View, last: str) -> Iterable[Want]:
        """What should exist before the ideas, up to the stage ``last``."""
        raise NotImplementedError

    # -- the engine's protocol

    @property
    def stages(self) -> tuple[str, ...]:
        return (*self.own_stages, *IDEA_STAGES)

    @property
    def kinds(self) -> Sequence[CellKind]:
        return (BRANCH, *self.own_kinds, *IDEA_KINDS)

    @property
    def step_names(self) -> Sequence[str]:
        return [step.name for step in self.steps]

    def named(self, name: str) -> Task | None:
        return next((step for step in self.steps if step.name == name), None)

    def branches(self, state: State) -> list[Branch]:
        """Its branches that are not parked."""
        return [b for b in state.branches_of(self.instance) if b not in state.parked]

    def in_scope(self, view: View) -> list[Branch]:
        """Those of its branches that a job is for."""
        return [b for b in self.branches(view.state) if view.scope.holds(b)]

    def dead(self, view: View, branch: Branch) -> bool:
        """Whether the branch cannot come to an idea in this job."""
        return f"{branch}/idea" in view.failed

    def wanted(self, view: View, until: str) -> Sequence[Want]:
        last, branches = self.stages.index(until), self.in_scope(view)
        out = list(self.wanted_first(view, until))
        if "rivals" in self.by_part and last >= self.stages.index("rivals"):
            out += [
                self.want(f"{b}/rivals", "rivals")
                for b in branches
                if view.state.in_use(f"{b}/idea") is None
            ]
        if last >= self.stages.index("ideas"):
            for b in branches:
                again = redraft_wanted(view, b)
                why = "a close match was found" if again else ""
                out.append(self.want(f"{b}/idea", "ideas", "stale" if again else "missing", why))
        if last >= self.stages.index("novelty"):
            out += [self.wanted_novelty(view, b) for b in branches if has_idea(view, b)]
        dead = [b for b in branches if self.dead(view, b)]
        return [*out, *self.wanted_after(view, branches, until, dead)]

    def settle(self, view: View, until: str) -> Sequence[Decision]:
        if self.stages.index(until) < self.stages.index("novelty"):
            return []
        return self.settle_bad_cases(view, self.in_scope(view))

    def forecast(self, state: State, until: str, scope: Scope = EVERYTHING) -> Sequence[Forecast]:
        """What does not exist yet, a line a kind of cell."""
        return self.forecast_from(self.stages[0], state, until, scope)

    def forecast_from(
        self, first: str, state: State, until: str, scope: Scope, own: Iterable[Forecast] = ()
    ) -> Sequence[Forecast]:
        """The same from a stage on, after the method's own lines, with the rounds that ideas may
        take; of what follows the matches that of the winner."""
        reached = self.stages[: self.stages.index(until) + 1]
        later = reached[self.stages.index(first) :]
        branches = [b for b in self.branches(state) if scope.holds(b)]
        players = with_one_call(state, branches, scope)
        planned = to_plan(state, players)
        lines = []
        for kind in self.kinds:
            if kind.step and kind.stage in later and kind.stage != "review":
                of_winner = kind.stage in ("experiment", "proposal")
                places = [self.instance] if kind.shared else planned if of_winner else branches
                addresses = [f"{place}/{kind.name}" for place in places]
                missing = [address for address in addresses if state.in_use(address) is None]
                if of_winner and not scope.branches:
                    missing = missing[:1] if len(missing) == len(addresses) else []
                least = most = len(missing)
                if kind.name in ("idea", "nov") and "novelty" in reached:
                    most = sum(rounds_left(state, b, kind.name) for b in branches)
                step = self.step(addresses[0]) if most else None
                cost = step.cost(state, (missing or addresses)[0]) if step is not None else Cost()
                number = f"{least}" if least == most else f"{least}-{most}"
                what = f"{number} x {kind.title.lower()}"
                lines.append(Forecast(kind.stage, what, "not made yet", cost.times(least, most)))
        if not scope.branches:
            lines += [
                matches_forecast(state, players, self._after_ideas["match"]),
                against_forecast(state, players),
            ]
        lines.append(review_forecast(state, players))
        every = [*own, *filter(asks, lines)]
        every.sort(key=lambda line: self.stages.index(line.stage))
        return [line for line in every if line.stage in reached]

    # -- what it declares

    def outline(self, state: State, failed: Mapping[str, str]) -> Iterator[OutlineRow]:
        for kind in self.kinds:
            if kind.shared and kind.content is not None:
                yield OutlineRow(f"{self.instance}/{kind.name}", 1, title=kind.title.lower())
        for branch in state.branches_of(self.instance):
            yield OutlineRow(
                str(branch),
                1,
                str(branch),
                self.branch_title(state, branch),
                True,
                branch in state.parked,
            )
            for kind in self.kinds:
                if not kind.shared and kind.content is not None and kind.role != "bad cases":
                    source = (
                        f"{self.short} {self.idea_source(state, branch)}".strip()
                        if kind.role == "idea"
                        else ""
                    )
                    yield OutlineRow(
                        f"{branch}/{kind.name}", 2, title=kind.title.lower(), source=source
                    )

    def branch_title(self, state: State, branch: Branch) -> str:
        """What a branch is about in the tree: the title of its idea."""
        idea = state.read(f"{branch}/idea", IdeaContent)
        return (idea.title if idea else "") or "no idea yet"

    def idea_source(self, state: State, branch: Branch) -> str:
        """What the idea of a branch was made from, in few words for its row in the tree."""
        return ""

    def document(self, state: State, branches: Sequence[Branch]) -> MethodDocument:
        return MethodDocument()

    def options(self, state: State, address: str) -> Iterator[MenuOption]:
        branch = parse_address(address).branch
        inside = isinstance(branch, str) and "/" in branch
        scope = Scope((branch,) if inside else (), instance=self.instance)
        for stage in self.own_stages:
            yield MenuOption(
                "",
                stage,
                f"{self.name}, {branch if inside else f'all branches of {self.instance}'}",
                stage,
                scope,
            )
        if inside:
            yield from options_of_idea(state, branch)

    def ends(self, state: State, branch: Branch) -> Mapping[str, str]:
        return {}

    def stop_growing(self, state: State, address: str, reason: str) -> Decision | None:
        return None

    def shortfall(self, state: State) -> str:
        without = [str(b) for b in self.branches(state) if state.in_use(f"{b}/idea") is None]
        return f"Branches without an idea: {', '.join(without)}." if without else ""

    def retry(self, state: State, address: str) -> MenuOption | None:
        return None

    def reached(self, state: State) -> str:
        made = {
            parse_address(a).part for a in state.cells if parse_address(a).instance == self.instance
        }
        stages = {kind.stage for kind in self.kinds if kind.name in made}
        return next((stage for stage in reversed(self.stages) if stage in stages), "")
