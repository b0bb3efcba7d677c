"""SCI-6 to SCI-9: co-citation, scores, clusters with complete linkage, and the papers picked from
them. Pure and deterministic."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import combinations

from coi_tui.literature.citation_ranking import Lists
from coi_tui.literature.ranking import near_pairs
from coi_tui.methods.shared.drafts.text_tools import sentences, term_weight, terms
from coi_tui.model.papers import Paper

Alike = Callable[[str, str], float]
"""How similar two papers are, 0 to 1."""


def most_co_cited(papers: Collection[str], lists: Lists, each: int = 1) -> list[str]:
    """SCI-6: for every paper those that are cited together with it most often, ``each`` of them;
    ties by id. Only papers not there yet.

    ``lists``: what each citing paper cites. A pair counts once for each paper that cites both.
    """
    citing: dict[str, list[Sequence[str]]] = {}
    for cited in lists.values():
        for paper in set(cited).intersection(papers):
            citing.setdefault(paper, []).append(cited)
    out: dict[str, None] = {}
    for paper in sorted(papers):
        together = Counter(
            other for cited in citing.get(paper, ()) for other in set(cited) if other != paper
        )
        best = sorted(together, key=lambda other: (-together[other], other))
        out |= dict.fromkeys(other for other in best[:each] if other not in papers)
    return list(out)


def scaled(similarity: Mapping[str, float]) -> dict[str, float]:
    """SCI-7: similarity to the background, divided by the largest."""
    most = max(similarity.values(), default=0.0)
    return {
        paper: round(score / most, 5) if most > 0 else 0.0 for paper, score in similarity.items()
    }


def clusters(
    papers: Iterable[str], alike: Alike, threshold: float, apart: Collection[str] = ()
) -> list[list[str]]:
    """SCI-8: papers in groups in which every two are at least ``threshold`` alike; ``apart`` stay
    alone.

    The most similar pairs are joined first, ties by id, so that the same papers give the same
    groups in any order. Each group is sorted.
    """
    order = sorted(set(papers))
    similar = {pair: alike(*pair) for pair in combinations(order, 2)}
    group = {paper: [paper] for paper in order}
    pairs = sorted(
        (pair for pair, score in similar.items() if score >= threshold),
        key=lambda pair: (-similar[pair], pair),
    )
    for first, second in pairs:
        one, other = group[first], group[second]
        if one is other or {first, second} & set(apart):
            continue
        if all(similar[min(a, b), max(a, b)] >= threshold for a in one for b in other):
            one += other
            group |= dict.fromkeys(other, one)
    return sorted({id(found): sorted(found) for found in group.values()}.values())


def picked(
    groups: Iterable[Sequence[str]],
    rank: Mapping[str, float],
    most: int,
    first: Sequence[str] = (),
    out: Collection[str] = (),
) -> list[str]:
    """SCI-9: one paper a cluster in turn, best first, until ``most``. ``first`` (pinned) go before
    all, ``out`` are never taken.

    ``rank``: a paper's place, the best the smallest; a paper without one comes last.
    """
    place = {paper: rank.get(paper, math.inf) for group in groups for paper in group}
    queues = [
        sorted((p for p in group if p not in out), key=lambda p: (place[p], p)) for group in groups
    ]
    queues = sorted(
        (queue for queue in queues if queue), key=lambda queue: (place[queue[0]], queue[0])
    )
    chosen = dict.fromkeys(paper for paper in first if paper not in out)
    for turn in range(max(map(len, queues), default=0)):
        for queue in queues:
            if len(chosen) >= most:
                return list(chosen)
            if turn < len(queue):
                chosen[queue[turn]] = None
    return list(chosen)


# -- how similar two papers are


def _weights(text: str) -> dict[str, float]:
    found = {stem: term_weight(stem) for stem in sorted(terms(text))}
    length = math.sqrt(sum(weight * weight for weight in found.values()))
    return {stem: weight / length for stem, weight in found.items()} if length else {}


def _cosine(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    small, large = sorted((one, other), key=len)
    return sum(weight * large[stem] for stem, weight in small.items() if stem in large)


class WordSimilarity:
    """SCI-8: half the cosine of what papers are about (title and first sentence), half that of what
    they add (the rest)."""

    def __init__(self, papers: Iterable[Paper]) -> None:
        self._halves = {paper.id: tuple(map(_weights, halves(paper))) for paper in papers}

    def __call__(self, one: str, other: str) -> float:
        pairs = zip(self._halves[one], self._halves[other], strict=True)
        return sum(0.5 * (_cosine(a, b) if a or b else 1.0) for a, b in pairs)


class VectorSimilarity:
    """The same by vectors: half the cosine of what papers are about, half that of what they add.
    Papers without vectors are not alike."""

    def __init__(
        self, texts: Mapping[str, tuple[str, str]], vectors: Mapping[str, Sequence[float]]
    ) -> None:
        self._texts = texts
        self._cosines = near_pairs(vectors, -1.0)

    def __call__(self, one: str, other: str) -> float:
        if one not in self._texts or other not in self._texts:
            return 0.0
        pairs = zip(self._texts[one], self._texts[other], strict=True)
        return sum(
            0.5 * (1.0 if a == b else self._cosines.get((min(a, b), max(a, b)), 0.0))
            for a, b in pairs
        )


def halves(paper: Paper) -> tuple[str, str]:
    """What a paper is about, and what it does about it, from title and abstract."""
    said = sentences(paper.abstract or "")
    return f"{paper.title} {' '.join(said[:1])}", " ".join(said[1:])


def recall(
    groups: Iterable[Sequence[str]], retrieved: Collection[str], wanted: Collection[str]
) -> float | None:
    """SCI-14: the share of ``wanted`` that was retrieved; a paper of the same cluster counts. None
    where nothing is wanted."""
    together = {paper: set(group) for group in groups for paper in group}
    hits = sum(bool(together.get(paper, {paper}) & set(retrieved)) for paper in wanted)
    return hits / len(wanted) if wanted else None
