import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coi_tui.literature.ranking import (
    FLOOR,
    OF_LINKS,
    WEIGHTS,
    backed,
    best_first,
    citations_a_year,
    cited_by,
    co_citation,
    content_words,
    cosines_to,
    coupling,
    fused,
    local_citations,
    rank,
    shared_links,
    stem,
    stems,
    weights,
)
from coi_tui.model.papers import Citations, Paper

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


HITS = {f"hit{n}": ("hub", "own", "seen") if n < 3 else ("hub",) for n in range(9)}
"""Nine papers found: all cite a hub, the three most similar cite two more."""
SIMILAR = {hit: 0.5 if n < 3 else 0.1 for n, hit in enumerate(HITS)}


def test_two_of_the_most_similar_papers_or_many_of_those_found_back_what_shares_no_word() -> None:
    cited = {"hub": 10, "own": 4, "seen": 4}
    assert backed(SIMILAR, ["hit0", "hit1"], HITS, cited) == {"hub", "own", "seen"}
    assert backed(SIMILAR, [], HITS, cited) == {"hub", "own", "seen"}, "together they weigh enough"
    few = {hit: listed[: 3 if n < 1 else 1] for n, (hit, listed) in enumerate(HITS.items())}
    assert backed(SIMILAR, ["hit0", "hit1"], few, cited) == {"hub"}
    assert backed({}, [], {}, {}) == set()


def test_a_paper_that_everybody_cites_is_not_backed_by_its_fame() -> None:
    cited = {"hub": 100_000, "own": 40, "seen": 40}
    assert backed(SIMILAR, ["hit0", "hit1"], HITS, cited) == {"own", "seen"}
    assert backed(SIMILAR, ["hit0", "hit1"], HITS, {"own": 40}) == {"hub", "own", "seen"}


@given(st.floats(min_value=0.01, max_value=100))
def test_what_is_backed_does_not_hang_on_how_similarity_is_measured(factor: float) -> None:
    scaled = {paper: factor * score for paper, score in SIMILAR.items()}
    assert backed(scaled, [], HITS, {}) == backed(SIMILAR, [], HITS, {})


def test_coupling_counts_what_others_cite_too() -> None:
    found = coupling(LISTS)
    assert set(found) == {"a", "b", "c"}
    assert found["a"] == 2 / 2**0.5
    assert cited_by(LISTS) == {"x": 2, "y": 2, "z": 2}


def test_shared_links_count_what_both_cite_and_what_cites_both_and_a_seed_is_not_its_own() -> None:
    found = shared_links(["x", "unknown"], LISTS)
    assert found["x"] == 0
    assert found["y"] == 2 / 3  # {x, a, b} and {y, a, b}
    assert found["a"] == 2 / 3  # and {a, x, y}: it cites the seed
    assert found["c"] == 0
    both = shared_links(["a"], LISTS)
    assert both["b"] == 2 / 12**0.5, "{a, x, y} and {b, x, y, z}: they cite the same"


def test_of_equal_citations_those_of_the_newer_count_more_and_unknown_ones_not() -> None:
    papers = [
        Paper(id=name, title=name, year=year, citations=Citations(count=number))
        for name, year, number in (
            ("new", 2020, 9),
            ("old", 2010, 9),
            ("read", 2020, 90),
            ("no year", None, 9),
            ("no count", 2020, None),
        )
    ]
    found = citations_a_year({paper.id: 0.5 for paper in papers}, papers)
    assert found["old"] < found["new"] < found["read"]
    assert set(found) == {"old", "new", "read"}


def test_citations_count_less_where_the_hits_cite_less_than_one_paper_each() -> None:
    assert weights(LISTS, 4) == WEIGHTS
    assert weights({}, 0).keys() == WEIGHTS.keys()
    few = weights({"a": ("x",), "b": ()}, 4)
    assert {signal: few[signal] / WEIGHTS[signal] for signal in WEIGHTS} == {
        signal: 0.25 if signal in OF_LINKS else 1.0 for signal in WEIGHTS
    }


@settings(max_examples=200)
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
