"""Ranking without a service: TF-IDF cosine over titles and abstracts, the same order on every machine."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache

from coi_tui.literature.words import stems
from coi_tui.model.papers import Paper

RANKED_LOCALLY = "ranked locally"
"""The label that goes with every order made by ``rank`` (libraries.md, 7)."""
_DIGITS = 9  # the last bits of a sum differ between processors; equal after rounding is equal


def paper_words(paper: Paper) -> str:
    """The text a paper is ranked by: title and abstract (COI-2)."""
    return f"{paper.title}\n{paper.abstract or ''}"


def rank(query: str, papers: Sequence[Paper], background: Sequence[Paper] = ()) -> list[tuple[float, Paper]]:
    """``papers`` with their likeness to ``query`` (0 to 1), best first, ties by paper id.

    Word weights come from ``papers`` and, for short lists, from the papers of ``background`` as well.
    """
    import numpy as np

    if not papers:
        return []
    counts = [_counted(paper_words(paper)) for paper in papers]
    asked = Counter(stems(query))
    weights = _weights([*counts, *(_counted(paper_words(paper)) for paper in background)])
    place = {term: i for i, term in enumerate(sorted(set(asked).union(*counts)))}
    matrix = np.zeros((len(papers) + 1, max(1, len(place))))
    for row, terms in enumerate([asked, *counts]):
        for term, n in terms.items():
            matrix[row, place[term]] = (1 + math.log(n)) * weights.get(term, weights[""])
    scores = _cosines(matrix[0], matrix[1:])
    return sorted(zip(scores, papers, strict=True), key=lambda pair: (-pair[0], pair[1].id))


@lru_cache(maxsize=4096)
def _counted(text: str) -> Mapping[str, int]:
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


def _weights(documents: Sequence[Mapping[str, int]]) -> dict[str, float]:
    """Inverse document frequency by term; the empty term holds the weight of a term that no document has."""
    n = len(documents)
    seen = Counter(term for document in documents for term in document)
    return {"": math.log(1 + n) + 1} | {term: math.log((1 + n) / (1 + df)) + 1 for term, df in seen.items()}


def _cosines(query: object, rows: object) -> list[float]:
    import numpy as np

    one, many = np.asarray(query, dtype=float), np.asarray(rows, dtype=float)
    norms = np.linalg.norm(many, axis=1) * np.linalg.norm(one)
    dots = many @ one
    cosines = np.divide(dots, norms, out=np.zeros_like(dots), where=norms > 0)
    return [float(x) for x in np.round(cosines, _DIGITS)]
