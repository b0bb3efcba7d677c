from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import pytest

from coi_tui.network.limits import TRIP_AFTER, TRIP_MAX_S, TRIP_S, Backoff, HostGate, retry_after_s

NOW = datetime(2026, 11, 20, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        (None, None), ("", None), ("7", 7.0), ("-3", 0.0), ("nan", None), ("soon", None),
        ("Fri, 20 Nov 2026 12:00:30 GMT", 30.0), ("Fri, 20 Nov 2026 11:00:00 GMT", 0.0),
    ],
)  # fmt: skip
def test_retry_after_as_seconds_or_date(value: str | None, seconds: float | None) -> None:
    assert retry_after_s(value, NOW) == seconds


def test_waits_grow_with_jitter_up_to_the_cap_and_are_the_same_each_time() -> None:
    one, other = Backoff(1, 10), Backoff(1, 10)
    waits = [one.wait(i) for i in range(8)]
    assert waits == [other.wait(i) for i in range(8)]
    assert all(min(10, 2**i) / 2 <= wait <= min(10, 2**i) for i, wait in enumerate(waits))


async def test_a_pace_keeps_calls_apart() -> None:
    gate = HostGate(0.05, 8, Backoff(0, 0), learns=False)
    loop = asyncio.get_running_loop()
    times = []

    async def call() -> None:
        async with gate.slot():
            times.append(loop.time())

    await asyncio.gather(*(call() for _ in range(4)))
    assert times[-1] - times[0] > 0.14  # three steps of 0.05 s; one step alone may look short where a wake-up came late


async def test_a_closed_host_holds_every_waiting_call_and_learns_a_pace() -> None:
    gate = HostGate(0, 8, Backoff(0.1, 1), learns=True)
    assert not gate.paced
    gate.close(0.2)
    assert gate.paced
    start = asyncio.get_running_loop().time()
    async with gate.slot():
        assert asyncio.get_running_loop().time() - start >= 0.19


async def test_refusals_of_calls_under_way_together_count_once() -> None:
    gate = HostGate(0, 8, Backoff(0.1, 60), learns=False)
    for _ in range(20):
        gate.close(None)
    start = asyncio.get_running_loop().time()
    async with gate.slot():
        assert asyncio.get_running_loop().time() - start < 0.5


async def test_no_more_than_parallel_calls_at_once() -> None:
    gate = HostGate(0, 2, Backoff(0, 0), learns=False)
    inside, most = 0, 0

    async def call() -> None:
        nonlocal inside, most
        async with gate.slot():
            inside += 1
            most = max(most, inside)
            await asyncio.sleep(0.01)
            inside -= 1

    await asyncio.gather(*(call() for _ in range(6)))
    assert most == 2


async def test_a_host_that_fails_again_and_again_is_left_alone_and_an_answer_opens_it() -> None:
    gate = HostGate(0, 8, Backoff(0, 0), learns=False)
    for _ in range(TRIP_AFTER - 1):
        gate.failed()
    assert gate.shut_s == 0
    gate.failed()
    first = gate.shut_s
    assert 0 < first <= TRIP_S
    gate.failed()
    assert first < gate.shut_s <= 2 * TRIP_S
    for _ in range(20):
        gate.failed()
    assert gate.shut_s <= TRIP_MAX_S
    gate.answered()
    assert gate.shut_s == 0
    gate.failed()
    assert gate.shut_s == 0


async def test_a_wait_is_told_with_how_many_wait() -> None:
    said: list[tuple[float, int, bool]] = []
    gate = HostGate(0, 8, Backoff(0, 0.02), learns=False, told=lambda *wait: said.append(wait))
    gate._open_at = asyncio.get_running_loop().time() + 2.5
    calls = [asyncio.create_task(gate.slot().__aenter__()) for _ in range(3)]
    await asyncio.sleep(0)
    for call in calls:
        call.cancel()
    await asyncio.gather(*calls, return_exceptions=True)
    assert [(n, refused) for _, n, refused in said] == [(1, True), (2, True), (3, True)]
    assert all(2 < seconds <= 2.5 for seconds, _, _ in said)
    assert gate._waiting == 0
