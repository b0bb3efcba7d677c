"""The drafts of problem and ideas: worksheets from what the papers name as open, with places to write over."""

from __future__ import annotations

from coi_tui.methods.scipip.drafts.search_draft import TO_WRITE
from coi_tui.methods.shared.drafts.prompt_values import Draft, Values, cite, line_of, mappings, number, text_of
from coi_tui.methods.shared.drafts.text_tools import capital, clip, distinct, quote, sentences, share, without_full_stop

IDEAS = 10


def _first(paper: Values, field: str) -> str:
    """The first sentence of a field of a card; empty where the card says that the text does not state it."""
    said = without_full_stop(next(iter(sentences(text_of(paper, field))), ""))
    return "" if said.startswith("Not stated") else said


def _open(values: Values) -> list[tuple[Values, str]]:
    """The papers that name a limitation, with it, the nearest to the background first."""
    background = line_of(values, "background")
    found = [(paper, said) for paper in mappings(values, "papers") if (said := _first(paper, "limitation"))]
    return sorted(found, key=lambda pair: -share(background, f"{line_of(pair[0], 'title')} {pair[1]}"))


def draft_problem(values: Values) -> Draft:
    """What the nearest paper leaves open, and what others do, quoted; the problem itself is to be written."""
    about, gaps = clip(line_of(values, "background"), 20) or "the background", _open(values)
    reasons = [f"{cite(paper)} names {quote(said)}" for paper, said in gaps[:4]]
    text = f"Open question: {quote(gaps[0][1])}, named by {cite(gaps[0][0])}. " if gaps else ""
    return {
        "text": f"{text}{TO_WRITE} the problem that this leaves for {about}",
        "reasons": reasons or [f"{TO_WRITE} why this is open; no card read names a limitation"],
    }


def draft_ideas(values: Values) -> Draft:
    """A worksheet a limitation: what to answer, and the other paper whose approach is the most like it, to set beside it."""
    papers, about = mappings(values, "papers"), clip(line_of(values, "background"), 20) or "the background"
    found = []
    for paper, said in _open(values)[:IDEAS]:
        others = [other for other in papers if other is not paper and _first(other, "contribution")]
        beside = max(others, key=lambda other: share(said, _first(other, "contribution")), default=None)
        lender = f" Beside it: {cite(beside)}, which says {quote(_first(beside, 'contribution'), 25)}." if beside else ""
        found.append(
            f"An answer to {quote(said, 25)}, named by {cite(paper)}.{lender} {TO_WRITE} how, step by step, and why it should work"
        )
    found = distinct(found)
    return {"ideas": found or [f"{TO_WRITE} an idea for {about}; no card read names a limitation to begin with"]}


def draft_inspiration(values: Values) -> Draft:
    """What the paper does, quoted; what it suggests is to be written. None where the card says nothing of it."""
    paper = next(iter(mappings(values, "papers")), {})
    said = _first(paper, "contribution") or _first(paper, "novelty")
    return {"inspiration": f"{capital(quote(said))}. {TO_WRITE} what this suggests here" if said else None}


def draft_inspired_ideas(values: Values) -> Draft:
    """A worksheet for each of the first four inspirations."""
    rows = mappings(values, "inspirations")[:4]
    found = distinct(f"From {cite(row)}: {clip(line_of(row, 'inspiration'), 45)}" for row in rows)
    return {"ideas": found or [f"{TO_WRITE} an idea; no paper suggested anything"]}


def draft_filter(values: Values) -> Draft:
    """Those that share the most words with the background stay; a place to write in is no idea yet and goes."""
    background, keep = line_of(values, "background"), number(values, "keep", 1, 12, 6)
    rows = [(line_of(row, "id"), line_of(row, "text")) for row in mappings(values, "ideas")] or [("I1", "")]
    written = [(label, text) for label, text in rows if not text.startswith(TO_WRITE)]
    shared = {label: share(background, text) for label, text in rows}
    kept = {label for label, _ in sorted(written or rows, key=lambda row: -shared[row[0]])[:keep]}
    return {"judged": [_verdict(label, text, shared[label], label in kept) for label, text in rows]}


def _verdict(label: str, text: str, part: float, keep: bool) -> Draft:
    said = f"By a rule that counts words: {part:.0%} of the background's are in it."
    empty = text.startswith(TO_WRITE) and not keep
    return {"id": label, "reason": "A place to write an idea, not one yet." if empty else said, "keep": keep}


def draft_improve(values: Values) -> Draft:
    """The first ideas as they stand, under a title; rules cannot better them."""
    rows = (mappings(values, "ideas") or [{}])[: number(values, "count", 1, 4, 3)]
    found = []
    for row in rows:
        text = line_of(row, "text")
        title = f"Worksheet: {capital(clip(without_full_stop(text), 12))}"
        more = "" if TO_WRITE in text else f" {TO_WRITE} the steps, and what makes them work"
        found.append({"sources": [line_of(row, "id") or "I1"], "title": title, "text": f"{text}{more}"})
    return {"ideas": found}
