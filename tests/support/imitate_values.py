"""What each prompt of Imitate-and-Evolve is filled with, in the shapes of the contract: for the
tests of prompts and of drafts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def imitate_values(
    text: str, year: int | None = None, bad: Sequence[Mapping[str, str]] = ()
) -> dict[str, dict[str, object]]:
    """By prompt name: every input, with ``text`` in every free place."""
    request: dict[str, object] = {
        "request": {"algorithm": text, "application": text, "constraints": [text]}
    }
    step: dict[str, object] = {"step": {"number": 2, "title": text, "purpose": text, "like": text}}
    section = {"number": 1, "title": text, "text": text}
    paper = {"title": text, "year": year}
    source = {"id": "P1", **paper, "kind": "abstract", "abstract": f"1 {text}"}
    draft = {"id": "S1", "title": "", "year": None, "kind": "section 1", "abstract": f"1 {text}"}
    passages: dict[str, object] = {"passages": [{"id": "P1", **paper, "where": text, "text": text}]}
    outline = {"title": text, "parts": [{"id": "A1", "name": text, "summary": text}]}
    outlines: dict[str, object] = {
        "outlines": [{"number": "1", **outline}, {"number": "2", **outline}]
    }
    return {
        "imitate_split": {"request": text},
        "imitate_pairs": {
            **request,
            "algorithm_papers": [{"id": "A1", **paper, "abstract": text}],
            "application_papers": [{"id": "B1", **paper, "abstract": text}],
            "pairs": ["A1-B1"],
        },
        "imitate_outline": {**paper, "kind": text, "text": text},
        "imitate_plan": {**request, **outlines, "count": 4},
        "imitate_evidence": {**request, **step, "papers": [source], "sections": [draft]},
        "imitate_step": {**request, **step, **passages},
        "imitate_section": {**request, **step, **passages, "earlier": [section]},
        "imitate_later": {
            **request,
            **step,
            "between": [{"number": 1, "title": text, "purpose": text}],
            "earlier": [section],
        },
        "imitate_review": {**request, "sections": [section]},
        "imitate_point": {**request, "point": text, "section": section, **passages},
        "imitate_revise": {
            **request,
            "section": section,
            "points": [{"point": text, "change": text}],
            **passages,
        },
        "imitate_head": {**request, "sections": [section], "bad_cases": list(bad)},
    }
