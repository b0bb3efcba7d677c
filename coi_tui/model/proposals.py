"""The text of a proposal: how it is put together without a model, and what in one refers to its
making (pure)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from coi_tui.model.content import ExperimentPlan, IdeaContent
from coi_tui.model.text import clipped

MOST_WORDS = 2_300
"""Words of a proposal at most, without its references."""
_SPARE = 1.1
"""So many times as long a text may be before it is sent back: models do not count words."""
MOST_NAMED = 6
REPEATED = 20
"""Words from which on a paragraph that comes again was copied: weak models fill each section with
the first."""

LABEL = re.compile(r"\[(P\d+(?:\s*[,;]\s*P\d+)*)\]")
_EMPHASIS = re.compile(r"(\*\*|\*|__)(?=\S)([^*\n]+?)(?<=\S)\1(?!\w)")

_THE = r"(?:the|this|that|these|those|its|their|our|each|both|older|newer|earlier|later|first|second|last|previous)"
_OLD = r"(?:earlier|previous|old|original|former|first|last|revised|final|new)"
_EARLIER = (
    r"(?:unlike|than|as|like) (?:before|previously)\b",
    rf"(?:{_THE}|{_OLD}) (?:{_OLD} )?(?:drafts?|versions?)\b(?! (?:control|number|of (?:the |a )?(?:software|librar|data|model|tool)))",
    r"\b(?:an|the) (?:earlier|previous|old|original|former) (?:rule|plan|idea|text|proposal|claim|step|test|threshold|design|wording)\b",
    r"\bv\d+(?:\.\d+)?\b(?! of )",
    r"\b(?:version|draft|revision) \d+\b(?! of )",
    r"\b(?:review|revision|refinement) rounds?\b",
    r"\breviewers?(?:'s|’s)? (?:asked|said|noted|pointed|raised|objected|points?)\b",
    r"\bpoints? \d+ of the review\b|\bin (?:response|answer) to the review\b",
    r"\b(?:was|were|been|is now|are now) (?:revised|reworded|rewritten|dropped from the (?:plan|idea))\b",
)
"""Words that point to an earlier state of the text."""
_HOUSE = (
    r"\bcards? (?:says?|mentions?|names?|states?|describes?|lists?|does not|do not)\b|\b(?:its|their|paper(?:'s|’s)?|summary) cards?\b",
    r"\b(?:the|this|our) chain(?:(?:'s|’s) | of )(?:papers?|anchor)|\bpapers? (?:of|in|along) (?:the|this|our) chain\b|\bchain of papers\b",
    r"\b(?:the|this) chain (?:shows?|ends?|moved|runs|leads|holds|starts|begins|grew|says?)\b(?! (?:in|at|from) (?:\w+ )*states?\b)",
    r"\banchor papers?\b|\b(?:paper|chain) slots?\b|\b(?:branch|idea) [A-Z]?\d+(?:/\d+)?\b",
    rf"\b{_THE} (?:future )?direction (?:above|says?|asks?|calls|drafted)\b|\b(?:the|this) trends? (?:above|says?)\b",
    r"\bnovelty (?:report|check)\b|\bINCONCLUSIVE\b|\bbad cases?\b|\bworksheet\b|To write:",
    r"\b(?:the|our) (?:experiment plan|idea|plan) (?:above|says|text)\b",
)
"""Words of this program's own."""
_REFERS = re.compile("|".join((*_EARLIER, *_HOUSE)), re.IGNORECASE)


def faults(text: str, papers: int) -> list[str]:
    """What a reader who has seen nothing else cannot follow in a proposal, a phrase each;
    ``papers``: how many labels there are.

    References to earlier versions and to review rounds, words of this program's own, labels of no
    paper, headings without a text, paragraphs that come again, and a text that is much too long.
    """
    found = [f"“{match[0]}”" for match in _REFERS.finditer(text)]
    labels = {int(n) for group in LABEL.findall(text) for n in re.findall(r"\d+", group)}
    labels |= set(map(int, re.findall(r"\bpaper P(\d+)", text)))
    found += [f"[P{n}], which is no label" for n in sorted(labels) if not 1 <= n <= papers]
    found += [
        f"[{name}], which is no label"
        for name in dict.fromkeys(re.findall(r"\[([A-OQ-Z]\d+)\]", text))
    ]
    empty = (title for title, below in sections(text) if title and not below)
    found += [f"the heading “{title}” without a text" for title in empty]
    paragraphs = Counter(line for line in text.splitlines() if len(line.split()) >= REPEATED)
    found += [
        f"“{clipped(line, 8)}”, which comes {times} times"
        for line, times in paragraphs.items()
        if times > 1
    ]
    words = len(text.split())
    return [*dict.fromkeys(found)][:MOST_NAMED] + (
        [f"{words:,} words"] if words > MOST_WORDS * _SPARE else []
    )


def tidied(text: str) -> str:
    """A model's proposal as it is stored: without emphasis signs, and each label of a group in
    brackets of its own."""
    plain = _EMPHASIS.sub(r"\2", text.strip())
    return LABEL.sub(
        lambda group: "".join(f"[{label}]" for label in re.findall(r"P\d+", group[1])), plain
    )


def assembled(idea: IdeaContent, plan: ExperimentPlan | None) -> list[tuple[str, str]]:
    """A proposal from the texts of an idea and its plan as they are: headings with the text under
    each; empty texts are left out."""
    parts = [
        ("In short", idea.summary),
        ("The idea", idea.final),
        ("Where it applies", idea.setting),
    ]
    if plan is None:
        parts.append(("Experiment", idea.evaluation))
    else:
        claims = "\n".join(
            f"{n}. {claim.name.rstrip('.')}: {claim.description}".rstrip(": ")
            for n, claim in enumerate(plan.claims, start=1)
        )
        experiment = "\n\n".join(filter(None, (claims, plan.design, plan.baselines, plan.metrics)))
        parts += [
            ("First decisive step", plan.decisive),
            ("Experiment", experiment),
            ("Cost and risks", plan.effort),
            ("Simplest rival", plan.rival),
        ]
    return [(title, text.strip()) for title, text in parts if text.strip()]


def sections(text: str) -> Sequence[tuple[str, str]]:
    """Headings of a proposal with the text under each; what comes before the first heading has an
    empty one."""
    head, *rest = re.split(r"^#{1,6} +(.+?)\s*$", text, flags=re.MULTILINE)
    return [
        pair
        for pair in [("", head.strip()), *zip(rest[::2], map(str.strip, rest[1::2]), strict=True)]
        if any(pair)
    ]


def is_written(text: str) -> bool:
    """Whether there is a text under any heading, or without one."""
    return any(below for _, below in sections(text))
