"""Drafts without a language model for the prompts of Imitate-and-Evolve: what rules can do, and places that say what is to be written.

Pure functions from the values of a prompt to the fields of its reply; no randomness, no network, no claims of results. A rule finds
lines that share words with a step and quotes them; it cannot argue, review or decide, and says so.
"""

from __future__ import annotations

from collections.abc import Mapping

from coi_tui.llm import drafter
from coi_tui.methods.imitate.drafts.plan_draft import draft_outline, draft_pairs, draft_plan, draft_split
from coi_tui.methods.imitate.drafts.section_draft import (
    draft_evidence,
    draft_later,
    draft_point,
    draft_review,
    draft_revise,
    draft_section,
    draft_step,
)

DRAFTS: Mapping[str, drafter.Draft] = {
    "imitate_split": draft_split,
    "imitate_pairs": draft_pairs,
    "imitate_outline": draft_outline,
    "imitate_plan": draft_plan,
    "imitate_evidence": draft_evidence,
    "imitate_step": draft_step,
    "imitate_section": draft_section,
    "imitate_later": draft_later,
    "imitate_review": draft_review,
    "imitate_point": draft_point,
    "imitate_revise": draft_revise,
}
"""The rule for each prompt, by the prompt's name."""


def register() -> None:
    """Make these drafts known to the built-in drafter."""
    for name, draft in DRAFTS.items():
        drafter.register(name)(draft)
