"""Rows of a list of candidates for a slot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from coi_tui.model.criteria import Criteria, left_out
from coi_tui.model.papers import Paper

if TYPE_CHECKING:
    from coi_tui.literature.types import CitationList


def entry(paper: Paper, score: float, criteria: Criteria, **more: Any) -> dict[str, Any]:
    """A row of a candidate list. ``score`` is similarity of text, not quality; ``left_out`` is there where the criteria leave it out."""
    row = {"paper": paper.id, "score": round(score, 4), "year": paper.year, "readable": bool(paper.abstract), **more}
    return {**row, "left_out": why} if (why := left_out(paper, criteria)) else row


def answered_on(listed: CitationList) -> dict[str, Any]:
    """The date of the answers that a list rests on, and whether the library gave one; nothing where no service was asked."""
    return {"date": listed.asked_at, "kept": listed.cached} if listed.asked_at else {}
