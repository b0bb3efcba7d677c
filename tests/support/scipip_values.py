"""What each prompt of SciPIP is filled with, in the shapes of the contract: for the tests of
prompts and of drafts."""

from __future__ import annotations

from collections.abc import Mapping


def scipip_values(
    text: str, short: Mapping[str, object], bad: list[dict[str, str]]
) -> dict[str, dict[str, object]]:
    """By prompt name: every input, with ``text`` in every free place. ``short``: the fields of a
    card; ``bad``: papers to avoid."""
    about: dict[str, object] = {"background": text}
    papers = {
        "papers": [
            {
                name: short[name]
                for name in ("title", "year", "problem", "move", "evidence", "limits")
            }
        ]
    }
    ideas = {"ideas": [{"id": "I1", "text": text}, {"id": "B1", "text": text}]}
    return {
        "scipip_background": {"topic": text, "hunch": text},
        "scipip_brainstorm": about,
        "scipip_entities": {"texts": [{"id": "T1", "text": text}, {"id": "P1", "text": text}]},
        "scipip_problem": {**about, **papers},
        "scipip_ideas": {
            **about,
            **papers,
            "problem": text,
            "reasons": [text],
            "cues": [text],
            "inspirations": [],
        },
        "scipip_inspiration": {**about, **papers},
        "scipip_filter": {**about, **ideas, "keep": 2},
        "scipip_improve": {**about, **ideas, "count": 2},
        "scipip_detail": {
            **about,
            **papers,
            "idea": text,
            "rivals": [{"title": text, "year": short["year"], "same": text, "left": text}],
            "bad_cases": bad,
        },
    }
