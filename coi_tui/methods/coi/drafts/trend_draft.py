"""The draft of a trend (COI-8): what changes between two neighbouring cards."""

from __future__ import annotations

from coi_tui.methods.coi.drafts.chain_papers import ANSWERED, ChainPaper, answered_by, paper_of
from coi_tui.methods.shared.drafts.prompt_values import Draft, Values, mapping
from coi_tui.methods.shared.drafts.text_tools import listed, quote, shared_words, with_full_stop


def draft_trend(values: Values) -> Draft:
    """COI-8: three to five sentences on one pair: what comes in, what moves, which limitation is answered, what stays open."""
    older, newer = paper_of(mapping(values, "older")), paper_of(mapping(values, "newer"))
    parts = [
        _arrival(older, newer),
        _movement(older, newer),
        _answer(older, newer),
        _kept(older, newer),
        _left_open(newer),
    ]
    return {"text": " ".join(sentence for sentence in parts if sentence)}


def _arrival(older: ChainPaper, newer: ChainPaper) -> str:
    fresh = [
        e.with_description
        for e in newer.entities
        if e.name.casefold() not in older.text.casefold() and e.name.casefold() not in _names(older)
    ][:3]
    brings = f", and brings in {listed(fresh)}" if fresh else ""
    return with_full_stop(f"{newer.cite} comes after {older.cite}{brings}")


def _movement(older: ChainPaper, newer: ChainPaper) -> str:
    if older.mechanism and newer.mechanism and older.mechanism != newer.mechanism:
        return with_full_stop(f"The mechanism moves from {older.mechanism} to {newer.mechanism}")
    if newer.mechanism:
        return with_full_stop(f"The newer paper works with {newer.mechanism}")
    return "The two cards do not say enough about their methods to name what moved between them."


def _answer(older: ChainPaper, newer: ChainPaper) -> str:
    """Which limitation of the older paper the newer one addresses, with the words that they share; or that it addresses none."""
    if not older.limitations:
        return "The older card names no limitation, so it is not known which gap the step closes."
    best = max(older.limitations, key=lambda limitation: answered_by(limitation, newer))
    if answered_by(best, newer) >= ANSWERED:
        common = shared_words(best, newer.text, 4)
        return f"A limitation of the older paper, {quote(best)}, is taken up by the newer one (words in common: {listed(common)})."
    return f"The newer card does not speak to the limitation of the older paper, {quote(best)}, which may still be open."


def _kept(older: ChainPaper, newer: ChainPaper) -> str:
    both = [e.name for e in newer.entities if e.name.casefold() in _names(older)]
    common = both[:3] or shared_words(f"{newer.novelty} {newer.contribution}", f"{older.novelty} {older.contribution}", 4)
    return f"Both papers speak of {listed(common)}." if len(common) > 1 else ""


def _left_open(newer: ChainPaper) -> str:
    return f"What the newer paper leaves open: {quote(newer.limitations[0])}." if newer.limitations else ""


def _names(paper: ChainPaper) -> set[str]:
    return {entity.name.casefold() for entity in paper.entities}
