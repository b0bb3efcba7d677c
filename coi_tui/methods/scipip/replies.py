"""What each model call of SciPIP must answer: pydantic schemas, one a prompt."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from coi_tui.methods.base.replies import Reasoned, Reply, Words
from coi_tui.services.llm.reply_items import EACH_BY_ITSELF


class Background(Reasoned):
    """The background that is searched with and answered, and words to search for it."""

    text: Words
    queries: list[Words] = Field(min_length=1, max_length=3)


class Brainstorm(Reasoned):
    """SCI-11: rough directions from the background alone."""

    directions: list[Words] = Field(min_length=1, max_length=6)


class NamedEntity(Reply):
    """SCI-3: an entity of the text under a label, with other names for the same thing."""

    text: Words
    name: Words
    also: list[Words] = Field(default_factory=list, max_length=6)


class Entities(Reasoned):
    """SCI-3: the entities of several texts."""

    entities: Annotated[list[NamedEntity], EACH_BY_ITSELF] = Field(min_length=1)


class Problem(Reasoned):
    """SCI-10: a research problem with the reasons for it."""

    text: Words
    reasons: list[Words] = Field(min_length=1, max_length=6)


class Inspiration(Reasoned):
    """SCI-13: what a paper's method suggests for the background, or null."""

    inspiration: str | None

    @property
    def said(self) -> str:
        """What it suggests; empty for nothing."""
        text = (self.inspiration or "").strip()
        return "" if text.casefold().rstrip(".") in ("none", "null") else text


class FirstIdeas(Reasoned):
    """SCI-10: first ideas, a few sentences each."""

    ideas: list[Words] = Field(min_length=1, max_length=12)


class IdeaVerdict(Reply):
    """SCI-10: whether the idea under a label stays, after the reason."""

    id: Words
    reason: Words
    keep: bool


class Filtered(Reply):
    """SCI-10: a judgement on every idea, the reason first."""

    judged: Annotated[list[IdeaVerdict], EACH_BY_ITSELF] = Field(min_length=1)


class ImprovedIdea(Reply):
    """SCI-10: an improved idea, and the labels of those that it was made from."""

    sources: list[Words] = Field(default_factory=list, max_length=8)
    title: Words
    text: Words


class Improved(Reasoned):
    ideas: Annotated[list[ImprovedIdea], EACH_BY_ITSELF] = Field(min_length=1, max_length=4)
