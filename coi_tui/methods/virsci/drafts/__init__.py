"""Drafts without a language model for the prompts of VirSci: what rules can do, and worksheets that say what is still to be written.

Pure functions from the values of a prompt to the fields of its reply; no randomness, no network, no claims of results.
"""

from __future__ import annotations

from collections.abc import Mapping

from coi_tui.llm import drafter
from coi_tui.methods.virsci.drafts.abstract_draft import draft_abstract, draft_overlap, draft_revise, draft_vote
from coi_tui.methods.virsci.drafts.talk_draft import draft_guest, draft_idea, draft_invite, draft_subject, draft_summary, draft_topic

DRAFTS: Mapping[str, drafter.Draft] = {
    "virsci_invite": draft_invite,
    "virsci_topic": draft_topic,
    "virsci_guest": draft_guest,
    "virsci_summary": draft_summary,
    "virsci_subject": draft_subject,
    "virsci_idea": draft_idea,
    "virsci_vote": draft_vote,
    "virsci_abstract": draft_abstract,
    "virsci_revise": draft_revise,
    "virsci_overlap": draft_overlap,
}
"""The rule for each prompt, by the prompt's name."""


def register() -> None:
    """Make these drafts known to the built-in drafter."""
    for name, draft in DRAFTS.items():
        drafter.register(name)(draft)
