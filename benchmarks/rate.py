"""``python -m benchmarks.rate``: a literature server that serves one request a second and answers 429 to all above it.

A K=3 run in this process; the server is limited, the client learns it. Prints how many requests a second were sent while any waited (from
enqueue times), how many 429s there were, and what was told of the waits. At least 0.85 a second and at most two 429s are wanted.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.standins.chat import ChatService
from benchmarks.standins.corpus import make_index
from benchmarks.standins.fault_injection import Fault
from benchmarks.standins.http_server import Request, Response, StandIn
from benchmarks.standins.request_log import RequestLog
from benchmarks.standins.semantic_scholar import S2Service
from benchmarks.standins.settings import BENCH
from coi_tui.config import Keys, LlmSettings, RoleSettings, Settings, SourceSettings
from coi_tui.engine.events import Event
from coi_tui.methods.coi.settings import CoiSettings
from coi_tui.network.limits import HostLimiter
from coi_tui.paths import Paths
from coi_tui.session.session import Session

TOPIC = "retrieval of scientific evidence with language models"
LEAST_RATE, MOST_429 = 0.85, 2


class OneASecond(S2Service):
    """One request in each second; those above it are refused, as the service does for a key of one request a second."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._free_at = 0.0
        self.refused = 0

    def answer(self, request: Request, fault: Fault) -> Response:
        now = time.monotonic()
        if now < self._free_at:
            self.refused += 1
            return self.failure(429)
        self._free_at = now + 1.0
        return super().answer(request, fault)


class Watch:
    """When calls began to wait at the gate, and when they were let through."""

    def __init__(self) -> None:
        self.waits: list[tuple[float, float]] = []

    def over(self, gate: type[HostLimiter]) -> None:
        """Look at every gate from here on."""
        inner = gate.slot
        watch = self

        def slot(self: HostLimiter) -> Any:
            queued, passed = time.monotonic(), inner(self)

            class Seen:
                async def __aenter__(self) -> None:
                    await passed.__aenter__()
                    watch.waits.append((queued, time.monotonic()))

                async def __aexit__(self, *error: Any) -> Any:
                    return await passed.__aexit__(*error)

            return Seen()

        gate.slot = slot  # type: ignore[method-assign]

    def busy(self) -> float:
        """Seconds in which at least one call waited."""
        total, end = 0.0, 0.0
        for start, stop in sorted(self.waits):
            total += max(0.0, stop - max(start, end))
            end = max(end, stop)
        return total

    def served_after_waiting(self, least: float = 0.02) -> int:
        """Calls that had to wait."""
        return sum(stop - start > least for start, stop in self.waits)


async def run(pace_s: float | None, folder: Path) -> tuple[Watch, int, list[str], str]:
    index, log, watch, said = make_index(), RequestLog(None), Watch(), []
    watch.over(HostLimiter)
    s2 = OneASecond(index)
    async with (
        StandIn(s2, log=log, latency=BENCH) as papers,
        StandIn(ChatService(index.corpus), log=log, latency=BENCH) as chat,
    ):
        settings = Settings(
            semantic_scholar=SourceSettings(base_url=f"{papers.url}/graph/v1", pace_s=pace_s),
            llm=LlmSettings(
                base_url=f"{chat.url}/v1",
                main=RoleSettings(model="standin-main"),
                reader=RoleSettings(model="standin-reader"),
            ),
        )
        places = Paths(data=folder / "data", config=folder / "config", cache=folder / "cache")

        def listen(event: Event) -> None:
            if event.kind in ("waiting", "note"):
                said.append(event.text)

        with Session.create(
            "rate",
            TOPIC,
            paths=places,
            settings=settings,
            keys=Keys(llm="k"),
            bounds=CoiSettings(branches=3),
        ) as session:
            outcome = await session.runs.run(session.planner.to_stage("chains"), listen=listen)
    return watch, s2.refused, said, outcome.state


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rate", description=__doc__)
    parser.add_argument(
        "--pace",
        type=float,
        help="seconds between calls; left out, the client learns it from the first 429",
    )
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        watch, refused, said, state = asyncio.run(run(args.pace, Path(folder)))
    busy, calls = watch.busy(), watch.served_after_waiting()
    rate = calls / busy if busy else 0.0
    print(
        f"run to chains: {state}; {len(watch.waits)} requests, {calls} of them after a wait; at least one waited for {busy:.1f} s"
    )
    print(
        f"requests a second while any waited: {rate:.3f} (at least {LEAST_RATE}); 429s: {refused} (at most {MOST_429})"
    )
    print(f"waits told: {len(said)}{': ' + said[0] if said else ''}")
    return 0 if rate >= LEAST_RATE and refused <= MOST_429 and state == "done" else 1


if __name__ == "__main__":
    raise SystemExit(main())
