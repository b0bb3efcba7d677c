"""COI-14, COI-15: plans from the chain, reviews by checks, refinements that answer each point."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from tests.support.drafts import DRAFTS

Object = dict[str, object]
Values = Callable[..., dict[str, Object]]
IDEA: Object = {
    "title": "LoopReader Meets BridgeNet",
    "motivation": "Every round costs a further model call.",
    "novelty": "",
    "contributions": ["a", "b", "c"],
    "method": "Module 1 (diagnosis). Count.\nModule 2 (answer). Skip.",
    "final": "",
}


def plan(cards: list[Object], **more: object) -> Object:
    experiments = [{"title": card["title"], "year": card["year"], "experiment": card["experiment"]} for card in cards]
    return dict(
        DRAFTS["coi_experiment"]({"idea": IDEA, "experiments": experiments, "entities": [], "datasets": [], "baselines": [], **more})
    )


def review(experiment: Object) -> list[dict[str, str]]:
    return cast("list[dict[str, str]]", DRAFTS["coi_review"]({"idea": IDEA, "experiment": experiment, "entities": []})["points"])


def scores(experiment: Object) -> list[int]:
    said = DRAFTS["coi_review"]({"idea": IDEA, "experiment": experiment, "entities": [], "dismissed": []})["scores"]
    return [cast("dict[str, int]", said)[name] for name in ("decisive", "sound", "feasible")]


def test_a_dismissed_point_is_not_raised_again_and_scores_no_higher(cards: list[Object]) -> None:
    drafted = plan(cards)
    first, *rest = review(drafted)
    values = {"idea": IDEA, "experiment": drafted, "entities": []}
    again = DRAFTS["coi_review"]({**values, "dismissed": [first["point"]]})
    assert again["points"] == rest
    assert again["scores"] == DRAFTS["coi_review"]({**values, "dismissed": []})["scores"]


def refine(experiment: Object, points: list[dict[str, str]], facts: list[Object] | None = None) -> Object:
    values = {"idea": IDEA, "experiment": experiment, "entities": [], "points": points, "facts": facts or []}
    return dict(DRAFTS["coi_refine"](values))


def test_a_plan_uses_the_chains_data_baselines_metrics_and_modules(cards: list[Object]) -> None:
    drafted = plan(cards)
    assert "NQ and TriviaQA" in str(drafted["design"])
    assert "BM25" in str(drafted["baselines"])
    assert "DocT5" in str(drafted["baselines"])
    assert "ecall" in str(drafted["metrics"])
    assert "module 2 (answer)" in str(drafted["ablation"])
    assert drafted["references"] == [card["title"] for card in reversed(cards)]


def test_what_the_chain_does_not_name_is_not_invented(cards: list[Object]) -> None:
    drafted = plan([{**card, "experiment": "Not stated in the summary."} for card in cards])
    assert "the chain names none" in str(drafted["design"])
    assert "No data set is named" in review(drafted)[0]["point"]


def test_given_data_sets_come_first(cards: list[Object]) -> None:
    assert "Data that the cards name: MuSiQue, NQ and TriviaQA" in str(plan(cards, datasets=["MuSiQue"])["design"])


def test_a_review_finds_what_is_missing() -> None:
    said = " ".join(
        point["point"] for point in review({"design": "Data that the cards name: NQ.", "baselines": "", "ablation": "", "metrics": ""})
    )
    for word in ("Only one data set", "No baseline", "no ablation", "No measure", "more than chance", "compute"):
        assert word in said


def test_review_points_are_at_most_eight_and_name_a_part() -> None:
    points = review({})
    assert 1 <= len(points) <= 8
    assert {point["part"] for point in points} <= {
        "design",
        "baselines",
        "ablation",
        "metrics",
        "implementation",
        "feasibility",
    }


def test_each_point_is_answered_in_its_part_and_a_second_review_is_empty(cards: list[Object]) -> None:
    drafted = plan(cards)
    points = review(drafted)
    assert points
    refined = refine(drafted, points)
    answers = cast("list[dict[str, object]]", refined["answers"])
    assert [answer["point"] for answer in answers] == list(range(1, len(points) + 1))
    assert all(len(str(refined[p["part"]])) > len(str(drafted[p["part"]])) for p in points)
    assert review(refined) == []
    assert scores(drafted) < scores(refined) == [10, 10, 10]


def test_facts_are_cited_by_title_where_they_answer_a_point(cards: list[Object]) -> None:
    drafted = plan(cards)
    fact = "Each data set holds 3,000 items, of which 12 percent are frequent cases."
    refined = refine(drafted, review(drafted), [{"title": "Counting Cases", "facts": [fact]}])
    assert f'From "Counting Cases": {fact}' in str(refined["design"])
    assert "Counting Cases" in cast("list[str]", refined["references"])


def test_a_persons_point_is_taken_up_in_its_part(cards: list[Object]) -> None:
    refined = refine(plan(cards), [{"part": "metrics", "point": "Say how ties are counted."}])
    assert "Say how ties are counted." in str(refined["metrics"])


def test_a_query_is_given_only_where_reading_helps(cards: list[Object]) -> None:
    drafted = plan(cards)
    ask = DRAFTS["coi_review_query"]
    assert ask({"experiment": drafted, "points": []})["query"] is None
    assert ask({"experiment": drafted, "points": [{"part": "design", "point": "Write step 3 more clearly."}]})["query"] is None
    query = ask({"experiment": drafted, "points": review(drafted)})["query"]
    assert isinstance(query, str)
    assert "NQ" in query


def test_facts_share_words_with_the_points() -> None:
    text = "The weather was fine. Experiments on NQ use 3,610 test questions and three seeds. Nothing else is said about it here."
    points = [{"part": "design", "point": "The number of test questions is not given."}]
    facts = DRAFTS["coi_facts"]({"title": "T", "year": 2020, "kind": "abstract", "text": text, "points": points})["facts"]
    assert facts == ["Experiments on NQ use 3,610 test questions and three seeds."]


def test_no_points_no_facts() -> None:
    assert DRAFTS["coi_facts"]({"title": "T", "year": 2020, "kind": "abstract", "text": "A sentence with 10 items.", "points": []}) == {
        "facts": []
    }
