"""The rules of the built-in drafter, by the names of their prompts."""

from coi_tui.methods.registry import register_drafts
from coi_tui.services.llm import offline

register_drafts()
DRAFTS = dict(offline.DRAFTS)
