"""Imitate-and-Evolve: two papers as paradigm, a plan after their outlines, and a manuscript that
grows section by section. Here are its settings, the section ``[imitate]`` of the settings file, and
its line in the registry."""

from __future__ import annotations

from pydantic import Field

from coi_tui.methods.base.idea_settings import IdeaSettings, packaged

MOST_STEPS = 10


class ImitateSettings(IdeaSettings):
    """How many papers are matched, and how long the plan is."""

    papers: int = Field(
        4,
        ge=1,
        le=8,
        description="papers on each side, every one matched with every one of the other side",
    )
    steps: int = Field(
        6, ge=3, le=MOST_STEPS, description="steps of the plan, and so sections of the manuscript"
    )


SPEC = packaged(
    "Imitate-and-Evolve",
    "Imitate",
    "E",
    ImitateSettings,
    "a manuscript that imitates two papers and grows section by section",
)
