"""What an experiment plan has to be like (pure): short, with claims that can fail and can hold
(COI-14)."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

from coi_tui.model.content import ExperimentPlan
from coi_tui.model.reviewing import PARTS

MOST_WORDS = 500
"""Words of a plan at most, without its references."""
STUB = 150
"""A plan of fewer words may grow to so many when it is refined: it is a note of a person."""
COPIED = 8
"""So many words of the idea's own rule in a row make a baseline the idea itself."""

_CLAIM = {
    "a threshold": r"\d|\b(?:no|none|zero|one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|fifty|hundred|hal(?:f|ves)|thirds?|quarters?|(?:fif|six|seven|eigh|nin|ten)ths?|twice|double|all|every|majority)\b",
    "what it is compared with": r"[<>≤≥=]|\b(?:than|against|versus|vs|compared?|above|below|exceeds?|over|under|beyond|within|between|at least|at most|beats?|reach(?:es)?|equals?|same|more|fewer|less|as \w+ as)\b",
}
"""What a claim has to name, and how it is known."""


def words_of(plan: ExperimentPlan) -> int:
    """How many words a plan has, without its references."""
    return sum(len(plan.part(name).split()) for name in PARTS if name != "references")


def most_words(plan: ExperimentPlan) -> int:
    """How many words a refinement of a plan may have."""
    return max(words_of(plan), STUB)


def faults_of_plan(plan: ExperimentPlan, mechanism: str) -> list[str]:
    """Why a plan has to be written anew: it is much too long, a claim does not say how it could
    fail, or a baseline is the idea itself."""
    words = words_of(plan)  # models do not count them: a tenth more is no fault
    found = [f"{words} words, where {MOST_WORDS} are the most"] if words > 1.1 * MOST_WORDS else []
    found += [
        f"claim {n} without {what}"
        for n, claim in enumerate(plan.claims, start=1)
        for what, words_for_it in _CLAIM.items()
        if not re.search(words_for_it, str(claim), re.IGNORECASE)
    ]
    rule, tried = (re.findall(r"\w+", text.casefold()) for text in (mechanism, plan.baselines))
    if SequenceMatcher(None, rule, tried, False).find_longest_match().size >= COPIED:
        found.append("a baseline that is the idea's own rule, word for word")
    return found
