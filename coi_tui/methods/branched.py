"""The base of a method: some cells that all its branches share, then one idea a branch.

A subclass is a table. It names its stages, its kinds of cells and the tasks that make them; what a
run wants, what it may take, the rows in the tree, the generate menu, the part of the proposal and
everything after the ideas follow from these.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pydantic import BaseModel

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
from coi_tui.engine.method_spec import API_VERSION, MethodSpec
from coi_tui.engine.verb import Verb
from coi_tui.methods.base.cell_table import is_made
from coi_tui.methods.base.idea_settings import IdeaSettings
from coi_tui.methods.base.task import Planned as Planned
from coi_tui.methods.base.task import TextTask
from coi_tui.methods.ideas import literature
from coi_tui.methods.ideas.kinds import BRANCH, IDEA_KINDS
from coi_tui.methods.ideas.sketches import fell
from coi_tui.methods.ideas.stages import (
    IDEA_STAGES,
    IdeaStages,
    close_matches,
    falls,
    forecasts_after,
    has_idea,
    open_rounds,
    redraft_wanted,
    to_plan,
)
from coi_tui.methods.ideas.stages import options as options_of_idea
from coi_tui.methods.services import ServiceSet
from coi_tui.model.address import READING, Branch, cell_at, cell_ref, instance_of
from coi_tui.model.content import IdeaContent, Sketch
from coi_tui.model.document import MethodDocument
from coi_tui.model.entries import Decision
from coi_tui.model.state import Component, State
from coi_tui.services.llm.offline import DRAFTS, Draft

OF_WINNER = ("experiment", "proposal")
"""The stages in which a run of all branches makes something for one idea alone."""


class BranchedMethod(IdeaStages):
    """``instance`` is the name under which it is in a session (``S1``); its cells are ``S1/...``
    and ``S1/1/...``."""

    name = ""
    short = ""
    own_stages: tuple[str, ...] = ()
    """The stages up to the ideas, which must be the last of them and be called ``ideas``."""
    own_kinds: tuple[CellKind, ...] = ()
    """Kinds of the cells that all branches share, then of those of a branch, the idea last."""
    shared_kinds: tuple[CellKind, ...] = ()
    """Kinds of another method's cells that its runs make as well."""
    tasks: Mapping[str, Any] = {}
    """By the name of each of its own kinds the task that makes it: a ``TextTask``, or what takes the
    services of a session, such as a class of a ``MethodTask``."""
    components: tuple[type[Component], ...] = ()
    """What it keeps of a session's log besides cells."""
    verbs: tuple[Verb, ...] = ()
    """The decisions that a person can make about what is its own."""

    @cached_property
    def kinds_by_name(self) -> Mapping[str, CellKind]:
        return {kind.name: kind for kind in self.kinds}

    def __init__(self, instance: str, tools: ServiceSet | None) -> None:
        super().__init__(tools)
        self.instance = instance
        self.by_part = {
            name: replace(task, tools=tools) if isinstance(task, TextTask) else task(tools)
            for name, task in self.tasks.items()
        }

    @classmethod
    def spec(
        cls,
        letter: str,
        settings: type[BaseModel] = IdeaSettings,
        *,
        about: str = "",
        section: str = "",
        prompts: Path | None = None,
        drafts: Mapping[str, Draft] = MappingProxyType({}),
        api: int = API_VERSION,
    ) -> MethodSpec:
        """Its line in the registry. ``letter`` begins the names of its instances; ``section`` is
        that of its settings in the settings file; ``drafts`` answer prompts by rule where there is
        no language model (a worksheet does where there is no draft)."""

        def register() -> None:
            DRAFTS.update(drafts)

        return MethodSpec(
            cls.name,
            cls.short or cls.name,
            letter,
            settings,
            lambda tools, instance: cls(instance, tools),
            register,
            section=section,
            about=about,
            prompts=prompts,
            components=cls.components,
            verbs=lambda: cls.verbs,
            api=api,
        )

    def course(
        self, state: State, last: str, failed: Container[str] = (), *, supposed: bool = False
    ) -> Iterable[Planned]:
        """The cells before the ideas, in the order in which they are needed in a run to a stage, as
        far as they are known to come: those of every own kind that has a task.

        A method with turns or rounds overrides it. ``supposed``: also cells that the settings let
        expect; ``failed``: cells that this run could not make; an empty ``last``: however many
        rounds there may be.
        """
        for kind in self.own_kinds:
            if kind.task and kind.role not in ("idea", "rivals"):
                for place in [self.instance] if kind.shared else self.branches(state):
                    yield Planned(cell_at(place, kind.name), kind.stage)

    def idea_comes(self, view: View, branch: Branch) -> bool:
        """Whether all that the idea of a branch waits for is there."""
        return True

    def working(self, state: State, scope: Scope) -> list[Branch]:
        """The branches that a job makes ideas in, and what follows from them."""
        return [b for b in self.branches(state) if scope.holds(b)]

    def drafted(self, view: View, branch: Branch) -> bool:
        """Whether the idea of a branch may be written, where all comes that it waits for."""
        return True

    def again(self, view: View, branch: Branch) -> bool:
        """Whether a run makes the idea of a branch once more."""
        return redraft_wanted(view, branch)

    def dead(self, view: View, branch: Branch) -> bool:
        """Whether the branch cannot come to an idea in this job."""
        return cell_at(branch, "idea") in view.failed

    # -- the engine's protocol

    @property
    def stages(self) -> tuple[str, ...]:
        return (*self.own_stages, *IDEA_STAGES)

    @property
    def kinds(self) -> Sequence[CellKind]:
        return (BRANCH, *self.own_kinds, literature.KIND, *IDEA_KINDS)

    def up_to(self, last: str) -> Sequence[str]:
        """The stages of a run to one of them."""
        return self.stages[: self.stages.index(last) + 1]

    def named(self, name: str, address: str = "") -> Task | None:
        return next((task for task in self.every_task if task.name == name), None)

    def branches(self, state: State) -> list[Branch]:
        """Its branches that are not parked, and have an idea or something to make it from."""
        open_ones = (b for b in state.branches_of(self.instance) if b not in state.parked)
        return [b for b in open_ones if self.has_source(state, b) or is_made(state, b, "idea")]

    def has_source(self, state: State, branch: Branch) -> bool:
        """Whether there is something that the idea of a branch may be made from, or may come to
        be."""
        return True

    def in_scope(self, view: View) -> list[Branch]:
        """Those of its branches that a job is for."""
        return [b for b in self.branches(view.state) if view.scope.holds(b)]

    def _course_to(
        self,
        state: State,
        last: str,
        scope: Scope,
        failed: Mapping[str, str] = MappingProxyType({}),
        *,
        supposed: bool = False,
    ) -> Iterator[Planned]:
        """The part of the course that a run up to a stage makes within its scope."""
        reached = self.up_to(last)
        for one in self.course(state, last, failed, supposed=supposed):
            branch = cell_ref(one.address).branch
            if one.stage in reached and ("/" not in str(branch) or scope.holds(branch)):
                yield one

    def wanted_first(self, view: View, last: str) -> Iterable[Want]:
        """What should exist before the ideas, up to the stage ``last``: its course."""
        for one in self._course_to(view.state, last, view.scope, view.failed):
            yield self.want(one.address, one.stage, one.when)

    def wanted(self, view: View, until: str) -> Sequence[Want]:
        reached = self.up_to(until)
        branches, out = self.working(view.state, view.scope), list(self.wanted_first(view, until))
        come = [b for b in branches if self.idea_comes(view, b)]
        out += (want for b in come for want in self._wanted_idea(view, b, reached))
        if "novelty" in reached:
            out += [self.wanted_novelty(view, b) for b in come if has_idea(view, b)]
        dead = [b for b in branches if self.dead(view, b)]
        return [*out, *self.wanted_after(view, branches, until, dead)]

    def _wanted_idea(self, view: View, branch: Branch, reached: Sequence[str]) -> Iterator[Want]:
        """The idea of a branch, where there is none or it is drafted again, after its rivals."""
        again = self.again(view, branch)
        when = "stale" if again else "missing"
        wants = again or not is_made(view.state, branch, "idea")
        if wants and "rivals" in reached and "rivals" in self.by_part:
            yield self.want(cell_at(branch, "rivals"), "rivals", when)
        if "ideas" in reached and self.drafted(view, branch):
            why = "the one before was turned down" if again else ""
            yield self.want(cell_at(branch, "idea"), "ideas", when, why)

    def settle(self, view: View, until: str) -> Sequence[Decision]:
        working = self.working(view.state, view.scope)
        return [one for branch in working for one in self.turned_down(view, branch, until)]

    def turned_down(self, view: View, branch: Branch, until: str) -> list[Decision]:
        """What is decided where an idea was found to be there already."""
        checked = self._place(until) >= self._place("novelty")
        return close_matches(view, branch) if checked else []

    def forecast(self, state: State, until: str, scope: Scope = EVERYTHING) -> Sequence[Forecast]:
        """A line for each kind of cell and stage: what of it does not exist yet, with the rounds
        that ideas may take; of what follows the matches that of the winner."""
        reached, branches = self.up_to(until), self.working(state, scope)
        lines = [
            *self._of_ideas(state, reached, branches, scope),
            *forecasts_after(state, branches, scope, self.after_ideas["match"]),
        ]
        lines.sort(key=lambda line: self.stages.index(line.stage))
        # without those that ask nothing of services, but for what is made of the winner
        asks = (x for x in lines if x.cost.calls[1] or x.cost.searches[1] or x.stage in OF_WINNER)
        first = self._before_ideas(state, until, scope)
        return [line for line in (*first, *asks) if line.stage in reached]

    def _before_ideas(self, state: State, until: str, scope: Scope) -> Iterator[Forecast]:
        """The cells of its course that are not there."""
        own: dict[tuple[str, str], dict[str, Planned]] = {}
        for one in self._course_to(state, until, scope, supposed=True):
            if state.in_use(one.address) is None:
                cells = own.setdefault((one.stage, cell_ref(one.address).kind), {})
                cells.setdefault(one.address, one)
        titles = {kind.name: kind.title for kind in (*self.shared_kinds, *self.kinds)}
        for (stage, part), cells in own.items():
            costs = (self.task_of(at).cost(state, at).times(cells[at].least, 1) for at in cells)
            sure = sum(one.least for one in cells.values())
            title = titles.get(part, "Reading list")
            yield _forecast(stage, title, sure, len(cells), sum(costs, Cost()))

    def _of_ideas(
        self, state: State, reached: Sequence[str], branches: Sequence[Branch], scope: Scope
    ) -> Iterator[Forecast]:
        """The cells of the ideas, and of what follows them but matches and reviews."""
        planned = to_plan(state, branches, scope)
        rounds = open_rounds(state, branches) if "novelty" in reached else 0
        start = self.stages.index("rivals" if "rivals" in self.stages else "ideas")
        for kind in self.kinds:
            if not kind.task or kind.stage not in reached[start:] or kind.stage == "review":
                continue
            of_winner = kind.stage in OF_WINNER
            places = planned if of_winner else branches
            places = [self.instance] if kind.shared else places
            addresses = [cell_at(place, kind.name) for place in places]
            missing = _to_make(state, addresses, one=of_winner and not scope.branches)
            least = len(missing)
            most = max(least, rounds) if kind.name in ("idea", "nov") else least
            if most and kind.role != "sketch":
                place = (missing or addresses)[0]
                cost = self.task_of(place).cost(state, place).times(least, most)
                yield _forecast(kind.stage, kind.title, least, most, cost)

    # -- what it declares

    def outline(self, state: State, failed: Mapping[str, str]) -> Iterator[OutlineRow]:
        """Its rows, top to bottom. ``failed``: cells whose last task failed; a row may be for one
        that does not exist yet."""
        shown = [kind for kind in self.kinds if kind.content and kind.role != "bad cases"]
        for kind in shown:
            if kind.shared:
                yield OutlineRow(cell_at(self.instance, kind.name), 1, title=kind.title.lower())
        for branch in state.branches_of(self.instance):
            title, parked = self.branch_title(state, branch), branch in state.parked
            yield OutlineRow(str(branch), 1, str(branch), title, True, parked)
            made_from = f"{self.short} {self.idea_source(state, branch)}".strip()
            for kind in shown:
                if not kind.shared:
                    source = made_from if kind.role == "idea" else ""
                    address = cell_at(branch, kind.name)
                    yield OutlineRow(address, 2, title=kind.title.lower(), source=source)

    def branch_title(self, state: State, branch: Branch) -> str:
        """What a branch is about in the tree: the title of its idea."""
        idea = state.read(cell_at(branch, "idea"), IdeaContent)
        return (idea.title if idea else "") or "no idea yet"

    def short_ideas(self, state: State) -> Iterator[tuple[str, Sketch]]:
        """Its own ideas in short, which stand on the wall beside the sketches: where each is, and
        its parts."""
        return iter(())

    def idea_source(self, state: State, branch: Branch) -> str:
        """What the idea of a branch was made from, in few words for its row in the tree."""
        return ""

    def document(self, state: State, branches: Sequence[Branch]) -> MethodDocument:
        return MethodDocument()

    def options(self, state: State, address: str) -> Iterator[MenuOption]:
        """A run to each of its stages in which something may come, then what follows an idea."""
        branch = cell_ref(address).branch
        inside = isinstance(branch, str) and "/" in branch
        scope = Scope((branch,) if inside else (), instance=self.instance)
        note = f"{self.name}, {branch if inside else f'all branches of {self.instance}'}"
        there = {one.stage for one in self.course(state, "", supposed=True)} | {"rivals", "ideas"}
        for stage in self.own_stages:
            if stage in there:
                yield MenuOption("", stage, note, stage, scope)
        if inside:
            yield from options_of_idea(state, branch)

    def stop_growing(self, state: State, address: str, reason: str) -> Decision | None:
        """What leaves a chain at its length; None where no chain would grow at that address."""
        return None

    def closed(self, state: State) -> tuple[Branch, ...]:
        """The branches into which a run of all branches puts no paper."""
        return ()

    def alias(self, state: State, text: str) -> str:
        """The address that a short name of a cell means now; empty for no such name."""
        return ""

    def came_short(self, state: State) -> str:
        """What was made and is less than the bounds ask for, in one sentence; empty for nothing."""
        return ""

    def shortfall(self, state: State) -> str:
        """Why its branches came to less than was asked for, in one sentence; empty for no reason."""
        without = [str(b) for b in self.branches(state) if not is_made(state, b, "idea")]
        return f"Branches without an idea: {', '.join(without)}." if without else ""

    def retry(self, state: State, address: str) -> MenuOption | None:
        """How a failed task is tried again where that takes a run to a stage; None elsewhere."""
        return None

    def reached(self, state: State) -> str:
        """The last stage of which something exists; empty for none."""
        at = list(map(cell_ref, state.cells))
        made = {one.kind for one in at if one.instance == self.instance}
        stages = {kind.stage for kind in self.kinds if kind.name in made}
        stages |= {
            one.stage
            for one in self.course(state, "", supposed=True)
            if one.address != READING and state.in_use(one.address) is not None
        }
        met = (instance_of(b) for one in at if one.kind == "match" for b in (one.branch, one.rival))
        stages |= {"selection"} if self.instance in met else set()
        return max(("", *stages), key=self._place)

    def _place(self, stage: str) -> int:
        return self.stages.index(stage) if stage in self.stages else -1


class SketchMethod(BranchedMethod):
    """The base of a method whose ideas are worked out of sketches: the next sketch comes where one
    falls."""

    def again(self, view: View, branch: Branch) -> bool:
        return fell(view.state, branch)

    def turned_down(self, view: View, branch: Branch, until: str) -> list[Decision]:
        worked = self._place(until) >= self._place("ideas")
        return falls(view, branch) if worked else []


def _to_make(state: State, cells: Sequence[str], *, one: bool) -> list[str]:
    """The cells that are not there; where ``one`` is made of them, that, until there is one."""
    missing = [cell for cell in cells if state.in_use(cell) is None]
    return missing if not one else missing[:1] if len(missing) == len(cells) else []


def _forecast(stage: str, title: str, least: int, most: int, cost: Cost) -> Forecast:
    number = f"{least}" if least == most else f"{least}-{most}"
    return Forecast(stage, f"{number} x {title.lower()}", "not made yet", cost)
