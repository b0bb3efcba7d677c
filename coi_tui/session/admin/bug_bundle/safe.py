"""Words that may leave: those of fixed lists, and numbers. Whatever else stands in a field becomes ``other``."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, get_args

from coi_tui.methods.registry import known_parts
from coi_tui.model.address import parse_address
from coi_tui.model.calls import CallKind, JobState
from coi_tui.model.entries import Action, Actor, Origin
from coi_tui.model.errors import UsageError

OTHER = "other"
PARTS = known_parts()
ACTIONS, ACTORS, ORIGINS = (frozenset(get_args(kind)) for kind in (Action, Actor, Origin))
CALL_KINDS, JOB_STATES = frozenset(get_args(CallKind)), frozenset(get_args(JobState))
FAULTS = frozenset((
    "reply", "unexpected", "unreachable", "limited", "refused", "not_found", "server", "bad_request", "broken", "offline",
    "CoiError", "UsageError", "StoreError", "ServiceError", "ReplyError", "ConsentNeeded", "BudgetStop", "",
))  # fmt: skip
FAMILIES = (
    "gpt-4o-mini", "gpt-4o", "gpt-4.1", "gpt-5", "gpt-4", "gpt-3.5", "o1", "o3", "o4", "claude", "gemini", "gemma", "llama", "mistral",
    "mixtral", "qwen", "deepseek", "phi", "command", "grok", "text-embedding",
)  # fmt: skip
"""Kinds of models. A name that begins otherwise may be a person's own."""


def word(value: object, known: Collection[str]) -> str:
    """The value where it is one of the known words, else ``other``."""
    return value if isinstance(value, str) and value in known else OTHER


def place(address: str) -> str:
    """An address as the program writes it, such as ``1/0.card``; it holds numbers and parts only."""
    try:
        return str(parse_address(address))
    except UsageError:
        return OTHER


def part(address: str) -> str:
    try:
        return word(parse_address(address).part, PARTS)
    except UsageError:
        return OTHER


def family(model: str) -> str:
    """The kind of a model: the longest known beginning of its name; the name itself stays out."""
    named = model.lower().rpartition("/")[2]
    return next((f"{f} ..." for f in FAMILIES if named.startswith(f)), "a name of your own" if model else "none")


def number(value: object) -> float | int | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def spread(values: Iterable[float]) -> dict[str, float]:
    """How many, least, middle, ninth tenth, most and sum of some numbers; nothing where there are none."""
    held = sorted(values)
    if not held:
        return {}
    picked = {"least": 0.0, "middle": 0.5, "ninth_tenth": 0.9, "most": 1.0}
    out = {name: round(held[round(share * (len(held) - 1))], 3) for name, share in picked.items()}
    return {"count": len(held), **out, "sum": round(sum(held), 3)}


def seconds_between(first: str, later: str) -> float | None:
    """Seconds between two times of the log; None where one cannot be read."""
    try:
        return round((datetime.fromisoformat(later) - datetime.fromisoformat(first)).total_seconds(), 1)
    except (ValueError, TypeError):
        return None


def counts(keys: Iterable[Sequence[str]]) -> dict[str, int]:
    """How often each combination of words occurs, in order of the alphabet."""
    out: dict[str, int] = {}
    for key in keys:
        name = " ".join(key)
        out[name] = out.get(name, 0) + 1
    return dict(sorted(out.items()))


def numbers_of(values: Mapping[str, Any], names: Collection[str]) -> dict[str, Any]:
    """The numbers and yes-or-no values under the known names."""
    return {name: values[name] for name in sorted(names) if name in values and isinstance(values[name], bool | int | float)}
