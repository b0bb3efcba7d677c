"""Who made a row and what reads it, and what happened last: the facts of the inspector pane. Pure; every line is short."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from coi_tui.methods.registry import SessionMethods
from coi_tui.model.address import parse_address
from coi_tui.model.calls import Call
from coi_tui.model.entries import Decision, Version
from coi_tui.model.naming import version_name
from coi_tui.model.state import Slot, State

Fact = tuple[str, str]
"""A short label and what it says."""

DONE = {
    "edit": "edited", "adopt": "adopted a version of", "accept": "accepted", "reject": "rejected", "choose": "chose a paper for",
    "pin": "pinned", "keep": "kept", "protect": "protected", "unprotect": "unprotected", "tick": "ticked a point of",
    "untick": "unticked a point of", "dismiss": "dismissed a point of", "reopen": "reopened from the shelf", "pick": "picked",
    "note": "noted on",
    "park": "parked branch", "unpark": "took up branch", "fork": "branched off at", "undo": "undid a decision on",
    "redo": "did again on", "propose": "found a paper for", "end": "ended a side of branch", "settings": "set up",
    "queue": "queued a plan of", "unqueue": "took out a plan of",
}  # fmt: skip
LAST = 8


@dataclass(frozen=True)
class Inspection:
    """``made``: who, when and how; ``feeds``: the texts that read this one, those of its own branch without the branch's number."""

    made: tuple[Fact, ...]
    feeds: tuple[str, ...]


def readers(state: State, methods: SessionMethods) -> dict[str, tuple[str, ...]]:
    """For every address the cells whose steps read it, in the order of the tree. One pass, to be kept until the state moves."""
    found: dict[str, list[str]] = {}
    for other in sorted(state.cells, key=methods.order):
        step = methods.step(other)
        if step is None:
            continue
        for read in step.reads(state, other):
            into = found.setdefault(read.cell, [])
            if read.cell != other and not read.parent and other not in into:
                into.append(other)
    return {address: tuple(cells) for address, cells in found.items()}


def inspect(
    state: State, decisions: Mapping[int, Decision], calls: Mapping[int, Call], feeds: Mapping[str, tuple[str, ...]], address: str
) -> Inspection:
    """The facts of one row. ``decisions`` and ``calls`` by their numbers, ``feeds`` as ``readers`` gives them."""
    at = parse_address(address)
    made = _slot(state, decisions, calls, state.slot(address)) if at.part == "slot" else _text(state, calls, address)
    reading = feeds.get(address, ())
    if at.part == "slot":  # what reads the card reads the paper
        reading = tuple(dict.fromkeys([*reading, *feeds.get(f"{address}.card", ())]))
    texts = [a for a in reading if not a.endswith((".cands", ".rel", ".card"))]
    return Inspection(tuple(made), tuple(name.removeprefix(f"{at.branch}/") for name in texts))


def _slot(state: State, decisions: Mapping[int, Decision], calls: Mapping[int, Call], held: Slot) -> Iterable[Fact]:
    if held.paper is None:
        yield ("", "The place is empty.")
        return
    since, why = decisions.get(held.since), held.why
    verb = "pinned" if held.verdict == "pinned" else "chosen" if why.get("by") == "you" else "proposed"
    who = "you" if why.get("by") == "you" else "coi"
    yield (verb, f"{who} {moment(since.time)}".strip() if since else who)
    if "rank" in why:
        where = f"question {why['question']}" if "question" in why else f"around {_title(state, str(why.get('neighbour', '')))}"
        yield ("found", f"{why.get('source') or 'a source'}, {where}")
        yield ("rank", f"{why['rank']} of {why['of']}" + (f" ({why['ranked']})" if why.get("ranked") else ""))
    card = state.in_use(f"{held.address}.card")
    if card is not None:
        yield ("card", f"read from {card.content.get('source', 'a text')}")
        yield from _version(state, calls, card)


def _text(state: State, calls: Mapping[int, Call], address: str) -> Iterable[Fact]:
    version = state.in_use(address)
    if version is not None:
        yield from _version(state, calls, version)
        return
    part = parse_address(address).part
    if part in ("branch", "arena", "shelf"):
        yield ("", "This row sums up others; no step made it.")
    else:
        yield ("", "Nothing has been made here yet.")


def _version(state: State, calls: Mapping[int, Call], version: Version) -> Iterable[Fact]:
    recipe = version.recipe
    who = {"person": "you", "merged": "merged by you", "drafter": "built-in drafter", "source": "a source", "scripted": "scripted model"}
    maker = who.get(version.origin, str(recipe.get("served") or recipe.get("model") or "a model"))
    yield ("version", f"{version_name(state, version.address, version.seq)}, {moment(version.time)}".rstrip(", "))
    yield ("by", maker)
    if recipe.get("prompt"):
        yield ("prompt", f"{recipe['prompt']} v{recipe.get('version', '?')}")
    if changes := recipe.get("changes"):
        yield ("changed", f"prompt or answer, {len(changes)} x; w says how")
    used = [calls[n] for n in version.calls if n in calls]
    tokens = (sum(c.prompt_tokens for c in used), sum(c.completion_tokens for c in used))
    if any(tokens):
        yield ("tokens", f"{thousands(tokens[0])} in, {thousands(tokens[1])} out")
    if version.cost_usd:
        yield ("cost", f"${version.cost_usd:.4f}")
    if version.parents:
        yield ("from", ", ".join(version_name(state, version.address, n) for n in version.parents))
    if version.wording_only:
        yield ("saved", "as wording only")


def activity(state: State, entries: Sequence[Decision | Version], last: int = LAST) -> tuple[str, ...]:
    """The last decisions and finished steps, newest first, a line each with its time of day (UTC)."""
    told = (line for entry in reversed(entries) if (line := _told(state, entry)))
    return tuple(islice(told, last))


def _told(state: State, entry: Decision | Version) -> str:
    time = entry.time[11:16]
    if isinstance(entry, Version):
        return f"{time} made {entry.address}" if not entry.by_person else ""  # the decision to use it says the rest
    if entry.actor == "coi" and entry.action not in ("propose", "end"):
        return ""
    where = "the session" if entry.address == "session" else entry.address if entry.address != "pick" else "the pick"
    if entry.action == "end":
        where = str(parse_address(entry.address).branch or where)
    return f"{time} {DONE.get(entry.action, entry.action)} {where}"


def moment(time: str) -> str:
    """``2026-11-21 14:03`` of an ISO time."""
    return time[:16].replace("T", " ")


def thousands(number: int) -> str:
    """``11.2k`` from a thousand on."""
    return f"{number / 1000:.1f}k" if number >= 1000 else str(number)


def _title(state: State, paper: str) -> str:
    known = state.papers.get(paper)
    return known.title if known else paper
