"""A session as numbers and kinds, for a bug report: its shape, what was decided and made of which kind, what calls took, what failed.

Words that may leave are those of fixed lists; whatever else stands in a field becomes ``other``."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, get_args

from coi_tui.engine.freshness import examine_all
from coi_tui.methods.registry import (
    SessionMethods,
    known_parts,
    known_stages,
    known_steps,
    setting_names,
)
from coi_tui.model.address import parse_address
from coi_tui.model.calls import Call, CallKind, Failure, JobEvent, JobState
from coi_tui.model.entries import Action, Actor, Decision, Origin, Version
from coi_tui.model.errors import StoreError, UsageError
from coi_tui.model.fold import fold
from coi_tui.model.money import Money

OTHER = "other"
PARTS = known_parts()
ACTIONS, ACTORS, ORIGINS = (frozenset(get_args(kind)) for kind in (Action, Actor, Origin))
CALL_KINDS, JOB_STATES = frozenset(get_args(CallKind)), frozenset(get_args(JobState))
FAULTS = frozenset(
    (
        "reply",
        "unexpected",
        "unreachable",
        "limited",
        "refused",
        "not_found",
        "server",
        "bad_request",
        "broken",
        "offline",
        "CoiError",
        "UsageError",
        "StoreError",
        "ServiceError",
        "ReplyError",
        "ConsentNeeded",
        "BudgetStop",
        "",
    )
)
FAMILIES = (
    "gpt-4o-mini",
    "gpt-4o",
    "gpt-4.1",
    "gpt-5",
    "gpt-6",
    "gpt-4",
    "gpt-3.5",
    "o1",
    "o3",
    "o4",
    "claude",
    "gemini",
    "gemma",
    "llama",
    "mistral",
    "mixtral",
    "qwen",
    "deepseek",
    "phi",
    "command",
    "grok",
    "text-embedding",
)
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
    return next(
        (f"{f} ..." for f in FAMILIES if named.startswith(f)),
        "a name of your own" if model else "none",
    )


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
        return round(
            (datetime.fromisoformat(later) - datetime.fromisoformat(first)).total_seconds(), 1
        )
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
    return {
        name: values[name]
        for name in sorted(names)
        if name in values and isinstance(values[name], bool | int | float)
    }


MOST_LINES = 5000
"""Lines of a log that are listed, the newest."""


def session_numbers(path: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """What there is to say of a session file, and its log as kinds. A file that cannot be opened says so and no more."""
    from coi_tui.store.session_file import SessionFile

    size = {"kilobytes": path.stat().st_size // 1000 if path.exists() else 0}
    try:
        with SessionFile.open(path, read_only=True) as file:
            loaded = file.load()
            calls, failures, events = file.calls(), file.failures(), file.job_events()
            found = len(file.verify())
            said = {
                "opened": True,
                **size,
                "found_by_check": found,
                **_shape(loaded.meta, loaded.papers, file),
            }
    except StoreError as error:
        return {
            "opened": False,
            **size,
            "fault": word(type(error).__name__, {"StoreError", "DamagedError", "NotOursError"}),
        }, []
    entries = loaded.entries
    said |= {
        "log": _entries(entries),
        "calls": _calls(calls),
        "failures": _failures(failures),
        "jobs": _jobs(events),
    }
    try:
        said |= _state(entries, loaded.papers)
    except Exception as error:  # noqa: BLE001 - a state that cannot be made is what a report may be about
        said["state"] = f"cannot be made: {word(type(error).__name__, _PLAIN)}"
    return said, _lines(entries, failures)


_SHELVED, _VERDICTS = (
    ("rejected", "replaced", "detached", "late"),
    ("empty", "proposed", "accepted", "pinned"),
)
_PLAIN = frozenset(
    (
        "KeyError",
        "ValueError",
        "TypeError",
        "IndexError",
        "AttributeError",
        "AssertionError",
        "UsageError",
        "RecursionError",
    )
)


def _shape(meta: Any, papers: Any, file: Any) -> dict[str, Any]:
    said = str(meta.get("format", ""))
    return {
        "format": int(said) if said.isdigit() and len(said) < 4 else None,
        "papers": len(papers),
        "drafts": len(file.drafts()),
        "remembered_by_screens": len(file.ui()),
        "papers_with": {
            "abstract": sum(bool(p.abstract) for p in papers.values()),
            "year": sum(p.year is not None for p in papers.values()),
            "open_pdf": sum(bool(p.open_pdf) for p in papers.values()),
        },
    }


def _entries(entries: Sequence[Decision | Version]) -> dict[str, Any]:
    decisions = [e for e in entries if isinstance(e, Decision)]
    versions = [e for e in entries if isinstance(e, Version)]
    acts = [(word(d.actor, ACTORS), word(d.action, ACTIONS), part(d.address)) for d in decisions]
    return {
        "decisions": counts(acts),
        "versions": counts((word(v.origin, ORIGINS), part(v.address)) for v in versions),
        "characters": spread(float(sum(len(str(x)) for x in v.content.values())) for v in versions),
    }


def _state(entries: Sequence[Decision | Version], papers: Any) -> dict[str, Any]:
    state = fold(entries, papers)
    fresh = examine_all(state, SessionMethods().follow(state).step)
    bounds = setting_names() | {"offline", "send_hunch", "cap_usd", "cap_tokens"}
    verdicts = counts((word(s.verdict, _VERDICTS),) for s in state.slots.values())
    shelf = counts((word(i.kind, _SHELVED),) for i in state.shelf)
    return {
        "bounds": numbers_of(state.settings, bounds),
        "branches": len(state.branches),
        "forks": len(state.forks),
        "chains": [len(state.chain(b)) for b in state.branches],
        "shelf": shelf,
        "slots": verdicts,
        "void": len(state.void),
        "attached_pdfs": len(state.attached),
        "fresh": counts((f.status, part(address)) for address, f in fresh.items()),
    }


def _calls(calls: Sequence[Call]) -> list[dict[str, Any]]:
    """By kind, step and prompt: how many, how long, how many tokens."""
    from coi_tui.prompts.loader import Prompts

    steps = known_steps() | {"", "attach"}
    prompts = {*Prompts().names(), ""}
    groups: dict[tuple[str, ...], list[Call]] = {}
    for c in calls:
        key = (
            word(c.kind, CALL_KINDS),
            word(c.step, steps),
            word(c.prompt, prompts),
            family(c.model_served),
        )
        groups.setdefault(key, []).append(c)
    return [
        {
            "kind": kind,
            "step": step,
            "prompt": prompt,
            "model": model,
            "seconds": spread(c.seconds for c in some),
            "prompt_tokens": spread(c.prompt_tokens for c in some),
            "reply_tokens": spread(c.completion_tokens for c in some),
            "cached_tokens": sum(c.cached_tokens for c in some),
            "usd": _usd(some),
            "without_price": sum(c.cost_usd is None for c in some),
        }
        for (kind, step, prompt, model), some in sorted(groups.items())
    ]


def _usd(calls: Sequence[Call]) -> float | None:
    """Dollars of calls of one kind; None where a price is not known. Searches have none."""
    total = Money.of(calls).total
    return None if total is None else round(total, 4)


def _failures(failures: Sequence[Failure]) -> dict[str, int]:
    steps = known_steps()
    return counts((word(f.step, steps), word(f.kind, FAULTS) or "no kind") for f in failures)


def _jobs(events: Sequence[JobEvent]) -> list[dict[str, Any]]:
    out = []
    for job in sorted({e.job for e in events}):
        own = [e for e in events if e.job == job]
        goal = own[0].detail
        calls = goal.get("calls")
        planned = [number(n) for n in calls] if isinstance(calls, list) else None
        out.append(
            {
                "job": job,
                "states": [word(e.state, JOB_STATES) for e in own],
                "kind": word(goal.get("kind"), {"run", "refresh"}),
                "until": word(goal.get("until"), {*known_stages(), ""}),
                "cells": len(goal.get("addresses") or ()),
                "planned_calls": planned,
                "seconds": seconds_between(own[0].time, own[-1].time),
            }
        )
    return out


def _lines(
    entries: Sequence[Decision | Version], failures: Sequence[Failure]
) -> list[dict[str, Any]]:
    """The log, then the failures, as kinds with the seconds since the session began."""
    steps = known_steps()
    start = entries[0].time if entries else ""
    out: list[dict[str, Any]] = []
    for e in entries[-MOST_LINES:]:
        line: dict[str, Any] = {
            "n": e.seq,
            "after_s": seconds_between(start, e.time),
            "at": place(e.address),
        }
        if isinstance(e, Decision):
            out.append(
                {
                    **line,
                    "actor": word(e.actor, ACTORS),
                    "action": word(e.action, ACTIONS),
                    "bulk": e.group != f"d{e.seq}",
                }
            )
        else:
            out.append(
                {
                    **line,
                    "version": word(e.origin, ORIGINS),
                    "inputs": len(e.inputs),
                    "beside": bool(e.beside),
                }
            )
    for f in failures[-MOST_LINES:]:
        kinds = {"failed": word(f.step, steps), "kind": word(f.kind, FAULTS), "job": f.job}
        out.append({"after_s": seconds_between(start, f.time), "at": place(f.address), **kinds})
    return out
