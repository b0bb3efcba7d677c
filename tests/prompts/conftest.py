"""Values for each prompt in the shapes of the contract, with one item a list and the same text in
every place."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from coi_tui.prompts.loader import Prompts

PROMPTS = [*map(Prompts().get, Prompts().names())]


def values(text: str = "", year: int | None = None) -> dict[str, dict[str, Any]]:
    """By prompt name: every input, with ``text`` wherever text from outside can stand."""

    def of(*fields: str, **more: object) -> dict[str, Any]:
        return {**dict.fromkeys(fields, text), **more}

    work, one = of("title", year=year), of("name", "description")
    paper = of("title", "abstract", id="P1", label="P1", year=year)
    card = of("title", "problem", "move", "evidence", "limits", year=year, label="P1")
    whole_card = {**card, **of("source")}
    plan = of("decisive", "rival", "design", "baselines", "metrics", "effort", claims=[one])
    said, final = of("title", "text"), of("title", "final")
    section = {"number": 1, **said}
    outline = of("title", parts=[one])
    idea = of("title", "idea", "experiment")
    cards: dict[str, Any] = {"papers": [card]}
    common: dict[str, Any] = {
        **of("topic", "hunch", "background", "target_title", "title", "kind", "text", "point"),
        **of("member", "question", "aim", "subject", "direction", "thought", "means"),
        **of("problem", year=year, count=4, keep=2, round=1, side="newer"),
        **{key: [text] for key in ("reasons", "cues", "trends", "summaries", "failed", "criteria")},
        **{key: [text] for key in ("searched", "known", "datasets")},
        **{key: [text] for key in ("baselines", "dismissed", "wishes", "unclear")},
        **dict.fromkeys(("target", "seed", "draft"), said),
        **dict.fromkeys(("leader", "invited", "guest", "speaker"), one),
        **{key: [one] for key in ("team", "outsiders")},
        **{key: [section] for key in ("sections", "earlier")},
        **dict.fromkeys(("first", "second"), of("title", "sentence", "text")),
        "idea": final,
        "words": 400,
        "older": whole_card,
        "newer": {**whole_card, "label": "P2", "citing": [text]},
        "inspirations": [],
        "papers": [paper],
        "rivals": [
            {**work, **of("same", "left", label="P2", paper="P2")},
            {**work, **of("same", "left", "status", paper="")},
        ],
        "remembered": [{**work, **of("left", "status", paper="")}],
        "bad_cases": [of("title", "reason", "idea", "shared")],
        "existing": [{"id": "E1", **said}],
        "theories": [{"number": 3, "name": "Turn it round", "description": "begin at the end"}],
        "drafts": [{"id": "D1", **said}],
        "proposal": of("name", "problem", "method"),
        "request": of("algorithm", "application", constraints=[text]),
        "algorithm_papers": [{**paper, "id": "A1"}],
        "application_papers": [{**paper, "id": "B1"}],
        "pairs": ["A1-B1"],
        "outlines": [{"number": number, **outline} for number in "12"],
        "step": {**one, "number": 2},
        "passages": [{"id": "P1", **work, **of("where", "text")}],
        "between": [{**one, "number": 1}],
        "section": section,
        "points": [of("part", "point")],
        "said": [of("name", "text")],
        "abstract": of("title", "introduction", "objective", "methods", "results", "conclusion"),
        "review": [of("title", "abstract", "reason")],
        "plan": plan,
        "experiment": {**plan, "references": [text]},
        "neighbour": of("title", "abstract", year=year),
        "line": [work, work],
        "turned_down": [of("title", "reason")],
        "candidates": [{**paper, "id": f"P{n}", "cited_by": n - 1} for n in (1, 2)],
        "chain": [of("title", "problem", "move", "limits", year=year, label="P1")],
        "claims": [of("kind", "text")],
        "experiments": [{**work, "experiment": text, "label": "P1"}],
        "material": {"trends": [text]},
        "parts": [of("name", form=form, words=9) for form in ("lines", "pairs")],
        "facts": [of("title", facts=[text], label="P2")],
    }
    sketch = of("title", "sentence", "users", "how", "nearest", "left", "refuted")
    own: dict[str, dict[str, Any]] = {
        "scipip_entities": {"texts": [of("text", id=label) for label in ("T1", "P1")]},
        **dict.fromkeys(("scipip_problem", "scipip_ideas"), cards),
        "scipip_inspiration": {"papers": [{**card, "id": "P1"}]},
        **{
            key: {"ideas": [of("text", id=label) for label in ("I1", "B1")]}
            for key in ("scipip_filter", "scipip_improve")
        },
        "scipip_detail": {**cards, "idea": text},
        "nova_trend_ideas": {"trends": text},
        "nova_new_seeds": {"papers": [{**paper, "line": text}]},
        "nova_proposal": {
            "proposal": of("name", "problem", "existing", "motivation", "method", "experiment"),
            "modules": [one],
        },
        "imitate_split": {"request": text},
        "imitate_evidence": {
            "papers": [{**paper, "kind": "abstract", "abstract": f"1 {text}"}],
            "sections": [{**paper, "id": "S1", "kind": "section 1", "abstract": f"1 {text}"}],
        },
        "imitate_revise": {"points": [of("point", "change")]},
        "virsci_idea": {"ideas": [{"name": text, **idea}]},
        "virsci_vote": {"ideas": [{"id": "A", **idea, "papers": [of("title", "abstract")]}]},
        "virsci_abstract": {"idea": idea},
        "derive": {
            "operator": "move",
            "change": "mechanism",
            "parents": [of("title", "final", "problem", "mechanism", "evaluation", "setting")],
            "others": [of("title", "summary")],
            "rivals": [{**work, **of("left", label="P1", paper="P1")}],
        },
        "arena_judge": dict.fromkeys(("first", "second"), text),
        "coi_proposal": {
            "idea": of("title", "summary", "final"),
            "papers": [{"label": "P1", **work, "said": text}],
        },
        **{
            key: {
                "idea": of("title", "final", "problem", "mechanism", "evaluation", "setting"),
                "papers": [{**work, "label": "P1"}],
            }
            for key in ("coi_experiment", "coi_refine")
        },
        "sketches": {
            "chain": [of("title", "move", "use", "limits", year=year, label="P1")],
            "number": 4,
            "reading": [paper],
            "others": [of("title", "sentence")],
            "picked": [of("title", "sentence")],
            "rejected": [of("title", "sentence", "reason")],
            "rivals": [{**work, **of("left", "status", paper="")}],
            "lens": "more",
            "like": text,
        },
        "sketch_ranking": {"sketches": [{**sketch, "id": f"S{n}", "refuted": ""} for n in (1, 2)]},
        "work_out": {
            "chain": [of("title", "move", year=year, label="P1")],
            "rivals": [{**paper, "label": "P2", "paper": "P2"}],
            "missing": [text],
            "sketch": sketch,
        },
        "coi_novelty_queries": {
            "idea": of("title", "summary", "problem", "mechanism", "evaluation", "setting")
        },
        **{
            key: {"idea": of("title", "summary"), "rivals": [work], "source": text}
            for key in ("coi_novelty_verdicts", "coi_search_against")
        },
    }
    return {
        prompt.name: {
            name: copy.deepcopy({**common, **own.get(prompt.name, {})}[name])
            for name in prompt.accepts
        }
        for prompt in PROMPTS
    }


Values = Callable[..., dict[str, dict[str, Any]]]
"""``values(text="", year=None)``: the values of every prompt, by prompt name."""


@pytest.fixture(name="values", scope="session")
def values_fixture() -> Values:
    """The function ``values``, as a fixture because test folders are not importable from each
    other."""
    return values
