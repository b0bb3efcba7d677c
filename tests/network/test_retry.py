"""How often a failed call is tried again, and how long is waited before."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import pytest

from coi_tui.model.errors import ServiceError
from coi_tui.network.retry import (
    AttemptFailed,
    Backoff,
    CallStanding,
    asked_wait,
    standing,
    with_retries,
)

NOW = datetime(2026, 11, 20, 12, 0, 0, tzinfo=UTC).timestamp()


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("", None),
        ("7", 7.0),
        ("-3", None),
        ("nan", None),
        ("inf", None),
        ("soon", None),
        ("Fri, 20 Nov 2026 12:00:30 GMT", 30.0),
        ("Fri, 20 Nov 2026 12:00:30 -0000", 30.0),
        ("Fri, 20 Nov 2026 11:00:00 GMT", 0.0),
    ],
)
def test_retry_after_as_seconds_or_date(value: str, seconds: float | None) -> None:
    assert asked_wait({"Retry-After": value}, NOW) == seconds
    assert asked_wait({}) is None


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7", "retry-after-ms": "250"}, 0.25),
        ({"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "6m0.5s"}, 360.5),
        ({"x-ratelimit-remaining-tokens": "9", "x-ratelimit-reset-tokens": "6m0s"}, None),
        ({"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "120ms"}, 0.12),
    ],
)
def test_other_headers_that_ask_to_wait(headers: dict[str, str], seconds: float | None) -> None:
    found = asked_wait(headers)
    assert found == (None if seconds is None else pytest.approx(seconds))


def test_waits_grow_with_jitter_up_to_the_cap_and_are_the_same_each_time() -> None:
    one, other = Backoff(1, 10), Backoff(1, 10)
    waits = [one.wait(i) for i in range(40)]
    assert waits == [other.wait(i) for i in range(40)]
    assert all(min(10, 2**i) / 2 <= wait <= min(10, 2**i) for i, wait in enumerate(waits))


def test_a_wait_that_is_asked_for_is_kept_up_to_a_bound() -> None:
    assert Backoff(1, 10).asked({"retry-after": "30"}) == 30.0
    assert Backoff(1, 10).asked({"retry-after": "3600"}) == 60.0
    assert Backoff(1, 10, 2.0).asked({"retry-after": "3"}) == 2.0
    assert Backoff(1, 10).asked({}) is None


class Attempts:
    """Fails as told, one after the other, then answers."""

    def __init__(self, *fails: int | None) -> None:
        self.fails = list(fails)
        self.made = 0

    async def __call__(self) -> str:
        self.made += 1
        if self.fails:
            raise AttemptFailed(
                ServiceError("s", "server", f"Failure {self.made}."), self.fails.pop(0)
            )
        return "answer"


@pytest.mark.parametrize(
    ("fails", "retries", "made"),
    [
        ((), 0, 1),
        ((None,), 1, 2),
        ((None, None), 2, 3),
        ((1,), 5, 2),
        ((2, 2), 5, 3),
        ((None, 1, None), 5, 4),
    ],
)
async def test_what_may_pass_is_tried_again(
    fails: tuple[int | None, ...], retries: int, made: int
) -> None:
    attempts = Attempts(*fails)
    assert await with_retries(attempts, retries, Backoff(0, 0)) == "answer"
    assert attempts.made == made


@pytest.mark.parametrize(
    ("fails", "retries", "made"),
    [
        ((0,), 5, 1),
        ((None,), 0, 1),
        ((None, None), 1, 2),
        ((1, 1), 5, 2),
        ((None, 0), 5, 2),
        ((2, None, 2, 2), 9, 4),
    ],
)
async def test_the_last_error_comes_without_a_chain(
    fails: tuple[int | None, ...], retries: int, made: int
) -> None:
    attempts = Attempts(*fails)
    with pytest.raises(ServiceError, match=f"Failure {made}") as caught:
        await with_retries(attempts, retries, Backoff(0, 0))
    assert attempts.made == made
    assert caught.value.__context__ is None
    assert caught.value.__cause__ is None


async def test_other_errors_and_cancellation_pass_at_once() -> None:
    async def broken() -> None:
        raise KeyError("x")

    with pytest.raises(KeyError):
        await with_retries(broken, 5, Backoff(0, 0))

    made = asyncio.Event()

    async def failing() -> None:
        made.set()
        raise AttemptFailed(ServiceError("s", "server", "It failed."), None)

    task = asyncio.create_task(with_retries(failing, 5, Backoff(60, 60)))
    await made.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_no_wait_of_our_own_leads_beyond_the_patience_and_one_that_was_asked_for_may() -> (
    None
):
    attempts = Attempts(None, None, None)
    with pytest.raises(ServiceError, match="Failure 1"):
        await with_retries(attempts, 5, Backoff(60, 60), patience_s=20)
    assert attempts.made == 1

    made = 0

    async def asked_to_wait() -> str:
        nonlocal made
        made += 1
        if made == 1:
            raise AttemptFailed(ServiceError("s", "server", "Busy."), None, wait_s=0.01)
        return "answer"

    assert await with_retries(asked_to_wait, 5, Backoff(60, 60), patience_s=0) == "answer"


async def test_a_wait_of_some_length_is_told_with_its_cause_before_it_begins() -> None:
    told: list[tuple[float, str]] = []
    task = asyncio.create_task(
        with_retries(
            Attempts(None),
            5,
            Backoff(30, 30),
            on_retry=lambda wait_s, error: told.append((wait_s, error.message)),
        )
    )
    while not told:  # noqa: ASYNC110 - it needs some turns of the loop, and no other sign of it exists
        await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert told[0][1] == "Failure 1."
    assert 15 <= told[0][0] <= 30
    told.clear()
    await with_retries(
        Attempts(None, None),
        5,
        Backoff(0, 0),
        on_retry=lambda wait_s, error: told.append((wait_s, error.message)),
    )
    assert told == []


async def test_a_call_that_is_left_begins_no_wait() -> None:
    call = CallStanding()
    standing.set(call)
    waiting = asyncio.create_task(with_retries(Attempts(None), 5, Backoff(60, 60)))
    while not call.waiting:  # noqa: ASYNC110 - the same
        await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    assert not call.waiting
    call.left = True
    attempts = Attempts(None)
    with pytest.raises(asyncio.CancelledError):
        await with_retries(attempts, 5, Backoff(60, 60))
    assert attempts.made == 1
