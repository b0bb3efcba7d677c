"""What earlier calls of this session used: tokens of each prompt with the model of now, and how fast a server on own hardware is."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from statistics import mean

from coi_tui.engine.steps import Cost, Expected, Step
from coi_tui.llm.reasoning_models import longest_answer
from coi_tui.llm.server_profiles import server_of
from coi_tui.llm.types import model_name, role_settings
from coi_tui.methods.prompt_calls import LONGER_LIMIT
from coi_tui.model.calls import Call
from coi_tui.model.errors import CoiError
from coi_tui.model.money import FREE, SPREAD, Estimate
from coi_tui.prompts.loader import Prompt, Prompts
from coi_tui.session.core import SessionCore
from coi_tui.session.runs.plans import PlanLine

LEAST = 3
"""Fewer earlier calls than these say nothing."""
SEARCH_S = 2.0
"""Seconds that a search is taken to last until some were measured: services allow about one a second."""
HIGH = 0.95
"""The share of earlier calls that used no more than the high estimate."""


@dataclass(frozen=True)
class Used:
    """Tokens that earlier calls of one prompt used: the middle and a high one, of the prompt and of the reply; and their mean."""

    calls: int
    prompt: tuple[int, int]
    reply: tuple[int, int]
    mean_prompt: float
    mean_reply: float


@dataclass(frozen=True)
class Pace:
    """Tokens of prompt and reply in a second, over the time in which at least one call ran."""

    tokens_per_s: float
    calls: int


class Measures:
    """Over finished calls. ``model_of`` gives the model that a prompt would be sent to now; empty for none."""

    def __init__(self, calls: Iterable[Call], model_of: Callable[[str], str]) -> None:
        groups: dict[str, list[Call]] = {}
        kept = list(calls)
        for call in kept:
            if call.kind == "chat" and call.prompt_tokens > 0:
                groups.setdefault(call.prompt, []).append(call)
        self._used = {prompt: used for prompt, some in groups.items() if (used := _used(some, prompt, model_of)) is not None}
        self._calls = [c for some in groups.values() for c in some]
        self._searches = [call.seconds for call in kept if call.kind == "http" and call.seconds > 0]

    def used(self, prompt: str) -> Used | None:
        """None for a prompt of fewer than three earlier calls."""
        return self._used.get(prompt)

    def calibrated(self, step: Step, cost: Cost) -> Cost:
        """The cost with the tokens that its prompts used in earlier calls; the guess stands where there are too few of them."""
        low, high = cost.calls
        prompts = cost.prompts or step.prompts
        used = [self._used.get(prompt) for prompt in prompts]
        measured = sum(u.calls for prompt in dict.fromkeys(prompts) if (u := self._used.get(prompt)) is not None)
        if not high or not measured:
            return cost
        ceiling = (cost.most.prompt_tokens[1], cost.most.reply_tokens[1])
        likely, n = cost.likely, cost.likely.calls
        guess = Used(0, _each(cost.prompt_tokens, cost.calls), _each(cost.reply_tokens, cost.calls),
                     likely.prompt_tokens / max(1, n), likely.reply_tokens / max(1, n))  # fmt: skip
        each = [u or guess for u in used]
        prompt = likely.prompt_tokens if cost.sized else n * mean(u.mean_prompt for u in each)
        if not cost.sized:
            cost = replace(cost, prompt_tokens=_times([u.prompt for u in each], low, high))
        return replace(
            cost, reply_tokens=_times([u.reply for u in each], low, high), measured=measured, guessed=guess in each, ceiling=ceiling,
            expected=Expected(n, prompt, n * mean(u.mean_reply for u in each)),
        )  # fmt: skip

    @property
    def search_seconds(self) -> float:
        """How long a question to a service took; a guess where fewer than three were asked."""
        return mean(self._searches) if len(self._searches) >= LEAST else SEARCH_S

    def pace(self, model: str) -> Pace | None:
        """How fast a model was; None where it answered fewer than three calls."""
        own = [c for c in self._calls if c.model_asked == model and c.seconds > 0]
        if len(own) < LEAST:
            return None
        return Pace(sum(c.prompt_tokens + c.completion_tokens for c in own) / max(_busy(own), 0.001), len(own))


def _used(calls: Sequence[Call], prompt_name: str, model_of: Callable[[str], str]) -> Used | None:
    """What those of the calls used that went to the model of now; None for fewer than three."""
    if len(calls) < LEAST:
        return None  # without asking for the model, which reads the prompt's file
    model = model_of(prompt_name)
    calls = [call for call in calls if call.model_asked == model]
    if len(calls) < LEAST:
        return None
    prompt, reply = sorted(c.prompt_tokens for c in calls), sorted(c.completion_tokens for c in calls)
    return Used(len(calls), (_at(prompt, 0.5), _at(prompt, HIGH)), (_at(reply, 0.5), _at(reply, HIGH)), mean(prompt), mean(reply))


def _at(held: Sequence[int], share: float) -> int:
    """The number that this share of them does not pass (nearest rank)."""
    return held[max(0, math.ceil(share * len(held)) - 1)]


def _each(tokens: tuple[int, int], calls: tuple[int, int]) -> tuple[int, int]:
    """A guess for one call, from that for all of a step."""
    least = tokens[0] // calls[0] if calls[0] else tokens[1] // max(1, calls[1])
    return least, tokens[1] // max(1, calls[1])


def _times(each: Sequence[tuple[int, int]], low: int, high: int) -> tuple[int, int]:
    least = round(mean(a for a, _ in each) * low)
    return least, max(least, round(mean(b for _, b in each) * high))


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
    """What steps of a session will cost, by what its earlier calls used and the prices of now."""

    def __init__(self, core: SessionCore) -> None:
        self._core = core
        self._measures: tuple[tuple[int, str, str], Measures] | None = None
        self._prompts = Prompts(core.paths.prompts)

    @property
    def measures(self) -> Measures:
        """What earlier calls of this file used, gathered once for so many calls and these models."""
        llm = self._core.settings.llm
        key = (len(self._core.calls), llm.main.model, llm.reader.model)
        if self._measures is None or self._measures[0] != key:
            self._measures = (key, self._gathered())
        return self._measures[1]

    def _gathered(self) -> Measures:
        """Over every call of this session's file, with the models that are set now."""
        self._prompts, llm = Prompts(self._core.paths.prompts), self._core.settings.llm  # a person may have changed a copy

        def model_of(prompt: str) -> str:
            found = self._prompt(prompt)
            return model_name(llm, found.role) if found is not None else ""

        return Measures(self._core.calls.values(), model_of)

    def _prompt(self, name: str) -> Prompt | None:
        """None for a prompt that cannot be used: the step that sends it says why."""
        try:
            return self._prompts.get(name)
        except CoiError:
            return None

    def calibrated(self, step: Step, cost: Cost) -> Cost:
        """A step's cost with the tokens of earlier calls in place of the guess, where a language model is asked.

        Its ceiling has room for the longest answers of the calls that are expected: they reserve it side by side.
        """
        if not self._core.uses_model:
            return cost
        measures, most = self.measures, cost.most
        longest = max(map(self._longest, cost.prompts or step.prompts), default=0) if cost.calls[1] else 0
        reply = max(most.reply_tokens[1], math.ceil(cost.likely.calls) * longest)
        return measures.calibrated(step, replace(cost, ceiling=(most.prompt_tokens[1], reply), longest=LONGER_LIMIT * longest))

    def _longest(self, prompt: str) -> int:
        """The tokens that the answer to a prompt may take."""
        found = self._prompt(prompt)
        if found is None:
            return 0
        llm = self._core.settings.llm
        return role_settings(llm, found.role).max_tokens or longest_answer(found.max_tokens, model_name(llm, found.role))

    def price(self, cost: Cost) -> Estimate | None:
        """What a step is expected to cost, and the most; None where no price is known."""
        if not cost.calls[1] or not self._core.setup.online_model:
            return FREE
        from coi_tui.llm.prices import price_usd

        llm = self._core.settings.llm
        model = llm.reader.model if cost.role == "reader" and llm.reader.model else llm.main.model
        likely, most = cost.likely, cost.most
        expected, highest = (round(likely.prompt_tokens), round(likely.reply_tokens)), (most.prompt_tokens[1], most.reply_tokens[1])
        found = [price_usd(model, *tokens, llm.prices, base_url=llm.base_url) for tokens in (expected, highest, (0, cost.longest))]
        known = [usd for usd in found if usd is not None]
        return Estimate(known[0], max(known[:2]), known[2]) if len(known) == len(found) else None

    def unpriced_models(self) -> tuple[str, ...]:
        """The models that would be asked and of which no price is known."""
        from coi_tui.llm.prices import price_usd

        llm = self._core.settings.llm
        names = dict.fromkeys(model_name(llm, role) for role in ("main", "reader")) if self._core.uses_model else {}
        return tuple(name for name in names if price_usd(name, 1, 1, llm.prices, base_url=llm.base_url) is None)

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
        searches = sum(sum(cost.searches) / 2 for cost in on) if self._core.setup.online_source else 0
        seconds = searches * self.measures.search_seconds
        for cost in on if self._core.uses_model else ():
            pace = self.measures.pace(model_name(self._core.settings.llm, "reader" if cost.role == "reader" else "main"))
            if cost.calls[1] and pace is None:
                return None
            seconds += (cost.likely.prompt_tokens + cost.likely.reply_tokens) / pace.tokens_per_s if pace is not None else 0
        return seconds

    @property
    def on_own_hardware(self) -> bool:
        """Whether a language model is asked whose server is on this machine or in this network."""
        try:
            return self._core.uses_model and server_of(self._core.settings.llm).local
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
    speeds = "-".join(dict.fromkeys(f"{p.tokens_per_s:,.0f}" for p in sorted(rested.values(), key=lambda p: p.tokens_per_s)))
    earlier = sum(p.calls for p in set(rested.values()))
    return f"{minutes(expected / SPREAD, expected * SPREAD)} ({speeds} tokens a second, from {earlier} earlier calls)"


def minutes(low: float, high: float) -> str:
    """A range of seconds in words."""
    if high < 60:
        return "under a minute"
    unit, name = (3600, "hours") if high >= 2 * 3600 else (60, "minutes")
    first, last = max(1, round(low / unit)), max(1, math.ceil(high / unit))
    return f"about {first}-{last} {name}" if first < last else f"about {last} {name if last > 1 else name.removesuffix('s')}"
