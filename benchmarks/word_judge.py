"""Drafts for what is searched with around an idea, and for papers compared with its claims by words
(COI-12). Nothing is called new, and a rule remembers no works."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from coi_tui.literature import ranking
from coi_tui.methods.base.text_tools import (
    Draft,
    Values,
    content_words,
    jaccard,
    line_of,
    mapping,
    mappings,
    share,
    shared_words,
    stem,
    term_weight,
    terms,
    words,
)
from coi_tui.model.text import clean_line, listed, sentences
from coi_tui.services.llm.chat import Kind
from coi_tui.services.llm.offline import Drafter, without_hints

SAME, OVERLAPS, NEAR = 0.55, 0.35, 0.2
"""The part of a claim's weighted terms that a passage must have to say the same, to overlap, or to
be near at all."""
MOST_WORDS = 30
"""A longer sentence is rather several claims, and is taken where there is no other."""
FEWEST_WORDS = 3
"""A shorter passage shows nothing."""
FEWEST_SHARED = 2
"""Distinctive words that claim and passage must share for any of it, and of a query."""
PHRASES, PHRASE_WORDS = 3, 9
"""Phrases of a search for rivals, and the words of each."""


def without_full_stop(text: str) -> str:
    """The text without full stops, commas and spaces at its end."""
    return clean_line(text).rstrip(" .,;:")


def draft_rivals(values: Values) -> Draft:
    """The content words of topic and thought, those used most first, as phrases; no work is named
    from memory."""
    text = without_hints(f"{line_of(values, 'topic')} {line_of(values, 'thought')}")
    used, found = Counter(ranking.stems(text)), ranking.content_words(text)
    order = [found[root] for root in sorted(found, key=lambda root: -used[root])]
    parts = (order[n : n + PHRASE_WORDS] for n in range(0, len(order), PHRASE_WORDS))
    return {"works": [], "phrases": [*map(" ".join, parts)][:PHRASES] or ["related work"]}


def draft_novelty_queries(values: Values) -> Draft:
    """COI-12: claims from the short fields or, without these, summary and title, at most ``count``,
    each with words to search for."""
    title = without_hints(line_of(mapping(values, "idea"), "title"))
    found: dict[frozenset[str], Draft] = {}
    for kind, said, query in _claims(mapping(values, "idea"), title):
        key = frozenset(terms(query))
        if said and key and said not in [claim["text"] for claim in found.values()]:
            found.setdefault(key, {"kind": kind, "text": said, "queries": [query]})
    claims = [*found.values()][: values.get("count") or 4]
    none = {"kind": "mechanism", "text": title or "the idea", "queries": [title or "related work"]}
    return {"claims": claims or [none]}


def _claims(idea: Values, title: str) -> Iterator[tuple[str, str, str]]:
    """Kind, text and search words of each claim: what is done first, the title's words as its
    search."""
    said = sorted(
        sentences(without_hints(line_of(idea, "summary"))),
        key=lambda s: (len(words(s)) > MOST_WORDS, -len(_telling(s))),
    )
    mechanism = without_hints(line_of(idea, "mechanism")) or next(iter(said), title)
    yield (
        "mechanism",
        without_full_stop(mechanism),
        " ".join(content_words(title)[:PHRASE_WORDS]) or _query(mechanism),
    )
    for gap in sentences(without_hints(line_of(idea, "problem")))[:1]:
        yield "problem", without_full_stop(gap), _query(gap)
    setting = without_hints(line_of(idea, "setting")) or title
    yield "setting", setting, _query(f"{' '.join(said[-1:])} {setting}")
    for other in said:
        yield "mechanism", without_full_stop(other), _query(other)


def _query(text: str) -> str:
    """The first words of a text that narrow down a search."""
    return " ".join((_telling(text) or content_words(text))[:7])


def _telling(text: str) -> list[str]:
    return [
        word for word in content_words(text) if term_weight(stem(word)) >= 1 and not word.isdigit()
    ]


def draft_novelty_verdicts(values: Values) -> Draft:
    """COI-12: for each paper and claim the sentence that has most of the claim's terms; the reason
    names shared words."""
    idea = mapping(values, "idea")
    claims = [line_of(claim, "text") for claim in mappings(values, "claims")]
    papers = mappings(values, "papers")
    return {"verdicts": [_verdict(idea, claims, paper) for paper in papers]}


def _verdict(idea: Values, claims: list[str], paper: Values) -> dict[str, object]:
    title, abstract = line_of(paper, "title"), line_of(paper, "abstract")
    theirs, own = f"{title}. {abstract}", line_of(idea, "title")
    whole = f"{own}. {line_of(idea, 'summary')}"
    similarity = max(jaccard(own, theirs), jaccard(whole, theirs))
    common = [word for word in shared_words(whole, theirs, 8) if term_weight(stem(word)) >= 1]
    reason = f"The idea and this paper share the words {listed(common)}; the similarity of their terms is {similarity:.2f}."
    places = [place for place in sentences(abstract) if len(words(place)) >= FEWEST_WORDS] or [""]
    return {
        "id": line_of(paper, "id"),
        "reason": reason if common else "The idea and this paper share no distinctive word.",
        "claims": [
            cell
            for n, claim in enumerate(claims, start=1)
            if (cell := _cell(n, claim, places)) is not None
        ],
    }


def _cell(n: int, claim: str, places: list[str]) -> dict[str, object] | None:
    """What the nearest sentence says of a claim; None where it says nothing."""
    passage = max(places, key=lambda place: share(claim, place))
    part, shared = share(claim, passage), shared_words(claim, passage, 12)
    if part < NEAR or sum(term_weight(stem(word)) >= 1 for word in shared) < FEWEST_SHARED:
        return None
    judgement = "same" if part >= SAME else "overlaps" if part >= OVERLAPS else "different"
    return {"claim": n, "passage": passage, "judgement": judgement}


def grade(topic: str, paper: str) -> int:
    """COI-2: what the text of a paper is worth for a topic, 0 to 3, by the part of its terms."""
    return sum(share(topic, paper) >= least for least in (NEAR, OVERLAPS, SAME))


class WordJudge(Drafter):
    """Answers the prompts of a novelty check and of a search for rivals by words, as a model
    would. ``claims``: how an idea is cut into claims."""

    kind: Kind = "scripted"

    def __init__(self, claims: Callable[[Values], Draft] = draft_novelty_queries) -> None:
        super().__init__(
            {
                "coi_novelty_queries": claims,
                "coi_novelty_verdicts": draft_novelty_verdicts,
                "coi_rivals": draft_rivals,
            }
        )
