"""The candidate list of a slot as plain rows: rank, match, link, and what became of each paper; how far a list of papers reaches and how
old the answers behind it are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from coi_tui.literature.cached_answers import age_text
from coi_tui.model.address import parse_address, place
from coi_tui.model.papers import Paper
from coi_tui.model.state import State

Part = tuple[str, str]
HERE = {"proposed": "?", "accepted": "+", "pinned": "P"}

LIBRARY = ", from the library"
BUNDLED = "starter library"
"""It comes with the program, so its answers have no age."""


def paper_lines(paper: Paper) -> Iterator[Part]:
    """Title, people, ids, citations and what can be read of a paper."""
    yield ("", paper.title)
    ids = "  ".join(f"{scheme}:{value}" for scheme, value in sorted(paper.ids.items()))
    cited = (
        f"  cited {paper.citations.count} ({paper.citations.source}, {paper.citations.read})" if paper.citations.count is not None else ""
    )
    yield ("", f"{paper.short()}  {paper.venue or ''}  {ids}{cited}".strip())
    yield ("SUMMARY" if paper.abstract_kind == "summary" else "ABSTRACT", paper.abstract or "There is no abstract.")


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


def looked_at(content: Mapping[str, Any], pos: int) -> str:
    """``looked at 100 of 5,230 citing papers``; empty where the whole list was looked at, or nobody knows how long it is."""
    seen, total = content.get("looked_at"), content.get("total")
    if not isinstance(seen, int) or not isinstance(total, int) or total <= seen:
        return ""
    return f"looked at {seen:,} of {total:,} {'citing' if pos > 0 else 'cited'} papers"


def left_out(content: Mapping[str, Any]) -> str:
    """``3 left out by your criteria``, counted over all that fit, listed or not; empty where none was."""
    marked = sum(bool(e.get("left_out")) for e in content.get("entries", ()))
    number = content.get("left_out", marked)
    unlisted = f", {number - marked} of them not listed" if number > marked else ""
    return f"{number} left out by your criteria{unlisted}" if number else ""


def extent(content: Mapping[str, Any], pos: int) -> str:
    """Both in one line."""
    return "; ".join(part for part in (looked_at(content, pos), left_out(content)) if part)


@dataclass(frozen=True)
class Age:
    """``date`` (ISO) of the oldest answer, empty where none is known; ``kept``: one of them came from the library."""

    date: str = ""
    kept: bool = False
    source: str = ""


def age_of(state: State, address: str) -> Age:
    """The age of the list at an address: of candidates, of a slot's candidates, or of the searches of a novelty report."""
    at = parse_address(address)
    if at.part == "slot":
        return age_of(state, f"{address}.cands")
    version = state.in_use(address) if at.part in ("cands", "nov") else None
    return _age(version.content) if version is not None else Age()


def _age(content: Mapping[str, Any]) -> Age:
    rows = [content] if "of" in content else [*content.get("tries", ()), *content.get("searches", ())]
    dated = [r for r in rows if r.get("date") and (r.get("kept") or not str(r.get("source", "")).endswith(BUNDLED))]
    if not dated:
        return Age()
    oldest = min(dated, key=lambda r: str(r["date"]))
    return Age(str(oldest["date"]), any(bool(r.get("kept")) for r in dated), str(oldest.get("source", "")))


def told_in(age: Age, now: str) -> str:
    """``answered 3 d ago, from the library``; empty where there is no age. ``now`` is a date or time (ISO)."""
    return age_text(age.date, now, cached=age.kept)


def with_age(parts: tuple[Part, ...], state: State, address: str, now: str) -> tuple[Part, ...]:
    """The parts of a text with the age of its list, after how that was ranked or chosen."""
    age = age_of(state, address)
    if not (said := told_in(age, now)):
        return parts
    after = next((n for n, (name, _) in enumerate(parts, start=1) if name in ("RANKED", "WHY HERE")), len(parts))
    return (*parts[:after], ("LIST", f"{said} ({age.source}, {age.date[:10]})"), *parts[after:])
