"""Rows of a list of candidates for a slot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from coi_tui.model.criteria import Criteria, left_out
from coi_tui.model.papers import Paper

if TYPE_CHECKING:
    from coi_tui.services.sources.types import SearchResult


def entry(paper: Paper, score: float, criteria: Criteria, **more: Any) -> dict[str, Any]:
    """A row of a candidate list. ``score`` is similarity of text, not quality; ``left_out`` is
    there where the criteria leave it out."""
    row = {
        "paper": paper.id,
        "score": round(score, 4),
        "year": paper.year,
        "readable": bool(paper.abstract),
        **more,
    }
    return {**row, "left_out": why} if (why := left_out(paper, criteria)) else row


def placed_by(signals: Mapping[str, Mapping[str, int]], paper_id: str) -> dict[str, int]:
    """The rank of a paper by each signal that knows it."""
    return {signal: placed[paper_id] for signal, placed in signals.items() if paper_id in placed}


def search_record(found: SearchResult) -> dict[str, Any]:
    """A search as the session remembers it: words, source, date, how many hits."""
    return {
        "query": found.query,
        "source": found.source,
        "date": found.asked_at or "",
        "hits": len(found.papers),
        "total": found.total,
        "note": found.note,
    }
