"""The cut around a held-out paper, word similarity within it, and the simple ways to find its references."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.held_out.baselines import BASELINES, cited_by_nearest, co_citation, tfidf
from benchmarks.held_out.corpus import Case, PaperSet, draw, topic_of
from benchmarks.held_out.text_index import Ranking, TextIndex, best, words


@pytest.fixture
def case(papers: PaperSet) -> Case:
    return Case(papers, 0)


def test_target_newer_papers_and_those_of_no_known_year_are_left_out(case: Case) -> None:
    assert set(np.flatnonzero(case.mask)) == {1, 2, 3, 4, 7, 8, 9, 10, 11}


def test_findable_references_hold_no_silver_link_and_nothing_newer(case: Case) -> None:
    assert case.truth == {1, 2, 3, 4, 9}


def test_links_of_the_target_and_of_newer_papers_are_taken_out(case: Case) -> None:
    assert list(case.citations(1)) == [8]
    assert list(case.references(8)) == [1, 2]
    assert list(case.citations(4)) == []


def test_self_citations_and_links_to_unknown_papers_are_dropped(papers: PaperSet) -> None:
    assert (2, 2) not in papers.links
    assert list(papers.references[1]) == [2, 9]


def test_an_outside_id_of_two_papers_belongs_to_none(papers: PaperSet) -> None:
    assert papers.rows[9].external_ids == {"CorpusId": 77}
    assert papers.rows[10].external_ids == papers.rows[11].external_ids == {}


def test_topic_is_the_title_with_keywords_where_the_kind_of_set_has_them(papers: PaperSet) -> None:
    assert (
        Case(papers, 0).topic == "Held-out paper on graph drawing: graph drawing; layouts; forces"
    )
    assert topic_of(papers.rows[1], papers.kind) == "Force layouts for graph drawing"


def test_targets_have_years_keywords_and_enough_findable_references(papers: PaperSet) -> None:
    assert list(papers.targets()) == [0]
    assert [case.target for case in draw(papers, 20, 1)] == [0]


def test_word_rarity_is_that_within_the_mask() -> None:
    index = TextIndex(["graph drawing", "graph theory", "drawing lessons", "drawing school"])
    mask = np.array([True, True, False, False])
    scores = Ranking(index, mask).tfidf("graph drawing")
    assert scores[0] == pytest.approx(1)
    assert 0 < scores[1] < 1
    assert list(scores[2:]) == [0, 0]
    assert (
        Ranking(index, mask).idf[index.numbers["drawing"]]
        > Ranking(index, mask).idf[index.numbers["graph"]]
    )


def test_similarity_to_a_document_is_that_to_its_text() -> None:
    index = TextIndex(["graph drawing of graphs", "graph theory", "treemaps"])
    ranking = Ranking(index, np.ones(3, dtype=np.bool_))
    assert ranking.tfidf_to(0) == pytest.approx(ranking.tfidf("graph drawing of graphs"))


def test_bm25_prefers_rare_words_and_short_documents() -> None:
    index = TextIndex(
        [
            "graph drawing",
            "graph drawing with very many further words about something else",
            "graph",
            "treemap",
        ]
    )
    ranking = Ranking(index, np.ones(4, dtype=np.bool_))
    assert best(ranking.bm25("graph drawing"), 10) == [0, 1, 2]
    assert best(ranking.bm25("unknown"), 10) == []


def test_words_are_lower_case_without_common_ones() -> None:
    assert words("The Graph-Drawing of 3D maps, a survey") == [
        "graph",
        "drawing",
        "3d",
        "maps",
        "survey",
    ]


def test_simple_methods_stay_within_the_cut(case: Case) -> None:
    for name, method in BASELINES.items():
        found = method(case)
        assert found, name
        assert len(set(found)) == len(found)
        assert all(case.mask[n] for n in found), name


def test_co_citation_and_citation_by_the_nearest_find_what_shares_no_word_with_the_topic(
    case: Case,
) -> None:
    assert 9 not in tfidf(case)[:3]
    assert cited_by_nearest(case)[:3] == [2, 1, 9]
    assert co_citation(case)[:2] == [2, 1]
