"""Drafts for the novelty check (COI-12): search phrases, and verdicts by the overlap of terms. Nothing is called new."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, get_args

from coi_tui.methods.shared.drafts.prompt_values import Draft, Values, line_of, mapping, mappings, number, strings
from coi_tui.methods.shared.drafts.text_tools import (
    clip,
    content_words,
    distinct,
    jaccard,
    listed,
    quotations,
    share,
    shared_words,
    stem,
    term_weight,
    terms,
)

Verdict = Literal["close match", "partial", "not close"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
CLOSE, PARTIAL = 0.5, 0.12
"""Weighted Jaccard similarity from which a paper is a close match, or a partial one."""
ON_TOPIC, ON_TOPIC_WORDS = 0.05, 3
"""Similarity and shared distinctive words from which a paper counts as being on the topic. Of the papers that a search with the whole idea
finds 97 % are, of papers drawn from the same field at random 19 %."""
_NOISE = frozenset({"apart", "answer", "card", "claim", "gap", "named", "names", "refute", "says", "worksheet", "write"})
_ASIDE = re.compile(r"^(?:an? )?(?:way to|study of|check on|set of|comparison|analysis of)\b", re.IGNORECASE)


def draft_novelty_queries(values: Values) -> Draft:
    """COI-12: phrases from title, contributions and method, at most ``count``, all different."""
    idea, count = mapping(values, "idea"), number(values, "count", 1, 5, 3)
    found: list[str] = []
    seen: list[frozenset[str]] = []
    for phrase in _phrases(idea):
        key = frozenset(terms(phrase))
        if phrase and key not in seen:
            found.append(phrase)
            seen.append(key)
        if len(found) == count:
            break
    return {"queries": found or [clip(line_of(idea, "title"), 9) or "related work"]}


def _phrases(idea: Values) -> Iterator[str]:
    title = content_words(line_of(idea, "title").removeprefix("Worksheet: "))
    yield " ".join(title[:9])
    for gap in quotations(line_of(idea, "motivation"))[-1:]:
        yield " ".join(distinct([*title[:1], *content_words(gap)])[:8])
    claims = [_distinctive(_ASIDE.sub("", contribution)) for contribution in strings(idea, "contributions")]
    for claim in sorted(claims, key=lambda claim: -len(claim)):  # the claim with most to say first
        yield " ".join(claim[:7]) if len(claim) > 2 else ""
    for key in ("method", "motivation", "final"):
        yield " ".join(_distinctive(line_of(idea, key))[:7])


def _distinctive(text: str) -> list[str]:
    """The words of a text that narrow down a search."""
    return [w for w in content_words(text) if term_weight(stem(w)) >= 1 and w.casefold() not in _NOISE]


def draft_novelty_verdicts(values: Values) -> Draft:
    """COI-12: a verdict for each paper by the weighted Jaccard similarity of its terms and the idea's; the reason names shared words."""
    idea = mapping(values, "idea")
    papers = mappings(values, "papers")
    verdicts = [_verdict(idea, paper) for paper in papers]
    return {"verdicts": verdicts or [_nothing("none")]}


def _verdict(idea: Values, paper: Values) -> dict[str, str | bool]:
    label = line_of(paper, "id") or "unlabelled"
    theirs = f"{line_of(paper, 'title')}. {line_of(paper, 'abstract')}"
    similarity = max(jaccard(_core(idea), theirs), jaccard(_whole(idea), theirs))
    common = [word for word in shared_words(_whole(idea), theirs, 8) if term_weight(stem(word)) >= 1]
    if not common:
        return _nothing(label)
    verdict: Verdict = "close match" if similarity >= CLOSE else "partial" if similarity >= PARTIAL else "not close"
    reason = f"The idea and this paper share the words {listed(common)}; the similarity of their terms is {similarity:.2f}."
    return {
        "id": label,
        "verdict": verdict,
        "on_topic": verdict != "not close" or (similarity >= ON_TOPIC and len(common) >= ON_TOPIC_WORDS),
        "overlap": _overlap(idea, theirs) if verdict != "not close" else "",
        "reason": reason,
    }


def _nothing(label: str) -> dict[str, str | bool]:
    return {
        "id": label,
        "verdict": "not close",
        "on_topic": False,
        "overlap": "",
        "reason": "The idea and this paper share no distinctive word.",
    }


def _core(idea: Values) -> str:
    """What the idea claims: title and contributions."""
    return ". ".join([line_of(idea, "title"), *strings(idea, "contributions")])


def _whole(idea: Values) -> str:
    """All that the idea says; the text itself where there is no more than that, as in an idea that a person brought."""
    parts = [line_of(idea, "motivation"), line_of(idea, "method")]
    return ". ".join([_core(idea), *(parts if any(parts) else [line_of(idea, "final")])])


def _overlap(idea: Values, theirs: str) -> str:
    """Where the idea has the shared words: its task (title, motivation), its method (contributions, method), or both."""
    task = share(theirs, f"{line_of(idea, 'title')} {line_of(idea, 'motivation')}") >= 0.2
    method = share(theirs, " ".join([line_of(idea, "method"), *strings(idea, "contributions")])) >= 0.2
    return "both" if task and method else "task" if task else "method" if method else ""
