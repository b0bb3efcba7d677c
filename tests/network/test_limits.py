from __future__ import annotations

import asyncio

import pytest

from coi_tui.network import limits
from coi_tui.network.limits import (
    MOST_BYTES,
    PATIENCE_S,
    SILENCE_S,
    TRIP_AFTER,
    TRIP_MAX_S,
    TRIP_S,
    HostLimiter,
    completion_limits,
    exchange_s,
)
from coi_tui.network.retry import Backoff


async def test_a_pace_keeps_calls_apart() -> None:
    limiter = HostLimiter(0.05, 8, Backoff(0, 0), learns=False)
    loop = asyncio.get_running_loop()
    times = []

    async def call() -> None:
        async with limiter.slot():
            times.append(loop.time())

    await asyncio.gather(*(call() for _ in range(4)))
    assert (
        times[-1] - times[0] > 0.14
    )  # three steps of 0.05 s; one step alone may look short where a wake-up came late


async def test_a_paused_host_holds_every_waiting_call_and_learns_a_pace() -> None:
    limiter = HostLimiter(0, 8, Backoff(0.1, 1), learns=True)
    assert not limiter.paced
    limiter.pause(0.2)
    assert limiter.paced
    start = asyncio.get_running_loop().time()
    async with limiter.slot():
        assert asyncio.get_running_loop().time() - start >= 0.19


async def test_refusals_of_calls_under_way_together_count_once() -> None:
    limiter = HostLimiter(0, 8, Backoff(0.1, 60), learns=False)
    for _ in range(20):
        limiter.pause(None)
    assert 0 < limiter.paused_s <= 0.1, "the first step, not the twentieth"


async def test_no_more_than_parallel_calls_at_once() -> None:
    limiter = HostLimiter(0, 2, Backoff(0, 0), learns=False)
    inside, most = 0, 0

    async def call() -> None:
        nonlocal inside, most
        async with limiter.slot():
            inside += 1
            most = max(most, inside)
            await asyncio.sleep(0.01)
            inside -= 1

    await asyncio.gather(*(call() for _ in range(6)))
    assert most == 2


async def test_a_host_that_fails_again_and_again_is_left_alone_and_an_answer_opens_it() -> None:
    limiter = HostLimiter(0, 8, Backoff(0, 0), learns=False)
    for _ in range(TRIP_AFTER - 1):
        limiter.failed()
    assert limiter.tripped_s == 0
    limiter.failed()
    first = limiter.tripped_s
    assert 0 < first <= TRIP_S
    limiter.failed()
    assert first < limiter.tripped_s <= 2 * TRIP_S
    for _ in range(20):
        limiter.failed()
    assert limiter.tripped_s <= TRIP_MAX_S
    limiter.answered()
    assert limiter.tripped_s == 0
    limiter.failed()
    assert limiter.tripped_s == 0


async def test_a_host_that_only_takes_time_is_left_alone_after_half_a_minute(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One that drips needs few failures to hold a run up for minutes: each takes as long as an answer may."""
    now = 100.0
    monkeypatch.setattr(limits, "_now", lambda: now)
    limiter = HostLimiter(0, 8, Backoff(0, 0), learns=False)
    limiter.failed("status 503")
    now += SILENCE_S
    limiter.failed("no full answer", since=now - 20)
    assert limiter.tripped_s == 0, "what failed at once took no time"
    now += SILENCE_S - 20
    limiter.failed("no full answer", since=now - 5)
    assert limiter.tripped_s == TRIP_S
    limiter.answered()
    assert limiter.tripped_s == 0
    limiter.failed("no full answer", since=now - 20)
    assert limiter.tripped_s == 0


def test_an_exchange_with_a_source_of_papers_is_bounded_by_patience_and_has_the_set_timeout_at_least() -> (
    None
):
    assert [exchange_s(timeout_s) for timeout_s in (5, 30, 90)] == [20, PATIENCE_S, 90]


async def test_a_wait_is_told_with_how_many_wait() -> None:
    said: list[tuple[float, int, bool]] = []
    limiter = HostLimiter(
        0, 8, Backoff(0, 0.02, 60), learns=False, on_wait=lambda *wait: said.append(wait)
    )
    limiter.pause(2.5)
    calls = [asyncio.create_task(limiter.slot().__aenter__()) for _ in range(3)]
    await asyncio.sleep(0)
    for call in calls:
        call.cancel()
    await asyncio.gather(*calls, return_exceptions=True)
    assert [(n, refused) for _, n, refused in said] == [(1, True), (2, True), (3, True)]
    assert all(2 < seconds <= 2.5 for seconds, _, _ in said)
    later = asyncio.create_task(limiter.slot().__aenter__())
    await asyncio.sleep(0)
    later.cancel()
    await asyncio.gather(later, return_exceptions=True)
    assert said[-1][1] == 1, "cancelled calls wait no more"


def test_the_limits_of_an_answer_follow_from_what_was_asked_for_and_have_an_end() -> None:
    small, large, absurd = (completion_limits(30, tokens) for tokens in (300, 8_000, 10**9))
    assert small.body_bytes < large.body_bytes < absurd.body_bytes
    assert small.stream_bytes < large.stream_bytes < absurd.stream_bytes == MOST_BYTES
    assert small.body_bytes >= 300 * 50, "room for a long word in each token"
    assert small.seconds == 120
