"""The protocol by which the engine knows steps and methods. It could run a method it has never heard of."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, Protocol

from coi_tui.engine.freshness import Freshness
from coi_tui.engine.reads import Inputs, Read
from coi_tui.model.address import Branch
from coi_tui.model.entries import Decision, Origin
from coi_tui.model.papers import Paper
from coi_tui.model.state import State

if TYPE_CHECKING:
    from coi_tui.engine.context import Context


@dataclass(frozen=True)
class Made:
    """One version that a step made. ``address`` may be another than the step's own where one call writes several cells.

    ``beside``: why it is only an alternative to another version of the same result; empty for one that may be used.
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
class Expected:
    """What is most likely asked: model calls, and the tokens of prompts and replies of all of them together."""

    calls: float = 0.0
    prompt_tokens: float = 0.0
    reply_tokens: float = 0.0

    def times(self, n: float) -> Expected:
        return Expected(self.calls * n, self.prompt_tokens * n, self.reply_tokens * n)

    def __add__(self, other: Expected) -> Expected:
        return Expected(
            self.calls + other.calls,
            self.prompt_tokens + other.prompt_tokens,
            self.reply_tokens + other.reply_tokens,
        )


@dataclass(frozen=True)
class Cost:
    """What a step may ask of services: calls, prompt tokens and reply tokens (characters / 4), each from the least to the most.

    ``expected``: what it most likely asks; where the step does not say, ``likely`` makes a guess of the bounds.

    ``ceiling``: tokens of prompt and reply that a job may use before it stops, where that is more than the most expected; (0, 0) where
    it is not. ``longest``: tokens of the longest answer that one call may be allowed; 0 where that is not known.
    """

    role: Literal["main", "reader", "none"] = "none"
    calls: tuple[int, int] = (0, 0)
    prompt_tokens: tuple[int, int] = (0, 0)
    reply_tokens: tuple[int, int] = (0, 0)
    searches: tuple[int, int] = (0, 0)
    ceiling: tuple[int, int] = (0, 0)
    longest: int = 0
    expected: Expected | None = None
    often: float | None = None
    """How many steps it is most likely the cost of, where that is not one."""

    @property
    def steps(self) -> float:
        """How many steps it is most likely the cost of; none where nothing is asked."""
        return (
            self.often if self.often is not None else float(bool(self.calls[1] or self.searches[1]))
        )

    @property
    def likely(self) -> Expected:
        """What is expected; where the step does not say, the fewest calls (one at least), each of a size between the bounds."""
        if self.expected is not None:
            return self.expected
        calls = min(max(1, self.calls[0]), self.calls[1])
        sizes = [
            calls * _between(tokens, self.calls)
            for tokens in (self.prompt_tokens, self.reply_tokens)
        ]
        return Expected(calls, *sizes)

    @property
    def most(self) -> Cost:
        """The cost up to which a job goes on: what is expected says little of the one call that takes much more."""
        prompt, reply = (
            max(a, b[1])
            for a, b in zip(self.ceiling, (self.prompt_tokens, self.reply_tokens), strict=True)
        )
        return replace(self, prompt_tokens=(0, prompt), reply_tokens=(0, reply))

    def times(self, low: int, high: int, usual: float | None = None) -> Cost:
        """The cost of doing it ``low`` to ``high`` times, ``usual`` times as a rule (the middle where that is not given)."""
        often = (low + high) / 2 if usual is None else usual
        expected = self.likely.times(often)
        pairs = (self.calls, self.prompt_tokens, self.reply_tokens, self.searches)
        calls, prompt, reply, searches = ((a * low, b * high) for a, b in pairs)
        return replace(
            self,
            calls=calls,
            prompt_tokens=prompt,
            reply_tokens=reply,
            searches=searches,
            ceiling=(self.ceiling[0] * high, self.ceiling[1] * high),
            expected=expected,
            often=self.steps * often,
        )

    def __add__(self, other: Cost) -> Cost:
        """The cost of both, under the role of the first that asks a model."""

        def plus(x: tuple[int, int], y: tuple[int, int]) -> tuple[int, int]:
            return (x[0] + y[0], x[1] + y[1])

        ceilings = [
            (cost.most.prompt_tokens[1], cost.most.reply_tokens[1]) for cost in (self, other)
        ]
        return Cost(
            self.role if self.role != "none" else other.role,
            plus(self.calls, other.calls),
            plus(self.prompt_tokens, other.prompt_tokens),
            plus(self.reply_tokens, other.reply_tokens),
            plus(self.searches, other.searches),
            ceiling=plus(*ceilings),
            expected=self.likely + other.likely,
            often=self.steps + other.steps,
            longest=max(self.longest, other.longest),
        )


def _between(tokens: tuple[int, int], calls: tuple[int, int]) -> float:
    """The geometric middle of the least and the most that one call takes."""
    least, most = (total / max(1, n) for total, n in zip(tokens, calls, strict=True))
    return math.sqrt((least or most) * most)


class Step(Protocol):
    """A unit of work that makes the cell at an address from what it reads, and from nothing else."""

    @property
    def name(self) -> str: ...

    @property
    def prompts(self) -> tuple[str, ...]:
        """Names of the prompts it may send."""

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        """The only source of dependencies: freshness, planner, ``why`` and the benchmark's chain of calls all use it."""

    def writes(self, state: State, address: str) -> tuple[str, ...]:
        """Addresses that one run writes."""

    def cost(self, state: State, address: str) -> Cost: ...

    async def run(self, ctx: Context, inputs: Inputs) -> Result: ...


@dataclass(frozen=True)
class Want:
    """A cell that a job should make. ``when``: only where it is missing, also where it is not fresh, or in any case."""

    address: str
    step: Step
    when: Literal["missing", "stale", "always"] = "missing"
    stage: str = ""
    why: str = ""


@dataclass(frozen=True)
class Scope:
    """What a job may touch. ``branches`` empty is all of them; ``side`` empty is both ends of a chain. ``instance`` names the method
    that runs (``S1``); empty is the one with numbered branches.

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


Adjust = Callable[[Step, Cost], Cost]
"""Gives the cost that a step declares room for the longest answers of its calls."""


def as_guessed(step: Step, cost: Cost) -> Cost:
    """The cost as the step declares it."""
    return cost


class Method(Protocol):
    """A method that the engine can run: its stages, its steps, and what is wanted next.

    What else a method declares (its kinds of cells, its rows in the tree, its part of the proposal) is in ``engine/declarations.py``.
    """

    @property
    def stages(self) -> tuple[str, ...]: ...

    def step(self, address: str) -> Step | None:
        """The step that makes the cell at an address; None for what only a person or ``settle`` writes."""

    def named(self, name: str) -> Step | None:
        """A step by its name, for cells that more than one step can make; None where there is none of that name."""

    def wanted(self, view: View, until: str) -> Sequence[Want]:
        """Cells that should exist by the end of stage ``until``, as far as the state allows to say."""

    def settle(self, view: View, until: str) -> Sequence[Decision]:
        """Machine decisions that follow from the state now; must not depend on who finished first."""

    def forecast(
        self, state: State, until: str, scope: Scope = EVERYTHING, adjust: Adjust = as_guessed
    ) -> Sequence[Forecast]:
        """What a run up to a stage may take, a line a stage."""
