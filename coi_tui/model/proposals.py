"""The text of a proposal: how it is put together without a model, and what in one refers to its
making (pure)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from coi_tui.model.content import ExperimentPlan, IdeaContent
from coi_tui.model.text import clipped, sentences

MOST_WORDS = 2_100
"""Words of a proposal at most, without its references."""
REPEATED = 20
"""Words from which on a paragraph that comes again was copied: weak models fill each section with
the first."""


_THE = r"(?:the|this|these|its|their|our)"
_WAS = r"(?:earlier|previous|preceding|initial|old|original|former)"
_BECAME = r"(?:revised|updated|refined|modified|improved|corrected)"
_TEXT = r"(?:plan|idea|text|proposal|wording)"
_PART = r"(?:rule|claim|threshold|design|procedure|formulation|estimator|plan|idea|text|proposal|wording)"
_CRITIQUE = r"(?:criticism|critique|feedback|objections?|comments?|reviews?|points? \d+)"
_OF_ITSELF = (
    rf"\b(?:{_WAS}|{_BECAME}) (?:versions?|drafts?|revisions?) of (?:this|the|our) {_TEXT}\b",
    r"\bpapers? (?:of|in|along) (?:the|this|our) chain\b|\bchain of papers\b|\b(?:paper|chain) slots?\b|\banchor papers?\b",
    r"\bpoint \d+ of the review\b|\b(?:review|revision|refinement) rounds? (?:the|brought|added|a)\b",
    r"\b(?:branch|idea) [A-Z]?\d+(?:/\d+)?\b|\b(?:the|our) (?:idea|plan) (?:above|says)\b|\b(?:trend|direction) above\b",
    r"\bthe (?:rejected ideas|future direction (?:says?|asks?|calls))\b|\bnovelty (?:report|check)\b",
    r"(?-i:INCONCLUSIVE)|\bbad cases?\b|(?:^|\. )To write:",
    r"\b(?:abstracts?|material|excerpts?) (?:provided|supplied)\b(?! by)|\bsupplied (?:abstracts?|material|excerpts?)\b",
)
"""Words that point to another text whatever the proposal is about."""
_SAID_OF_ITSELF = (
    r"(?:^|[.!?] )(?:Unlike|As) before,|\bas previously,|\b(?:this|it) is \w+ than before\b",
    rf"\b{_THE} (?:{_WAS}|{_BECAME}|first|final|last) (?:draft|version|revision)\b(?! (?:model|token|of|control|number))",
    rf"\b(?:an?|the|our) {_WAS} {_PART}\b(?! of)|\b(?:the|our) {_BECAME} {_PART}\b(?! of)",
    r"(?<![\w-])(?-i:v)\d+(?:\.\d+)?\b(?! of (?!the (?:idea|method|plan)))",
    r"(?<!(?-i:[A-Z])\w )(?<!\w(?-i:[A-Z]) )\b(?:version|draft|revision) \d+\b(?! of |\.\d)",
    r"\breviewers?(?:'s|’s)? (?:asked|said|noted|pointed|raised|objected|doubted|found|points?\b)|\bthe review (?:found|asked|said|noted|wants)\b",
    rf"\bin (?:response|answer|reply) to the {_CRITIQUE}\b|\b(?:after|following) the (?:review|criticism)(?: round)?\b",
    r"\bthe criticism that\b[^.]*\bis (?:answered|met)\b",
    r"\b(?:threshold|step|rule|claim|measures?) (?:was|were|is now|are now) (?:revised|reworded|rewritten|dropped)\b",
    r"\b(?:its|older|newer|their|paper(?:'s|’s)|summary|the|two|of the) cards? (?:mentions?|names?|lists?|leaves?|gives?|describes?|says?|are silent)\b",
    r"\bthe anchor (?:does not |never )?(?:treats?|says?|mentions?|measures?|reports?|describes?)\b",
    rf"\b{_THE} (?:(?:older|newer|two|last|first) )?(?:card|chain|excerpt|arena)(?:'s|’s|e?s)?\b"
    r"(?! (?:of (?!this|the|these)|rule|box|sort|game))",
)
"""Words that do so unless the proposal is about such things: one that has drafts for a subject says
*the first draft* of them. Where it says *draft* in any other way as well, nobody is accused."""
_SURE, _UNSURE = (
    re.compile("|".join(every), re.IGNORECASE | re.MULTILINE)
    for every in (_OF_ITSELF, _SAID_OF_ITSELF)
)
_SUBJECT = re.compile(
    r"version|v(?=\d)|draft|review|critici|critique|feedback|comment|objection|card|chain"
    r"|anchor|excerpt|arena|rule|claim|threshold|design|procedure|formulation|estimator|before|previously"
)
_CODE = r"(?<![\w\-–./&+])(?!(?<!\[)(?:A4|B12|D2|D3|F1|F2|H0|L1|L2|R2|T5)\b)[A-OQ-Z]\d{1,2}(?![\w\-–/%°+]|\.\d)"
"""A short name, but for those that anybody writes so."""
_MEANT = (
    rf"\b[Aa]n? ({_CODE})|^[ \-*(#\d.]*({_CODE})|({_CODE})(?=:|,? \(|,? =|, (?:an?|the|which|with)\b)|\(({_CODE})\)"
    rf"|(?:called|named|label(?:led)?|denote[sd]?|as) ({_CODE})|({_CODE}) (?:is|are|has|have|means|stands|denotes|contains|adds|removes|uses) "
    rf"(?:an?|the|all|only|no|one|two|\d+)\b|(?:sets?|conditions?|variants?|groups?|arms?|sites?|stud(?:y|ies)|steps?|phases?|layers?) ({_CODE})"
)
"""How a text introduces a short name, before or after it uses it."""


def faults(text: str, papers: int) -> list[str]:
    """What a reader who has seen nothing else cannot follow in a proposal, a phrase each;
    ``papers``: how many labels there are.

    What is wrong with the whole, and then the phrases of its sentences. In doubt nothing is.
    """
    unclear = (phrase for phrases in unclear_sentences(text, papers).values() for phrase in phrases)
    return [*dict.fromkeys([*faults_of_whole(text), *unclear])][:6]


def faults_of_whole(text: str) -> list[str]:
    """Why a proposal has to be written anew: much too long, headings without a text, paragraphs that
    come again."""
    words = len(text.split())  # models do not count them: a tenth more is no fault
    found = (
        [f"{words:,} words, where {MOST_WORDS:,} are the most"] if words > 1.1 * MOST_WORDS else []
    )
    found += [
        f"the heading “{one}” without a text" for one, below in sections(text) if one and not below
    ]
    paragraphs = Counter(line for line in text.splitlines() if len(line.split()) >= REPEATED)
    return found + [
        f"“{clipped(line, 8)}”, which comes {times} times"
        for line, times in paragraphs.items()
        if times > 1
    ]


def unclear_sentences(text: str, papers: int) -> dict[str, list[str]]:
    """The sentences that a reader who has seen nothing else cannot follow, each with the phrases:
    references to earlier versions and reviews, words of this program's own, labels of no paper,
    short names that nothing introduces."""
    subjects = _subjects(_UNSURE.sub(" ", _SURE.sub(" ", text)))
    meant = {name[:1] for found in re.findall(_MEANT, text, re.MULTILINE) for name in found}
    found: dict[str, list[str]] = {}
    for line in sentences(text):
        sentence = re.sub(r"^\s*(?:[-*#]+|\d+\.)\s+", "", line)
        own = [one[0] for one in _SURE.finditer(sentence)]
        own += [m[0] for m in _UNSURE.finditer(sentence) if not _subjects(m[0]) & subjects]
        labels = re.findall(r"(?<=\[P)\d+|(?<=\bP)[1-3]?\d\b", sentence)
        codes = re.findall(_CODE, sentence)
        phrases = [f"“{one.lstrip('. ')}”" for one in own]
        phrases += [f"[P{n}], which is no label" for n in labels if not 1 <= int(n) <= papers]
        phrases += [f"“{one}”, which nothing introduces" for one in codes if one[0] not in meant]
        if phrases:
            found[sentence] = [*dict.fromkeys(phrases)]
    return found


def _subjects(text: str) -> set[str]:
    """What a text speaks of that a proposal may be about."""
    return {"version" if one == "v" else one for one in _SUBJECT.findall(text.casefold())}


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
