"""Recall, paired intervals, and the figures of chains."""

from __future__ import annotations

import json

from benchmarks.held_out.coi_runs import Found
from benchmarks.held_out.corpus import Case, PaperSet
from benchmarks.held_out.metrics import recall
from benchmarks.retrieval import chain_figures, markdown, measure


def test_recall_is_the_share_of_the_true_papers_among_the_first() -> None:
    assert recall([1, 2, 3, 4], {2, 4, 9, 8}, 2) == 0.25
    assert recall([1, 2, 3, 4], {2, 4, 9, 8}, 20) == 0.5
    assert recall([2, 2, 2], {2, 4}, 5) == 0.5
    assert recall([], {2}, 5) == 0


def test_ranked_list_of_a_run_takes_anchors_then_chains_then_candidates_in_turn() -> None:
    found = Found(chains=((9, 1), (2,)), anchors=(1, 2), candidates=((1, 5, 6), (7, 8), ()))
    assert found.ranked() == [1, 2, 9, 7, 5, 8, 6]


def test_chain_figures_count_hits_links_and_single_papers(papers: PaperSet) -> None:
    case = Case(papers, 0)
    run = Found(
        chains=((9, 1), (2, 3), (7, 8), (4,)), anchors=(1, 2, 7, 4), requests=12, seconds=1.5
    )
    failed = Found(code=1, said="no")
    figures = chain_figures([case, case], [run, failed])
    assert figures["anchor hits"] == [3, 0]
    assert figures["chain hits"] == [5, 0]
    assert (figures["chains"], figures["chains of one paper"]) == (4, 1)
    assert (figures["links"], figures["true links"], figures["links in year order"]) == (3, 2, 3)
    assert (figures["runs"], figures["failed runs"]) == (2, 1)


def test_simple_methods_alone_make_a_table_and_json(papers: PaperSet) -> None:
    result = measure(papers, [Case(papers, 0)], [], jobs=1)
    text = markdown(result)
    assert "| TF-IDF to the topic alone |" in text
    assert "| coin |" in text
    assert json.loads(json.dumps(result))["methods"]["coin"]["R@20"]["mean"] == 1
