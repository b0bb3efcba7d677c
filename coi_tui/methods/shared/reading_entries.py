"""The reading list: everything that a session found or that its papers cite together, in one order,
each with why it stands there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from coi_tui.literature.citation_ranking import best_first, fused, ranks
from coi_tui.methods.shared.candidate_rows import placed_by
from coi_tui.model.address import CANDIDATES, READING, parse_address
from coi_tui.model.content import CandidateList, ReadingContent, ReadingRow
from coi_tui.model.state import State
from coi_tui.model.views import TableRow, TableView
from coi_tui.model.wording import count

SIGNALS = {"coupling": "shared references", "search": "search order", "chains": "beside the chains"}
"""Signals whose names would not be understood on the screen."""
BEST = 3
"""Ranks shown for a paper, the best first."""


@dataclass(frozen=True)
class ReadingEntry:
    """A paper of the list. ``places``: where it stands in the session; ``ranks`` by signal, best 1.

    ``similarity`` to the topic is 0 to 1; ``cited_by`` counts the papers found that cite it.
    ``left_out``: why the criteria leave it out.
    """

    rank: int
    paper: str
    title: str
    year: int | None = None
    citations: int | None = None
    places: tuple[str, ...] = ()
    ranks: Mapping[str, int] | None = None
    similarity: float = 0.0
    cited_by: int = 0
    readable: bool = True
    left_out: str = ""
    rejected: bool = False

    def reasons(self) -> str:
        """Why it stands here, in words: its place in the session, who cites it, and its best
        ranks."""
        cited = f"cited by {self.cited_by} of the papers found" if self.cited_by > 1 else ""
        best = sorted((self.ranks or {}).items(), key=lambda pair: (pair[1], pair[0]))[:BEST]
        ranked = ", ".join(f"{SIGNALS.get(signal, signal)} #{rank}" for signal, rank in best)
        out = (
            f"left out by your criteria: {self.left_out}"
            if self.left_out
            else "rejected"
            if self.rejected
            else ""
        )
        return "; ".join(part for part in (*self.places, cited, ranked, out) if part)


@dataclass(frozen=True)
class ReadingList:
    """The list with the words of its search. ``made`` is false where no search of the topic was
    made for it yet."""

    entries: tuple[ReadingEntry, ...]
    searched: tuple[str, ...] = ()
    note: str = ""
    made: bool = False


def reading_list(state: State) -> ReadingList:
    """Every paper that the session found, best first: by the search of the topic, and by the lists
    beside its chains."""
    content = state.read(READING, ReadingContent) or ReadingContent()
    rows = {row.paper: row for row in content.entries}
    beside = _beside_chains(state)
    signals = _signals(rows, beside)
    places = _chain_places(state)
    rejected = {paper for branch in state.branches for paper in state.rejected(branch)}
    entries = []
    for paper_id in best_first(rows | beside, fused(signals)):
        row = rows.get(paper_id) or ReadingRow(paper=paper_id, similarity=beside[paper_id][0])
        paper = state.papers.get(paper_id)
        entries.append(
            ReadingEntry(
                0,
                paper_id,
                paper.title if paper is not None else paper_id,
                paper.year if paper is not None else None,
                paper.citations.count if paper is not None else None,
                places.get(paper_id, ()),
                placed_by(signals, paper_id),
                row.similarity,
                row.cited_by,
                paper is not None and bool(paper.abstract),
                row.left_out,
                paper_id in rejected,
            )
        )
    entries.sort(key=lambda e: bool(e.left_out) or e.rejected)
    numbered = tuple(replace(entry, rank=n) for n, entry in enumerate(entries, start=1))
    searched = tuple(
        f"“{t.query}” in {t.source} {t.date}: {count(t.hits, 'paper')}".strip()
        for t in content.tries
    )
    return ReadingList(numbered, searched, content.note, bool(content.tries))


def reading_table(state: State, address: str) -> TableView:
    """The reading list as a table."""
    listed = reading_list(state)
    rows = tuple(
        TableRow(
            e.paper,
            (
                f"{e.rank}",
                f"{e.year or '????'}",
                "-" if e.citations is None else f"{e.citations}",
                e.title,
            ),
            (("WHY IT STANDS HERE", e.reasons()),),
            e.paper,
        )
        for e in listed.entries
    )
    note = " ".join((*(f"Searched {line}." for line in listed.searched), listed.note))
    return TableView(("rank", "year", "cited", "title"), rows, note.strip())


def _signals(
    rows: Mapping[str, ReadingRow], beside: Mapping[str, tuple[float, int]]
) -> dict[str, dict[str, int]]:
    """Ranks by signal. What only the chains' lists hold is ranked among the others by its words,
    and by how many lists hold it."""
    known = {name for row in rows.values() for name in row.ranks if name != "similarity"}
    signals = {
        name: {paper: row.ranks[name] for paper, row in rows.items() if name in row.ranks}
        for name in sorted(known)
    }
    words = {paper: row.similarity for paper, row in rows.items()}
    words |= {paper: score for paper, (score, _) in beside.items() if paper not in words}
    signals["similarity"] = ranks(words)
    if beside:
        signals["chains"] = ranks(
            {paper: lists + score for paper, (score, lists) in beside.items()}
        )
    return signals


def _beside_chains(state: State) -> dict[str, tuple[float, int]]:
    """Papers in the candidate lists beside the chains: similarity to the topic, and how many lists
    hold each."""
    found: dict[str, tuple[float, int]] = {}
    for address in state.cells:
        at = parse_address(address)
        if at.part != CANDIDATES or at.pos == 0:
            continue
        listed = state.read(address, CandidateList)
        for row in listed.entries if listed is not None else ():
            if not row.left_out:
                score, lists = found.get(row.paper, (row.score, 0))
                found[row.paper] = (score, lists + 1)
    return found


def _chain_places(state: State) -> dict[str, tuple[str, ...]]:
    """Papers in chains, with the slots that they stand in."""
    found: dict[str, list[str]] = {}
    for slot in state.slots.values():
        if slot.paper:
            found.setdefault(slot.paper, []).append(
                f"in chain {parse_address(slot.address).branch} at {slot.address}"
            )
    return {paper: tuple(where) for paper, where in found.items()}
