"""Drafts for finding papers: questions (COI-1), rewritten queries (COI-2), grades of candidates
(COI-2, COI-4, COI-5)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from itertools import chain, product

from coi_tui.literature.ranking import rank, words_seen
from coi_tui.methods.base.text_tools import (
    Draft,
    Values,
    content_words,
    jaccard,
    line_of,
    mappings,
    number,
    share,
    shared_words,
    stem,
    strings,
    term_weight,
    terms,
    words,
)
from coi_tui.model.papers import Paper
from coi_tui.model.text import listed
from coi_tui.services.sources.starter.index import StarterIndex, bundled, searchable

_ASPECTS = (
    "evaluation",
    "training data",
    "reliability",
    "efficiency",
    "reasoning",
    "generalization",
    "human feedback",
    "survey",
)
_SPLIT = re.compile(
    r"\s*(?:[,;:()/]|\s[-–—]\s|(?<![\w-])(?:and|with|for|of|in|using|via|through|by|from|on|to|that|under|without)(?![\w-]))\s*",
    re.IGNORECASE,
)
_LONGEST = 12


def draft_questions(values: Values) -> Draft:
    """COI-1: the topic first, then its parts, the hunch, and its core words with common aspects of
    research; all different.

    An aspect is asked about only where papers of the starter library fit it: elsewhere it may lead
    off the topic.
    """
    topic, hunch = line_of(values, "topic"), line_of(values, "hunch")
    found: dict[frozenset[str], str] = {}
    for question in filter(None, _questions(topic, hunch)):
        found.setdefault(frozenset(terms(question)) or frozenset({question.casefold()}), question)
    most = number(values, "count", 1, 5, 3)
    return {"questions": [*found.values()][:most] or ["open problems in research"]}


def _questions(topic: str, hunch: str) -> Iterator[str]:
    core = _core(topic)
    yield _short(topic)
    if hunch:
        known = set(map(stem, core[:2]))
        own = [word for word in content_words(hunch) if stem(word) not in known]
        yield _short(" ".join([*core[:2], *own][:7]))
    for part in _SPLIT.split(topic):
        yield _part_question(content_words(part), core)
    library = bundled()[1]
    covered = bool(core) and not library.search(topic).lacking
    for question in (f"{' '.join(core[:3])} {aspect}" for aspect in _ASPECTS if covered):
        if not library.search(question).lacking:
            yield question


def _part_question(part: list[str], core: list[str]) -> str:
    """A part of the topic as a question of its own, a single word with the topic's first; empty
    where it says too little."""
    if len(part) > 1:
        return " ".join(part[:6]) if any(term_weight(stem(word)) >= 1 for word in part) else ""
    if part and core and stem(part[0]) != stem(core[0]):
        return f"{part[0]} {core[0]}"
    return ""


def _core(topic: str) -> list[str]:
    """The topic's distinctive words in their order; all its content words where fewer than two are
    distinctive."""
    found = content_words(topic)
    distinctive = [word for word in found if term_weight(stem(word)) >= 1]
    return distinctive if len(distinctive) >= 2 else found


def _short(text: str) -> str:
    """A text short enough to search with: as it is, or its first content words."""
    fits = len(words(text)) <= _LONGEST and len(text) <= 120
    return text if fits else " ".join(content_words(text)[:_LONGEST])[:160]


def draft_rewrite(values: Values) -> Draft:
    """COI-2: a query not tried yet, broader ones first: fewer and fewer of the words of the
    question, then of the topic, then single words with a common aspect of research."""
    asked, about = (content_words(line_of(values, name))[:8] for name in ("question", "topic"))
    tried = {
        query.casefold() for query in [*strings(values, "failed"), line_of(values, "question")]
    }
    shorter = (
        " ".join(part)
        for pool in (asked, about)
        for size in range(min(len(pool), 6), 0, -1)
        for part in (pool[:size], pool[-size:])
    )
    aspects = (f"{word} {aspect}" for aspect, word in product(_ASPECTS, [*asked, *about]))
    left = (query for query in chain(shorter, aspects) if query.casefold() not in tried)
    return {"query": next(left, " ".join((asked or about or ["research"])[:2]))}


def _beside(topic: str, paper: str) -> list[str]:
    """Words of the paper that go with the topic, though the topic does not name them; the longest
    first."""
    mine, theirs = terms(topic), terms(paper)
    return [
        theirs[s]
        for s in sorted(related_stems(topic) & set(theirs) - set(mine), key=lambda s: (-len(s), s))
    ]


def draft_relevances(values: Values) -> Draft:
    """COI-2, COI-4, COI-5: grades for each candidate by the words that it shares, with the topic
    and with the paper next to it."""
    neighbour = values.get("neighbour")
    end = _text(neighbour) if isinstance(neighbour, Mapping) else ""
    return {
        "verdicts": [
            _verdict(line_of(values, "topic"), end, candidate)
            for candidate in mappings(values, "candidates")
        ]
    }


def _text(paper: Values) -> str:
    return f"{line_of(paper, 'title')}. {line_of(paper, 'abstract')}"


def _verdict(topic: str, end: str, paper: Values) -> Draft:
    grade, why = _topic_grade(topic, paper)
    verdict = {"id": line_of(paper, "id"), "reasoning": why, "topic": grade}
    if not end:
        return verdict
    alike = jaccard(end, _text(paper))
    kinship = sum(alike >= least for least in KINSHIP)
    shared = listed(shared_words(end, _text(paper), 6)) or "no word"
    why = f"{why} With its neighbour: {shared} ({alike:.0%} of the weighted words of both)."
    return {
        **verdict,
        "reasoning": why,
        "kinship": kinship,
        "link": "same problem" if kinship > 1 else "only cites",
    }


def _topic_grade(topic: str, candidate: Values) -> tuple[int, str]:
    """2 where enough of the topic's words are in title and abstract (words alone earn no 3), 1
    where only words that go with it are.

    Lenient, as the published contract is: of use for the topic is enough. A paper that several of
    the papers found for the topic cite needs one distinctive word of the topic. Fails closed on
    empty texts.
    """
    paper = _text(candidate)
    found, part, beside = shared_words(topic, paper, 8), share(topic, paper), _beside(topic, paper)
    cited_by = number(candidate, "cited_by", 0, _MANY, 0)
    distinctive = _distinctive(found)
    if distinctive >= 2 or (distinctive == 1 and part >= 0.3) or part >= 0.6:
        grade, of_use = 2, "That is enough to be of use for it."
    elif len(beside) >= 4:
        grade, of_use = 1, f"It shares with papers on the topic: {listed(beside[:6])}."
    elif distinctive and cited_by >= CITED_BY:
        grade, of_use = 1, f"{cited_by} of the papers found for it cite this one."
    else:
        grade, of_use = 0, "That is too little to be of use for it."
    words_shared = f"{listed(found)} ({part:.0%} of its weighted words)" if found else "no word"
    return grade, f"Title and abstract share with the topic: {words_shared}. {of_use}"


def _distinctive(found: list[str]) -> int:
    """How many of some words say what a topic is about."""
    return sum(1 for word in {*map(stem, found)} if term_weight(word) >= 1)


KINSHIP = (0.02, 0.07, 0.11)
"""From which share of the weighted words of two papers on their kinship is 1, 2 and 3. Of 3,000
citations of the VIS set 4 % are below the first, half above the second, 15 % above the third; 10,
20 and 36 % of the papers between have two references in common."""
CITED_BY = 2
"""So many papers found for the topic must cite a paper before that counts for it. On 339 held-out
targets of the AI set the chains hold 336 papers that the target cites where it never counts, 355,
357 and 355 from 1, 2 and 3 on; 360 from 2 on also without a word of the topic.
"""
_MANY = 1_000_000
NEAREST = 12
AT_LEAST = 3
LIFT = 2.0
"""A word goes with a topic when at least ``AT_LEAST`` of its nearest papers have it, ``LIFT`` times
as often as papers at large."""


@cache
def _library() -> tuple[tuple[Paper, ...], StarterIndex, dict[str, frozenset[str]], Counter[str]]:
    """The papers, their index, the distinctive stems of each, and in how many papers each stem
    occurs."""
    library, index = bundled()
    papers = tuple(library.papers.values())
    stems = {
        p.id: frozenset(s for s in terms(searchable(p)) if term_weight(s) >= 1) for p in papers
    }
    return papers, index, stems, Counter(s for own in stems.values() for s in own)


@lru_cache(maxsize=128)
def related_stems(topic: str) -> frozenset[str]:
    """Stems of the words that go with ``topic``; empty where the library holds too little on it."""
    papers, index, stems, everywhere = _library()
    near = [
        paper for _, paper in rank(topic, index.search(topic).papers, words_seen(papers))[:NEAREST]
    ]
    counts = Counter(s for paper in near for s in stems[paper.id])
    return frozenset(
        s
        for s, n in counts.items()
        if n >= AT_LEAST and n / len(near) >= LIFT * everywhere[s] / len(papers)
    )
