"""What an experiment plan has to be like (pure): short, with claims that can fail and can hold
(COI-14)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from coi_tui.model.content import ExperimentPlan
from coi_tui.model.reviewing import PARTS

MOST_WORDS = 500
"""Words of a plan at most, without its references."""
STUB = 150
"""A plan of fewer words may grow to so many when it is refined: it is a note of a person."""
COPIED = 8
"""So many words of the idea's own rule in a row make a baseline the idea itself."""

_THRESHOLD = re.compile(
    r"\d|\b(?:no|none|zero|one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|fifty|hundred"
    r"|hal(?:f|ves)|thirds?|quarters?|(?:fif|six|seven|eigh|nin|ten)ths?|twice|double|all|every|majority)\b",
    re.IGNORECASE,
)
_COMPARISON = re.compile(
    r"[<>≤≥=]|\b(?:than|against|versus|vs|compared?|above|below|over|under|beyond|within|between|at least"
    r"|at most|exceeds?|beats?|reach(?:es)?|equals?|same|more|fewer|less|as \w+ as)\b",
    re.IGNORECASE,
)


def words_of(plan: ExperimentPlan) -> int:
    """How many words a plan has, without its references."""
    return sum(len(plan.part(name).split()) for name in PARTS if name != "references")


def most_words(plan: ExperimentPlan) -> int:
    """How many words a refinement of a plan may have."""
    return max(words_of(plan), STUB)


def faults_of_plan(plan: ExperimentPlan, idea: Mapping[str, Any]) -> list[str]:
    """Why a plan has to be written anew: it is much too long, a claim says with nothing how it could
    fail, or a baseline is the idea itself."""
    words = words_of(plan)  # models do not count them: a tenth more is no fault
    found = [f"{words} words, where {MOST_WORDS} are the most"] if words > 1.1 * MOST_WORDS else []
    for n, claim in enumerate(plan.claims, start=1):
        if not _THRESHOLD.search(str(claim)):
            found.append(f"claim {n} without a threshold")
        if not _COMPARISON.search(str(claim)):
            found.append(f"claim {n} without what it is compared with")
    rule, baselines = _words(idea.get("mechanism")), f" {' '.join(_words(plan.baselines))} "
    runs = (" ".join(rule[n : n + COPIED]) for n in range(len(rule) - COPIED + 1))
    if any(f" {run} " in baselines for run in runs):
        found.append("a baseline that is the idea's own rule, word for word")
    return found


def _words(text: object) -> list[str]:
    return re.findall(r"\w+", str(text or "").casefold())
