"""What a session has spent: by job, by stage, over time, and how far the estimates were off. Pure functions over kept calls."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from coi_tui.methods.registry import stages_by_step
from coi_tui.model.calls import Call, JobEvent, JobState
from coi_tui.model.money import Money

LEVELS = " ▁▂▃▄▅▆▇█"
ASCII_LEVELS = " .:-=+*#@"


@dataclass(frozen=True)
class StageSum:
    """Model calls of one stage. Tokens as counted by the server or estimated; ``cached`` of ``tokens_in`` it had kept from earlier
    prompts."""

    stage: str
    calls: int
    tokens_in: int
    tokens_out: int
    spent: Money
    cached: int = 0


@dataclass(frozen=True)
class JobSum:
    """One job. ``seconds`` from approval to the last event, None while it is open; ``estimate`` in dollars, None without prices."""

    number: int
    title: str
    state: JobState | Literal["running"]
    steps: int
    seconds: float | None
    spent: Money
    estimate: tuple[float, float] | None
    note: str


def by_stage(calls: Sequence[Call]) -> list[StageSum]:
    """Model calls by stage, in the order of the method."""
    stage_of = stages_by_step()
    order = list(dict.fromkeys(stage_of.values()))
    groups: dict[str, list[Call]] = {}
    for call in calls:
        if call.kind in ("chat", "embed"):
            groups.setdefault(stage_of.get(call.step, call.step or "other"), []).append(call)
    names = sorted(
        groups, key=lambda name: (order.index(name) if name in order else len(order), name)
    )
    return [
        StageSum(
            name,
            len(groups[name]),
            sum(c.prompt_tokens for c in groups[name]),
            sum(c.completion_tokens for c in groups[name]),
            Money.of(groups[name]),
            sum(c.cached_tokens for c in groups[name]),
        )
        for name in names
    ]


def jobs(events: Sequence[JobEvent], calls: Sequence[Call], open_job: int = 0) -> list[JobSum]:
    """Jobs, newest first. ``open_job`` is the one that runs now; any other without an end was cut off."""
    return [
        _job(start, events, calls, start.job == open_job)
        for start in reversed(events)
        if start.state == "approved"
    ]


def _job(start: JobEvent, events: Sequence[JobEvent], calls: Sequence[Call], runs: bool) -> JobSum:
    own = [c for c in calls if c.job == start.job]
    last = next((e for e in reversed(events) if e.job == start.job and e.state != "approved"), None)
    steps, spent = len({(c.address, c.step) for c in own}), Money.of(own)
    estimate = _estimate(start.detail.get("usd"))
    if last is None:
        return JobSum(
            start.job,
            _title(start.detail),
            "running" if runs else "stopped",
            steps,
            None,
            spent,
            estimate,
            _unended(runs),
        )
    return JobSum(
        start.job,
        _title(start.detail),
        last.state,
        steps,
        _seconds(start.time, last.time),
        spent,
        estimate,
        _failed(last),
    )


def _estimate(usd: Sequence[float] | None) -> tuple[float, float] | None:
    return (float(usd[0]), float(usd[1])) if usd else None


def _unended(runs: bool) -> str:
    return "" if runs else "cut off; resume goes on"


def _failed(last: JobEvent) -> str:
    """What failed in a job that has ended."""
    failed = dict(last.detail.get("failed") or {})
    return f"{len(failed)} failed: {', '.join(failed)}" if failed else ""


def _title(detail: Mapping[str, Any]) -> str:
    if detail.get("kind") == "refresh":
        named = list(detail.get("addresses") or ())
        more = f" and {len(named) - 3} more" if len(named) > 3 else ""
        return f"make {', '.join(named[:3])}{more}"
    where = f"branch {', '.join(map(str, detail['branches']))} " if detail.get("branches") else ""
    return f"run {where}to {detail.get('until', '')}"


def _seconds(start: str, end: str) -> float | None:
    try:
        return (
            datetime.fromisoformat(end.replace("Z", "+00:00"))
            - datetime.fromisoformat(start.replace("Z", "+00:00"))
        ).total_seconds()
    except ValueError:
        return None


def estimate_error(done: Sequence[JobSum]) -> tuple[float, float] | None:
    """Least and most of spent / expected (the geometric middle of the range) over finished jobs with a price; None where there is none."""
    priced = [
        j
        for j in done
        if j.state == "done" and j.estimate and min(j.estimate) > 0 and not j.spent.unpriced
    ]
    ratios = [j.spent.usd / math.sqrt(j.estimate[0] * j.estimate[1]) for j in priced if j.estimate]
    return (min(ratios), max(ratios)) if ratios else None


def over_time(calls: Sequence[Call], width: int, *, plain: bool = False) -> str:
    """Spending so far after each of ``width`` equal shares of the calls, as a line of blocks; empty where nothing was spent."""
    costs = [c.cost_usd or 0.0 for c in calls if c.kind in ("chat", "embed")]
    total, signs = sum(costs), ASCII_LEVELS if plain else LEVELS
    if total <= 0 or width <= 0:
        return ""
    sums, running = [], 0.0
    for cost in costs:
        running += cost
        sums.append(running)
    shown = [
        sums[min(len(sums) - 1, (n + 1) * len(sums) // width)] for n in range(min(width, len(sums)))
    ]
    return "".join(signs[max(1, round(value / total * (len(signs) - 1)))] for value in shown)


def bar(share: float, width: int) -> str:
    """``[######......]``: a share from 0 to 1 in ``width`` signs."""
    full = round(min(1.0, max(0.0, share)) * width)
    return f"[{'#' * full}{'.' * (width - full)}]"


def stage_table(sums: Sequence[StageSum]) -> str:
    """Spending by stage as lines of text, with bars of the numbers of calls."""
    if not sums:
        return "No model was asked yet."
    most = max(s.calls for s in sums)
    total = StageSum(
        "total",
        sum(s.calls for s in sums),
        sum(s.tokens_in for s in sums),
        sum(s.tokens_out for s in sums),
        sum((s.spent for s in sums), Money()),
        sum(s.cached for s in sums),
    )
    caches = total.cached > 0  # most servers say nothing of it
    head = f"{'STAGE':12} {'CALLS':>5} {'IN':>8}{_CACHED if caches else ''} {'OUT':>8} {'COST':>12}"
    rows = [f"{_stage_row(s, caches)}  {bar(s.calls / most, 10)}" for s in sums]
    return "\n".join([head, *rows, _stage_row(total, caches)])


_CACHED = f" {'CACHED':>8}"


def _stage_row(s: StageSum, caches: bool) -> str:
    cached = f" {_kilo(s.cached):>8}" if caches else ""
    return f"{s.stage:12} {s.calls:>5} {_kilo(s.tokens_in):>8}{cached} {_kilo(s.tokens_out):>8} {s.spent!s:>12}"


def _kilo(tokens: int) -> str:
    return f"{tokens / 1000:.1f}k" if tokens >= 1000 else str(tokens)
