"""The drafts of evidence, steps, sections and what follows them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from coi_tui.methods.imitate.drafts.plan_draft import TO_WRITE
from coi_tui.methods.shared.drafts.prompt_values import Draft, Values, line_of, mapping, mappings, text_of
from coi_tui.methods.shared.drafts.text_tools import quote, share, without_full_stop

BY_RULE = "By rule: it shares most words with the step."
SENTENCE = 5
"""Words from which on a line is more than a heading or a name."""
LINES = 4
"""Lines that a rule takes as evidence, one of each paper."""
_NUMBERED = re.compile(r"^(\d+) (.+)$", re.MULTILINE)
CANNOT_REVIEW = "Rules cannot review a text; this rating says nothing of it."


def draft_evidence(values: Values) -> Draft:
    """Of each paper the sentence that shares most words with request and step, the best first; none that the draft quotes already."""
    request, step = mapping(values, "request"), mapping(values, "step")
    about = " ".join([line_of(request, "algorithm"), line_of(request, "application"), line_of(step, "title"), text_of(step, "purpose")])
    draft = " ".join(text_of(section, "abstract") for section in mappings(values, "sections"))
    found = []
    for n, paper in enumerate(mappings(values, "papers")):
        lines = [(line, int(at)) for at, line in _NUMBERED.findall(text_of(paper, "abstract")) if len(line.split()) >= SENTENCE]
        scored = [(share(line, about), -at) for line, at in lines if without_full_stop(line) not in draft]
        if scored:
            score, at = max(scored)
            found.append((-score, n, line_of(paper, "id"), -at))
    return {"ranges": [{"source": label, "shows": BY_RULE, "first": at, "last": at} for _, _, label, at in sorted(found)[:LINES]]}


def draft_step(values: Values) -> Draft:
    """No change: whether a step fits its evidence is not for rules to say."""
    return {"why": "By rule: no change.", "change": False, "title": "", "purpose": "", "weak": "", "other": ""}


def draft_later(values: Values) -> Draft:
    return {"why": "By rule: no change.", "change": False, "title": "", "purpose": ""}


def draft_section(values: Values) -> Draft:
    """A worksheet: what the section is for, and what its passages say, word for word and cited."""
    step = mapping(values, "step")
    purpose = text_of(step, "purpose").removeprefix(TO_WRITE).strip() or line_of(step, "title") or "the section"
    return {"text": "\n\n".join([f"{TO_WRITE} {purpose}", *_quoted(values)])}


def _quoted(values: Values) -> Iterator[str]:
    for passage in mappings(values, "passages"):
        if line_of(passage, "id").startswith("P"):
            said = without_full_stop(text_of(passage, "text").replace("\n", " "))
            yield f"A passage: {quote(said, 60)} [{line_of(passage, 'id')}]."


def draft_review(values: Values) -> Draft:
    """No point and the same rating for every text."""
    return {
        "summary": CANNOT_REVIEW, "soundness": f"{TO_WRITE} whether it holds", "presentation": f"{TO_WRITE} whether it reads well",
        "contribution": f"{TO_WRITE} what it adds", "strengths": [], "weaknesses": [], "questions": [], "points": [], "rating": 5,
    }  # fmt: skip


def draft_point(values: Values) -> Draft:
    """A point that a person wrote is taken as it stands."""
    return {"change": text_of(values, "point") or "See the point.", "rebuttal": ""}


def draft_revise(values: Values) -> Draft:
    """The section as it is, with a place to write for each change."""
    section = mapping(values, "section")
    todo = [f"{TO_WRITE} {text_of(one, 'change') or text_of(one, 'point')}" for one in mappings(values, "points")]
    return {"text": "\n\n".join([text_of(section, "text"), *todo]).strip() or TO_WRITE}
