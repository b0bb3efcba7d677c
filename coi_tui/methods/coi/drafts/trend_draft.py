"""The draft of a trend (COI-8): what two neighbouring cards say, quoted side by side."""

from __future__ import annotations

from coi_tui.methods.coi.drafts.chain_papers import ANSWERED, ChainPaper, answered_by, paper_of
from coi_tui.methods.shared.drafts.prompt_values import Draft, Values, mapping
from coi_tui.methods.shared.drafts.text_tools import listed, quote, shared_words
from coi_tui.methods.shared.drafts.worksheet import closed, excerpt


def draft_trend(values: Values) -> Draft:
    """COI-8: how each of the two works by its card, whether the newer shares words with a limitation of the older, what stays open."""
    older, newer = paper_of(mapping(values, "older")), paper_of(mapping(values, "newer"))
    open_ = closed(f"The newer card leaves open: {quote(newer.limitations[0])}") if newer.limitations else ""
    parts = [f"{newer.cite} comes after {older.cite}.", _says("older", older), _says("newer", newer), _answer(older, newer), open_]
    return {"text": " ".join(sentence for sentence in parts if sentence)}


def _says(which: str, paper: ChainPaper) -> str:
    said = excerpt(paper.contribution or paper.novelty)
    return closed(f"The {which} card says: {said}") if said else f"The {which} card does not say how it works."


def _answer(older: ChainPaper, newer: ChainPaper) -> str:
    """Which limitation of the older paper the newer card shares words with, and which; or that it shares none."""
    if not older.limitations:
        return "The older card names no limitation."
    best = max(older.limitations, key=lambda limitation: answered_by(limitation, newer))
    named = f"A limitation that the older card names, {quote(best)},"
    if answered_by(best, newer) >= ANSWERED:
        return f"{named} shares words with the newer card: {listed(shared_words(best, newer.text, 4))}."
    return f"{named} shares too few words with the newer card, so it may still be open."
