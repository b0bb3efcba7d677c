"""The rules of SciPIP for what is searched with, where no language model is set. Its texts are
worksheets."""

from __future__ import annotations

from collections.abc import Mapping

from coi_tui.methods.base.text_tools import (
    Draft,
    Values,
    content_words,
    line_of,
    mappings,
    text_of,
    words,
)
from coi_tui.methods.scipip.entities import entities_by_rule
from coi_tui.model.text import sentence
from coi_tui.services.llm import drafter
from coi_tui.services.llm.worksheet import TO_WRITE


def draft_background(values: Values) -> Draft:
    """The topic as it stands; rules know no more of the field. It is searched for in its own
    words."""
    topic = line_of(values, "topic") or "the topic"
    query = topic if len(words(topic)) <= 12 else " ".join(content_words(topic)[:12])
    return {"text": sentence(topic) or "The topic.", "queries": [query or topic]}


def draft_entities(values: Values) -> Draft:
    """Phrases by rule, of each text the most distinctive; worksheets hold none."""
    found = []
    for text in mappings(values, "texts"):
        lines = [
            line for line in text_of(text, "text").splitlines() if not line.startswith(TO_WRITE)
        ]
        found += [
            {"text": line_of(text, "id"), "name": name, "also": []}
            for name in entities_by_rule("\n".join(lines))
        ]
    return {"entities": found or [{"text": "T1", "name": "the background", "also": []}]}


DRAFTS: Mapping[str, drafter.Draft] = {
    "scipip_background": draft_background,
    "scipip_entities": draft_entities,
}
"""The rule for each prompt that has one, by the prompt's name."""
