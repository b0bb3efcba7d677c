"""What a session has spent, by step and model. Pure functions over kept calls."""

from __future__ import annotations

from collections.abc import Iterable

from coi_tui.model.entries import Call
from coi_tui.model.money import ASKING, Money

HEAD = ("STEP", "MODEL", "CALLS", "IN", "OUT", "COST")


def table(calls: Iterable[Call]) -> list[tuple[str, ...]]:
    """A row for each step and model, in the order of their first calls, with tokens as counted by
    the server or estimated, and a last row with the sums; empty where no model was asked."""
    asked = [call for call in calls if call.kind in ASKING]
    if not asked:
        return []
    groups: dict[tuple[str, str], list[Call]] = {}
    for call in asked:
        groups.setdefault((call.step or "other", call.model_asked), []).append(call)
    rows = (_row(*name, group) for name, group in groups.items())
    return [*rows, _row("total", "", asked)]


def _row(step: str, model: str, calls: list[Call]) -> tuple[str, ...]:
    sent, received = sum(c.prompt_tokens for c in calls), sum(c.completion_tokens for c in calls)
    return step, model, f"{len(calls)}", f"{sent:,}", f"{received:,}", f"{Money.of(calls)}"
