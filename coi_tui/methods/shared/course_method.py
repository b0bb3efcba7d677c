"""A base for methods whose cells before the ideas follow a course of their own: turns, rounds,
sections. What is wanted, what a run takes and how far it came follow from that course."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from coi_tui.engine.declarations import EVERYTHING, Cost, Forecast, MenuOption, Scope, View, Want
from coi_tui.methods.shared.branched import BranchedMethod
from coi_tui.model.address import READING, Branch, parse_address
from coi_tui.model.state import State


class Planned(NamedTuple):
    """A cell that a run makes, and its stage. ``least`` is 0 where it may not come.
    ``when``: as of a ``Want``."""

    address: str
    stage: str
    least: int = 1
    when: Literal["missing", "stale", "always"] = "missing"


class CourseMethod(BranchedMethod):
    """A subclass says in ``course`` which cells come before the ideas."""

    def course(
        self, state: State, last: str, failed: Container[str] = (), *, supposed: bool = False
    ) -> Iterable[Planned]:
        """The cells in the order in which they are needed in a run to a stage, as far as they are
        known to come; with ``supposed`` also those that the settings let expect. ``failed``: cells
        that this run could not make. Where ``last`` is empty, however many rounds there may be."""
        raise NotImplementedError

    def idea_comes(self, view: View, branch: Branch) -> bool:
        """Whether all that the idea of a branch waits for is there."""
        return True

    def reached_by(self, last: str) -> tuple[str, ...]:
        """Its own stages up to one, all of them for a stage after the ideas."""
        own = self.own_stages
        return own[: own.index(last) + 1] if last in own else own

    def course_to(
        self,
        state: State,
        last: str,
        scope: Scope,
        failed: Container[str] = (),
        *,
        supposed: bool = False,
    ) -> Iterator[Planned]:
        """The part of the course that a run up to a stage makes within its scope."""
        reached = self.reached_by(last)
        for one in self.course(state, last, failed, supposed=supposed):
            branch = parse_address(one.address).branch
            if one.stage in reached and ("/" not in str(branch) or scope.holds(branch)):
                yield one

    def wanted_first(self, view: View, last: str) -> Iterable[Want]:
        for one in self.course_to(view.state, last, view.scope, view.failed):
            yield self.want(one.address, one.stage, one.when)

    def wanted(self, view: View, until: str) -> Sequence[Want]:
        open_ = {f"{b}/idea" for b in self.branches(view.state) if not self.idea_comes(view, b)}
        return [one for one in super().wanted(view, until) if one.address not in open_]

    def forecast(self, state: State, until: str, scope: Scope = EVERYTHING) -> Sequence[Forecast]:
        """A line for each kind of cell and stage: what of it does not exist yet."""
        missing: dict[tuple[str, str], dict[str, Planned]] = {}
        for one in self.course_to(state, until, scope, supposed=True):
            if state.in_use(one.address) is None:
                cells = missing.setdefault((one.stage, parse_address(one.address).part), {})
                cells.setdefault(one.address, one)
        lines = [self._line(state, [*cells.values()]) for cells in missing.values()]
        return self.forecast_from("rivals", state, until, scope, lines)

    def _line(self, state: State, cells: Sequence[Planned]) -> Forecast:
        cost, sure = Cost(), sum(one.least for one in cells)
        for address, _, least, _ in cells:
            step = self.step(address)
            assert step is not None
            cost += step.cost(state, address).times(least, 1)
        part, most = parse_address(cells[0].address).part, len(cells)
        title = next((kind.title for kind in self.kinds if kind.name == part), "Reading list")
        number = str(most) if sure == most else f"{sure}-{most}"
        return Forecast(cells[0].stage, f"{number} x {title.lower()}", "not made yet", cost)

    def options(self, state: State, address: str) -> Iterator[MenuOption]:
        """As declared, without stages in which nothing is to come."""
        there = {one.stage for one in self.course(state, "", supposed=True)} | {"rivals", "ideas"}
        empty = set(self.own_stages) - there
        yield from (one for one in super().options(state, address) if one.until not in empty)

    def reached(self, state: State) -> str:
        """The last stage of which something exists."""
        made = (
            stage
            for address, stage, *_ in self.course(state, "", supposed=True)
            if address != READING and state.in_use(address) is not None
        )
        return max([super().reached(state), *made], key=self._place)

    def _place(self, stage: str) -> int:
        return self.stages.index(stage) if stage in self.stages else -1
