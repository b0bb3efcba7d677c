"""Drafts without a language model for prompts of Chain of Ideas: questions, other words, relevance,
card.

Pure functions from the values of a prompt to the fields of its reply; no randomness, no network, no
claims of results.
"""

from __future__ import annotations

from collections.abc import Mapping

from coi_tui.methods.coi.drafts.search_draft import draft_questions, draft_relevances, draft_rewrite
from coi_tui.methods.evidence.card_draft import draft_read
from coi_tui.services.llm import drafter

DRAFTS: Mapping[str, drafter.Draft] = {
    "coi_questions": draft_questions,
    "coi_rewrite": draft_rewrite,
    "coi_relevances": draft_relevances,
    "coi_read": draft_read,
}
"""The rule for each prompt, by the prompt's name."""
