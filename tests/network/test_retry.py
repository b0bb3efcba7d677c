"""How often a failed call is tried again, and how long is waited before."""

import asyncio
import math
from typing import Any

import pytest

from coi_tui.model.errors import ServiceError
from coi_tui.services.http.retry import Failed, asked_s, retried


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("", None),
        ("7", 7.0),
        ("-3", None),
        ("nan", None),
        ("soon", None),
        ("200", 60.0),
        ("3600", math.inf),
        ("Fri, 20 Nov 2020 11:00:00 GMT", 0.0),
        ("Fri, 20 Nov 2099 12:00:30 -0000", math.inf),
    ],
)
def test_retry_after_as_seconds_or_date_up_to_a_bound(value: str, seconds: float | None) -> None:
    assert asked_s({"Retry-After": value}) == seconds
    assert asked_s({"retry-after": value, "retry-after-ms": "250"}) == 0.25


class Attempts:
    """Fails so often, then answers."""

    def __init__(self, fails: int, **how: Any) -> None:
        self.fails, self.how, self.made = fails, how, 0

    async def __call__(self) -> str:
        self.made += 1
        if self.made <= self.fails:
            raise Failed(ServiceError("s", "server", f"Failure {self.made}."), **self.how)
        return "answer"


@pytest.mark.parametrize(
    ("fails", "again", "retries", "made"),
    [(0, True, 0, 1), (2, True, 2, 3), (3, True, 2, 3), (1, False, 5, 1), (1, True, 0, 1)],
)
async def test_what_may_pass_is_tried_again_and_the_last_error_comes_without_a_chain(
    fails: int, again: bool, retries: int, made: int
) -> None:
    attempts = Attempts(fails, again=again)
    if made > fails:
        assert await retried(attempts, retries, 0.001) == "answer"
    else:
        with pytest.raises(ServiceError, match=f"Failure {made}") as caught:
            await retried(attempts, retries, 0.001)
        assert (caught.value.__context__, caught.value.__cause__) == (None, None)
    assert attempts.made == made


async def test_other_errors_and_cancellation_pass_at_once() -> None:
    async def broken() -> None:
        raise KeyError("x")

    with pytest.raises(KeyError):
        await retried(broken, 5)
    attempts = Attempts(9, again=True)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(retried(attempts, 5, 60), 0.1)
    assert attempts.made == 1


async def test_a_wait_of_some_length_is_told_with_its_cause_before_it_begins() -> None:
    told: list[str] = []
    attempts = Attempts(1, again=True, wait_s=14.0, on_wait=told.append)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(retried(attempts, 5), 0.1)
    assert told == ["Failure 1; next call in 14 s"]
    await retried(Attempts(1, again=True, wait_s=0.0, on_wait=told.append), 5)
    assert len(told) == 1
