"""Drafts without a language model for the prompts of Nova: what rules can do, and worksheets that say what is still to be written.

Pure functions from the values of a prompt to the fields of its reply; no randomness, no network, no claims of results.
"""

from __future__ import annotations

from collections.abc import Mapping

from coi_tui.llm import drafter
from coi_tui.methods.nova.drafts.proposal_draft import draft_initial, draft_module, draft_modules
from coi_tui.methods.nova.drafts.round_draft import draft_new_seeds, draft_plan
from coi_tui.methods.nova.drafts.seed_draft import draft_gap_ideas, draft_theory_ideas, draft_trend_ideas, draft_trends, draft_weigh

DRAFTS: Mapping[str, drafter.Draft] = {
    "nova_trends": draft_trends,
    "nova_theory_ideas": draft_theory_ideas,
    "nova_trend_ideas": draft_trend_ideas,
    "nova_gap_ideas": draft_gap_ideas,
    "nova_weigh": draft_weigh,
    "nova_plan": draft_plan,
    "nova_new_seeds": draft_new_seeds,
    "nova_initial": draft_initial,
    "nova_modules": draft_modules,
    "nova_module": draft_module,
}
"""The rule for each prompt, by the prompt's name."""


def register() -> None:
    """Make these drafts known to the built-in drafter."""
    for name, draft in DRAFTS.items():
        drafter.register(name)(draft)
