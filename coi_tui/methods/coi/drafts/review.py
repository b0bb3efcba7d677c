"""Drafts for review and reading (COI-15): fixed checks on a plan, one search phrase, facts by shared words."""

from __future__ import annotations

import re

from coi_tui.methods.coi.drafts.checks import CHECKS, check_for
from coi_tui.methods.coi.drafts.kinds import untagged
from coi_tui.methods.coi.drafts.names import datasets_in
from coi_tui.methods.coi.drafts.source import split_source
from coi_tui.methods.coi.drafts.text import (
    clip,
    content_words,
    full_stop,
    sentences,
    stem,
    terms,
    total,
    weight,
    words,
)
from coi_tui.methods.coi.drafts.values import Values, line_of, mapping, mappings, text_of

Draft = dict[str, object]
_CONCRETE = re.compile(r"\b\d{2,}|\bdata ?sets?\b|\bbenchmark|\bbaseline|\bexperiments?\b|\bablation", re.IGNORECASE)


def draft_review(values: Values) -> Draft:
    """COI-15: the points that the checks raise on the plan, at most eight; none when all hold. The idea itself is not judged."""
    idea, plan = mapping(values, "idea"), mapping(values, "experiment")
    raised = [check for check in CHECKS if check.fails(idea, plan)]
    return {"points": [{"part": check.part, "point": check.point} for check in raised][:8]}


def draft_review_query(values: Values) -> Draft:
    """COI-15: one phrase for the first point that papers can help with, or null."""
    plan = mapping(values, "experiment")
    for item in mappings(values, "points"):
        point, part = line_of(item, "point"), line_of(item, "part")
        check = check_for(point)
        if point and (check.reads if check else _wants_reading(point)):
            return {"query": _phrase(plan, point, part, known=check is not None)}
    return {"query": None}


def _wants_reading(point: str) -> bool:
    return bool(
        re.search(
            r"\b(data ?sets?|benchmarks?|baselines?|metrics?|measures?|protocol|published|prior|"
            r"related|literature|compar)",
            point,
            re.IGNORECASE,
        )
    )


def _phrase(plan: Values, point: str, part: str, known: bool) -> str:
    """Names of the plan's data and of its title idea with what the point asks for, at most eight words."""
    named = datasets_in([text_of(plan, "design")]) or re.findall(r"\bTake ([^,.]+?)(?:,| and | with)", text_of(plan, "design"))
    quoted = re.findall(r"whether \"([^\"]+)\"", text_of(plan, "design"))
    subject = [w for w in content_words(" ".join([*named[:1], *map(untagged, quoted[:1])])) if weight(stem(w)) >= 1][:4]
    asked = (
        ["benchmark", "evaluation"]
        if known and part == "design"
        else [part or "evaluation", "comparison"]
        if known
        else content_words(point)[:5]
    )
    return " ".join([*subject, *(word for word in asked if word not in subject)][:8]) or "evaluation benchmark"


def draft_facts(values: Values) -> Draft:
    """COI-15: up to six sentences of the text that share telling words with the points, in the order of the text."""
    source = split_source(text_of(values, "text"))
    wanted = " ".join(f"{line_of(item, 'part')} {line_of(item, 'point')}" for item in mappings(values, "points"))
    asked = set(terms(wanted))
    if not asked:
        return {"facts": []}
    ranked = []
    for index, sentence in enumerate(sentences(source.main[:60000])):
        gain = _gain(sentence, asked)
        if gain >= 1 and 5 <= len(words(sentence)) <= 60:
            ranked.append((-gain, index, full_stop(sentence)))
    best = sorted(sorted(ranked)[: 6 - bool(source.datasets) - bool(source.baselines)], key=lambda item: item[1])
    return {"facts": [sentence for _, _, sentence in best] + _lists(source.datasets, source.baselines)}


def _gain(sentence: str, asked: set[str]) -> float:
    """Weight of the words shared with the points; a number or a measure in the sentence adds to it."""
    common = set(terms(sentence)) & asked
    return total(common) + 0.75 * bool(_CONCRETE.search(sentence)) if common else 0.0


def _lists(datasets: tuple[str, ...], baselines: tuple[str, ...]) -> list[str]:
    found = [("Data sets used", datasets), ("Compared with", baselines)]
    return [full_stop(f"{label}: {clip('; '.join(names), 40)}") for label, names in found if names]
