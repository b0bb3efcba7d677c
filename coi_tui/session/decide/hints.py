"""Words about a topic while it is typed. Light to import: the list of sessions uses them before any session is open."""

from __future__ import annotations

from collections.abc import Sequence

LONG_TOPIC, SHORT_TOPIC = 60, 3
"""Words above or below which a hint is given."""
ALIKE = 88.0
"""Likeness of two topics, 0 to 100, from which they count as nearly the same."""


def topic_hint(topic: str) -> str:
    """A word about a topic that is very short or very long; never a hindrance."""
    words = len(topic.split())
    if not words:
        return ""
    if words < SHORT_TOPIC:
        return "A topic of one or two words finds broad surveys; say for whom or for what."
    if words > LONG_TOPIC:
        return "A topic this long makes searches narrow; its first sentence may do."
    return ""


def alike(topic: str, others: Sequence[tuple[str, str]]) -> str:
    """The name of an old session whose topic is nearly this one; others are (name, topic). Empty where none is."""
    from rapidfuzz import fuzz, utils

    near = [(fuzz.token_set_ratio(topic, old, processor=utils.default_process), name) for name, old in others if old]
    score, name = max(near, default=(0.0, ""))
    return name if score >= ALIKE and len(topic.split()) >= SHORT_TOPIC else ""
