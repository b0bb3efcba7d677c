"""Finds the papers of the starter library that share enough words with a
query."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from coi_tui.literature.ranking import content_words, matches_fully, paper_subject, stems
from coi_tui.model.papers import Link, Paper
from coi_tui.model.text import count
from coi_tui.services.sources.starter.loader import NAME, StarterLibrary, bundled_library

FLOOR = 0.30
"""Least share of the query's word weight that a paper must hold. A word the library lacks weighs as
much as its rarest ones."""
LONG_QUERY = 6
"""Above so many content words the floor stops growing: a sentence-long topic need not be matched
word by word."""
COMMON = 0.5
"""A word in more than this share of the papers does not distinguish them, once the library has
``SMALL`` papers."""
SMALL = 12
ENOUGH = 4
"""At least so many papers must fit a topic, and one of them must cite another, for the library to
cover it, unless one matches fully."""
FIT, FIT_WITH_PHRASE, COMMON_PHRASE = 0.5, 0.15, 0.02
"""Share of a topic's word weight that a fitting paper holds; less is enough where it holds two
neighbouring words of the topic as well.

Neighbouring words in more than that last share of the papers name a whole field
("visual analytics"), and do not count. Chosen on 400 topics outside the library and 400 close to it,
drawn as ``benchmarks/offline.py`` draws them: at most 1 of 20 outside is taken up in each of eight
draws; titles alone do not distinguish those close to it much better (11 % are taken up).
"""


@dataclass(frozen=True)
class Hits:
    """Papers above the floor in the order of the library, why, and, where the library
    does not cover the query, that."""

    papers: tuple[Paper, ...]
    note: str
    lacking: str = ""


@cache
def bundled() -> tuple[StarterLibrary, StarterIndex]:
    """The library that comes with the app and its index, made once. Raises StoreError for broken
    files."""
    library = bundled_library()
    return library, StarterIndex(tuple(library.papers.values()), library.links)


class StarterIndex:
    """The words of the papers of a library, in memory."""

    def __init__(self, papers: Sequence[Paper], links: Iterable[Link] = ()) -> None:
        self._links = [(link.citing, link.cited) for link in links]
        self._papers = {paper.id: paper for paper in papers}
        self._words = {paper.id: Counter(stems(searchable(paper))) for paper in papers}
        self._about = {paper.id: paper_subject(paper) for paper in papers}
        self._phrases = _rare_phrases(papers)
        self._df = Counter(word for words in self._words.values() for word in words)

    def search(self, query: str) -> Hits:
        """Papers that share enough with ``query``; generic research words alone are never
        enough."""
        words = content_words(query)
        if not words:
            return Hits(
                (),
                "the query holds only words that nearly every paper uses; nothing was searched for",
                f"The topic holds only words that nearly every paper uses, so the {NAME} cannot tell what fits it.",
            )
        papers = tuple(paper for i, paper in self._papers.items() if self._is_hit(i, words))
        missing = [word for stem, word in words.items() if not self._df[stem]]
        known = len(words) - len(missing)
        note = f"{known} of {count(len(words), 'word')} of the query occur in the library"
        if missing:
            note += f" (not: {', '.join(missing)})"
        if known and not papers:
            note += "; no paper shares enough of them"
        return Hits(papers, note, self._lacking(query, words))

    def _lacking(self, query: str, words: Mapping[str, str]) -> str:
        """One sentence with figures where too few papers fit the query as a topic; empty where the
        library covers it, or is too small.

        One paper is enough where its title and entities hold every word of the query, and a chain
        can go on from it.
        """
        if len(self._papers) < SMALL:
            return ""
        phrases = frozenset(pairwise(stems(query)))
        weights = {i: self._weight_of(self._shared(i, words)) for i in self._papers}
        fitting = {i for i in self._papers if self._fits(i, words, phrases, weights[i])}
        linked = any(citing in fitting and cited in fitting for citing, cited in self._links)
        if (len(fitting) >= ENOUGH and linked) or any(
            matches_fully(query, paper) for paper in self._papers.values()
        ):
            return ""
        nearest = sorted(
            (i for i, weight in weights.items() if weight),
            key=lambda i: (i not in fitting, -weights[i], i),
        )[:2]
        whole = self._weight_of(words)
        closest = [f"“{self._papers[i].title}” ({weights[i] / whole:.0%})" for i in nearest]
        return _lack(len(fitting), closest)

    def _fits(
        self,
        paper_id: str,
        words: Mapping[str, str],
        phrases: frozenset[tuple[str, str]],
        weight: float,
    ) -> bool:
        """Whether a paper could be in a chain on the topic ``words``: it shares at least two of
        them (all, where there is but one)."""
        shared = self._shared(paper_id, words)
        if len(shared) < min(2, len(words)):
            return False
        if len(words) == 1:
            return self._is_about(paper_id, shared)
        if len(words) > 2 and not any(word in self._about[paper_id] for word in shared):
            return False
        part = weight / self._bounded_weight(words)
        return part >= FIT or (
            part >= FIT_WITH_PHRASE and not phrases.isdisjoint(self._phrases[paper_id])
        )

    def _is_hit(self, paper_id: str, words: Mapping[str, str]) -> bool:
        """Whether a paper shares enough of the query's weight, and more than one chance word. A
        single one is enough where the paper is about it, and the library lacks no word of the
        query."""
        shared, n = self._shared(paper_id, words), len(self._papers)
        if not any(n < SMALL or self._df[word] <= COMMON * n for word in shared):
            return False
        if self._weight_of(shared) < FLOOR * self._bounded_weight(words):
            return False
        if len(shared) >= 2:
            return True
        complete = len(words) <= 2 and all(self._df[word] for word in words)
        return complete and self._is_about(paper_id, shared)

    def _shared(self, paper_id: str, words: Iterable[str]) -> list[str]:
        own = self._words[paper_id]
        return [word for word in words if word in own]

    def _is_about(self, paper_id: str, words: Iterable[str]) -> bool:
        return any(
            word in self._about[paper_id] or self._words[paper_id][word] >= 2 for word in words
        )

    def _weight(self, word: str) -> float:
        return math.log((1 + len(self._papers)) / (1 + self._df[word])) + 1

    def _weight_of(self, words: Iterable[str]) -> float:
        return sum(map(self._weight, words))

    def _bounded_weight(self, words: Iterable[str]) -> float:
        return min(self._weight_of(words), LONG_QUERY * self._weight(""))


def _rare_phrases(papers: Sequence[Paper]) -> dict[str, frozenset[tuple[str, str]]]:
    """The pairs of neighbouring words of each paper that few papers have, so that they tell
    subjects apart."""
    pairs = {paper.id: frozenset(pairwise(stems(searchable(paper)))) for paper in papers}
    often = Counter(pair for own in pairs.values() for pair in own)
    most = max(1.0, COMMON_PHRASE * len(papers))
    return {
        paper_id: frozenset(pair for pair in own if often[pair] <= most)
        for paper_id, own in pairs.items()
    }


def searchable(paper: Paper) -> str:
    """Everything of a paper that a searcher's words may hit."""
    entities = (f"{entity.name} {entity.description}" for entity in paper.entities)
    return "\n".join(
        [
            paper.title,
            paper.abstract or "",
            *paper.limitations,
            *paper.datasets,
            *paper.baselines,
            *entities,
        ]
    )


def _lack(fitting: int, closest: Sequence[str]) -> str:
    number = count(fitting, "paper") if fitting else "no paper"
    near = (
        f"Closest by the share of the topic's words that they hold: {', '.join(closest)}."
        if closest
        else "No paper holds any of its words."
    )
    return (
        f"The {NAME} has {number} that could be in a chain on this topic; at least {ENOUGH} are"
        f" needed, and one of them must cite another. {near}"
    )
