"""What each model call of Chain of Ideas alone must answer: pydantic schemas, one a prompt."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from coi_tui.methods.base.replies import Card as Card
from coi_tui.methods.base.replies import EntityReply as EntityReply
from coi_tui.methods.base.replies import Idea, Reasoned, Reply, Words, as_number
from coi_tui.services.llm.reply_items import EACH_BY_ITSELF


class Questions(Reasoned):
    """COI-1: search questions for a topic, the first broad, each of the rest on one aspect."""

    questions: list[Words] = Field(min_length=1, max_length=5)


class Rewrite(Reasoned):
    """COI-2: one search query that differs from all failed ones."""

    query: Words


Grade = Annotated[int, BeforeValidator(as_number), Field(ge=0, le=3)]


class PaperRelevance(Reply):
    """COI-2: what a candidate is worth for the topic, by the label it was shown under."""

    id: Words
    reasoning: Words
    topic: Grade


class Relevances(Reply):
    """COI-2: verdicts on several candidates, each by itself."""

    verdicts: Annotated[list[PaperRelevance], EACH_BY_ITSELF] = Field(min_length=1)


class PaperKinship(PaperRelevance):
    """COI-4, COI-5: the same, with its kinship with the paper next to which it would stand."""

    kinship: Grade
    link: Literal["builds on", "same problem", "same method", "only cites"]


class Kinships(Reply):
    """COI-4, COI-5: verdicts on several candidates for a place in a chain."""

    verdicts: Annotated[list[PaperKinship], EACH_BY_ITSELF] = Field(min_length=1)


class Trend(Reasoned):
    """COI-8: whether the newer paper takes up anything of the older one, and what moved from one to
    the other."""

    linked: bool
    text: Words


class Direction(Reply):
    """COI-10: a note on how people reasoned their way along the chain and what was weighed, and
    then the future direction."""

    note: Words
    text: Words


class IdeaDraft(Reasoned):
    """COI-11, first call: candidates weighed (in the reasoning), and the one that was chosen."""

    title: Words
    text: Words


class _Attacked(Reasoned):
    faults: list[Words] = Field(max_length=6)


class FinalIdea(Idea, _Attacked):
    """COI-11, second call: what is wrong with the draft, and then the whole idea anew."""
