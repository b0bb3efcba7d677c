"""The protocol by which the engine knows steps and methods. It could run a method it has never
heard of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol

from coi_tui.engine.freshness import Freshness, Inputs, Read
from coi_tui.model.address import Branch
from coi_tui.model.entries import Decision, Origin
from coi_tui.model.papers import Paper
from coi_tui.model.state import State

if TYPE_CHECKING:
    from coi_tui.engine.context import Context


Span = tuple[int, int]
"""The least and the most."""


@dataclass(frozen=True)
class Made:
    """One version that a step made. ``address`` may be another than the step's own where one call
    writes several cells.

    ``beside``: why it is only an alternative to another version of the same result; empty for one
    that may be used.
    """

    address: str
    content: Mapping[str, Any]
    origin: Origin
    recipe: Mapping[str, Any] = field(default_factory=dict)
    parents: tuple[int, ...] = ()
    beside: str = ""


@dataclass(frozen=True)
class Result:
    """What a step gives back: versions, and the records of papers it met."""

    made: tuple[Made, ...]
    papers: tuple[Paper, ...] = ()


@dataclass(frozen=True)
class Cost:
    """What a step may ask of services: calls of models with the tokens (characters / 4) of their
    prompts and replies together, and searches, each from the least to the most."""

    role: Literal["main", "reader", "none"] = "none"
    calls: Span = (0, 0)
    prompt_tokens: Span = (0, 0)
    reply_tokens: Span = (0, 0)
    searches: Span = (0, 0)

    @property
    def _spans(self) -> tuple[Span, Span, Span, Span]:
        return self.calls, self.prompt_tokens, self.reply_tokens, self.searches

    def times(self, low: int, high: int) -> Cost:
        """The cost of doing it ``low`` to ``high`` times."""
        return Cost(self.role, *((a * low, b * high) for a, b in self._spans))

    def __add__(self, other: Cost) -> Cost:
        """The cost of both, under the role of the first that asks a model."""
        pairs = zip(self._spans, other._spans, strict=True)
        role = self.role if self.role != "none" else other.role
        return Cost(role, *((a[0] + b[0], a[1] + b[1]) for a, b in pairs))


class Step(Protocol):
    """A unit of work that makes the cell at an address from what it reads, and from nothing
    else."""

    @property
    def name(self) -> str: ...

    @property
    def prompts(self) -> tuple[str, ...]:
        """Names of the prompts it may send."""

    def reads(self, state: State, address: str, /) -> tuple[Read, ...]:
        """The only source of dependencies: freshness, planner, ``why`` and the benchmark's chain of
        calls all use it."""

    def writes(self, state: State, address: str) -> tuple[str, ...]:
        """Addresses that one run writes."""

    def cost(self, state: State, address: str) -> Cost: ...

    async def run(self, ctx: Context, inputs: Inputs) -> Result: ...


@dataclass(frozen=True)
class Want:
    """A cell that a job should make. ``when``: only where it is missing, also where it is not
    fresh, or in any case."""

    address: str
    step: Step
    when: Literal["missing", "stale", "always"] = "missing"
    stage: str = ""
    why: str = ""


@dataclass(frozen=True)
class Scope:
    """What a job may touch. ``branches`` empty is all of them; ``side`` empty is both ends of a
    chain. ``instance`` names the method that runs (``S1``); empty is the one with numbered
    branches.

    ``furthest`` bounds the places of that side: nothing is put beyond it.
    """

    branches: tuple[Branch, ...] = ()
    side: Literal["", "forward", "backward"] = ""
    furthest: int = 0
    instance: str = ""
    closed: tuple[Branch, ...] = ()
    """Branches whose chains are finished: the job puts no paper into them."""

    def holds(self, branch: Branch) -> bool:
        """True for a branch that the job is for."""
        return not self.branches or branch in self.branches

    def reaches(self, side: str, pos: int) -> bool:
        """True for a place that the job may fill."""
        return not self.side or (side == self.side and abs(pos) <= abs(self.furthest))


EVERYTHING = Scope()


@dataclass(frozen=True)
class View:
    """What a method sees when it says what comes next."""

    state: State
    fresh: Mapping[str, Freshness]
    failed: Mapping[str, str]
    running: frozenset[str]
    scope: Scope = EVERYTHING


@dataclass(frozen=True)
class Forecast:
    """One line of a plan for work whose extent is not known yet."""

    stage: str
    what: str
    why: str
    cost: Cost


class Method(Protocol):
    """A method that the engine can run: its stages, its steps, and what is wanted next.

    What else a method declares (its kinds of cells, its rows in the tree, its part of the proposal)
    is in ``engine/declarations.py``.
    """

    @property
    def stages(self) -> tuple[str, ...]: ...

    def step(self, address: str) -> Step | None:
        """The step that makes the cell at an address; None for what only a person or ``settle``
        writes."""

    def named(self, name: str) -> Step | None:
        """A step by its name, for cells that more than one step can make; None where there is none
        of that name."""

    def wanted(self, view: View, until: str) -> Sequence[Want]:
        """Cells that should exist by the end of stage ``until``, as far as the state allows to
        say."""

    def settle(self, view: View, until: str) -> Sequence[Decision]:
        """Machine decisions that follow from the state now; must not depend on who finished
        first."""

    def forecast(self, state: State, until: str, scope: Scope = EVERYTHING) -> Sequence[Forecast]:
        """What a run up to a stage may take, a line a stage."""
