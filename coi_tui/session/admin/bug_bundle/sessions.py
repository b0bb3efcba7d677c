"""A session as numbers and kinds: its shape, what was decided and made of which kind, what calls took, what failed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from coi_tui.config import CoiSettings
from coi_tui.engine.freshness import examine_all
from coi_tui.methods.registry import SessionMethods, known_stages, known_steps
from coi_tui.model.calls import Call, Failure, JobEvent
from coi_tui.model.entries import Decision, Version
from coi_tui.model.errors import StoreError
from coi_tui.model.fold import fold
from coi_tui.session.admin.bug_bundle import safe

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
            said = {"opened": True, **size, "found_by_check": found, **_shape(loaded.meta, loaded.papers, file)}
    except StoreError as error:
        return {"opened": False, **size, "fault": safe.word(type(error).__name__, {"StoreError", "DamagedError", "NotOursError"})}, []
    entries = loaded.entries
    said |= {"log": _entries(entries), "calls": _calls(calls), "failures": _failures(failures), "jobs": _jobs(events)}
    try:
        said |= _state(entries, loaded.papers)
    except Exception as error:  # noqa: BLE001 - a state that cannot be made is what a report may be about
        said["state"] = f"cannot be made: {safe.word(type(error).__name__, _PLAIN)}"
    return said, _lines(entries, failures)


_SHELVED, _VERDICTS = ("rejected", "replaced", "detached", "late"), ("empty", "proposed", "accepted", "pinned")
_PLAIN = frozenset(
    ("KeyError", "ValueError", "TypeError", "IndexError", "AttributeError", "AssertionError", "UsageError", "RecursionError")
)


def _shape(meta: Any, papers: Any, file: Any) -> dict[str, Any]:
    said = str(meta.get("format", ""))
    return {
        "format": int(said) if said.isdigit() and len(said) < 4 else None, "papers": len(papers), "drafts": len(file.drafts()),
        "remembered_by_screens": len(file.ui()),
        "papers_with": {
            "abstract": sum(bool(p.abstract) for p in papers.values()), "year": sum(p.year is not None for p in papers.values()),
            "open_pdf": sum(bool(p.open_pdf) for p in papers.values()),
        },
    }  # fmt: skip


def _entries(entries: Sequence[Decision | Version]) -> dict[str, Any]:
    decisions = [e for e in entries if isinstance(e, Decision)]
    versions = [e for e in entries if isinstance(e, Version)]
    acts = [(safe.word(d.actor, safe.ACTORS), safe.word(d.action, safe.ACTIONS), safe.part(d.address)) for d in decisions]
    return {
        "decisions": safe.counts(acts),
        "versions": safe.counts((safe.word(v.origin, safe.ORIGINS), safe.part(v.address)) for v in versions),
        "characters": safe.spread(float(sum(len(str(x)) for x in v.content.values())) for v in versions),
    }  # fmt: skip


def _state(entries: Sequence[Decision | Version], papers: Any) -> dict[str, Any]:
    state = fold(entries, papers)
    fresh = examine_all(state, SessionMethods().follow(state).step)
    bounds = set(CoiSettings.model_fields) | {"offline", "send_hunch", "cap_usd"}
    verdicts = safe.counts((safe.word(s.verdict, _VERDICTS),) for s in state.slots.values())
    shelf = safe.counts((safe.word(i.kind, _SHELVED),) for i in state.shelf)
    return {
        "bounds": safe.numbers_of(state.settings, bounds), "branches": len(state.branches), "forks": len(state.forks),
        "chains": [len(state.chain(b)) for b in state.branches], "shelf": shelf,
        "slots": verdicts, "void": len(state.void), "attached_pdfs": len(state.attached),
        "fresh": safe.counts((f.status, safe.part(address)) for address, f in fresh.items()),
    }  # fmt: skip


def _calls(calls: Sequence[Call]) -> list[dict[str, Any]]:
    """By kind, step and prompt: how many, how long, how many tokens."""
    from coi_tui.prompts.loader import Prompts

    steps = known_steps() | {"", "attach"}
    prompts = {*Prompts().names(), ""}
    groups: dict[tuple[str, ...], list[Call]] = {}
    for c in calls:
        key = (safe.word(c.kind, safe.CALL_KINDS), safe.word(c.step, steps), safe.word(c.prompt, prompts), safe.family(c.model_served))
        groups.setdefault(key, []).append(c)
    return [
        {
            "kind": kind, "step": step, "prompt": prompt, "model": model, "seconds": safe.spread(c.seconds for c in some),
            "prompt_tokens": safe.spread(c.prompt_tokens for c in some), "reply_tokens": safe.spread(c.completion_tokens for c in some),
            "usd": round(sum(c.cost_usd or 0.0 for c in some), 4), "without_price": sum(c.cost_usd is None for c in some),
        }
        for (kind, step, prompt, model), some in sorted(groups.items())
    ]  # fmt: skip


def _failures(failures: Sequence[Failure]) -> dict[str, int]:
    steps = known_steps()
    return safe.counts((safe.word(f.step, steps), safe.word(f.kind, safe.FAULTS) or "no kind") for f in failures)


def _jobs(events: Sequence[JobEvent]) -> list[dict[str, Any]]:
    out = []
    for number in sorted({e.job for e in events}):
        own = [e for e in events if e.job == number]
        goal = own[0].detail
        calls = goal.get("calls")
        planned = [safe.number(n) for n in calls] if isinstance(calls, list) else None
        out.append({
            "job": number, "states": [safe.word(e.state, safe.JOB_STATES) for e in own],
            "kind": safe.word(goal.get("kind"), {"run", "refresh"}), "until": safe.word(goal.get("until"), {*known_stages(), ""}),
            "cells": len(goal.get("addresses") or ()), "planned_calls": planned,
            "seconds": safe.seconds_between(own[0].time, own[-1].time),
        })  # fmt: skip
    return out


def _lines(entries: Sequence[Decision | Version], failures: Sequence[Failure]) -> list[dict[str, Any]]:
    """The log, then the failures, as kinds with the seconds since the session began."""
    steps = known_steps()
    start = entries[0].time if entries else ""
    out: list[dict[str, Any]] = []
    for e in entries[-MOST_LINES:]:
        line: dict[str, Any] = {"n": e.seq, "after_s": safe.seconds_between(start, e.time), "at": safe.place(e.address)}
        if isinstance(e, Decision):
            out.append(
                {
                    **line,
                    "actor": safe.word(e.actor, safe.ACTORS),
                    "action": safe.word(e.action, safe.ACTIONS),
                    "bulk": e.group != f"d{e.seq}",
                }
            )
        else:
            out.append({**line, "version": safe.word(e.origin, safe.ORIGINS), "inputs": len(e.inputs), "beside": bool(e.beside)})
    for f in failures[-MOST_LINES:]:
        kinds = {"failed": safe.word(f.step, steps), "kind": safe.word(f.kind, safe.FAULTS), "job": f.job}
        out.append({"after_s": safe.seconds_between(start, f.time), "at": safe.place(f.address), **kinds})
    return out
