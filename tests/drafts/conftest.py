"""A small chain of made-up cards, and the values of every prompt made from it (or from any other texts)."""

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
    "background": "Open questions need passages from a large collection. Earlier systems matched words only.",
    "novelty": "This paper introduces SparseNet, a learned sparse index.",
    "contribution": "The method works by weighting every vocabulary word with a masked language model.",
    "reasons": "Not stated in the summary.",
    "limitation": "Synonyms in long questions are missed. Indexing needs many passes over the collection.",
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
    "background": "Sparse indexes miss synonyms in long questions.",
    "novelty": "This paper proposes BridgeNet, which finds synonyms of long questions.",
    "contribution": "The method works by encoding questions and passages into one space, so that synonyms meet.",
    "limitation": "The encoder was trained on English only.",
    "entities": [{"name": "BridgeNet", "description": "a dual encoder"}, {"name": "NQ", "description": "data set"}],
}
LAST: Object = {
    **NEWER,
    "title": "LoopReader: Reading in Rounds",
    "year": 2024,
    "background": "One search is often not enough.",
    "novelty": "This paper presents LoopReader, a reader that searches again.",
    "contribution": "The method works by asking a new query after each passage, which makes several hops possible.",
    "limitation": "Every round costs a further model call.",
    "entities": [{"name": "LoopReader", "description": "a reader with several rounds"}],
}


def _idea(text: str) -> Object:
    return {
        **dict.fromkeys(("title", "motivation", "novelty", "method", "final"), text),
        "contributions": [text, f"{text} more"],
    }


def _plan(text: str) -> Object:
    parts = ("design", "baselines", "ablation", "metrics", "implementation", "feasibility", "pseudocode")
    return {**dict.fromkeys(parts, text), "references": [text]}


def values(text: str = "retrieval for long questions", chain: list[Object] | None = None, year: int | None = 2024) -> dict[str, Object]:
    """By prompt name: valid values with ``text`` in every free place, and ``chain`` (the three cards) for the papers."""
    cards = [OLDER, NEWER, LAST] if chain is None else chain
    older, newer = (cards * 2)[:2] if cards else (OLDER, NEWER)
    entities = [{"name": text, "description": text}]
    bad = [{"title": text, "reason": text}]
    points = [{"part": "metrics", "point": text}]
    paper: Object = {"title": text, "year": year}
    idea = _idea(text)
    draft = {key: idea[key] for key in ("motivation", "novelty", "contributions", "method")}
    context: Object = {"topic": text, "chain": cards, "trends": [text], "entities": entities}
    return {
        **nova_values(text, year, bad),
        **imitate_values(text, year, bad),
        **virsci_values(text, year),
        **scipip_values(text, OLDER | {"year": year}, bad),
        "one_call": {"topic": text, "hunch": text},
        "coi_questions": {"topic": text, "hunch": text, "count": 5},
        "coi_rewrite": {"topic": text, "question": text, "failed": [text]},
        "coi_relevance": {
            "topic": text,
            "criteria": [text],
            "turned_down": [{"title": text, "reason": text}],
            **paper,
            "abstract": text,
            "cited_by": 3,
        },
        "coi_relevances": {
            "topic": text,
            "criteria": [text],
            "turned_down": [{"title": text, "reason": text}],
            "candidates": [{"id": f"P{n}", **paper, "abstract": text, "cited_by": n - 1} for n in (1, 2)],
        },
        "coi_read": {"topic": text, **paper, "kind": "abstract", "text": text},
        "coi_trend": {"topic": text, "older": older, "newer": newer},
        "coi_direction": {**context, "hunch": text, "angle": "", "drafted": []},
        "coi_idea": {**context, "direction": text, "bad_cases": bad},
        "coi_final_idea": {**context, "direction": text, "draft": draft, "bad_cases": bad},
        "coi_novelty_queries": {"idea": idea, "count": 3},
        "coi_novelty_verdicts": {
            "claims": [{"kind": "mechanism", "text": text}],
            "idea": idea,
            "papers": [{"id": "P1", **paper, "abstract": text}, {"id": "P2", **paper, "abstract": ""}],
        },
        "coi_search_against": {
            "idea": idea,
            "claims": [{"kind": "mechanism", "text": text}],
            "searched": [text],
            "known": [text],
            "count": 6,
        },
        "coi_means_check": {
            "idea": idea,
            "means": dict.fromkeys(("compute", "data", "people", "weeks"), text),
            "steps": [{"step": 1, "part": "design", "text": text}, {"step": 2, "part": "metrics", "text": ""}],
        },
        "coi_match": {"first": idea, "second": _idea("another idea about graphs")},
        "coi_experiment": {
            "idea": idea,
            "experiments": [{"title": text, "year": year, "experiment": card["experiment"]} for card in cards],
            "entities": entities,
            "datasets": [text],
            "baselines": [text],
        },
        "coi_review": {"idea": idea, "experiment": _plan(text), "entities": entities, "dismissed": []},
        "coi_review_query": {"experiment": _plan(text), "points": points},
        "coi_facts": {**paper, "kind": "abstract", "text": text, "points": points},
        "coi_refine": {
            "idea": idea,
            "experiment": _plan(text),
            "entities": entities,
            "points": points,
            "facts": [{"title": text, "facts": [text]}],
        },
    }


@pytest.fixture(name="values", scope="session")
def values_fixture() -> Values:
    """The function ``values``, as a fixture because test folders are not importable from each other."""
    return values


@pytest.fixture(scope="session")
def cards() -> list[Object]:
    """Three cards, old to new; the second answers a limitation of the first."""
    return [OLDER, NEWER, LAST]
