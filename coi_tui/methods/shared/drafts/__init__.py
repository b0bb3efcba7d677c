"""Drafts without a language model for what ideas of every method share: rivals, novelty check,
search against.

Pure functions from the values of a prompt to the fields of its reply; no randomness, no network, no
claims of results. The tools that drafts of a single method use as well are here too.
"""

from __future__ import annotations

from collections.abc import Mapping

from coi_tui.llm import drafter
from coi_tui.methods.shared.drafts.against_draft import draft_search_against
from coi_tui.methods.shared.drafts.novelty_draft import (
    draft_novelty_queries,
    draft_novelty_verdicts,
)
from coi_tui.methods.shared.drafts.rivals_draft import draft_rivals

DRAFTS: Mapping[str, drafter.Draft] = {
    "coi_rivals": draft_rivals,
    "coi_novelty_queries": draft_novelty_queries,
    "coi_novelty_verdicts": draft_novelty_verdicts,
    "coi_search_against": draft_search_against,
}
"""The rule for each prompt, by the prompt's name."""


def register() -> None:
    """Make these drafts known to the built-in drafter."""
    drafter.register_all(DRAFTS)
