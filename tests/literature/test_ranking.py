from __future__ import annotations

import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coi_tui.literature.ranking import (
    WordTable,
    content_words,
    cosines_to,
    paper_words,
    rank,
    stem,
    stems,
)
from coi_tui.model.papers import Paper

from .helpers import paper

PAPERS = [
    paper("S2:c", "Graph retrieval", abstract="Graphs for retrieving passages."),
    paper("S2:a", "Image diffusion", abstract="Denoising images."),
    paper("S2:b", "Image diffusion", abstract="Denoising images."),
]


def test_the_paper_that_shares_words_comes_first_and_ties_go_by_id() -> None:
    ranked = rank("retrieval over graphs", PAPERS)
    assert [p.id for _, p in ranked] == ["S2:c", "S2:a", "S2:b"]
    assert ranked[0][0] > ranked[1][0] == ranked[2][0] == 0


WORDS = (
    "graph",
    "Graphs",
    "retrieving",
    "retrieval",
    "reef",
    "reefs-and",
    "the",
    "model",
    "2024",
    "x",
    "café",
    "Ωmega",
    "naïve_set",
)
TEXTS = st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join)
LIBRARIES = st.lists(st.tuples(TEXTS, st.none() | TEXTS), max_size=12).map(
    lambda texts: [
        paper(f"S2:{7 * n % 13}", title, abstract=abstract)
        for n, (title, abstract) in enumerate(texts)
    ]
)


def plainly_ranked(
    query: str, papers: list[Paper], background: list[Paper]
) -> list[tuple[float, str]]:
    """TF-IDF cosines written down as they are defined, a paper at a time."""
    every = [Counter(stems(paper_words(p))) for p in [*papers, *background]]
    asked = Counter(stems(query))

    def weight(term: str, often: int) -> float:
        return (1 + math.log(often)) * (
            math.log((1 + len(every)) / (1 + sum(term in terms for terms in every))) + 1
        )

    def length(terms: Counter[str]) -> float:
        return math.sqrt(sum(weight(term, often) ** 2 for term, often in terms.items()))

    def score(terms: Counter[str]) -> float:
        together = sum(
            weight(term, asked[term]) * weight(term, terms[term]) for term in asked if term in terms
        )
        return round(together / (length(asked) * length(terms)), 9) if together else 0.0

    return sorted(
        ((score(terms), p.id) for terms, p in zip(every, papers, strict=False)),
        key=lambda pair: (-pair[0], pair[1]),
    )


@given(TEXTS, LIBRARIES, LIBRARIES)
def test_the_order_is_that_of_plain_tf_idf(
    query: str, papers: list[Paper], background: list[Paper]
) -> None:
    found, told = (
        rank(query, papers, WordTable(background)),
        plainly_ranked(query, papers, background),
    )
    assert [p.id for _, p in found] == [name for _, name in told]
    assert [score for score, _ in found] == pytest.approx([score for score, _ in told], abs=2e-9)


def test_cosines_are_the_same_whatever_the_length_of_a_vector() -> None:
    found = cosines_to([1, 0], {"b": [10, 0], "a": [0.1, 0], "z": [0, 0], "c": [-1, 0]})
    assert found == {"b": 1.0, "a": 1.0, "z": 0.0, "c": -1.0}
    with pytest.raises(ValueError, match="shape"):
        cosines_to([1, 0], {"a": [1]})
    assert cosines_to([1], {}) == {}


def test_stems_bring_forms_of_a_word_together() -> None:
    assert stem("reasoning") == stem("reasons") == stem("reasoned")
    assert stem("embedding") == stem("embeddings")
    assert stem("studies") == stem("study")
    assert [stem(w) for w in ("string", "speed", "class", "bias")] == [
        "string",
        "speed",
        "class",
        "bia",
    ]
    assert stems("The Café's a-b models") == ["caf", "model"]


def test_content_words_leave_generic_ones_out() -> None:
    assert content_words("Using language models for paper analysis of 2024 retrieval") == {
        "retrieval": "retrieval"
    }
