"""A small chain of made-up cards, and the values of every prompt made from it (or from any other
texts)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.support.imitate_values import imitate_values
from tests.support.nova_values import nova_values
from tests.support.scipip_values import scipip_values
from tests.support.virsci_values import virsci_values

Object = dict[str, object]
Values = Callable[..., dict[str, Object]]

OLDER: Object = {
    "title": "SparseNet: Sparse Retrieval for Questions",
    "year": 2020,
    "source": "summary",
    "problem": "Open questions need passages from a large collection. Earlier systems matched words only.",
    "move": "This paper introduces SparseNet, a learned sparse index.",
    "method": "The method works by weighting every vocabulary word with a masked language model.",
    "evidence": "Experiments on NQ show higher recall.",
    "use": "The index.",
    "limits": "Synonyms in long questions are missed. Indexing needs many passes over the collection.",
    "experiment": "Experiments on NQ show higher recall. Data sets: NQ and TriviaQA. Baselines: BM25 and DocT5.",
    "entities": [
        {"name": "SparseNet", "description": "a learned sparse index"},
        {"name": "NQ", "description": "data set"},
    ],
    "references": [],
}
NEWER: Object = {
    **OLDER,
    "title": "BridgeNet: Dense Bridges for Long Questions",
    "year": 2022,
    "problem": "Sparse indexes miss synonyms in long questions.",
    "move": "This paper proposes BridgeNet, which finds synonyms of long questions.",
    "method": "The method works by encoding questions and passages into one space, so that synonyms meet.",
    "limits": "The encoder was trained on English only.",
    "entities": [
        {"name": "BridgeNet", "description": "a dual encoder"},
        {"name": "NQ", "description": "data set"},
    ],
}
LAST: Object = {
    **NEWER,
    "title": "LoopReader: Reading in Rounds",
    "year": 2024,
    "problem": "One search is often not enough.",
    "move": "This paper presents LoopReader, a reader that searches again.",
    "method": "The method works by asking a new query after each passage, which makes several hops possible.",
    "limits": "Every round costs a further model call.",
    "entities": [{"name": "LoopReader", "description": "a reader with several rounds"}],
}


def _idea(text: str) -> Object:
    return {
        **dict.fromkeys(("title", "motivation", "novelty", "method", "final"), text),
        "contributions": [text, f"{text} more"],
    }


def values(
    text: str = "retrieval for long questions",
    chain: list[Object] | None = None,
    year: int | None = 2024,
) -> dict[str, Object]:
    """By prompt name: valid values with ``text`` in every free place, and ``chain`` (the three
    cards) for the papers."""
    cards = [OLDER, NEWER, LAST] if chain is None else chain
    older, newer = (cards * 2)[:2] if cards else (OLDER, NEWER)
    bad = [{"title": text, "reason": text}]
    points = [{"part": "metrics", "point": text}]
    paper: Object = {"title": text, "year": year}
    brief = dict.fromkeys(
        ("title", "summary", "problem", "mechanism", "evaluation", "setting"), text
    )
    return {
        **nova_values(text, year, bad),
        **imitate_values(text, year, bad),
        **virsci_values(text, year),
        **scipip_values(text, OLDER | {"year": year}, bad),
        "one_call": {"topic": text, "hunch": text},
        "coi_questions": {"topic": text, "hunch": text, "count": 5},
        "coi_rewrite": {"topic": text, "question": text, "failed": [text]},
        "coi_relevances": {
            "topic": text,
            "criteria": [text],
            "turned_down": [{"title": text, "reason": text}],
            "neighbour": None,
            "side": "",
            "line": [],
            "candidates": [
                {"id": f"P{n}", **paper, "abstract": text, "cited_by": n - 1} for n in (1, 2)
            ],
        },
        "coi_read": {"topic": text, **paper, "kind": "abstract", "text": text},
        "coi_trend": {"topic": text, "older": older, "newer": newer, "citing": [text]},
        "coi_direction": {
            "topic": text,
            "chain": cards,
            "trends": [text],
            "hunch": text,
            "angle": "",
            "drafted": [],
        },
        "coi_rivals": {"topic": text, "thought": text},
        "coi_novelty_queries": {"topic": text, "idea": brief, "count": 3},
        "coi_novelty_verdicts": {
            "topic": text,
            "claims": [{"kind": "mechanism", "text": text}],
            "idea": brief,
            "papers": [
                {"id": "P1", **paper, "abstract": text},
                {"id": "P2", **paper, "abstract": ""},
            ],
        },
        "coi_search_against": {
            "topic": text,
            "idea": brief,
            "claims": [{"kind": "mechanism", "text": text}],
            "searched": [text],
            "known": [text],
            "count": 6,
        },
        "coi_facts": {**paper, "kind": "abstract", "text": text, "points": points},
    }


@pytest.fixture(name="values", scope="session")
def values_fixture() -> Values:
    """The function ``values``, as a fixture because test folders are not importable from each
    other."""
    return values


@pytest.fixture(scope="session")
def cards() -> list[Object]:
    """Three cards, old to new; the second answers a limitation of the first."""
    return [OLDER, NEWER, LAST]
