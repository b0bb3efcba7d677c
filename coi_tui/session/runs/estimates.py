"""What steps will cost by the bounds that they declare and the prices of now, and how fast the models were in earlier calls."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from statistics import mean
from typing import TYPE_CHECKING

from coi_tui.engine.steps import Cost, Step
from coi_tui.llm.reasoning_models import longest_answer
from coi_tui.llm.types import model_name, role_settings
from coi_tui.model.calls import Call
from coi_tui.model.errors import CoiError
from coi_tui.model.money import FREE, SPREAD, Estimate
from coi_tui.session.core import SessionCore
from coi_tui.session.runs.plans import PlanLine

if TYPE_CHECKING:
    from coi_tui.prompts.loader import Prompts

LEAST = 3
"""Fewer earlier calls than these say nothing."""
SEARCH_S = 2.0
"""Seconds that a search is taken to last until some were measured: services allow about one a second."""


@dataclass(frozen=True)
class Pace:
    """Tokens of prompt and reply in a second, over the time in which at least one call ran."""

    tokens_per_s: float
    calls: int


class Measures:
    """How fast models and services were in finished calls."""

    def __init__(self, calls: Iterable[Call]) -> None:
        kept = list(calls)
        self._calls = [call for call in kept if call.kind == "chat" and call.prompt_tokens > 0]
        self._searches = [call.seconds for call in kept if call.kind == "http" and call.seconds > 0]

    @property
    def search_seconds(self) -> float:
        """How long a question to a service took; a guess where fewer than three were asked."""
        return mean(self._searches) if len(self._searches) >= LEAST else SEARCH_S

    def pace(self, model: str) -> Pace | None:
        """How fast a model was; None where it answered fewer than three calls."""
        own = [c for c in self._calls if c.model_asked == model and c.seconds > 0]
        if len(own) < LEAST:
            return None
        return Pace(
            sum(c.prompt_tokens + c.completion_tokens for c in own) / max(_busy(own), 0.001),
            len(own),
        )


def _busy(calls: Sequence[Call]) -> float:
    """Seconds in which at least one of the calls ran; their sum where a start is not known."""
    try:
        spans = sorted((datetime.fromisoformat(c.started).timestamp(), c.seconds) for c in calls)
    except ValueError:
        return sum(c.seconds for c in calls)
    total, until = 0.0, -math.inf
    for start, seconds in spans:
        total += max(0.0, start + seconds - max(start, until))
        until = max(until, start + seconds)
    return total


class Estimates:
    """What steps of a session will cost, and how long they take."""

    def __init__(self, core: SessionCore) -> None:
        self._core = core
        self._gathered: tuple[int, Measures, Prompts] | None = None

    @property
    def measures(self) -> Measures:
        """How fast the calls of this session's file were."""
        return self._gather()[1]

    def _gather(self) -> tuple[int, Measures, Prompts]:
        """Once for so many calls; with them the prompts, of which a person may have changed a copy."""
        calls = self._core.calls
        if self._gathered is None or self._gathered[0] != len(calls):
            from coi_tui.prompts.loader import Prompts

            self._gathered = (
                len(calls),
                Measures(calls.values()),
                Prompts(self._core.paths.prompts),
            )
        return self._gathered

    def with_room(self, step: Step, cost: Cost) -> Cost:
        """A step's cost with room for the longest answers of the calls that are expected, where a language model is asked: they reserve
        it side by side.
        """
        if not self._core.uses_model:
            return cost
        from coi_tui.methods.prompt_calls import LONGER_LIMIT

        longest = max(map(self._longest, step.prompts), default=0) if cost.calls[1] else 0
        prompt, reply = cost.most.prompt_tokens[1], cost.most.reply_tokens[1]
        return replace(
            cost,
            ceiling=(prompt, max(reply, math.ceil(cost.likely.calls) * longest)),
            longest=LONGER_LIMIT * longest,
        )

    def _longest(self, prompt: str) -> int:
        """The tokens that the answer to a prompt may take; 0 for one that cannot be used: the step that sends it says why."""
        try:
            found = self._gather()[2].get(prompt)
        except CoiError:
            return 0
        llm = self._core.settings.llm
        return role_settings(llm, found.role).max_tokens or longest_answer(
            found.max_tokens, model_name(llm, found.role)
        )

    def price(self, cost: Cost) -> Estimate | None:
        """What a step is expected to cost, and the most; None where no price is known."""
        if not cost.calls[1] or not self._core.setup.online_model:
            return FREE
        from coi_tui.llm.prices import price_usd

        llm = self._core.settings.llm
        model = llm.reader.model if cost.role == "reader" and llm.reader.model else llm.main.model
        likely, most = cost.likely, cost.most
        expected, highest = (
            (round(likely.prompt_tokens), round(likely.reply_tokens)),
            (most.prompt_tokens[1], most.reply_tokens[1]),
        )
        found = [
            price_usd(model, *tokens, llm.prices, base_url=llm.base_url)
            for tokens in (expected, highest, (0, cost.longest))
        ]
        known = [usd for usd in found if usd is not None]
        return Estimate(known[0], max(known[:2]), known[2]) if len(known) == len(found) else None

    def unpriced_models(self) -> tuple[str, ...]:
        """The models that would be asked and of which no price is known."""
        from coi_tui.llm.prices import price_usd

        llm = self._core.settings.llm
        names = (
            dict.fromkeys(model_name(llm, role) for role in ("main", "reader"))
            if self._core.uses_model
            else {}
        )
        return tuple(
            name
            for name in names
            if price_usd(name, 1, 1, llm.prices, base_url=llm.base_url) is None
        )

    def time_of(self, lines: Sequence[PlanLine]) -> str:
        """How long a plan takes on own hardware, in words; empty where a price tells more, or nothing is asked."""
        asking = [line for line in lines if not line.off and line.cost.calls[1]]
        unpriced = any(line.usd is None for line in asking)
        if not unpriced or not self.on_own_hardware:
            return ""
        models = {role: model_name(self._core.settings.llm, role) for role in ("main", "reader")}
        paces = {role: self.measures.pace(model) for role, model in models.items()}
        return estimated([line.cost for line in asking], paces)

    def seconds_of(self, lines: Sequence[PlanLine]) -> float | None:
        """How long a plan most likely takes, calls one after the other; None where the pace of a model is not known.

        The built-in drafter and the starter library answer at once.
        """
        on = [line.cost for line in lines if not line.off]
        searches = (
            sum(sum(cost.searches) / 2 for cost in on) if self._core.setup.online_source else 0
        )
        seconds = searches * self.measures.search_seconds
        for cost in on if self._core.uses_model else ():
            pace = self.measures.pace(
                model_name(self._core.settings.llm, "reader" if cost.role == "reader" else "main")
            )
            if cost.calls[1] and pace is None:
                return None
            seconds += (
                (cost.likely.prompt_tokens + cost.likely.reply_tokens) / pace.tokens_per_s
                if pace is not None
                else 0
            )
        return seconds

    @property
    def on_own_hardware(self) -> bool:
        """Whether a language model is asked whose server is on this machine or in this network."""
        if not self._core.uses_model:
            return False
        from coi_tui.llm.server_profiles import server_of

        try:
            return server_of(self._core.settings.llm).local
        except CoiError:
            return False


