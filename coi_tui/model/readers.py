"""A second reader: what they decided in a file of their own, joined to the log of the session by event,
and what each reader says last of each cell (decision 119).

In every file ``you`` is whose file it is. What comes in from another file carries a name
(``reader:Ana``) and stands beside: it changes nothing that is in use. An *event* is an entry of another
file, by that file's id and the entry's number there; its hash takes in all entries before it, so that
two copies of one file that went different ways have different events.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from pydantic import Field

from coi_tui.model.address import cell_at, cell_ref
from coi_tui.model.content import Content
from coi_tui.model.entries import YOU, Decision, Version
from coi_tui.model.fold import undone_groups
from coi_tui.model.text import clean, clean_line, clean_tree, digest

SETTING = "review"
"""The setting that makes a session a second reader's; it holds a ``Review``."""
Log = Sequence[Decision | Version]


class Review(Content):
    """What a second reader's file is: who reads, of which session, how many of its entries it began
    with, and which versions of the session its own are."""

    id: str = ""
    reader: str = ""
    session: str = ""
    entries: int = 0
    versions: dict[int, int] = Field(default_factory=dict)


def review_of(log: Log) -> Review:
    """What a log says of itself as a second reader's; nothing where it is any other."""
    first = log[0] if log else None
    told = first.value.get(SETTING) if isinstance(first, Decision) else None
    return Review.from_stored(told or {})


def joined(log: Log, other: Log, versions: Mapping[int, Version]) -> list[Decision | Version]:
    """The entries that a second reader's log adds to that of the session: decisions and texts of that
    person, none the second time. ``versions``: those of the session.

    Notes stay private, what a run made stays behind, and a decision about a text that the session
    does not have just so is left out. Raises UsageError for an address that is none.
    """
    review = review_of(other)
    if not review.reader:
        return []
    known = {entry.event: entry.seq for entry in log if entry.event}
    same = {
        e.seq: number
        for e in other
        if isinstance(e, Version)
        and (own := versions.get(number := review.versions.get(e.seq, 0))) is not None
        and own.address == e.address
        and e.meanings.items() <= own.meanings.items()
    }
    before, groups, out = review.id, dict[str, str](), list[Decision | Version]()
    for entry in other[review.entries :]:
        before = digest([before, entry.model_dump(mode="json")])
        event = f"{review.id}.{entry.seq:06}.{before[:12]}"
        seq = known.get(event, len(log) + len(out) + 1)
        told: dict[str, Any] | None
        if isinstance(entry, Version):
            told = _text_told(entry, review.reader)
            same |= {entry.seq: seq} if told is not None else {}
        else:
            groups.setdefault(entry.group, event)
            told = _decision_told(entry, same, groups)
        if told is not None and event not in known:
            told |= {"seq": seq, "event": event, "actor": f"reader:{review.reader}"}
            told |= {"time": clean_line(entry.time), "address": str(cell_ref(entry.address))}
            out.append(entry.model_copy(update=told))
    return out


def _text_told(version: Version, reader: str) -> dict[str, Any] | None:
    """What is new in a text that a reader wrote; None for what a run made."""
    if not version.by_person:
        return None
    told = {"content": clean_tree(dict(version.content)), "sources": {}, "parents": ()}
    return told | {"alternative_because": f"written by {reader}"}


def _decision_told(
    d: Decision, same: Mapping[int, int], groups: Mapping[str, str]
) -> dict[str, Any] | None:
    """The same of a decision; None where it is about what the session does not have, and for what
    is not told. ``same``: the session's number of each version, ``groups`` the event of each group."""
    value = {**d.value}
    if "version" in value:
        value["version"] = same.get(value["version"])
    lost = "version" in value and value["version"] is None
    if lost or d.actor != YOU or d.action not in _TOLD or (d.undoes and d.undoes not in groups):
        return None
    told = {"value": clean_tree(value), "before": {}, "reason": clean(d.reason)}
    return told | {"group": groups[d.group], "undoes": groups.get(d.undoes, "")}


# -- what each reader says


def readers(log: Iterable[Decision | Version]) -> list[str]:
    """The second readers whose decisions a log holds, as actors."""
    return sorted({e.actor for e in log if e.actor.startswith("reader:")})


VERDICT = "verdicts"
_ABOUT = {
    **dict.fromkeys(("accept", "choose", "pin", "adopt", "pick"), (VERDICT, "accepted")),
    **dict.fromkeys(("reject", "park"), (VERDICT, "rejected")),
    "edit": (VERDICT, "own text"),
    "unpark": (VERDICT, ""),
    "vote": ("votes", ""),
    "judge": ("close papers", ""),
    "tick": ("review points", "ticked"),
    "untick": ("review points", "unticked"),
    "dismiss": ("review points", "dismissed"),
}
"""What a decision is about, and what it says of that where its value does not."""
_TOLD = {*_ABOUT, "undo", "redo"}
Key = tuple[str, str, str]
"""What is decided about: its kind, its address, and which of several there (a criterion, a paper)."""


@dataclass(frozen=True)
class Said:
    """The last word of one reader: its ``label`` (accepted), ``what`` it was of where that can
    differ (a paper), and the reason."""

    label: str
    what: str = ""
    reason: str = ""

    def __str__(self) -> str:
        because = f": {self.reason}" if self.reason else ", no reason given"
        return f"{self.label}{f' {self.what}' if self.what else ''}{because}"


def said(log: Iterable[Decision | Version], actor: str) -> dict[Key, Said]:
    """The last word of a reader on each thing. The order in which files were joined plays no
    part."""
    own = [e for e in log if isinstance(e, Decision) and e.actor == actor and not e.creation]
    if actor != YOU:
        own.sort(key=attrgetter("time", "event"))
    undone, found = undone_groups(own), dict[Key, Said]()
    for d in own:
        if d.group in undone or d.action not in _ABOUT:
            continue
        key, one = _word(d)
        found.pop(key, None)
        if one.label:
            found[key] = one
    return found


def _word(d: Decision) -> tuple[Key, Said]:
    """What a decision is about, and what it says of that; an empty label takes back what was said."""
    (kind, label), value = _ABOUT[d.action], d.value
    paper = str(value.get("paper") or "")
    if d.action == "pick" and "picked" not in value:
        return ("your idea", "session", ""), Said(d.address, paper, d.reason)
    if kind == VERDICT:
        of_branch = d.action in ("park", "unpark")
        address = cell_at(cell_ref(d.address).branch, "idea") if of_branch else d.address
        return (kind, address, ""), Said(label * value.get("picked", True), paper, d.reason)
    of = str(value.get("criterion") or value.get("point") or paper)
    said = _better(value) if d.action == "vote" else label or str(value.get("judgement") or "")
    return (kind, d.address, of), Said(said, "", d.reason)


def _better(vote: Mapping[str, Any]) -> str:
    """The better idea or sketch by a vote; empty where it was taken back."""
    winner = vote.get("winner")
    if winner is None:
        return ""
    better = winner if "against" in vote or not winner else cell_at(winner, "idea")
    return str(better or "a tie")


def compared(yours: Mapping[Key, Said], theirs: Mapping[Key, Said]) -> dict[Key, tuple[str, str]]:
    """The labels of both, of what both decided; of another paper the second says so."""
    return {
        key: (one.label, other.label if one.what == other.what else f"{other.label} another paper")
        for key, other in theirs.items()
        if (one := yours.get(key)) is not None
    }
