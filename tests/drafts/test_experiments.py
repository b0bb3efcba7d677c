"""COI-15: facts that answer the points of a review."""

from __future__ import annotations

from tests.support.drafts import DRAFTS

Object = dict[str, object]


def test_facts_share_words_with_the_points() -> None:
    text = "The weather was fine. Experiments on NQ use 3,610 test questions and three seeds. Nothing else is said about it here."
    points = [{"part": "design", "point": "The number of test questions is not given."}]
    facts = DRAFTS["coi_facts"](
        {"title": "T", "year": 2020, "kind": "abstract", "text": text, "points": points}
    )["facts"]
    assert facts == ["Experiments on NQ use 3,610 test questions and three seeds."]


def test_no_points_no_facts() -> None:
    assert DRAFTS["coi_facts"](
        {
            "title": "T",
            "year": 2020,
            "kind": "abstract",
            "text": "A sentence with 10 items.",
            "points": [],
        }
    ) == {"facts": []}
