"""Drafts without a language model for the prompts of SciPIP: what rules can do, and worksheets that say what is still to be written.

Pure functions from the values of a prompt to the fields of its reply; no randomness, no network, no claims of results.
"""

from __future__ import annotations

from collections.abc import Mapping

from coi_tui.llm import drafter
from coi_tui.methods.scipip.drafts.ideas_draft import (
    draft_filter,
    draft_ideas,
    draft_improve,
    draft_inspiration,
    draft_inspired_ideas,
    draft_problem,
)
from coi_tui.methods.scipip.drafts.search_draft import draft_background, draft_brainstorm, draft_entities

DRAFTS: Mapping[str, drafter.Draft] = {
    "scipip_background": draft_background,
    "scipip_brainstorm": draft_brainstorm,
    "scipip_entities": draft_entities,
    "scipip_problem": draft_problem,
    "scipip_ideas": draft_ideas,
    "scipip_inspiration": draft_inspiration,
    "scipip_inspired_ideas": draft_inspired_ideas,
    "scipip_filter": draft_filter,
    "scipip_improve": draft_improve,
}
"""The rule for each prompt, by the prompt's name."""


def register() -> None:
    """Make these drafts known to the built-in drafter."""
    for name, draft in DRAFTS.items():
        drafter.register(name)(draft)
