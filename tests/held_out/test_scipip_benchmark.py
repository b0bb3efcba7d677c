"""The benchmark of SciPIP's routes on a tiny set of papers, and its sentence vectors."""

from __future__ import annotations

import math

import numpy as np
import pytest

from benchmarks.held_out.corpus import Case, PaperSet
from benchmarks.held_out.numpy_vectors import WordPieces, gelu
from benchmarks.scipip import NOT_MEASURED, SETS, Ranked, Target, markdown, measure, measured
from coi_tui.model.papers import Paper


@pytest.fixture
def target(papers: PaperSet) -> Target:
    held = {
        row.number: Paper(id=row.id, title=row.title, abstract=row.abstract, year=row.year or None)
        for row in papers.rows
    }
    return Target(Case(papers, 0), held)


def test_words_are_cut_into_the_longest_pieces_that_are_known() -> None:
    known = ["[CLS]", "[SEP]", "[UNK]", "graph", "##s", "draw", "##ing", ",", "cafe"]
    pieces = WordPieces({name: n for n, name in enumerate(known)})
    told = [known[n] for n in pieces.tokens("Graphs, drawing Café xyz")]
    assert told == ["[CLS]", "graph", "##s", ",", "draw", "##ing", "cafe", "[UNK]", "[SEP]"]
    assert len(pieces.tokens("graph " * 500)) == 128


def test_the_bell_of_the_network_is_that_of_the_error_function() -> None:
    x = np.linspace(-4, 4, 41, dtype=np.float32)
    exact = [float(v) * 0.5 * (1 + math.erf(float(v) / 2**0.5)) for v in x]
    assert np.abs(gelu(x) - np.array(exact)).max() < 1e-6


def test_no_route_finds_the_target_or_what_is_newer(target: Target) -> None:
    newer = {f"{n:040x}" for n in (0, 5, 6)}
    assert target.everything
    assert not newer & target.everything.keys()
    assert target.truth == {f"{n:040x}" for n in (1, 2, 3, 4, 9)}


def test_without_vectors_the_route_by_meaning_is_not_measured(
    papers: PaperSet, target: Target
) -> None:
    found = measured(target)
    assert "meaning" not in found
    assert found["entities"]["all"] > 0
    text = markdown(measure(papers, [Case(papers, 0)], None))
    assert text.count(NOT_MEASURED) == sum("meaning" in routes for routes in SETS.values()) + 1
    assert "| TF-IDF |" in text


def test_a_reference_counts_where_another_of_its_cluster_was_found() -> None:
    found = Ranked(("a", "b", "c"), groups=[["a", "x"], ["b"], ["c"]])
    assert found.figures(frozenset({"x", "y"}))["all"] == 0.5
    assert found.figures(frozenset({"x", "y"}), merged=False)["all"] == 0.0
