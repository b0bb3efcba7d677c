"""An event loop whose waits cost no time: once nothing is left to do but to wait, the clock jumps to
the next timer. A pipeline's time is then that of its calls and of what waits for them, on any
machine and whatever else runs there."""

from __future__ import annotations

import asyncio
import selectors
import time
from collections.abc import Coroutine
from types import SimpleNamespace
from typing import Any, TypeVar
from unittest.mock import patch

T = TypeVar("T")

GRACE_S = 0.001
"""Real seconds in which what was written to a socket arrives at its other end."""


class _Selector(selectors.DefaultSelector):
    """Looks at the sockets without waiting, and lets the loop's clock jump in place of a wait. While
    a thread or another process works, nothing jumps."""

    loop: VirtualLoop

    def select(self, timeout: float | None = None) -> Any:
        began = time.thread_time()
        while not (found := super().select(GRACE_S if timeout != 0 else 0)) and timeout != 0:
            if not self.loop.working:
                self.loop.jumped += timeout or 0.0
                break
        self.loop.looked += time.thread_time() - began
        return found


class VirtualLoop(asyncio.SelectorEventLoop):
    """A loop on a clock of its own, from 0. ``computing``: the processor's time of this process
    passes on it as well, without what looking at the sockets takes."""

    def __init__(self, *, computing: bool) -> None:
        self.computing, self.began = computing, time.process_time()
        self.jumped, self.looked, self.working = 0.0, 0.0, 0
        selector = _Selector()
        selector.loop = self
        super().__init__(selector)

    def time(self) -> float:
        computed = time.process_time() - self.began - self.looked
        return self.jumped + (computed if self.computing else 0.0)

    def works(self, future: asyncio.Future[Any]) -> None:
        """Until this is done, something works outside the loop."""
        self.working += 1
        future.add_done_callback(lambda _: setattr(self, "working", self.working - 1))

    async def subprocess_exec(self, *args: Any, **kwargs: Any) -> Any:
        transport, protocol = await super().subprocess_exec(*args, **kwargs)
        self.works(self.create_task(transport._wait()))  # type: ignore[attr-defined]
        return transport, protocol


def run_virtually(work: Coroutine[Any, Any, T], *, computing: bool = False) -> T:
    """What ``work`` returns; the recorder takes the seconds of calls from the loop's clock."""
    loop, wrap = VirtualLoop(computing=computing), asyncio.futures.wrap_future

    def wrapped(*args: Any, **kwargs: Any) -> asyncio.Future[Any]:
        future = wrap(*args, **kwargs)
        loop.works(future)
        return future

    with (
        patch("asyncio.futures.wrap_future", wrapped),
        patch("asyncio.wrap_future", wrapped),
        patch("coi_tui.engine.recorder.time", SimpleNamespace(monotonic=loop.time)),
        asyncio.Runner(loop_factory=lambda: loop) as runner,
    ):
        return runner.run(work)
