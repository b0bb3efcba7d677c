"""What a running task may use: the recorder, under its own name and place."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from coi_tui.engine.budget import CostCeiling
from coi_tui.engine.recorder import NO_UPPER, Ask, Recorder, ServiceAnswer
from coi_tui.model.entries import Call, CallKind
from coi_tui.model.money import ASKING, NOTHING, Money
from coi_tui.model.papers import Paper
from coi_tui.model.state import State
from coi_tui.model.text import digest


@dataclass
class Context:
    """``state`` is the state at the start (for what is no input, such as settings). ``stage``
    counts calls that wait for each other.

    ``sample`` > 0 asks again although an answer exists; ``again`` does the same for searches (each
    re-check searches again, NOVA/COI-12).
    ``used`` collects the ids of the calls that the result rests on; ``keys`` their content keys.
    ``changed`` says how prompts were shortened and answers lengthened, for the version that is made
    of them. ``given``: what the person gave for this job, by name; ``said``: what they said before
    the text is drafted, by name, which each of its prompts shows before the task. ``model``: what answers in place of
    the main model. ``papers``: what the task found itself, by id, so that texts which cite it
    can be shown.
    """

    recorder: Recorder
    state: State
    address: str
    task: str
    sample: int = 0
    again: int = 0
    stage: int = 0
    used: list[int] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    changed: tuple[str, ...] = ()
    given: Mapping[str, str] = field(default_factory=dict)
    said: Mapping[str, str] = field(default_factory=dict)
    model: str = ""
    papers: dict[str, Paper] = field(default_factory=dict)
    money: Money = NOTHING
    tokens: int = 0
    _asked: bool = field(default=False, init=False)

    async def call(
        self,
        kind: CallKind,
        content: Mapping[str, Any],
        send: Callable[[], Awaitable[ServiceAnswer]],
        *,
        prompt: str = "",
        model: str = "",
        upper: CostCeiling = NO_UPPER,
        shown: Mapping[str, Any] | None = None,
        stage: int | None = None,
    ) -> Call:
        """Make, find or join a call; see ``Recorder.call``. Raises what ``send`` raises,
        BudgetStop, or CancelledError."""
        full = {"kind": kind, **content}
        if kind in ASKING and self.sample:
            full["sample"] = self.sample
        if kind == "http" and self.again:
            full["again"] = self.again
        at = self.stage if stage is None else stage
        self.keys.append(base := digest(full))
        ask = Ask(
            kind, full, send, self.address, self.task, at, prompt, model, upper, shown or {}, base
        )
        call = await self.recorder.call(ask)
        self.used.append(call.id)
        self.money += Money.of([call])
        self.tokens += call.prompt_tokens + call.completion_tokens
        self._asked = self._asked or call.kind in ASKING
        return call

    @property
    def cost_usd(self) -> float | None:
        """Dollars of its calls of models; None where there were none, or where a price is not
        known."""
        return self.money.total if self._asked else None
