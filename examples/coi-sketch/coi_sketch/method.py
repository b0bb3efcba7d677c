"""Sketch as coi-tui lists it."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from coi_sketch.kinds import KINDS
from coi_sketch.tasks import TASKS
from coi_tui.plugin import BranchedMethod, IdeaSettings


class SketchSettings(IdeaSettings):
    """How many ideas a new session has, and the bounds of what follows an idea."""

    branches: int = Field(default=3, ge=1, le=5, description="ideas of a new session")


class Sketch(BranchedMethod):
    """Background, one search, an idea for each gap."""

    name, short = "Sketch", "Sketch"
    own_stages = ("background", "search", "ideas")
    own_kinds = KINDS
    tasks = TASKS


SPEC = Sketch.spec(
    "K",
    SketchSettings,
    about="an idea for each gap that is known",
    section="sketch",
    prompts=Path(__file__).parent / "prompts",
)
