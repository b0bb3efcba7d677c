"""Makes the drafts of all methods, and those that they share, known to the built-in drafter."""

from __future__ import annotations

from coi_tui.methods.coi import drafts as coi_drafts
from coi_tui.methods.shared import drafts as shared_drafts

DRAFTS = {**coi_drafts.DRAFTS, **shared_drafts.DRAFTS}
"""Every rule, by the name of its prompt."""


def register_drafts() -> None:
    """Register every draft under its prompt's name; once more does no harm."""
    shared_drafts.register()
    coi_drafts.register()
