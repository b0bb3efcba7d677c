"""COI-3: cards from starter texts, abstracts and full papers."""

from __future__ import annotations

from typing import cast

from coi_tui.methods.base.text_tools import sentences
from tests.support.drafts import DRAFTS

STARTER = """SUMMARY
Dense retrievers need many labelled pairs. Earlier sparse systems such as BM25 match words only.
This paper introduces ToyNet, an encoder trained without labels.
The method works by pairing two crops of one text, so that no labels are needed. Experiments on BEIR
show higher recall than BM25.
LIMITATIONS
- Trained on English only.
- Long texts are cut.
DATASETS
- BEIR
- MS MARCO
BASELINES
- BM25
ENTITIES
- ToyNet: encoder trained without labels
"""
PAPER = """Abstract
Answering questions is hard because facts change. We propose FactFlow, which refreshes its index.
Our method combines a retriever and a reader.

1 Introduction
Prior work on retrieval keeps a fixed index.

4 Experiments
We evaluate on NaturalQ and compare with BM25. Results show an accuracy of 40 percent on the test part.

6 Limitations
Our approach cannot handle tables, and it is limited to English.
"""


def read(text: str, kind: str = "summary", title: str = "A Title") -> dict[str, object]:
    return dict(
        DRAFTS["coi_read"](
            {
                "topic": "answering questions with retrieval",
                "title": title,
                "year": 2023,
                "kind": kind,
                "text": text,
            }
        )
    )


def test_a_starter_text_is_read_by_role() -> None:
    card = read(STARTER)
    assert "BM25 match words only" in str(card["problem"])
    assert "introduces ToyNet" in str(card["move"])
    assert "two crops" in str(card["move"])
    assert card["limits"] == "Trained on English only. Long texts are cut."
    assert str(card["evidence"]).endswith("Data sets: BEIR and MS MARCO. Baselines: BM25.")
    assert card["references"] == []
    assert [e["name"] for e in cast("list[dict[str, str]]", card["entities"])] == ["ToyNet"]


def test_a_full_text_gives_limitations_and_experiments() -> None:
    card = read(PAPER, "full text")
    assert "cannot handle tables" in str(card["limits"])
    assert "NaturalQ" in str(card["experiment"])
    assert "FactFlow" in str(card["move"])


def test_sentences_survive_abbreviations_and_lists() -> None:
    found = sentences(
        "Smith et al. showed it, e.g. BM25 does. It cost 3.5 hours.\n- One item\n- Another. Done"
    )
    assert found == [
        "Smith et al. showed it, e.g. BM25 does.",
        "It cost 3.5 hours.",
        "One item",
        "Another.",
        "Done",
    ]
