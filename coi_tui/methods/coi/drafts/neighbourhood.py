"""Words that go with a topic, learnt from the papers that the starter library finds for it (pseudo-relevance feedback)."""

from __future__ import annotations

from collections import Counter
from functools import cache, lru_cache

from coi_tui.literature.ranking import rank
from coi_tui.literature.starter.index import StarterIndex, bundled, searchable
from coi_tui.methods.coi.drafts.text import terms, weight
from coi_tui.model.papers import Paper

NEAREST = 12
AT_LEAST = 3
LIFT = 2.0
"""A word goes with a topic when at least ``AT_LEAST`` of its nearest papers have it, ``LIFT`` times as often as papers at large."""


@cache
def _library() -> tuple[tuple[Paper, ...], StarterIndex, dict[str, frozenset[str]], Counter[str]]:
    """The papers, their index, the telling stems of each, and in how many papers a stem stands."""
    library, index = bundled()
    papers = tuple(library.papers.values())
    stems = {p.id: frozenset(s for s in terms(searchable(p)) if weight(s) >= 1) for p in papers}
    return papers, index, stems, Counter(s for own in stems.values() for s in own)


@lru_cache(maxsize=128)
def neighbourhood(topic: str) -> frozenset[str]:
    """Stems of the words that go with ``topic``; empty where the library holds too little on it."""
    papers, index, stems, everywhere = _library()
    near = [paper for _, paper in rank(topic, index.search(topic).papers, papers)[:NEAREST]]
    counts = Counter(s for paper in near for s in stems[paper.id])
    return frozenset(s for s, n in counts.items() if n >= AT_LEAST and n / len(near) >= LIFT * everywhere[s] / len(papers))
