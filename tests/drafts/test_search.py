"""COI-1, COI-2, COI-4, COI-5: questions, rewritten queries, relevance."""

from __future__ import annotations

from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.drafts import DRAFTS

TOPIC = "preference optimisation for language models"


def questions(topic: str, count: int, hunch: str = "") -> list[str]:
    return cast(
        "list[str]",
        DRAFTS["coi_questions"]({"topic": topic, "hunch": hunch, "count": count})["questions"],
    )


def rewrite(topic: str, question: str, failed: list[str]) -> str:
    return cast(
        str,
        DRAFTS["coi_rewrite"]({"topic": topic, "question": question, "failed": failed})["query"],
    )


def test_the_topic_comes_first_and_its_parts_after_it() -> None:
    assert questions(TOPIC, 3)[:2] == [TOPIC, "preference optimisation"]


def test_the_hunch_gets_a_question_of_its_own() -> None:
    assert "active" in questions(TOPIC, 3, "active choice of pairs")[1]


@given(st.text(max_size=400), st.integers(min_value=1, max_value=5), st.text(max_size=100))
def test_questions_are_distinct_at_most_count_and_short(topic: str, count: int, hunch: str) -> None:
    found = questions(topic, count, hunch)
    assert 1 <= len(found) <= count
    assert len({question.casefold() for question in found}) == len(found)
    assert all(len(question) <= 200 for question in found)


@pytest.mark.parametrize("topic", ["cheese ripening bacteria", "volume rendering"])
def test_no_question_leads_off_a_topic_that_the_library_does_not_know(topic: str) -> None:
    assert questions(topic, 5) == [topic]


@given(st.text(alphabet=st.sampled_from("abcd "), min_size=3, max_size=60))
def test_a_rewrite_never_repeats_while_words_are_left(question: str) -> None:
    failed: list[str] = []
    for _ in range(10):
        query = rewrite(TOPIC, question, failed)
        assert query.casefold() not in [f.casefold() for f in failed]
        failed.append(query.upper())


def test_rewrites_become_broader_first() -> None:
    question = "preference optimisation without reference model for dialogue"
    assert len(rewrite(TOPIC, question, []).split()) < len(question.split())


@pytest.mark.parametrize(
    ("topic", "title", "abstract", "fits"),
    [
        (TOPIC, "Learning from human preferences", "A reward model learns by comparing.", True),
        ("RLHF", "Reinforcement learning from human feedback", "", True),
        (TOPIC, "Soil erosion in river deltas", "We measure sediment with sensors.", False),
        (TOPIC, "A language model for proteins", "Models of protein folding.", False),
        ("", "Anything", "", False),
        ("topic words", "", "", False),
        ("...", "!!!", "", False),
    ],
)
def test_relevance_is_lenient_but_needs_words(
    topic: str, title: str, abstract: str, fits: bool
) -> None:
    paper = {"id": "P1", "title": title, "year": 2020, "abstract": abstract}
    said: Any = DRAFTS["coi_relevances"]({"topic": topic, "candidates": [paper]})["verdicts"]
    assert (said[0]["topic"] > 0) is fits


def test_places_to_write_of_a_worksheet_are_no_claims() -> None:
    idea = {
        "title": "Worksheet: Answers without a check",
        "problem": "To write: why the gap matters for readers of long answers.",
        "summary": "Readers mark what they doubt. To write: a claim beyond the nearest paper that an experiment could refute.",
        "mechanism": "1. To write: how doubtful sentences are found.",
    }
    claims = cast(
        "list[dict[str, str]]", DRAFTS["coi_novelty_queries"]({"idea": idea, "count": 5})["claims"]
    )
    assert [claim["text"] for claim in claims] == [
        "Readers mark what they doubt",
        "Answers without a check",
    ]
