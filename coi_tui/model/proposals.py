"""The text of a proposal: how it is put together without a model, and what in one refers to its
making (pure)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from coi_tui.model.content import ExperimentPlan, IdeaContent
from coi_tui.model.text import clipped

MOST_WORDS = 2_300
"""Words of a proposal at most, without its references."""
REPEATED = 20
"""Words from which on a paragraph that comes again was copied: weak models fill each section with
the first."""


_THE = r"(?:the|this|that|these|those|its|their|our|both|older|newer|earlier|later|first|second|last|previous)"
_WAS = r"(?:earlier|previous|preceding|initial|old|original|former)"
_BECAME = r"(?:revised|updated|refined|modified|improved|corrected)"
_PART = r"(?:rule|plan|idea|text|proposal|claim|threshold|design|wording|procedure|formulation|estimator|variant of this \w+)"
_CRITIQUE = r"(?:criticism|critique|feedback|objections?|comments?|reviews?|points? \d+)"
_EARLIER = (
    r"(?:unlike|than|as|like) (?:before|previously)(?=[,.;:)]| \[| and\b|$)|\bdid not before\b|\b(?:it|we|(?:the|this) \w+) now also\b|\bwe no longer\b",
    rf"(?<!a )\b{_THE} (?:(?:{_WAS}|{_BECAME}|final) )?drafts?\b(?! (?:model|token|of))",
    rf"(?<!a )\b(?:{_THE}|{_WAS}|{_BECAME}|final) (?:(?:{_WAS}|{_BECAME}) )?(?:versions?|revision)\b(?! (?:control|number|of))",
    r"\b(?:draft|version|iteration|revision)s? of (?:this|the|our) (?:idea|plan|proposal|text)\b",
    rf"\b(?:an?|the|our) {_WAS} {_PART}\b(?! of)|\b(?:the|our) {_BECAME} (?:{_PART}|experiment)\b(?! of)",
    r"(?<![\w-])(?-i:v)\d+(?:\.\d+)?\b(?! of (?!the (?:idea|method|plan)))",
    r"(?<!(?-i:[A-Z])\w )(?<!\w(?-i:[A-Z]) )\b(?:version|draft|revision) \d+\b(?! of |\.\d)",
    r"\b(?:review|revision|refinement) rounds?\b|\brounds? of (?:comments|criticism|feedback|reviews?)\b",
    r"\breviewers?(?:'s|’s)? (?:\d|asked|said|noted|pointed|raised|objected|doubted|found|points?\b)|\b(?:by|as) the reviewers\b",
    r"\bthe review(?: (?:found|asked|asks|says|noted|notes|calls|wants)\b|[.,;]| is\b)|\bof the review\b|\bin the review\b",
    rf"\b(?:answers?|meets?|address(?:es)?|after|following|(?:response|answer|reply) to)(?: the)?(?: \w+)? {_CRITIQUE}\b",
    r"\bthe criticism (?:that|is|was)\b|\b(?:it|they) (?:was|were) criticised\b|\brebuttal of\b|\bthe point (?:about|raised)\b",
    r"\b(?:was|were|been|is now|are now) (?:revised to|reworded|rewritten|dropped from the (?:plan|idea))\b|\bis now revised\b",
)
"""Words that point to an earlier state of the text."""
_HOUSE = (
    r"\bcards? (?:says?|mentions?|names?|lists?)\b|\b(?:paper(?:'s|’s)?|summary) cards?\b",
    r"\bpapers? (?:of|in|along) (?:the|this|our) chain\b|\bchain of papers\b|\b(?:paper|chain) slots?\b",
    r"\banchor papers?\b|\b(?:branch|idea) [A-Z]?\d+(?:/\d+)?\b|\bthe (?:other|rejected) ideas\b|\bthe idea (?:draft|won)\b",
    rf"\b{_THE} (?:future )?direction (?:above|says?|asks?|calls|drafted)\b|\b(?:the|this) trends? (?:above|says?|between the)\b",
    r"\baccording to (?:the|this) (?:trend|direction|verdict)\b|\brivals? (?:list|in the list)\b|\bsearch against\b",
    r"\bnovelty (?:report|check)\b|(?-i:INCONCLUSIVE)|\bverdicts? \w+ inconclusive\b|\bbad cases?\b|\bworksheet\b|To write:",
    r"\b(?:the|our) (?:experiment plan|idea|plan) (?:above|says|text)\b|\bsee the (?:experiment )?plan\b",
    r"\b(?:abstracts?|material|papers) (?:provided|supplied|given here)\b(?! by)|\bsupplied (?:abstracts?|material|papers)\b",
)
"""Words of this program's own."""
_REFERS = re.compile("|".join((*_EARLIER, *_HOUSE)), re.IGNORECASE)

