"""SCI-6 to SCI-9: co-citation, scores, clusters with complete linkage, and the papers picked from
them. Pure and deterministic."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import combinations

from coi_tui.literature.citation_ranking import Lists
from coi_tui.literature.ranking import near_pairs
from coi_tui.methods.base.text_tools import sentences
from coi_tui.model.papers import Paper

Alike = Callable[[str, str], float]
"""How similar two papers are, 0 to 1."""


def most_co_cited(papers: Collection[str], lists: Lists) -> list[str]:
    """SCI-6: for every paper the one that is cited together with it most often; ties by id. Only
    papers not there yet.

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
        best = min(together, key=lambda other: (-together[other], other), default=paper)
        out |= {} if best in papers else {best: None}
    return list(out)


def scaled(similarity: Mapping[str, float]) -> dict[str, float]:
    """SCI-7: similarity to the background, divided by the largest."""
    most = max(similarity.values(), default=0.0)
    return {
        paper: round(score / most, 5) if most > 0 else 0.0 for paper, score in similarity.items()
    }


def clusters(papers: Iterable[str], alike: Alike, threshold: float) -> list[list[str]]:
    """SCI-8: papers in groups in which every two are at least ``threshold`` alike.

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
        if one is not other and all(
            similar[min(a, b), max(a, b)] >= threshold for a in one for b in other
        ):
            one += other
            group |= dict.fromkeys(other, one)
    return sorted({id(found): sorted(found) for found in group.values()}.values())


def picked(
    groups: Iterable[Sequence[str]],
    order: Sequence[str],
    most: int,
    first: Sequence[str] = (),
    out: Collection[str] = (),
) -> list[str]:
    """SCI-9: one paper a cluster in turn, in the ``order`` of the papers, until ``most``. ``first``
    (pinned) go before all, ``out`` are never taken."""
    cluster_of = {paper: n for n, group in enumerate(groups) for paper in group}
    taken, turn = Counter[int](), dict[str, int]()
    for paper in order:
        if paper not in out:
            turn[paper] = taken[cluster_of[paper]]
            taken[cluster_of[paper]] += 1
    chosen = dict.fromkeys(paper for paper in first if paper not in out)
    chosen |= dict.fromkeys(sorted(turn, key=turn.__getitem__))
    return list(chosen)[: max(most, len(first))]


# -- how similar two papers are


def alike_by_halves(papers: Iterable[Paper], vectors: Mapping[str, Sequence[float]]) -> Alike:
    """SCI-8: half the cosine of what papers are about, half that of what they add, by the vectors
    of these texts. Other papers are not alike."""
    texts = {paper.id: halves(paper) for paper in papers}
    cosines = near_pairs(vectors, -1.0)

    def alike(one: str, other: str) -> float:
        pairs = zip(texts.get(one, ()), texts.get(other, ()), strict=False)
        return sum(
            0.5 * (1.0 if a == b else cosines.get((min(a, b), max(a, b)), 0.0)) for a, b in pairs
        )

    return alike


def halves(paper: Paper) -> tuple[str, str]:
    """What a paper is about (title and first sentence), and what it adds (the rest)."""
    said = sentences(paper.abstract or "")
    return f"{paper.title} {' '.join(said[:1])}", " ".join(said[1:])


def recall(
    groups: Iterable[Sequence[str]], retrieved: Collection[str], wanted: Collection[str]
) -> float:
    """SCI-14: the share of ``wanted`` that was retrieved; a paper of the same cluster counts."""
    found = {*retrieved, *(p for group in groups if set(group) & set(retrieved) for p in group)}
    return sum(paper in found for paper in wanted) / max(1, len(wanted))
