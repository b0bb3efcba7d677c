"""Makes the drafts of all methods, and those that ideas of every method share, known to the
built-in drafter."""

from __future__ import annotations

from coi_tui.methods import registry
from coi_tui.methods.shared import drafts as shared_drafts
from coi_tui.services.llm.drafter import register_all


def register_drafts() -> None:
    """Register every draft under its prompt's name; once more does no harm."""
    register_all(shared_drafts.DRAFTS)
    for spec in registry.METHODS.values():
        if spec.drafts is not None:
            spec.drafts()
