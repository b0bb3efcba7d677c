"""The rules of SciPIP's retrieval: entities, neighbours, budget, co-citation, clusters and
picks."""

import random
from itertools import combinations

import pytest

from coi_tui.methods.scipip.kinds import PaperEntity
from coi_tui.methods.scipip.retrieval import (
    clusters,
    in_one_order,
    is_entity,
    joined,
    key_of,
    most_co_cited,
    neighbours,
    occurrence,
    picked,
    scaled,
    vocabulary,
    within_budget,
)


def where(**papers: str) -> dict[tuple[str, ...], frozenset[str]]:
    return {(name,): frozenset(said) for name, said in papers.items()}


@pytest.mark.parametrize(
    ("name", "ok"),
    [
        ("graph neural network", True),
        ("memory", False),
        ("BERT", True),
        ("a b c d e f", False),
        ("chain-of-thought", True),
        ("", False),
    ],
)
def test_sci_1_an_entity_has_two_to_five_words(name: str, ok: bool) -> None:
    assert is_entity(name) == ok


def test_sci_3_synonyms_are_joined_over_a_chain_of_spellings() -> None:
    found = joined(
        [
            PaperEntity(name="language model", description="LM", of=("background",)),
            PaperEntity(name="large language models", description="LLM", of=("p1",)),
            PaperEntity(name="Language Models", description="large language model", of=("p2",)),
            PaperEntity(name="knowledge graph", of=("p2",)),
        ]
    )
    assert [e.name for e in found] == ["language model", "knowledge graph"]
    assert found[0].of == ("background", "p1", "p2")
    assert found[0].description == "LM; large language models; LLM"


def test_sci_4_neighbours_occur_together_strictly_more_often_than_the_threshold() -> None:
    found = where(seed="abcdefghij", eight="abcdefgh", seven="abcdefgxyz", alone="xyz")
    assert neighbours([("seed",)], found, 7) == [("eight",)]
    assert neighbours([("seed",)], found, 6) == [("eight",), ("seven",)]
    assert neighbours([("nowhere",)], found, 0) == []


def test_sci_5_the_rarest_entities_go_first_until_the_budget_and_empty_ones_are_dropped() -> None:
    found = where(common="abcdef", rare="x", middle="ay", none="")
    keys, papers = within_budget(found, found, 3)
    assert keys == [("rare",), ("middle",)]
    assert papers == ["x", "a", "y"]
    assert within_budget(found, found, 100)[0] == [("rare",), ("middle",), ("common",)]


def test_sci_6_each_paper_brings_the_one_cited_together_with_it_most() -> None:
    lists = {"x": ("a", "b", "c"), "y": ("a", "b"), "z": ("a", "c"), "w": ("d", "c")}
    assert most_co_cited(["a"], lists) == [
        "b"
    ]  # b and c are cited with it twice each: the tie goes by id
    assert most_co_cited(["d", "a"], lists) == ["b", "c"]
    assert most_co_cited(["a", "b"], lists) == []  # each is the other's
    assert most_co_cited(["nobody"], lists) == []


def test_sci_7_the_score_is_divided_by_the_largest() -> None:
    assert scaled({"a": 0.2, "b": 0.4, "c": 0.0}) == {"a": 0.5, "b": 1.0, "c": 0.0}
    assert scaled({"a": 0.0}) == {"a": 0.0}
    assert scaled({}) == {}


def test_sci_8_every_two_of_a_cluster_are_near_not_only_neighbours_in_a_row() -> None:
    in_a_row = {("a", "b"): 0.97, ("b", "c"): 0.96}
    assert clusters("abc", in_a_row) == [["a", "b"], ["c"]]
    assert clusters("abc", {**in_a_row, ("a", "c"): 0.95}) == [["a", "b", "c"]]


def test_sci_9_one_a_cluster_in_turn_best_first_and_then_the_seconds() -> None:
    groups = [["a", "b"], ["c"], ["d", "e"]]
    assert picked(groups, "bdcae", 10) == ["b", "d", "c", "a", "e"]
    assert picked(groups, "bdcae", 2) == ["b", "d"]
    assert picked(groups, "bdcae", 3, out=["d"]) == ["b", "c", "e"]


def test_sci_9_the_ten_do_not_depend_on_the_order_in_which_papers_came() -> None:
    """The published code picked from sets without sorting by score."""
    papers = [f"p{n:02d}" for n in range(30)]
    order = sorted(papers, key=lambda p: p[::-1])
    pairs = dict.fromkeys(combinations([p for p in papers if p[1] == "2"], 2), 1.0)
    said = set()
    for seed in range(8):
        random.Random(seed).shuffle(papers)
        said.add(tuple(picked(clusters(papers, pairs), order, 10)))
    assert len(said) == 1
    assert next(iter(said))[0] == order[0]


def test_entities_occur_where_their_stems_stand_together() -> None:
    texts = {
        "1": "We train graph neural networks.",
        "2": "A neural graph network.",
        "3": "Graph-neural-network training.",
    }
    found = occurrence(texts, [key_of("graph neural network")])
    assert found[key_of("graph neural network")] == {"1", "3"}
    assert key_of("graph neural networks") in vocabulary(
        {"1": texts["1"], "2": "Of graph neural networks."}
    )


def test_papers_of_all_routes_are_in_one_order_with_their_ranks_and_clusters() -> None:
    score = {"a": 0.5, "b": 1.0, "c": 0.5, "d": 0.0}
    routes = {"meaning": ["a", "b"], "entities": ["c", "a"], "co-citation": ["d"]}
    rows, groups = in_one_order(score, routes, {("b", "c"): 0.97})
    assert [row["paper"] for row in rows] == ["b", "a", "c", "d"]  # of one score by the routes
    assert [row["routes"] for row in rows] == [
        "meaning 2",
        "meaning 1, entities 2",
        "entities 1",
        "co-citation 1",
    ]
    assert [row["cluster"] for row in rows] == ["1", "", "1", ""]
    assert groups == [["a"], ["b", "c"], ["d"]]
