"""What a bulk accept takes, and what it leaves to a look of its own (ux.md 2.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from coi_tui.model.address import Branch

if TYPE_CHECKING:
    from coi_tui.model.state import Slot, State


@dataclass(frozen=True)
class Proposed:
    """A proposed paper. ``off`` is the reason why it is left out unless it is ticked, or empty."""

    address: str
    paper: str
    title: str
    year: int | None
    off: str = ""


def proposed(state: State, branch: Branch) -> list[Proposed]:
    """Every proposed paper of a branch, old to new."""
    out = []
    for held in state.filled(branch):
        if held.verdict == "proposed" and held.paper:
            known = state.papers.get(held.paper)
            title, year = (known.title, known.year) if known else (held.paper, None)
            out.append(Proposed(held.address, held.paper, title, year, _off(state, held)))
    return out


def _off(state: State, held: Slot) -> str:
    if held.protected:
        return "protected by you"
    judged = state.in_use(f"{held.address}.rel")
    verdict = next((v for v in judged.content["verdicts"] if v["paper"] == held.paper), None) if judged else None
    if verdict is not None and not verdict["relevant"]:
        return "judged not relevant"
    card = state.in_use(f"{held.address}.card")
    if card is not None and card.content.get("source") != "full text":
        return f"read only from its {card.content.get('source') or 'abstract'}"
    paper = state.papers.get(held.paper or "")
    if card is None and (paper is None or not paper.open_pdf):
        return "not read yet, and no open full text is known"
    return ""
