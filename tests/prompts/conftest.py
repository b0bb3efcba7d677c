"""Values for each prompt in the shapes of the contract, with one item a list and the same text in
every place."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.support.imitate_values import imitate_values
from tests.support.nova_values import nova_values
from tests.support.scipip_values import scipip_values
from tests.support.virsci_values import virsci_values

CARD_FIELDS = ("problem", "move", "evidence", "use", "limits", "method")
PLAN_FIELDS = ("decisive", "rival", "design", "baselines", "metrics", "effort")


def values(text: str = "", year: int | None = None) -> dict[str, dict[str, object]]:
    """By prompt name: every input, with ``text`` wherever text from outside can stand."""
    short: dict[str, object] = dict.fromkeys(("title", *CARD_FIELDS), text)
    short["year"] = year
    card: dict[str, object] = dict.fromkeys(
        ("title", "source", "problem", "move", "method", "evidence", "limits"), text
    )
    card["year"] = year
    of_direction: dict[str, object] = {
        **dict.fromkeys(("title", "problem", "move", "limits"), text),
        "year": year,
    }
    of_idea: dict[str, object] = {**of_direction, "method": text, "use": text}
    final: dict[str, object] = dict.fromkeys(("title", "final"), text)
    plan: dict[str, object] = dict.fromkeys(PLAN_FIELDS, text)
    plan.update(references=[text], claims=[{"name": text, "description": text}])
    points = [{"part": text, "point": text}]
    bad = [{"title": text, "reason": text, "idea": text, "shared": text}]
    chain: dict[str, object] = {"topic": text, "chain": [of_direction], "trends": [text]}
    paper: dict[str, object] = {"title": text, "year": year}
    brief: dict[str, object] = dict.fromkeys(
        ("title", "summary", "problem", "mechanism", "evaluation", "setting"), text
    )
    in_short: dict[str, object] = dict.fromkeys(("title", "summary"), text)
    ideas: dict[str, object] = {
        "topic": text,
        "chain": [of_idea],
        "trends": [text],
        "direction": text,
        "rivals": [{**paper, "same": text, "left": text}],
        "bad_cases": bad,
    }
    return {
        "one_call": {"topic": text, "hunch": text},
        **scipip_values(text, short, bad),
        **nova_values(text, year, bad),
        **imitate_values(text, year, bad),
        **virsci_values(text, year),
        "coi_proposal": {
            "topic": text,
            "idea": {**in_short, "final": text},
            "papers": [{"label": "P1", **paper, "said": text}],
            "plan": {name: said for name, said in plan.items() if name != "references"},
        },
        "coi_questions": {"topic": text, "hunch": text, "count": 3},
        "coi_rewrite": {"topic": text, "question": text, "failed": [text]},
        "coi_relevances": {
            "neighbour": {**paper, "abstract": text},
            "side": "newer",
            "line": [paper, paper],
            "topic": text,
            "criteria": [text],
            "turned_down": [{"title": text, "reason": text}],
            "candidates": [
                {"id": f"P{n}", **paper, "abstract": text, "cited_by": n - 1} for n in (1, 2)
            ],
        },
        "coi_read": {"topic": text, **paper, "kind": text, "text": text},
        "coi_trend": {"topic": text, "older": card, "newer": card, "citing": [text]},
        "coi_direction": {**chain, "hunch": text, "angle": text, "drafted": [text]},
        "coi_idea": ideas,
        "coi_final_idea": {
            **{name: said for name, said in ideas.items() if name not in ("chain", "trends")},
            "papers": [paper],
            "draft": {"title": text, "text": text},
        },
        "coi_rivals": {"topic": text, "thought": text},
        "coi_novelty_queries": {"topic": text, "idea": brief, "count": 3},
        "coi_novelty_verdicts": {
            "topic": text,
            "idea": in_short,
            "claims": [{"kind": text, "text": text}],
            "papers": [{"id": "P1", **paper, "abstract": text}],
        },
        "coi_search_against": {
            "topic": text,
            "idea": in_short,
            "claims": [{"kind": text, "text": text}],
            "searched": [text],
            "known": [text],
            "count": 3,
        },
        "coi_match": {
            "topic": text,
            "first": final,
            "second": final,
            "rivals_first": [{**paper, "left": text}],
            "rivals_second": [{**paper, "left": text}],
        },
        "coi_experiment": {
            "means": text,
            "idea": final,
            "experiments": [{**paper, "experiment": text}],
            "datasets": [text],
            "baselines": [text],
        },
        "coi_review": {"topic": text, "idea": final, "experiment": plan, "dismissed": [text]},
        "coi_facts": {**paper, "kind": text, "text": text, "points": points},
        "coi_ask": {
            "material": {"trends": [text]},
            "kind": text,
            "text": text,
            "parts": [{"name": text, "form": form} for form in ("lines", "pairs")],
            "wishes": [text],
        },
        "coi_refine": {
            "idea": final,
            "experiment": plan,
            "points": points,
            "facts": [{"title": text, "facts": [text]}],
        },
    }


Values = Callable[..., dict[str, dict[str, object]]]
"""``values(text="", year=None)``: the values of every prompt, by prompt name."""


@pytest.fixture(name="values", scope="session")
def values_fixture() -> Values:
    """The function ``values``, as a fixture because test folders are not importable from each
    other."""
    return values
