"""Simple ways to find a paper's references from its topic, each over the same cut of the corpus."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np

from benchmarks.held_out.corpus import Case
from benchmarks.held_out.text_index import Floats, best

SEEDS, NEAREST = 10, 50
DEPTH = 100


def tfidf(case: Case) -> list[int]:
    """Similarity of the words to the topic's."""
    return best(case.ranking.tfidf(case.topic), DEPTH)


def citation_count(case: Case) -> list[int]:
    """How often papers of the cut cite a paper, whatever the topic."""
    counts: Floats = np.array(
        [len(case.citations(n)) if case.mask[n] else 0 for n in range(len(case.papers.rows))],
        dtype=np.float64,
    )
    return best(counts, DEPTH)


def co_citation(case: Case) -> list[int]:
    """Papers that are cited together with the papers most similar to the topic, which come
    first."""
    seeds = best(case.ranking.tfidf(case.topic), SEEDS)
    scores: Floats = np.zeros(len(case.papers.rows))
    for seed in seeds:
        for citing in case.citations(seed):
            scores[case.references(int(citing))] += 1
    return _by_score_then_similarity(case, scores)


def cited_by_nearest(case: Case) -> list[int]:
    """How many of the papers most similar to the topic cite a paper."""
    scores: Floats = np.zeros(len(case.papers.rows))
    for near in best(case.ranking.tfidf(case.topic), NEAREST):
        scores[case.references(near)] += 1
    return _by_score_then_similarity(case, scores)


def _by_score_then_similarity(case: Case, scores: Floats) -> list[int]:
    """Best score first; similarity to the topic decides among equals and fills the end of a short
    list."""
    return best(np.where(case.mask, scores + case.ranking.tfidf(case.topic) / 2, 0), DEPTH)


def coin(case: Case) -> list[int]:
    """Papers of the cut drawn at random, by the target's id."""
    papers = [int(n) for n in np.flatnonzero(case.mask)]
    return random.Random(case.papers.rows[case.target].id).sample(papers, min(DEPTH, len(papers)))


BASELINES: dict[str, Callable[[Case], list[int]]] = {
    "TF-IDF to the topic alone": tfidf,
    "citation count": citation_count,
    "co-citation from 10 seeds": co_citation,
    "cited by the 50 nearest": cited_by_nearest,
    "coin": coin,
}
