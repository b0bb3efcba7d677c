"""The drafts of the trend report and of the first seeds: what papers have in common, and places to write beside what they name as open."""

from __future__ import annotations

from collections import Counter

from coi_tui.methods.shared.drafts.prompt_values import Draft, Values, cite, line_of, mapping, mappings, number, text_of
from coi_tui.methods.shared.drafts.text_tools import (
    capital,
    clip,
    content_words,
    jaccard,
    listed,
    quote,
    sentences,
    terms,
    without_full_stop,
)

TO_WRITE = "To write:"
"""Begins every text that only holds a place."""
GAP_WORDS = frozenset({"but", "cannot", "costly", "expensive", "fail", "fails", "however", "lack", "lacks", "limit", "limited", "limits",
                       "missed", "only", "open", "remain", "remains", "require", "requires", "slow", "unclear", "unknown"})  # fmt: skip
"""A sentence with one of these may name what is open; a rule cannot know whether it does."""
COMMON = 6
REPEATED = 0.6
"""Share of common words from which a rule takes two texts for one."""


def draft_trends(values: Values) -> Draft:
    """The papers in their order and the words that several of them use; what that means is to be written."""
    papers = mappings(values, "papers")
    found: Counter[str] = Counter()
    spelt: dict[str, str] = {}
    for paper in papers:
        known = terms(f"{line_of(paper, 'title')} {text_of(paper, 'abstract')}")
        found.update(known.keys())
        for stem, word in known.items():
            spelt.setdefault(stem, word)
    shared = [f"{spelt[stem]} ({n})" for stem, n in sorted(found.items(), key=lambda pair: (-pair[1], pair[0])) if n > 1][:COMMON]
    common = f"Words that several of them use, with the number of papers: {', '.join(shared)}." if shared else "They share few words."
    about = line_of(values, "topic") or "the topic"
    first = f"Recent papers, most citations a year first: {listed([cite(paper) for paper in papers[:5]])}. " if papers else ""
    return {"text": f"{first}{common} {TO_WRITE} which directions these are, and which of them could serve {clip(about, 20)}"}


def draft_theory_ideas(values: Values) -> Draft:
    """A worksheet a theory, in their order: how one may proceed, and the place to write the idea."""
    target, theories = _target(values), mappings(values, "theories") or [{}]
    rows = []
    for theory in theories[: number(values, "count", 1, 12, 4)]:
        name, way = line_of(theory, "name") or "a way to go on", next(iter(_ways(theory)), "look at it from another side")
        rows.append({
            "thinking": f"By rule: one of the ways of “{name}” is to {way}.", "theory": str(theory.get("number") or ""),
            "title": f"Worksheet: {name}, for {clip(target, 10)}",
            "text": f"{TO_WRITE} an idea for {clip(target, 16)}. A way to it: {way}.",
        })  # fmt: skip
    return {"ideas": rows}


def _ways(theory: Values) -> list[str]:
    found = theory.get("ways")
    return [str(way) for way in found] if isinstance(found, list) else []


def draft_trend_ideas(values: Values) -> Draft:
    """A worksheet for each of the first sentences of the report."""
    target, said = _target(values), [s for s in sentences(text_of(values, "trends")) if not s.startswith(TO_WRITE)] or ["the trends"]
    rows = []
    for n, sentence in enumerate(said[: number(values, "count", 1, 12, 3)], start=1):
        told = sentence.partition(": ")[2] or sentence  # without what the report says of the list that follows
        short = clip(without_full_stop(told).replace('"', ""), 6)
        rows.append({
            "thinking": f"By rule: the report says {quote(sentence, 25)}.",
            "title": f"Worksheet: trend {n} ({short}), for {clip(target, 10)}",
            "text": f"{TO_WRITE} an idea that carries this over to {clip(target, 16)}: {quote(told, 25)}.",
        })  # fmt: skip
    return {"ideas": rows}


def draft_gap_ideas(values: Values) -> Draft:
    """A worksheet for each sentence that may name something open, the target's first, else for each paper."""
    target, count = mapping(values, "target"), number(values, "count", 1, 12, 3)
    texts = [(line_of(target, "title"), text_of(target, "text"))]
    texts += [(cite(paper), text_of(paper, "abstract")) for paper in mappings(values, "papers")]
    gaps = [(who, gap) for who, text in texts for gap in _gaps(text)] or [(who, "") for who, _ in texts]
    return {"ideas": [_gap_idea(n, who, gap) for n, (who, gap) in enumerate(gaps[:count], start=1)]}


def _gap_idea(number: int, who: str, gap: str) -> Draft:
    """The worksheet of a sentence that may name something open; of a text without one where ``gap`` is empty."""
    source = clip(who, 14) or "the target"
    named = f"{capital(source)} says {quote(gap, 25)}." if gap else f"The abstract of {source} names none."
    about = (clip(without_full_stop(gap), 8) if gap else clip(who, 10)) or "of the target"
    return {
        "thinking": f"By rule, a shortcoming: {named}", "title": f"Worksheet: shortcoming {number}, {about}",
        "text": f"{TO_WRITE} what causes this, and an idea that removes it. {named}",
    }  # fmt: skip


def _gaps(text: str) -> list[str]:
    return [s for s in sentences(text) if GAP_WORDS & {word.casefold() for word in s.replace(",", " ").replace(".", " ").split()}]


def draft_weigh(values: Values) -> Draft:
    """One score for all, since rules cannot weigh ideas; a draft that shares most of its words with an existing idea repeats it."""
    existing = mappings(values, "existing")
    rows = []
    for draft in mappings(values, "drafts") or [{}]:
        text = f"{line_of(draft, 'title')} {text_of(draft, 'text')}"
        same = next((idea for idea in existing if jaccard(f"{line_of(idea, 'title')} {text_of(idea, 'text')}", text) >= REPEATED), None)
        rows.append({
            "id": line_of(draft, "id") or "D1", "pros": f"{TO_WRITE} what speaks for it; rules cannot weigh ideas",
            "cons": "It is a place to write an idea, not one yet." if TO_WRITE in text else f"{TO_WRITE} what speaks against it",
            "repeats": line_of(same, "id") if same else "", "score": 5,
        })  # fmt: skip
    return {"judged": rows}


def _target(values: Values) -> str:
    """The target's title; its first words where it has none."""
    found = mapping(values, "target")
    return line_of(found, "title") or " ".join(content_words(text_of(found, "text"))[:8]) or "the target"
