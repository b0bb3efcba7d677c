"""What each prompt of Nova is filled with, in the shapes of the contract: for the tests of prompts
and of drafts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def nova_values(
    text: str, year: int | None = None, bad: Sequence[Mapping[str, str]] = ()
) -> dict[str, dict[str, object]]:
    """By prompt name: every input, with ``text`` in every free place."""
    target: dict[str, object] = {
        "target": {"title": text, "text": text},
        "existing": [{"id": "E1", "title": text, "text": text}],
    }
    paper = {"id": "P1", "title": text, "year": year, "abstract": text}
    papers: dict[str, object] = {"papers": [paper]}
    seed: dict[str, object] = {"seed": {"title": text, "text": text}}
    parts = dict.fromkeys(
        ("name", "problem", "existing", "motivation", "method", "experiment"), text
    )
    proposal: dict[str, object] = {"proposal": parts}
    method: dict[str, object] = {
        "proposal": {name: parts[name] for name in ("name", "problem", "method")}
    }
    module = {"name": text, "role": text}
    theory = {
        "number": 3,
        "name": "Turn it round",
        "thinkers": ["A. N. Other"],
        "ways": ["begin at the end"],
    }
    return {
        "nova_trends": {"topic": text, **papers},
        "nova_theory_ideas": {**target, **papers, "theories": [theory], "count": 2},
        "nova_trend_ideas": {**target, "trends": text, "count": 2},
        "nova_gap_ideas": {**target, **papers, "count": 2},
        "nova_weigh": {**target, "drafts": [{"id": "D1", "title": text, "text": text}]},
        "nova_plan": {"target_title": text, **seed, "count": 3},
        "nova_new_seeds": {**target, **seed, "papers": [{**paper, "line": text}], "count": 2},
        "nova_initial": {"target": target["target"], **papers, **seed},
        "nova_modules": method,
        "nova_module": {**method, "modules": [module], "module": module},
        "nova_proposal": {
            **proposal,
            "target": target["target"],
            "modules": [{"name": text, "description": text}],
            "bad_cases": list(bad),
            "rivals": [{"title": text, "year": year, "same": text, "left": text}],
        },
    }
