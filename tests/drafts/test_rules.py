"""What is answered by rule without a model: COI-1, COI-2, COI-3, COI-4, COI-5."""

from typing import Any

import pytest

from coi_tui.methods.evidence.cards import card_by_rule
from coi_tui.services.sources.starter import load
from coi_tui.services.sources.starter.source import summary_text
from tests.support.drafts import DRAFTS

TOPIC = "preference optimisation for language models"


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
def test_relevance_is_lenient_but_needs_a_distinctive_word(
    topic: str, title: str, abstract: str, fits: bool
) -> None:
    paper = {"id": "P1", "title": title, "year": 2020, "abstract": abstract}
    said: Any = DRAFTS["coi_relevances"]({"topic": topic, "candidates": [paper]})["verdicts"]
    assert (said[0]["topic"] > 0) is fits


def test_the_lists_of_the_starter_library_arrive_in_cards_as_lists() -> None:
    for paper in list(load().papers.values())[::7]:
        card = card_by_rule({"title": paper.title, "text": summary_text(paper)})
        assert card["problem"]
        assert card["move"]
        if paper.limitations:
            assert paper.limitations[0].rstrip(".") in card["limits"]
        assert "ENTITIES" not in str(card)
        assert "BASELINES" not in str(card)
