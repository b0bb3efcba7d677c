"""Ranking by citation links: each signal by hand, and what fusion may and may not do."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from coi_tui.literature.citation_ranking import (
    FLOOR,
    best_first,
    cited_by,
    co_citation,
    coupling,
    fused,
    influence,
    local_citations,
    tied_ranks,
)
from coi_tui.model.papers import Link

LISTS = {"a": ("x", "y"), "b": ("x", "y", "z"), "c": ("z",), "d": ()}


def test_a_citation_counts_as_much_as_the_citing_paper_is_similar() -> None:
    found = local_citations({"a": 0.5, "b": 0.25, "x": 0.4}, LISTS)
    assert found["x"] == (0.5 + 0.25) * (FLOOR + 0.4)
    assert (
        found["z"] == 0.25 * FLOOR
    )  # cited by one similar paper and one that is not; no word in common itself
    assert set(local_citations({}, LISTS)) == set()


def test_papers_cited_together_with_a_seed_are_found_and_the_seeds_own_list_counts() -> None:
    assert co_citation(["x"], LISTS) == {"x": 2.0, "y": 2.0, "z": 1.0}
    assert co_citation(["c"], LISTS) == {"z": 1.0}
    assert co_citation([], LISTS) == {}


def test_coupling_counts_what_others_cite_too() -> None:
    found = coupling(LISTS)
    assert set(found) == {"a", "b", "c"}
    assert found["a"] == 2 / 2**0.5
    assert cited_by(LISTS) == {"x": 2, "y": 2, "z": 2}


scores = st.dictionaries(st.sampled_from("abcdefgh"), st.floats(0, 1, allow_nan=False), max_size=8)


@settings(derandomize=True, max_examples=200)
@given(st.permutations("abcdef"), st.permutations("abcdef"))
def test_a_paper_that_is_ahead_by_every_signal_is_ahead_of_the_other(
    first: list[str], second: list[str]
) -> None:
    rankings = {
        name: {paper: n for n, paper in enumerate(order, start=1)}
        for name, order in (("similarity", first), ("citations", second))
    }
    order = best_first("abcdef", fused(rankings))
    for one in "abcdef":
        for other in "abcdef":
            if all(placed[one] < placed[other] for placed in rankings.values()):
                assert order.index(one) < order.index(other)


def test_equal_scores_share_the_best_of_their_ranks_and_zero_is_no_rank() -> None:
    assert tied_ranks({"a": 1.0, "b": 2.0, "c": 1.0, "d": 0.5, "e": 0.0}) == {
        "b": 1,
        "a": 2,
        "c": 2,
        "d": 4,
    }
    assert tied_ranks({}) == {}


def test_an_influential_citation_counts_more_than_its_method_and_that_more_than_a_mention() -> None:
    def link(**said: object) -> Link:
        return Link.model_validate({"citing": "a", "cited": "b", "kind": "cites", **said})

    said = [
        link(influential=True),
        link(intents=("methodology", "background")),
        link(intents=("result",)),
        link(intents=("background",)),
        link(contexts=("Once.", "Twice.")),
        link(contexts=("Once.",)),
        link(),
    ]
    assert [influence(one) for one in said] == sorted(
        (influence(one) for one in said), reverse=True
    )
    assert len({influence(one) for one in said}) == len(said)
    assert influence(link()) == 0