_ASSUMED = re.compile(
    rf"(?:\b(?P<the>{_THE}) (?:(?:two|three|four|first|second|third|last|given|supplied) )?)?"
    r"\b(?P<word>card|chain|anchor|branch|excerpt|arena|Elo)(?:e?s)?\b"
    r"(?P<other> of (?!(?:this|the|these) (?:paper|work))| (?:box|text|rule|reaction|sort|link|loss|example|point|word|game))?",
    re.IGNORECASE,
)
"""Words of this program that have other meanings too, which a text names before it says *the*."""
_CODE = r"(?<![\w\-–./&+])(?!(?<!\[)(?:A4|B12|D2|D3|F1|F2|H0|L1|L2|R2|T5)\b)[A-OQ-Z]\d{1,2}(?![\w\-–/%°+]|\.\d)"
"""A short name, but for those that anybody writes so."""
_MEANT = rf"\b[Aa]n? ({_CODE})|^[ \-*(#\d.]*({_CODE})(?=[.)])|({_CODE})(?=:| \(| =)|\(({_CODE})\)|(?:called|named) ({_CODE})(?:,? (?:and|or) ({_CODE}))?"


def faults(text: str, papers: int) -> list[str]:
    """What a reader who has seen nothing else cannot follow in a proposal, a phrase each;
    ``papers``: how many labels there are.

    References to earlier versions and to review rounds, words of this program's own, labels of no
    paper, short names that nothing introduces, headings without a text, paragraphs that come again,
    and a text that is much too long.
    """
    words = len(text.split())  # models do not count them: a tenth more is no fault
    found = [f"{words:,} words"] if words > 1.1 * MOST_WORDS else []
    found += [f"“{match[0]}”" for match in _REFERS.finditer(text)]
    found += [
        f"[P{n}], which is no label"
        for n in re.findall(r"(?<=\[P)\d+|(?<=\bP)[1-3]?\d\b", text)
        if not 1 <= int(n) <= papers
    ]
    found += [f"“{one}”, which nothing introduces" for one in _unknown(text)]
    found += [
        f"the heading “{one}” without a text" for one, below in sections(text) if one and not below
    ]
    paragraphs = Counter(line for line in text.splitlines() if len(line.split()) >= REPEATED)
    found += [
        f"“{clipped(line, 8)}”, which comes {times} times"
        for line, times in paragraphs.items()
        if times > 1
    ]
    return [*dict.fromkeys(found)][:6]


def _unknown(text: str) -> Iterator[str]:
    """Words and short names such as C4 that a text uses as if its reader knew them."""
    seen = set()
    for found in _ASSUMED.finditer(text):
        if found["the"] and not found["other"] and found["word"] not in seen:
            yield found[0]
        seen.add(found["word"])
    meant = {name for found in re.findall(_MEANT, text, re.MULTILINE) for name in found}
    yield from (name for name in re.findall(_CODE, text) if name not in meant)


def tidied(text: str) -> str:
    """A model's proposal as it is stored: without emphasis signs."""
    return re.sub(r"(\*\*|\*|__)(?=\S)([^*\n]+?)(?<=\S)\1(?!\w)", r"\2", text.strip())


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
