"""The rules of VirSci where no language model is set: what is searched with, and what words in
common tell. Its texts are worksheets."""

from __future__ import annotations

from collections.abc import Mapping

from coi_tui.methods.base.text_tools import (
    Draft,
    Values,
    jaccard,
    line_of,
    mappings,
    text_of,
)
from coi_tui.model.text import sentence
from coi_tui.services.llm import drafter


def draft_subject(values: Values) -> Draft:
    """The session's topic as it is: papers are searched for with it."""
    return {"text": sentence(line_of(values, "topic")) or "The topic."}


def draft_vote(values: Values) -> Draft:
    """For the idea whose words overlap least with those of the papers beside it; of equals the
    first title."""
    scored = []
    for one in mappings(values, "ideas"):
        text = f"{line_of(one, 'title')} {text_of(one, 'idea')}"
        near = [
            jaccard(text, f"{line_of(paper, 'title')} {text_of(paper, 'abstract')}")
            for paper in mappings(one, "papers")
        ]
        scored.append(
            (round(max(near, default=0.0), 6), line_of(one, "title"), line_of(one, "id") or "A")
        )
    overlap, _, label = min(scored, default=(0.0, "", "A"))
    return {
        "reason": f"By rule: it shares least words with a paper beside it ({overlap:.2f} of 1).",
        "choice": label,
    }


DRAFTS: Mapping[str, drafter.Draft] = {
    "virsci_subject": draft_subject,
    "virsci_vote": draft_vote,
}
"""The rule for each prompt that has one, by the prompt's name."""
