"""Every call to a service goes through here: looked up, sent once, committed, then given to the
task."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from coi_tui.engine.budget import Budget, CostCeiling
from coi_tui.engine.journal import Journal
from coi_tui.model.entries import Call, CallKind
from coi_tui.model.text import digest
from coi_tui.services.http.retry import CallTimer, current_timer

EventKind = Literal[
    "job", "task started", "task done", "task failed", "call", "decided", "note", "text"
]


@dataclass(frozen=True)
class Event:
    """``address`` and ``task`` say where; ``text`` is one sentence or less; ``cost_usd``,
    ``seconds`` and ``tokens`` where they apply.

    Of kind ``text`` it is all of a running call's answer so far.
    """

    kind: EventKind
    address: str = ""
    task: str = ""
    text: str = ""
    cost_usd: float | None = None
    seconds: float = 0.0
    tokens: int = 0

    @property
    def asked_model(self) -> bool:
        """Whether it tells of a call that a model answered."""
        return self.kind == "call" and self.text not in ("http", "text")


Listener = Callable[[Event], None]


def silent(event: Event) -> None:
    """A listener for those who do not watch."""


@dataclass(frozen=True)
class ServiceAnswer:
    """What a service answered, as a ``Call`` stores it. ``reply`` is JSON."""

    reply: Mapping[str, Any]
    model_served: str = ""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float | None = None
    cached_tokens: int = 0


NO_UPPER = CostCeiling()
FREE: frozenset[CallKind] = frozenset(("http",))
"""Calls of services of papers: to ask them again costs nothing."""


@dataclass(frozen=True)
class Ask:
    """One call to make. ``content`` is all that identifies it; ``send`` does it."""

    kind: CallKind
    content: Mapping[str, Any]
    send: Callable[[], Awaitable[ServiceAnswer]]
    address: str = ""
    task: str = ""
    stage: int = 0
    prompt: str = ""
    model: str = ""
    upper: CostCeiling = NO_UPPER
    shown: Mapping[str, Any] = field(default_factory=dict)
    base: str = ""
    """The hash of ``content`` where it is known already; prompts are long."""


@dataclass(eq=False)
class Recorder:
    """Single flight by content key; a finished call is one whose reply is committed in the session
    file."""

    journal: Journal
    budget: Budget
    job: int = 0
    listen: Listener = silent
    stream: bool = False
    """Whether somebody wants to see texts while they come."""

    def __post_init__(self) -> None:
        self.closed = False
        self.turn = asyncio.Lock()
        """Held while something takes long on the event loop, so that only one such thing is done
        between two looks at the keyboard."""
        self._flights: dict[str, asyncio.Task[Call]] = {}
        self._standing: dict[str, tuple[CallKind, CallTimer]] = {}
        """Of the calls in flight whose answer has not come yet."""

    def key(self, content: Mapping[str, Any], base: str = "") -> str:
        """The content key; after a task failed on a reply, its retry is another call."""
        base = base or digest(content)
        attempt = sum(base in failure.keys for failure in self.journal.failures)
        return digest({"base": base, "attempt": attempt}) if attempt else base

    async def call(self, ask: Ask) -> Call:
        """The stored call of the same content, else the one in flight, else a new one."""
        key = self.key(ask.content, ask.base)
        flight = self._flights.get(key)
        if flight is None:
            flight = asyncio.create_task(self._fly(key, ask))
            self._flights[key] = flight
            flight.add_done_callback(lambda task: self._ended(key, task))
        return await asyncio.shield(flight)

    def _ended(self, key: str, task: asyncio.Task[Call]) -> None:
        self._flights.pop(key, None)
        self._standing.pop(key, None)
        if not task.cancelled():
            # looked at here, so that a call nobody waits for any more does not complain at exit
            task.exception()

    async def _fly(self, key: str, ask: Ask) -> Call:
        stored: Call | None = await self.journal.file.run(self.journal.file.find_call, key)
        if stored is not None:
            return stored
        if self.closed:
            raise asyncio.CancelledError
        call_standing = CallTimer(key)
        current_timer.set(call_standing)  # of this task alone: each call has its own
        self._standing[key] = (ask.kind, call_standing)
        paid = ask.kind == "chat"
        if paid:
            with call_standing.wait():
                await self.budget.hold(ask.upper)
        started, clock = self.journal.clock(), time.monotonic()
        answer: ServiceAnswer | None = None
        try:
            if self.closed:  # while this one waited for others to settle
                raise asyncio.CancelledError
            answer = await ask.send()
        finally:
            self._standing.pop(key, None)
            if paid:
                tokens = answer.prompt_tokens + answer.completion_tokens if answer else 0
                self.budget.settle(
                    ask.upper,
                    answer.cost_usd if answer else None,
                    tokens,
                    happened=answer is not None,
                )
        call = Call(
            key=key,
            kind=ask.kind,
            address=ask.address,
            step=ask.task,
            stage=ask.stage,
            prompt=ask.prompt,
            model_asked=ask.model,
            request=ask.shown,
            **vars(answer),
            started=started,
            seconds=round(time.monotonic() - clock, 4),
            job=self.job,
        )
        ids = await self.journal.file.run(self.journal.file.commit, calls=[call])
        self.listen(
            Event(
                "call",
                ask.address,
                ask.task,
                ask.prompt or ask.kind,
                answer.cost_usd,
                call.seconds,
                answer.prompt_tokens + answer.completion_tokens,
            )
        )
        return call.model_copy(update={"id": ids[0]})

    async def close(self, *, cancel: bool) -> None:
        """Wait for calls in flight (they are paid for), or cut them off. What only waits, or costs
        nothing, is cut off in any case."""
        self.closed = True
        flights = dict(self._flights)
        for key, flight in flights.items():
            kind, call = self._standing.get(key, ("", None))
            if call is not None:
                call.left = True
            if cancel or (call is not None and (call.waiting or kind in FREE)):
                flight.cancel()
        await asyncio.gather(*flights.values(), return_exceptions=True)
