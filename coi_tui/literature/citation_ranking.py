"""Ranking by citation links among what a search found, and one order made from several.

All of it works on a small graph: the papers that a search found ("hits"), and what each of them
cites. Measured on held-out papers (``benchmarks/retrieval.py``), the fused order finds about 1.6
times as many of a paper's own references as similarity of words alone.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

Lists = Mapping[str, Sequence[str]]
"""What each paper cites, by ids."""

SEEDS = 10
"""The most similar papers, with which the others are often cited together or not."""
FLOOR = 0.1
"""What counts of a citation where the cited paper shares no word with the topic: old names of a
thing must not rule it out."""
SMOOTHING = 10
"""The constant of reciprocal rank fusion. Of 5, 10, 20 and 60 the values from 5 to 20 were equal
within the error, 60 was worse."""
WEIGHTS = {
    "similarity": 1.0,
    "sentence vectors": 1.0,
    "citations": 1.0,
    "citations by vectors": 1.0,
    "co-citation": 1.0,
    "coupling": 0.5,
    "search": 0.5,
}
"""What each signal counts in the fused order. Coupling and the service's own order count half: they
are known only for the hits.

On 400 held-out targets: share of the references among the first 20 against similarity of words
alone (VIS, dev corpus) 1.7 and 1.8; without co-citation 1.6 and 1.5; without coupling and the
service's order 1.7 and 1.6. With vectors 1.99 and 2.07 where words alone have 1.75 and 1.85 (150
and 40 targets); their weights from 1 to 2 were equal within the error.
"""
ANCHOR_WEIGHTS = {**WEIGHTS, "similarity": 0.5, "sentence vectors": 0.5}
"""The same for anchors, whose similarity is that to topic and question together; that to the topic
alone is in the reading list already.

On 339 held-out targets of the dev corpus (none of those that the result was measured on): with 0,
0.25 and 0.5 for similarity the chains hold 365, 368 and 360 papers that the target cites, with 1
they hold 341. Of those within the error the largest is taken, so that a question still decides what
its branch is about.
"""


def local_citations(similarity: Mapping[str, float], lists: Lists) -> dict[str, float]:
    """How strongly the hits cite each paper: the sum of the citing papers' similarity to the topic,
    times the cited paper's own.

    ``similarity``: of hits and cited papers, 0 to 1; a paper without one counts as not similar.
    """
    found: dict[str, float] = {}
    for citing, cited in lists.items():
        for paper in cited:
            found[paper] = found.get(paper, 0.0) + similarity.get(citing, 0.0)
    return {
        paper: score * (FLOOR + similarity.get(paper, 0.0))
        for paper, score in found.items()
        if score > 0
    }


def above_usual(cosines: Mapping[str, float]) -> dict[str, float]:
    """Cosines less the one that nine of ten papers pass: vectors of texts that have nothing in
    common are still a little alike."""
    usual = sorted(cosines.values())[len(cosines) // 10] if cosines else 0.0
    return {paper: max(0.0, cosine - usual) for paper, cosine in cosines.items()}


def co_citation(seeds: Iterable[str], lists: Lists) -> dict[str, float]:
    """How often each paper is cited together with the seeds, counted once for each seed that the
    citing paper cites or is."""
    wanted = set(seeds)
    found: Counter[str] = Counter()
    for citing, cited in lists.items():
        together = len(wanted.intersection(cited)) + (citing in wanted)
        for paper in cited if together else ():
            found[paper] += together
    return {paper: float(count) for paper, count in found.items()}


def coupling(lists: Lists) -> dict[str, float]:
    """How much each hit cites what other hits cite too (bibliographic coupling), evened out for
    long lists of references."""
    often = Counter(paper for cited in lists.values() for paper in cited)
    found = {
        citing: sum(often[paper] - 1 for paper in cited) / math.sqrt(len(cited))
        for citing, cited in lists.items()
        if cited
    }
    return {paper: score for paper, score in found.items() if score > 0}


def cited_by(lists: Lists) -> dict[str, int]:
    """How many of the hits cite each paper."""
    return dict(Counter(paper for cited in lists.values() for paper in cited))


def ranks(scores: Mapping[str, float]) -> dict[str, int]:
    """The rank of each paper by its score, the best 1, ties by id. A score of zero is no rank."""
    order = sorted(
        (paper for paper, score in scores.items() if score > 0),
        key=lambda paper: (-scores[paper], paper),
    )
    return {paper: n for n, paper in enumerate(order, start=1)}


def fused(
    rankings: Mapping[str, Mapping[str, int]], weights: Mapping[str, float] = WEIGHTS
) -> dict[str, float]:
    """One score from several rankings by reciprocal rank fusion. A ranking that does not know a
    paper is left out for it, not counted zero.

    ``rankings``: signal to paper to rank, from 1. A signal without a weight counts 1.
    """
    found: dict[str, float] = {}
    for signal in sorted(rankings):
        weight = weights.get(signal, 1.0)
        for paper, rank in rankings[signal].items():
            found[paper] = found.get(paper, 0.0) + weight / (SMOOTHING + rank)
    return found


def best_first(papers: Iterable[str], scores: Mapping[str, float]) -> list[str]:
    """All the papers given, by score, ties by id; those without a score come last."""
    return sorted(papers, key=lambda paper: (-scores.get(paper, 0.0), paper))
