"""The candidate list of a slot as plain rows: rank, match, link, and what became of each paper."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from coi_tui.model.address import parse_address, place
from coi_tui.model.papers import Paper
from coi_tui.model.state import State
from coi_tui.session.queries.detail import paper_lines
from coi_tui.session.queries.list_facts import extent

Part = tuple[str, str]
HERE = {"proposed": "?", "accepted": "+", "pinned": "P"}

LIBRARY = ", from the library"


@dataclass(frozen=True)
class Candidate:
    """A paper of the list. ``mark``: ``x`` rejected here, ``? + P`` stands in the slot, ``-`` elsewhere in the chain, else blank.

    ``flags`` say the rest in words; ``rank`` and ``match`` are None for a paper that comes from the shelf.
    """

    paper: str
    title: str
    mark: str
    rank: int | None = None
    match: float | None = None
    year: int | None = None
    citations: int | None = None
    link: str = ""
    flags: tuple[str, ...] = ()
    verdict: str = ""


@dataclass(frozen=True)
class Candidates:
    """The list with the words of its search."""

    address: str
    entries: tuple[Candidate, ...]
    searched: tuple[str, ...]
    ranked: str = ""
    extent: str = ""
    """How much of the source's list was looked at, and what the criteria left out."""


def candidates(state: State, address: str) -> Candidates:
    """Everything that could stand in a slot: its list, then what left the slot for the shelf."""
    version, judged = state.in_use(f"{address}.cands"), state.in_use(f"{address}.rel")
    content: Mapping[str, Any] = version.content if version else {}
    verdicts = {v["paper"]: v for v in judged.content["verdicts"]} if judged else {}
    entries = [_listed(state, address, e, verdicts.get(e["paper"])) for e in content.get("entries", ())]
    listed = {e.paper for e in entries}
    at = parse_address(address)
    here = state.slot(address).paper
    others = [i.paper for i in state.shelf if i.branch == at.branch and i.pos == at.pos and i.paper not in listed]
    if here is not None and here not in listed:
        others.insert(0, here)
    entries += [_from_shelf(state, address, paper) for paper in dict.fromkeys(others)]
    searched = tuple(
        f"“{t['query']}” in {t['source']} {t['date']}: {t['hits']} hits{LIBRARY if t.get('kept') else ''}".strip()
        for t in content.get("tries", ())
    )
    if "of" in content:
        tip = state.papers.get(content["of"])
        side = "papers that cite" if at.pos > 0 else "papers cited by"
        given = f" {content['date']}{LIBRARY if content.get('kept') else ''}" if content.get("date") else ""
        searched = (f"{side} {tip.title if tip else content['of']}, {content.get('source', '')}{given}",)
    note = (str(content["note"]),) if content.get("note") else ()
    reach = extent(content, at.pos)
    told = (reach,) if reach else ()
    return Candidates(address, tuple(entries), searched + told + note, str(content.get("ranked", "")), reach)


def _listed(state: State, address: str, entry: Mapping[str, Any], judged: Mapping[str, Any] | None) -> Candidate:
    paper = state.papers.get(entry["paper"])
    mark, flags = _standing(state, address, entry["paper"])
    relevant = judged["relevant"] if judged else entry.get("fits", True)
    said = str((judged or entry).get("reasoning", ""))
    if not relevant:
        flags += ("verdict unread" if judged and judged.get("unread") else "judged not relevant",)
    if not entry["readable"]:
        flags += ("no abstract",)
    if entry.get("left_out"):
        flags += (f"left out by your criteria: {entry['left_out']}",)
    verdict = f"{'relevant' if relevant else 'not relevant'}. {said}" if said else ""
    return Candidate(
        entry["paper"], paper.title if paper else entry["paper"], mark, entry["rank"], entry["score"], entry["year"],
        paper.citations.count if paper else None, str(entry.get("link", "")), flags, verdict,
    )  # fmt: skip


def _from_shelf(state: State, address: str, paper_id: str) -> Candidate:
    paper = state.papers.get(paper_id) or Paper(id=paper_id, title=paper_id)
    mark, flags = _standing(state, address, paper_id)
    return Candidate(paper_id, paper.title, mark, year=paper.year, citations=paper.citations.count, flags=(*flags, "not in the list"))


def _standing(state: State, address: str, paper: str) -> tuple[str, tuple[str, ...]]:
    """The mark of a paper, and where it stands or why it does not."""
    at, here = parse_address(address), state.slot(address)
    if here.paper == paper:
        return HERE[here.verdict], (f"here now, {here.verdict}",)
    for other in state.filled(at.branch):
        if other.paper == paper:
            return "-", (f"in this chain at {place(other.pos)}",)
    for item in reversed(state.shelf):
        if item.paper == paper and (item.branch == at.branch or (item.kind == "rejected" and item.why.get("everywhere"))):
            said = f"{item.kind}: {item.reason}" if item.reason else item.kind
            return ("x" if item.kind == "rejected" else " "), (said,)
    elsewhere = tuple(f"at {s.address}" for s in state.slots.values() if s.paper == paper)
    return " ", elsewhere[:1]


def about(state: State, entry: Candidate) -> list[Part]:
    """What is known of a candidate, for the preview."""
    paper = state.papers.get(entry.paper)
    if paper is None:
        return [("", f"{entry.paper}: its record is missing.")]
    lines = list(paper_lines(paper))
    ranked = f"rank {entry.rank}, match {entry.match:.2f} (likeness of text, not quality)" if entry.match is not None else ""
    parts = [*lines[1:2]]
    if said := "; ".join(p for p in (ranked, entry.link, *entry.flags) if p):
        parts.append(("WHY LISTED", said))
    if entry.verdict:
        parts.append(("VERDICT", entry.verdict))
    return [*parts, *lines[2:]]


def arranged(found: Candidates, order: str, words: str = "") -> Candidates:
    """The list by ``match`` (as it was ranked), ``year`` or ``citations``, and only what says all of ``words`` in title or flags."""
    wanted = words.casefold().split()
    kept = [e for e in found.entries if all(w in f"{e.title} {' '.join(e.flags)} {e.year or ''}".casefold() for w in wanted)]
    if order == "year":
        kept.sort(key=lambda e: -(e.year or 0))
    elif order == "citations":
        kept.sort(key=lambda e: -(e.citations if e.citations is not None else -1))
    return replace(found, entries=tuple(kept))
