"""The means that a person has, and what a check of an experiment plan against them keeps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import Field

from coi_tui.model.address import Branch
from coi_tui.model.content import Content
from coi_tui.model.state import State

ADDRESS = "means"
KINDS = ("compute", "data", "people", "weeks")
"""What a plan needs means of, in the order in which they are asked for."""
ENOUGH, SHORT, UNCLEAR, NO_NEED = "enough", "short", "cannot tell", "needs nothing"
NOT_SAID = "not said"
"""The judgement on a step of which the reply says nothing."""


class Means(Content):
    """A person's means for a session, in their own words; an empty one was not said."""

    compute: str = ""
    data: str = ""
    people: str = ""
    weeks: str = ""

    def said(self) -> dict[str, str]:
        """Those that were said, by kind."""
        return {kind: text for kind in KINDS if (text := getattr(self, kind).strip())}

    def lines(self) -> list[str]:
        """A line for each that was said."""
        return [f"{kind}: {text}" for kind, text in self.said().items()]


class CheckedStep(Content):
    """A step of the plan against the means. ``of``: compute, data, people or weeks; ``short``: what is missing; ``by``: how much of it."""

    step: int = 0
    part: str = ""
    text: str = ""
    judgement: str = NOT_SAID
    of: str = ""
    short: str = ""
    by: str = ""
    reason: str = ""


class MeansCheck(Content):
    """What the means suffice for: each step of the plan, its smallest decisive experiment first. ``left_out``: steps that were not sent."""

    steps: list[CheckedStep] = Field(default_factory=list)
    left_out: int = 0


def means_of(state: State) -> Means:
    """The means in use; none where none were said."""
    return state.read(ADDRESS, Means) or Means()


def changed(held: Means, given: Mapping[str, Any]) -> Means:
    """The means with the given ones in the place of their own kind."""
    return held.model_copy(update={kind: str(text).strip() for kind, text in given.items()})


def means_missing(state: State, branch: Branch) -> str:
    """Why a plan cannot be checked against the person's means; empty where it can."""
    if state.in_use(f"{branch}/exp") is None:
        return f"branch {branch} has no experiment plan yet"
    return "" if means_of(state).said() else "say first what means you have: M (coi means)"
