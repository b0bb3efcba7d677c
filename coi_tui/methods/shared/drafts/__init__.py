"""Drafts without a language model for what ideas of every method share: rivals, novelty check,
search against.

Pure functions from the values of a prompt to the fields of its reply; no randomness, no network, no
claims of results. The tools that drafts of a single method use as well are here too.
"""

from __future__ import annotations

from collections.abc import Mapping

from coi_tui.methods.shared.drafts import novelty_draft
from coi_tui.services.llm import drafter

DRAFTS: Mapping[str, drafter.Draft] = {
    "coi_rivals": novelty_draft.draft_rivals,
    "coi_novelty_queries": novelty_draft.draft_novelty_queries,
    "coi_novelty_verdicts": novelty_draft.draft_novelty_verdicts,
    "coi_search_against": novelty_draft.draft_search_against,
}
"""The rule for each prompt, by the prompt's name."""
