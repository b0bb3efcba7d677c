"""Ranking without a service: words reduced to stems, then TF-IDF cosine over titles and abstracts. The same order on every machine."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from coi_tui.model.papers import Paper
from coi_tui.model.text import fold_accents

RANKED_LOCALLY = "ranked locally"
"""The label that goes with every order made by ``rank``."""
_DIGITS = 9  # the last bits of a sum differ between processors, so scores are compared after rounding
_WORD = re.compile(r"[^\W_]+")
_VOWEL = re.compile(r"[aeiouy]")

_STOP = """
a about above after again against all also although am among an and any are as at be because been before being below
between both but by can could did do does doing down during each either etc even few for from further had has have
having he her here hers him his how i if in into is it its itself just less may me might more most much must my near
nor not now of off often on once one only onto or other our ours out over own per same she should since so some
still such than that the their theirs them then there these they this those through thus to too toward towards two
under until up upon us very via was we were what when where whether which while who whom whose why will with within
without would yet you your
"""
_GENERIC = """
able achieve ai algorithm analysis analyse analyze application apply approach area article artificial aspect author
aware base based better between build case challenge compare comparison computer conclude current data dataset deep
demonstrate deploy design develop development different direction domain effect effective efficient enable evaluate
evaluation exist existing experiment explore field find finding first framework future general good help high impact
important improve improvement include information introduce investigate issue know known language large learn
learning level low machine main make many mean method methodology model need network neural new novel number
outperform overview paper part performance perform possible potential present previous prior problem process propose
proposed provide recent related report require research result review role second set several show simple small
software some state strong study support survey system take task technique technology topic train training type
understand understanding use used useful user using various way well work
"""

STOP_WORDS = frozenset(_STOP.split())


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """A word without plural -s, -ing, -ed and closing -e. Stems are only compared, so the result need not be a word."""
    word = _without_participle_ending(_singular(word))
    return word[:-1] if len(word) > 3 and word.endswith("e") else word


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _without_participle_ending(word: str) -> str:
    for ending in ("ing", "ed"):
        root = word.removesuffix(ending)
        if root != word and len(root) >= 3 and _VOWEL.search(root) and not word.endswith("eed"):
            return root[:-1] if root[-1] == root[-2] and root[-1] not in "lsz" else root
    return word


GENERIC_WORDS = frozenset(stem(word) for word in _GENERIC.split())
"""Stems that nearly every paper uses: alone they do not show that a paper is about a query."""


def stems(text: str) -> list[str]:
    """The stems of ``text`` in order, stop words and single letters left out."""
    return [stem(word) for word in _words(text)]


def content_words(text: str) -> dict[str, str]:
    """The stems of ``text`` that say what it is about, each with its first word there: no generic research words, no bare numbers."""
    found: dict[str, str] = {}
    for word in _words(text):
        if stem(word) not in GENERIC_WORDS and not word.isdigit():
            found.setdefault(stem(word), word)
    return found


def _words(text: str) -> list[str]:
    return [word for word in _WORD.findall(fold_accents(text)) if word not in STOP_WORDS and (len(word) > 1 or not word.isascii())]


def paper_words(paper: Paper) -> str:
    """The text a paper is ranked by: title and abstract (COI-2)."""
    return f"{paper.title}\n{paper.abstract or ''}"


@dataclass(frozen=True)
class WordsSeen:
    """Of so many documents, how many hold each stem: what makes a word rare."""

    documents: int = 0
    holding: Mapping[str, int] = field(default_factory=dict)


def words_seen(papers: Sequence[Paper]) -> WordsSeen:
    """How many of these papers hold each stem."""
    return WordsSeen(len(papers), Counter(term for paper in papers for term in _stem_counts(paper_words(paper))))


NONE_SEEN = WordsSeen()


def rank(query: str, papers: Sequence[Paper], background: WordsSeen = NONE_SEEN) -> list[tuple[float, Paper]]:
    """``papers`` with their similarity to ``query`` (0 to 1), best first, ties by paper id.

    Word weights come from ``papers`` and, for short lists, from the papers of ``background`` as well. Each paper is looked at by its
    own words: a table of all papers and all words would take gigabytes for ten thousand hits.
    """
    counts = [_stem_counts(paper_words(paper)) for paper in papers]
    here, documents = Counter(term for terms in counts for term in terms), len(papers) + background.documents
    weights: dict[str, float] = {}

    def weight(term: str, count: int) -> float:
        """Count, damped, times inverse document frequency."""
        if term not in weights:
            weights[term] = math.log((1 + documents) / (1 + here[term] + background.holding.get(term, 0))) + 1
        return (1 + math.log(count)) * weights[term]

    def length(terms: Mapping[str, int]) -> float:
        return math.sqrt(math.fsum(weight(term, n) ** 2 for term, n in terms.items()))

    asked = Counter(stems(query))
    wanted, long = {term: weight(term, n) for term, n in asked.items()}, length(asked)

    def similarity(terms: Mapping[str, int]) -> float:
        together = math.fsum(value * weight(term, terms[term]) for term, value in wanted.items() if term in terms)
        return round(together / (long * length(terms)), _DIGITS) if together else 0.0

    scored = [(similarity(terms), paper) for terms, paper in zip(counts, papers, strict=True)]
    return sorted(scored, key=lambda pair: (-pair[0], pair[1].id))


@lru_cache(maxsize=4096)
def _stem_counts(text: str) -> Mapping[str, int]:
    """How often each stem stands in a text. The same papers are ranked again for each question."""
    return Counter(stems(text))


def rank_by_vectors(query_vector: Sequence[float], vectors: Mapping[str, Sequence[float]]) -> list[tuple[float, str]]:
    """Paper ids with the cosine of their vector to the query's, best first, ties by id.

    Vectors need not have length 1; a vector of zeros scores 0. Raises ValueError when lengths differ.
    """
    import numpy as np

    if not vectors:
        return []
    names = sorted(vectors)
    if any(len(vectors[name]) != len(query_vector) for name in names):
        raise ValueError("vectors of different lengths cannot be compared")
    scores = _cosines(np.asarray(query_vector, dtype=float), np.asarray([vectors[name] for name in names], dtype=float))
    return sorted(zip(scores, names, strict=True), key=lambda pair: (-pair[0], pair[1]))


def near_pairs(vectors: Mapping[str, Sequence[float]], least: float) -> dict[tuple[str, str], float]:
    """The pairs of ids, each in order, whose vectors have a cosine of at least ``least``, with it."""
    import numpy as np

    names = sorted(vectors)
    if len(names) < 2:
        return {}
    rows = np.asarray([vectors[name] for name in names], dtype=float)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    units = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    cosines = np.round(units @ units.T, _DIGITS)
    return {(names[i], names[j]): float(cosines[i, j]) for i, j in np.argwhere(np.triu(cosines >= least, k=1))}


def _cosines(query: object, rows: object) -> list[float]:
    import numpy as np

    one, many = np.asarray(query, dtype=float), np.asarray(rows, dtype=float)
    norms = np.linalg.norm(many, axis=1) * np.linalg.norm(one)
    dots = many @ one
    cosines = np.divide(dots, norms, out=np.zeros_like(dots), where=norms > 0)
    return [float(x) for x in np.round(cosines, _DIGITS)]
