"""The drafts of the built-in drafter, by the names of their prompts."""

from __future__ import annotations

from coi_tui.methods.coi import drafts as coi_drafts
from coi_tui.methods.imitate import drafts as imitate_drafts
from coi_tui.methods.nova import drafts as nova_drafts
from coi_tui.methods.scipip import drafts as scipip_drafts
from coi_tui.methods.shared import drafts as shared_drafts
from coi_tui.methods.virsci import drafts as virsci_drafts

DRAFTS = {
    **coi_drafts.DRAFTS, **shared_drafts.DRAFTS, **scipip_drafts.DRAFTS, **nova_drafts.DRAFTS, **imitate_drafts.DRAFTS,
    **virsci_drafts.DRAFTS,
}  # fmt: skip
