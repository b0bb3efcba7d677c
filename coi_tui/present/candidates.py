"""The candidate list of a slot as plain rows: rank, match, link, and what became of each paper; how
far a list of papers reaches."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace

from coi_tui.model.address import Branch, parse_address, place
from coi_tui.model.content import (
    CandidateList,
    CandidateRow,
    Verdict,
    Verdicts,
)
from coi_tui.model.document import Block, Paragraph, Section
from coi_tui.model.papers import Paper
from coi_tui.model.state import ShelfItem, State
from coi_tui.model.text import count

HERE = {"proposed": "?", "accepted": "+", "pinned": "P"}


def section(title: str, text: str) -> Section:
    """A paragraph under a heading."""
    return Section(title, (Paragraph(text or "-"),))


def title_of(state: State, paper: str) -> str:
    """The title of a paper; its id where its record is missing."""
    known = state.papers.get(paper)
    return known.title if known is not None else paper


def paper_blocks(paper: Paper) -> Iterator[Block]:
    """People, ids, citations and what can be read of a paper, after its title."""
    ids = "  ".join(f"{scheme}:{value}" for scheme, value in sorted(paper.ids.items()))
    cited = paper.citations
    counted = (
        f"cited {cited.count} ({cited.source}, {cited.read})" if cited.count is not None else ""
    )
    yield Paragraph("  ".join(filter(None, (paper.short(), paper.venue, ids, counted))))
    heading = "Summary" if paper.abstract_kind == "summary" else "Abstract"
    yield section(heading, paper.abstract or "There is no abstract.")


def ranks_text(ranks: Mapping[str, int]) -> str:
    """The rank by each signal: ``similarity #2, reading list #1``."""
    return ", ".join(f"{signal} #{rank}" for signal, rank in ranks.items())


def extent(listed: CandidateList, pos: int) -> str:
    """``looked at 100 of 5,230 citing papers; 3 left out by your criteria``: how far a list
    reaches; empty where it has everything."""
    seen, total = listed.looked_at, listed.total
    side = "citing" if pos > 0 else "cited"
    marked = sum(bool(row.left_out) for row in listed.entries)
    number = max(listed.left_out, marked)
    unlisted = f", {number - marked} of them not listed" if number > marked else ""
    return "; ".join(
        filter(
            None,
            (
                f"looked at {seen:,} of {total:,} {side} papers"
                if seen and total and total > seen
                else "",
                f"{number} left out by your criteria{unlisted}" if number else "",
            ),
        )
    )


