"""Drafts without a language model: for each prompt of Chain of Ideas a rule that gives a reply of the same shape.

Pure functions from the values of a prompt to the fields of its reply; no randomness, no network, no claims of results.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from coi_tui.methods.coi.drafts.direction import draft_direction
from coi_tui.methods.coi.drafts.idea import draft_final_idea, draft_idea
from coi_tui.methods.coi.drafts.match import draft_match
from coi_tui.methods.coi.drafts.novelty import draft_novelty_queries, draft_novelty_verdicts
from coi_tui.methods.coi.drafts.plan import draft_experiment
from coi_tui.methods.coi.drafts.read import draft_read
from coi_tui.methods.coi.drafts.refine import draft_refine
from coi_tui.methods.coi.drafts.review import draft_facts, draft_review, draft_review_query
from coi_tui.methods.coi.drafts.search import draft_questions, draft_relevance, draft_rewrite
from coi_tui.methods.coi.drafts.trend import draft_trend

DRAFTS: dict[str, Callable[[Mapping[str, object]], Mapping[str, object]]] = {
    "coi_questions": draft_questions,
    "coi_rewrite": draft_rewrite,
    "coi_relevance": draft_relevance,
    "coi_read": draft_read,
    "coi_trend": draft_trend,
    "coi_direction": draft_direction,
    "coi_idea": draft_idea,
    "coi_final_idea": draft_final_idea,
    "coi_novelty_queries": draft_novelty_queries,
    "coi_novelty_verdicts": draft_novelty_verdicts,
    "coi_match": draft_match,
    "coi_experiment": draft_experiment,
    "coi_review": draft_review,
    "coi_review_query": draft_review_query,
    "coi_facts": draft_facts,
    "coi_refine": draft_refine,
}
"""The rule for each prompt, by the prompt's name."""


def register_all() -> None:
    """Make all drafts known to the built-in drafter, under their prompts' names."""
    from coi_tui.llm.drafter import register

    for name, draft in DRAFTS.items():
        register(name)(draft)
