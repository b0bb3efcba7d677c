"""Rules for prompts of Chain of Ideas where no language model is set: questions (COI-1), other words
for a search (COI-2), grades of candidates (COI-2, COI-4, COI-5).

Pure functions from the values of a prompt to the fields of its reply; no randomness, no network, no
claims of results.
"""

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
    mapping,
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
from coi_tui.methods.evidence.card_draft import draft_read
from coi_tui.model.papers import Paper
from coi_tui.model.text import listed
from coi_tui.services.llm import drafter
from coi_tui.services.sources.starter.index import StarterIndex, bundled, searchable

# -- questions and other words

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
    found: dict[frozenset[str], str] = {}
    for question in filter(None, _questions(line_of(values, "topic"), line_of(values, "hunch"))):
        found.setdefault(frozenset(terms(question)) or frozenset({question.casefold()}), question)
    most = number(values, "count", 1, 5, 3)
    return {"questions": [*found.values()][:most] or ["open problems in research"]}


def _questions(topic: str, hunch: str) -> Iterator[str]:
    every = content_words(topic)
    core = [word for word in every if _distinctive([word])]
    core = core if len(core) > 1 else every
    yield _short(topic)
    if hunch:
        known = set(map(stem, core[:2]))
        own = [word for word in content_words(hunch) if stem(word) not in known]
        yield _short(" ".join([*core[:2], *own][:7]))
    for part in map(content_words, _SPLIT.split(topic)):
        if len(part) > 1 and _distinctive(part):
            yield " ".join(part[:6])
        elif len(part) == 1 and core and stem(part[0]) != stem(core[0]):
            yield f"{part[0]} {core[0]}"
    library = bundled()[1]
    covered = bool(core) and not library.search(topic).lacking
    for question in (f"{' '.join(core[:3])} {aspect}" for aspect in _ASPECTS if covered):
        if not library.search(question).lacking:
            yield question


def _short(text: str) -> str:
    """A text short enough to search with: as it is, or its first content words."""
    fits = len(words(text)) <= _LONGEST and len(text) <= 120
    return text if fits else " ".join(content_words(text)[:_LONGEST])[:160]


def draft_rewrite(values: Values) -> Draft:
    """COI-2: a query not tried yet, broader ones first: fewer and fewer of the words of the
    question, then of the topic, then single words with a common aspect of research."""
    question = line_of(values, "question")
    asked, about = (content_words(text)[:8] for text in (question, line_of(values, "topic")))
    tried = {query.casefold() for query in [*strings(values, "failed"), question]}
    shorter = (
        " ".join(part)
        for pool in (asked, about)
        for size in range(min(len(pool), 6), 0, -1)
        for part in (pool[:size], pool[-size:])
    )
    aspects = (f"{word} {aspect}" for aspect, word in product(_ASPECTS, [*asked, *about]))
    left = (query for query in chain(shorter, aspects) if query.casefold() not in tried)
    return {"query": next(left, " ".join((asked or about or ["research"])[:2]))}


# -- grades of candidates

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


def draft_relevances(values: Values) -> Draft:
    """COI-2, COI-4, COI-5: grades for each candidate by the words that it shares, with the topic
    and with the paper next to it."""
    topic, end = line_of(values, "topic"), _text(mapping(values, "neighbour"))
    return {"verdicts": [_verdict(topic, end, one) for one in mappings(values, "candidates")]}


def _text(paper: Values) -> str:
    return f"{line_of(paper, 'title')}. {line_of(paper, 'abstract')}" if paper else ""


def _verdict(topic: str, end: str, paper: Values) -> Draft:
    grade, why = _topic_grade(topic, paper)
    verdict: Draft = {"id": line_of(paper, "id"), "reasoning": why, "topic": grade}
    if end:
        alike = jaccard(end, _text(paper))
        kinship = sum(alike >= least for least in KINSHIP)
        common = listed(shared_words(end, _text(paper), 6)) or "no word"
        why += f" With its neighbour: {common} ({alike:.0%} of the weighted words of both)."
        link = "same problem" if kinship > 1 else "only cites"
        verdict |= {"reasoning": why, "kinship": kinship, "link": link}
    return verdict


def _topic_grade(topic: str, candidate: Values) -> tuple[int, str]:
    """2 where enough of the topic's words are in title and abstract (words alone earn no 3), 1
    where only words that go with it are.

    Lenient, as the published contract is: of use for the topic is enough. A paper that several of
    the papers found for the topic cite needs one distinctive word of the topic. Fails closed on
    empty texts.
    """
    paper = _text(candidate)
    found, part, own = shared_words(topic, paper, 8), share(topic, paper), terms(paper)
    cited_by = number(candidate, "cited_by", 0, _MANY, 0)
    # words that go with the topic, though the topic does not name them; the longest first
    others = (related_stems(topic) & set(own)) - set(terms(topic))
    related = [own[s] for s in sorted(others, key=lambda s: (-len(s), s))]
    distinctive = _distinctive(found)
    if distinctive >= 2 or (distinctive == 1 and part >= 0.3) or part >= 0.6:
        grade, of_use = 2, "That is enough to be of use for it."
    elif len(related) >= 4:
        grade, of_use = 1, f"It shares with papers on the topic: {listed(related[:6])}."
    elif distinctive and cited_by >= CITED_BY:
        grade, of_use = 1, f"{cited_by} of the papers found for it cite this one."
    else:
        grade, of_use = 0, "That is too little to be of use for it."
    common = f"{listed(found)} ({part:.0%} of its weighted words)" if found else "no word"
    return grade, f"Title and abstract share with the topic: {common}. {of_use}"


def _distinctive(some: list[str]) -> int:
    """How many of some words say what a topic is about."""
    return sum(term_weight(word) >= 1 for word in {*map(stem, some)})


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
    near = rank(topic, index.search(topic).papers, words_seen(papers))[:NEAREST]
    counts = Counter(s for _, paper in near for s in stems[paper.id])
    return frozenset(
        s
        for s, n in counts.items()
        if n >= AT_LEAST and n / len(near) >= LIFT * everywhere[s] / len(papers)
    )


DRAFTS: Mapping[str, drafter.Draft] = {
    "coi_questions": draft_questions,
    "coi_rewrite": draft_rewrite,
    "coi_relevances": draft_relevances,
    "coi_read": draft_read,
}
"""The rule for each prompt, by the prompt's name."""