def estimated(costs: Sequence[Cost], paces: Mapping[str, Pace | None]) -> str:
    """Minutes for some steps at a pace for each role, in words."""
    expected = 0.0
    rested: dict[str, Pace] = {}
    for cost in costs:
        pace = paces.get(cost.role)
        if pace is None:
            return "not known yet for this server"
        rested[cost.role] = pace
        expected += (cost.likely.prompt_tokens + cost.likely.reply_tokens) / pace.tokens_per_s
    speeds = "-".join(
        dict.fromkeys(
            f"{p.tokens_per_s:,.0f}" for p in sorted(rested.values(), key=lambda p: p.tokens_per_s)
        )
    )
    earlier = sum(p.calls for p in set(rested.values()))
    return f"{minutes(expected / SPREAD, expected * SPREAD)} ({speeds} tokens a second, from {earlier} earlier calls)"


def minutes(low: float, high: float) -> str:
    """A range of seconds in words."""
    if high < 60:
        return "under a minute"
    unit, name = (3600, "hours") if high >= 2 * 3600 else (60, "minutes")
    first, last = max(1, round(low / unit)), max(1, math.ceil(high / unit))
    return (
        f"about {first}-{last} {name}"
        if first < last
        else f"about {last} {name if last > 1 else name.removesuffix('s')}"
    )
