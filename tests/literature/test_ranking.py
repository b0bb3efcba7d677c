from __future__ import annotations

import pytest

from coi_tui.literature.ranking import content_words, rank, rank_by_vectors, stem, stems, words_seen

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


def test_order_of_the_input_does_not_matter() -> None:
    assert rank("image", PAPERS) == rank("image", PAPERS[::-1])


def test_a_query_without_words_scores_nothing() -> None:
    assert [score for score, _ in rank("the of", PAPERS)] == [0, 0, 0]
    assert rank("x", []) == []


def test_a_background_makes_rare_words_weigh_more() -> None:
    two = [paper("S2:1", "common words"), paper("S2:2", "rare words")]
    background = [paper(f"S2:{i}", "common things") for i in range(10, 30)]
    alone, wide = rank("common rare", two), rank("common rare", two, words_seen(background))
    assert alone[0][0] == alone[1][0]
    assert wide[0][1].id == "S2:2"


def test_vectors_rank_by_cosine_whatever_their_length() -> None:
    ranked = rank_by_vectors([1, 0], {"b": [10, 0], "a": [0.1, 0], "z": [0, 0], "c": [-1, 0]})
    assert ranked == [(1.0, "a"), (1.0, "b"), (0.0, "z"), (-1.0, "c")]
    with pytest.raises(ValueError, match="lengths"):
        rank_by_vectors([1, 0], {"a": [1]})
    assert rank_by_vectors([1], {}) == []


def test_stems_bring_forms_of_a_word_together() -> None:
    assert stem("reasoning") == stem("reasons") == stem("reasoned")
    assert stem("embedding") == stem("embeddings")
    assert stem("studies") == stem("study")
    assert [stem(w) for w in ("string", "speed", "class", "bias")] == ["string", "speed", "class", "bia"]
    assert stems("The Café's a-b models") == ["caf", "model"]


def test_content_words_leave_generic_ones_out() -> None:
    assert content_words("Using language models for paper analysis of 2024 retrieval") == {"retrieval": "retrieval"}
