"""Sums of what was spent: by stage, by job, over time, and how far the estimates were off."""

from __future__ import annotations

from typing import Any

from coi_tui.model.calls import Call, JobEvent
from coi_tui.session.queries.costs import (
    bar,
    by_stage,
    estimate_error,
    jobs,
    over_time,
    stage_table,
)


def call(number: int, step: str, usd: float | None = 0.01, **more: Any) -> Call:
    values = {
        "id": number,
        "key": f"k{number}",
        "kind": "chat",
        "address": "1/dir",
        "step": step,
        "prompt_tokens": 1000,
        "completion_tokens": 100,
    }
    return Call(**{**values, "cost_usd": usd, "job": 1, **more})


def event(job: int, state: str, minute: int, **detail: Any) -> JobEvent:
    return JobEvent(job=job, state=state, time=f"2026-01-01T00:{minute:02d}:00Z", detail=detail)


def test_stages_stand_in_the_order_of_the_method_and_searches_cost_nothing() -> None:
    sums = by_stage(
        [
            call(1, "idea"),
            call(2, "card"),
            call(3, "card", None),
            call(4, "candidates", kind="http"),
        ]
    )
    assert [(s.stage, s.calls, str(s.spent)) for s in sums] == [
        ("cards", 2, "at least $0.01"),
        ("ideas", 1, "$0.01"),
    ]
    assert sums[0].tokens_in == 2000
    assert "total" in stage_table(sums)
    assert stage_table([]) == "No model was asked yet."


def test_jobs_tell_state_time_cost_and_what_failed() -> None:
    events = [
        event(1, "approved", 0, kind="run", until="cards", branches=[2], usd=[0.01, 0.04]),
        event(1, "done", 2),
        event(2, "approved", 3, kind="refresh", addresses=["1/dir"], usd=None),
        event(2, "failed", 4, failed={"1/dir": "no"}),
        event(3, "approved", 5, kind="run", until="ideas"),
    ]
    found = jobs(
        events, [call(1, "card"), call(2, "card"), call(3, "direction", job=2)], open_job=3
    )
    assert [(j.number, j.state) for j in found] == [(3, "running"), (2, "failed"), (1, "done")]
    assert found[2].title == "run branch 2 to cards"
    assert found[2].seconds == 120.0
    assert found[1].note == "1 failed: 1/dir"
    assert estimate_error(found) == (1.0, 1.0)
    assert jobs(events, [])[0].state == "stopped", (
        "a job without an end that runs no more was cut off"
    )


def test_cost_over_time_rises_and_is_silent_where_nothing_was_spent() -> None:
    line = over_time([call(n, "card", 0.01 * n) for n in range(1, 9)], 8)
    assert len(line) == 8
    assert line == "".join(sorted(line))
    assert line[-1] == "█"
    assert over_time([call(1, "card", 0.0)], 8) == ""
    assert over_time([call(1, "card", 0.01)], 4, plain=True).isascii()


def test_a_bar_is_never_longer_than_it_may_be() -> None:
    assert bar(0.5, 4) == "[##..]"
    assert bar(7.0, 4) == "[####]"
    assert bar(-1.0, 4) == "[....]"


def test_cached_tokens_have_a_column_where_a_server_tells_of_them() -> None:
    told = [
        Call(
            key="a",
            kind="chat",
            step="direction",
            prompt_tokens=3000,
            completion_tokens=10,
            cached_tokens=2048,
        )
    ]
    untold = [told[0].model_copy(update={"cached_tokens": 0})]
    assert "CACHED" not in stage_table(by_stage(untold))
    head, row, total = stage_table(by_stage(told)).splitlines()
    assert head.split() == ["STAGE", "CALLS", "IN", "CACHED", "OUT", "COST"]
    assert row.split()[:5] == ["directions", "1", "3.0k", "2.0k", "10"]
    assert total.split()[3] == "2.0k"
