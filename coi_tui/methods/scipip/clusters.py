"""SCI-6 to SCI-9: co-citation, scores, clusters with complete linkage, and the papers picked from
them. Pure and deterministic."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from coi_tui.literature.citation_ranking import Lists


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


def clusters(papers: Iterable[str], alike: Mapping[tuple[str, str], float]) -> list[list[str]]:
    """SCI-8: papers in groups in which every two are alike; ``alike`` has the pairs of those that
    are, each in the order of the ids.

    The most similar pairs are joined first, ties by id, so that the same papers give the same
    groups in any order. Each group is sorted.
    """
    group = {paper: [paper] for paper in sorted(papers)}
    for first, second in sorted(alike, key=lambda pair: (-alike[pair], pair)):
        one, other = group[first], group[second]
        if one is not other and all((min(a, b), max(a, b)) in alike for a in one for b in other):
            one += other
            group |= dict.fromkeys(other, one)
    return sorted({id(found): sorted(found) for found in group.values()}.values())


def picked(
    groups: Iterable[Sequence[str]], order: Sequence[str], most: int, out: Collection[str] = ()
) -> list[str]:
    """SCI-9: one paper a cluster in turn, in the ``order`` of the papers, until ``most``; ``out``
    are never taken."""
    cluster_of = {paper: n for n, group in enumerate(groups) for paper in group}
    taken, turn = Counter[int](), dict[str, int]()
    for paper in order:
        if paper not in out:
            turn[paper] = taken[cluster_of[paper]]
            taken[cluster_of[paper]] += 1
    return sorted(turn, key=turn.__getitem__)[:most]