@dataclass(frozen=True)
class Candidate:
    """A paper of the list. ``mark``: ``x`` rejected here, ``? + P`` stands in the slot, ``-``
    elsewhere in the chain, else blank.

    ``flags`` say the rest in words; ``rank`` and ``match`` are None for a paper that comes from the
    shelf.
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
    ranks: Mapping[str, int] = field(default_factory=dict)


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
    listed = state.read(f"{address}.cands", CandidateList) or CandidateList()
    judged = {v.paper: v for v in (state.read(f"{address}.rel", Verdicts) or Verdicts()).verdicts}
    entries = [_listed(state, address, row, judged.get(row.paper)) for row in listed.entries]
    entries += [
        _from_shelf(state, address, paper)
        for paper in _unlisted(state, address, {e.paper for e in entries})
    ]
    reach = extent(listed, parse_address(address).pos)
    notes = (*_searched(state, address, listed), reach, listed.note)
    return Candidates(
        address, tuple(entries), tuple(line for line in notes if line), listed.ranked, reach
    )


def _unlisted(state: State, address: str, listed: Collection[str]) -> list[str]:
    """Papers beyond the list: the one that stands in the slot, and those that left it for the
    shelf."""
    at, here = parse_address(address), state.slot(address).paper
    gone = [i.paper for i in state.shelf if (i.branch, i.pos) == (at.branch, at.pos)]
    return [
        paper for paper in dict.fromkeys([here, *gone]) if paper is not None and paper not in listed
    ]


def _searched(state: State, address: str, listed: CandidateList) -> list[str]:
    """Where the list comes from: its searches, or the paper whose citations or references were
    read."""
    if listed.of:
        tip = state.papers.get(listed.of)
        side = "papers that cite" if parse_address(address).pos > 0 else "papers cited by"
        given = f" {listed.date}" if listed.date else ""
        return [f"{side} {tip.title if tip else listed.of}, {listed.source}{given}"]
    return [
        f"“{t.query}” in {t.source} {t.date}: {count(t.hits, 'hit')}".strip() for t in listed.tries
    ]


def _listed(state: State, address: str, row: CandidateRow, judged: Verdict | None) -> Candidate:
    paper = state.papers.get(row.paper)
    mark, standing = _standing(state, address, row.paper)
    flag, verdict = (
        _verdict(judged) if judged is not None else ("" if row.fits else "judged not to fit", "")
    )
    unreadable = "" if row.readable else "no abstract"
    out = f"left out by your criteria: {row.left_out}" if row.left_out else ""
    flags = tuple(filter(None, (*standing, flag, unreadable, out)))
    title, citations = (
        (paper.title, paper.citations.count) if paper is not None else (row.paper, None)
    )
    return Candidate(
        row.paper,
        title,
        mark,
        row.rank,
        row.score,
        row.year,
        citations,
        row.link,
        flags,
        verdict,
        row.ranks,
    )


def _verdict(judged: Verdict) -> tuple[str, str]:
    """The grades as a flag, and with the reason where one was given."""
    return judged.told, f"{judged.told}. {judged.reasoning}" if judged.reasoning else ""


def _from_shelf(state: State, address: str, paper_id: str) -> Candidate:
    paper = state.papers.get(paper_id) or Paper(id=paper_id, title=paper_id)
    mark, flags = _standing(state, address, paper_id)
    return Candidate(
        paper_id,
        paper.title,
        mark,
        year=paper.year,
        citations=paper.citations.count,
        flags=(*flags, "not in the list"),
    )


def _standing(state: State, address: str, paper: str) -> tuple[str, tuple[str, ...]]:
    """The mark of a paper, and where it stands or why it does not."""
    at, here = parse_address(address), state.slot(address)
    if here.paper == paper:
        return HERE[here.verdict], (f"here now, {here.verdict}",)
    if other := next((s for s in state.filled(at.branch) if s.paper == paper), None):
        return "-", (f"in this chain at {place(other.pos)}",)
    if item := _shelved(state, at.branch, paper):
        return ("x" if item.kind == "rejected" else " "), (
            f"{item.kind}: {item.reason}" if item.reason else item.kind,
        )
    elsewhere = next((s for s in state.slots.values() if s.paper == paper), None)
    return " ", (f"at {elsewhere.address}",) if elsewhere else ()


def _shelved(state: State, branch: Branch, paper: str) -> ShelfItem | None:
    """How a paper last left a branch, or was kept out of the session."""
    return next(
        (
            i
            for i in reversed(state.shelf)
            if i.paper == paper and (i.branch == branch or i.everywhere)
        ),
        None,
    )


def about(state: State, entry: Candidate) -> list[Block]:
    """What is known of a candidate, for the preview."""
    paper = state.papers.get(entry.paper)
    if paper is None:
        return [Paragraph(f"{entry.paper}: its record is missing.")]
    rank = f"rank {entry.rank}, " if entry.rank is not None else ""
    match = f"{rank}match {entry.match:.2f} (similarity of text, not quality)"
    ranked = match if entry.match is not None else ""
    why = "; ".join(filter(None, (ranked, ranks_text(entry.ranks), entry.link, *entry.flags)))
    people, abstract = paper_blocks(paper)
    listed = [section("Why listed", why)] if why else []
    verdict = [section("Verdict", entry.verdict)] if entry.verdict else []
    return [people, *listed, *verdict, abstract]


def arranged(found: Candidates, order: str, words: str = "") -> Candidates:
    """The list by ``match`` (as it was ranked), ``year`` or ``citations``, and only what says all
    of ``words`` in title or flags."""
    wanted = words.casefold().split()
    kept = [
        e
        for e in found.entries
        if all(w in f"{e.title} {' '.join(e.flags)} {e.year or ''}".casefold() for w in wanted)
    ]
    if order == "year":
        kept.sort(key=lambda e: -(e.year or 0))
    elif order == "citations":
        kept.sort(key=lambda e: -(e.citations if e.citations is not None else -1))
    return replace(found, entries=tuple(kept))
