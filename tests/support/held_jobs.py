"""Sessions in which something runs, waits or has failed, held still: the states of a screen that
pass by themselves.

The job is a real one. Its model and its source stand at a gate until the state was looked at, and
the clock that the strip reads stands still, so that the same seconds are shown every time.
"""

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, Literal
from unittest.mock import patch

from coi_tui.engine.recorder import Event
from coi_tui.model.errors import ServiceError
from coi_tui.screens import open_sessions as controller_module
from coi_tui.screens.workbench import WorkbenchScreen
from coi_tui.services.llm.chat import ChatReply, ChatRequest, OnText
from coi_tui.services.sources.starter.source import StarterSource
from coi_tui.session import service_setup
from coi_tui.session.opening import open_session

During = Literal["", "running", "waiting", "failed"]
CLOCK = "2026-03-01T09:12:00Z"
NOW, JOB_S, STEP_S = 10_000.0, 42.0, 7.0
"""Seconds: the time that stands still, how long the job and its step have run, and how long is
still to be waited."""

GOALS: dict[str, tuple[str, ...]] = {
    "running": ("1/dir", "1/idea"),
    "waiting": ("1/-2.cands",),
    "failed": ("1/-2.cands",),
}
"""What is made anew in each state; the first of them is where it stands."""

OPEN_S = 60.0
"""The longest that a session is kept from being opened."""
PART = '{"direction": "Let the model decide where a step of reasoning is worth its cost. The papers of this chain'
REFUSED = "Semantic Scholar is answering too many requests just now (429)."
LIMITED = "Semantic Scholar: api.semanticscholar.org is getting too many requests just now (429); next call in 14 s"
Wait = Callable[[Callable[[], object], str], Awaitable[None]]


class Gate:
    """The drafter behind a gate: while it is closed, calls wait."""

    def __init__(self, gate: asyncio.Event | None = None) -> None:
        self.model, self.open = service_setup.drafter(), gate or asyncio.Event()
        self.kind = self.model.kind
        self.waiting = 0

    def model_for(self, role: str) -> str:
        return self.model.model_for(role)

    async def complete(self, request: ChatRequest) -> ChatReply:
        self.waiting += 1
        try:
            await self.open.wait()
            return await self.model.complete(request)
        finally:
            self.waiting -= 1

    async def aclose(self) -> None:
        return None


class Held(Gate):
    """It tells the first part of an answer, and gives the whole when the gate is open."""

    part = PART

    async def stream(self, request: ChatRequest, on_text: OnText) -> ChatReply:
        on_text(self.part)
        return await self.complete(request)


@dataclass
class Hold:
    """One state. ``begin`` brings a workbench into it, ``release`` lets the job come to its end."""

    during: During
    gate: asyncio.Event = field(default_factory=asyncio.Event)
    asked: bool = False
    """Whether the source was asked: then the step stands at the gate."""

    async def begin(self, bench: WorkbenchScreen, wait: Wait) -> None:
        """Start the job and stop where the state is reached."""
        session, goal = bench.session, GOALS[self.during]
        session.clock = session.journal.clock = lambda: CLOCK
        bench.start(session.planner.to_refresh(goal, again=True))
        job = bench.controller.job
        assert job is not None
        job.started = NOW - JOB_S
        if self.during == "failed":
            await wait(lambda: job.ended and bench.watch_job.job is None, "the job to fail")
            return
        await wait(
            lambda: job.texts if self.during == "running" else self.asked, "the step at the gate"
        )
        job.running = dict.fromkeys(job.running, NOW - STEP_S)
        if self.during == "waiting":
            job.take(Event("note", text=LIMITED))
        job.version += 1
        await wait(lambda: bench.watch_job.seen == job.version, "the strip")

    async def release(self, job: Any, wait: Wait) -> None:
        """Open the gate; nothing is left running."""
        self.gate.set()
        await wait(lambda: job is None or job.ended, "the job to end")

    async def list_papers(self, source: StarterSource, *args: Any, **kwargs: Any) -> Any:
        """In the place of the source's lists of cited and citing papers."""
        self.asked = True
        if self.during == "waiting":
            await self.gate.wait()
        raise ServiceError("Semantic Scholar", "limited", REFUSED, "Wait a minute.")


@contextmanager
def not_opened(shut: bool) -> Iterator[Callable[[], None]]:
    """Keep sessions from being opened until what is given is called, where ``shut``."""
    gate = threading.Event()

    def slowly(*args: Any) -> Any:
        gate.wait(OPEN_S)
        return open_session(*args)

    if not shut:
        gate.set()
    with patch("coi_tui.screens.open_sessions.open_session", slowly):
        try:
            yield gate.set
        finally:
            gate.set()


@contextmanager
def held(during: During) -> Iterator[Hold]:
    """The services at their gate and the clock of the strip still, for as long as the state is
    shown."""
    hold = Hold(during)
    if not during:
        yield hold
        return
    still = SimpleNamespace(monotonic=lambda: NOW)

    async def listed(source: StarterSource, *args: Any, **kwargs: Any) -> Any:
        return await hold.list_papers(source, *args, **kwargs)

    model = Held(hold.gate)
    with (
        patch.object(service_setup, "drafter", lambda: model),
        patch.object(StarterSource, "citations", listed),
        patch.object(StarterSource, "references", listed),
        patch.object(controller_module, "time", still),
    ):
        yield hold
