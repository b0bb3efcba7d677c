"""Drafts for the novelty check (COI-12): an idea cut into claims, and papers compared with them by
words. Nothing is called new."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from coi_tui.llm.worksheet import without_hints
from coi_tui.methods.shared.drafts.prompt_values import (
    Draft,
    Values,
    line_of,
    mapping,
    mappings,
    number,
)
from coi_tui.methods.shared.drafts.text_tools import (
    clip,
    content_words,
    distinct,
    jaccard,
    quotations,
    sentences,
    share,
    shared_words,
    stem,
    term_weight,
    terms,
    without_full_stop,
    words,
)
from coi_tui.model.wording import listed

SAME, OVERLAPS, NEAR = 0.55, 0.35, 0.2
"""The part of a claim's weighted terms that a passage must have to say the same, to overlap, or to
be near at all."""
MOST_WORDS = 30
"""A longer sentence is rather several claims, and is taken where there is no other."""
FEWEST_WORDS = 3
"""A shorter passage shows nothing."""
FEWEST_SHARED = 2
"""Distinctive words that claim and passage must share for any of it."""
SIMILAR, ON_TOPIC, ON_TOPIC_WORDS = 0.12, 0.05, 3
"""Weighted Jaccard similarity from which a paper is on the topic anyhow, and from which with so
many shared distinctive words. Of the papers that a search with the whole idea finds 97 % are, of
papers drawn from the same field at random 19 %."""
_NOISE = frozenset({"apart", "answer", "card", "claim", "gap", "named", "names", "refute", "says"})
_ASIDE = re.compile(
    r"^(?:an? )?(?:way to|study of|check on|set of|comparison|analysis of)\b", re.IGNORECASE
)
_MECHANISM = re.compile(
    r"\b(?:we|paper|work)\b.*\b(?:propos|introduc|present|develop|design)|\b(?:proposed|our) (?:method|approach|model)",
    re.IGNORECASE,
)
_PROBLEM = re.compile(
    r"\b(?:however|yet|problems?|challeng\w*|difficult\w*|lacks?|fails?|suffers?|limited|costly|remains?)\b",
    re.IGNORECASE,
)
_REASON = re.compile(
    r"\b(?:because|since|so that|thus|therefore|thereby|hence|allow\w*|enabl\w*|by \w+ing)\b",
    re.IGNORECASE,
)

_IN_BRACKETS = re.compile(r"\s*\((?:[^()]|\([^()]*\))*\)")
"""What stands in brackets says of something named what it is, in the words of its own paper: no
claim of the idea."""


def draft_novelty_queries(values: Values) -> Draft:
    """COI-12: claims from the short fields or, without these, summary and title, at most ``count``,
    each with words to search for."""
    idea, count = mapping(values, "idea"), number(values, "count", 1, 5, 4)
    found: list[Draft] = []
    seen: set[frozenset[str]] = set()
    for kind, said, query in _claims(idea):
        text = _IN_BRACKETS.sub("", said)
        key = frozenset(terms(query))
        if text and key and key not in seen and text not in [claim["text"] for claim in found]:
            found.append({"kind": kind, "text": text, "queries": [query]})
            seen.add(key)
        if len(found) == count:
            break
    title = without_hints(line_of(idea, "title"))
    return {
        "claims": found
        or [
            {
                "kind": "mechanism",
                "text": title or "the idea",
                "queries": [clip(title, 9) or "related work"],
            }
        ]
    }


def _claims(idea: Values) -> Iterator[tuple[str, str, str]]:
    """Kind, text and search words of each claim: what is done first, the title's words as its
    search."""
    title = without_hints(line_of(idea, "title"))
    said = sentences(without_hints(line_of(idea, "summary")))
    own = [text for text in (without_hints(line_of(idea, "mechanism")),) if text]
    longest = sorted(said, key=lambda s: (len(words(s)) > MOST_WORDS, -len(_distinctive(s))))
    mechanism = next(iter([*own, *_first(longest, _MECHANISM), *longest[:1]]), title)
    yield (
        "mechanism",
        without_full_stop(mechanism),
        " ".join(content_words(title)[:9]) or _words(mechanism),
    )
    problem = without_hints(line_of(idea, "problem"))
    gaps = quotations(problem)[-1:] or sentences(problem)[:1]
    for gap in gaps or _first(longest, _PROBLEM, mechanism):
        yield (
            "problem",
            without_full_stop(gap),
            " ".join(distinct([*content_words(title)[:1], *content_words(gap)])[:8]),
        )
    for reason in _first(longest, _REASON, mechanism, *gaps):
        yield "why it works", without_full_stop(reason), _words(reason)
    setting = without_hints(line_of(idea, "setting")) or title
    yield "setting", setting, _words(f"{' '.join(longest[-1:])} {setting}")
    for other in [said for said in longest if said != mechanism]:
        yield "mechanism", without_full_stop(other), _words(other)


def _first(said: Iterable[str], cue: re.Pattern[str], *but: str) -> list[str]:
    """The first sentence with a cue that is none of ``but``, if any."""
    return [s for s in said if cue.search(s) and s not in but][:1]


def _words(text: str) -> str:
    """The first words of a text that narrow down a search."""
    return " ".join((_distinctive(_ASIDE.sub("", text)) or content_words(text))[:7])


def _distinctive(text: str) -> list[str]:
    """The words of a text that narrow down a search."""
    return [
        w for w in content_words(text) if term_weight(stem(w)) >= 1 and w.casefold() not in _NOISE
    ]


def draft_novelty_verdicts(values: Values) -> Draft:
    """COI-12: for each paper and claim the sentence that has most of the claim's terms; the reason
    names shared words."""
    idea, claims = (
        mapping(values, "idea"),
        [line_of(claim, "text") for claim in mappings(values, "claims")],
    )
    papers = mappings(values, "papers")
    return {"verdicts": [_verdict(idea, claims, paper) for paper in papers or [{"id": "none"}]]}


def _verdict(idea: Values, claims: list[str], paper: Values) -> dict[str, object]:
    theirs = f"{line_of(paper, 'title')}. {line_of(paper, 'abstract')}"
    similarity = max(jaccard(line_of(idea, "title"), theirs), jaccard(_whole(idea), theirs))
    common = [
        word for word in shared_words(_whole(idea), theirs, 8) if term_weight(stem(word)) >= 1
    ]
    reason = f"The idea and this paper share the words {listed(common)}; the similarity of their terms is {similarity:.2f}."
    places = [line_of(paper, "title"), *sentences(line_of(paper, "abstract"))]
    places = [place for place in places if len(words(place)) >= FEWEST_WORDS] or [""]
    return {
        "id": line_of(paper, "id") or "unlabelled",
        "reason": reason if common else "The idea and this paper share no distinctive word.",
        "on_topic": similarity >= SIMILAR
        or (similarity >= ON_TOPIC and len(common) >= ON_TOPIC_WORDS),
        "claims": [_cell(n, claim, places) for n, claim in enumerate(claims or [""], start=1)],
    }


def _cell(n: int, claim: str, places: list[str]) -> dict[str, object]:
    """What the nearest sentence says of a claim."""
    passage = max(places, key=lambda place: share(claim, place))
    part = share(claim, passage)
    if (
        part < NEAR
        or sum(term_weight(stem(word)) >= 1 for word in shared_words(claim, passage, 12))
        < FEWEST_SHARED
    ):
        return {"claim": n, "passage": "", "judgement": "no passage found"}
    judgement = "same" if part >= SAME else "overlaps" if part >= OVERLAPS else "different"
    return {"claim": n, "passage": passage, "judgement": judgement}


def _whole(idea: Values) -> str:
    """Title and summary of the idea."""
    return ". ".join([line_of(idea, "title"), line_of(idea, "summary")])
