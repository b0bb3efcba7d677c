"""The drafts of what is searched with: the background as the topic stands, places for directions, entities by rule."""

from __future__ import annotations

from coi_tui.methods.scipip.entities import entities_by_rule
from coi_tui.methods.shared.drafts.prompt_values import Draft, Values, line_of, mappings, text_of
from coi_tui.methods.shared.drafts.text_tools import clip, content_words, with_full_stop, words

TO_WRITE = "To write:"
"""Begins every line that only holds a place."""


def draft_background(values: Values) -> Draft:
    """The topic as it stands; rules know no more of the field. It is searched for in its own words."""
    topic = line_of(values, "topic") or "the topic"
    query = topic if len(words(topic)) <= 12 else " ".join(content_words(topic)[:12])
    return {"text": with_full_stop(topic) or "The topic.", "queries": [query or topic]}


def draft_brainstorm(values: Values) -> Draft:
    """Directions cannot be had by rule: four places to write one."""
    about = clip(line_of(values, "background"), 12) or "the background"
    asked = (
        "another cause of the difficulty with", "another kind of means for", "how another field would treat", "the opposite question to",
    )  # fmt: skip
    return {"directions": [f"{TO_WRITE} {what} {about}" for what in asked]}


def draft_entities(values: Values) -> Draft:
    """Phrases by rule, of each text the most distinctive; places to write in hold none."""
    found = []
    for text in mappings(values, "texts"):
        lines = [line for line in text_of(text, "text").splitlines() if not line.startswith(TO_WRITE)]
        found += [{"text": line_of(text, "id"), "name": name, "also": []} for name in entities_by_rule("\n".join(lines))]
    return {"entities": found or [{"text": "T1", "name": "the background", "also": []}]}
