"""The rules of Imitate-and-Evolve where no language model is set: the request's parts, and a section
with what is to be changed. Its texts are worksheets."""

from __future__ import annotations

from collections.abc import Mapping

from coi_tui.methods.base.text_tools import (
    Draft,
    Values,
    mapping,
    mappings,
    text_of,
)
from coi_tui.model.text import clean_line, clipped
from coi_tui.services.llm import drafter
from coi_tui.services.llm.worksheet import TO_WRITE


def draft_split(values: Values) -> Draft:
    """The first line of the request on either side."""
    lines = text_of(values, "request").strip().splitlines()
    request = (clean_line(lines[0]).rstrip(" .,;:") if lines else "") or "the request"
    sides = dict.fromkeys(("algorithm", "application"), clipped(request, 40))
    queries = {f"{side}_query": clipped(request, 10) for side in sides}
    return {**sides, **queries, "constraints": []}


def draft_revise(values: Values) -> Draft:
    """The section as it is, with a line for each point that is to be carried out."""
    todo = [f"{TO_WRITE}{text_of(one, 'point')}" for one in mappings(values, "points")]
    return {
        "text": "\n\n".join([text_of(mapping(values, "section"), "text"), *todo]).strip()
        or f"{TO_WRITE}the section."
    }


DRAFTS: Mapping[str, drafter.Draft] = {
    "imitate_split": draft_split,
    "imitate_revise": draft_revise,
}
"""The rule for each prompt that has one, by the prompt's name."""
