"""The reading list as it is shown: each paper with why it stands there."""

from __future__ import annotations

from dataclasses import dataclass

from coi_tui.model.address import READING, parse_address
from coi_tui.model.content import ReadingContent, ReadingRow
from coi_tui.model.papers import Paper
from coi_tui.model.state import State
from coi_tui.model.text import count

SIGNALS = {"coupling": "shared references", "search": "search order"}
"""Signals whose names would not be understood on the screen."""
BEST = 3
"""Ranks shown for a paper, the best first."""


@dataclass(frozen=True)
class ReadingEntry:
    """A paper of the list at its rank. ``places``: where it is in the session."""

    rank: int
    row: ReadingRow
    paper: Paper
    places: tuple[str, ...] = ()
    rejected: bool = False

    def reasons(self) -> str:
        """Why it stands here, in words: its place in the session, who cites it, and its best
        ranks."""
        row = self.row
        cited = f"cited by {row.cited_by} of the papers found" if row.cited_by > 1 else ""
        best = sorted(row.ranks.items(), key=lambda pair: (pair[1], pair[0]))[:BEST]
        ranked = ", ".join(f"{SIGNALS.get(signal, signal)} #{rank}" for signal, rank in best)
        out = (
            f"left out by your criteria: {row.left_out}"
            if row.left_out
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
    """The papers in the order that the search of the topic gave them; rejected ones come last."""
    content = state.read(READING, ReadingContent) or ReadingContent()
    places: dict[str, list[str]] = {}
    for slot in state.slots.values():
        where = f"in chain {parse_address(slot.address).branch} at {slot.address}"
        places.setdefault(slot.paper or "", []).append(where)
    rejected = {paper for branch in state.branches for paper in state.rejected(branch)}
    rows = [(row, state.papers[row.paper]) for row in content.entries if row.paper in state.papers]
    rows.sort(key=lambda pair: bool(pair[0].left_out) or pair[0].paper in rejected)
    entries = tuple(
        ReadingEntry(n, row, paper, tuple(places.get(paper.id, ())), paper.id in rejected)
        for n, (row, paper) in enumerate(rows, start=1)
    )
    searched = tuple(
        f"“{t.query}” in {t.source} {t.date}: {count(t.hits, 'paper')}".strip()
        for t in content.tries
    )
    return ReadingList(entries, searched, content.note, bool(content.tries))
