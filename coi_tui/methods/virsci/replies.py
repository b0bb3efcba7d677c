"""What each model call of VirSci must answer: pydantic schemas, one a prompt."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, ValidationError

from coi_tui.methods.base.replies import Aside, Reasoned, Reply, Words
from coi_tui.services.llm.reply_items import EACH_BY_ITSELF


class InvitationAnswer(Reasoned):
    """VIR-2: whether somebody joins a team."""

    reason: Words
    answer: Literal["join", "refuse"]


class GuestQuestion(Reply):
    """VIR-5: an outsider by masked name, and one question."""

    name: Words
    question: Words


def _question(said: object) -> object:
    """A question that can be read; anything else asks nobody."""
    try:
        return GuestQuestion.model_validate(said)
    except ValidationError:
        return None


class TopicReply(Reasoned):
    """VIR-3: what a member says. ``guest``: null, or whom it asks."""

    text: Words
    guest: Annotated[GuestQuestion | None, BeforeValidator(_question)] = None


class GuestAnswer(Reasoned):
    """VIR-5: the answer of an outsider."""

    text: Words


class TurnSummary(Reasoned):
    """VIR-3, VIR-4: the leader's summary of a turn, and whether the team has said what there is to
    say."""

    text: Words
    why: Aside = ""
    enough: bool = False


class Subject(Reasoned):
    """VIR-6: one topic."""

    text: Words


Mark = Annotated[int, Field(ge=1, le=10)]


class IdeaReply(Reasoned):
    """VIR-7: one idea, with its author's own scores."""

    title: Words
    idea: Words
    experiment: Words
    clarity: Mark
    feasibility: Mark
    novelty: Mark


class VoteReply(Reasoned):
    """VIR-8: the label of one of the ideas."""

    reason: Words
    choice: Literal["A", "B", "C"]


class AbstractReply(Reasoned):
    """VIR-9: the first version of an abstract, section by section."""

    title: Words
    introduction: Words
    objective: Words
    methods: Words
    results: Words
    conclusion: Words


class Marks(Reply):
    """VIR-9: of 10 each."""

    clarity: Mark
    relevance: Mark
    structure: Mark
    conciseness: Mark
    accuracy: Mark
    engagement: Mark
    originality: Mark
    overall: Mark


class RevisionReply(Reasoned):
    """VIR-9: what is said of an abstract, what is changed, and the abstract as it is then.
    ``enough``: no further turn would better it."""

    scores: Marks
    changes: Words
    title: Words
    introduction: Words
    objective: Words
    methods: Words
    results: Words
    conclusion: Words
    enough: bool = False


class OverlapScore(Reply):
    """VIR-10: a paper (by its label) against the abstract."""

    id: Words
    reason: Words
    score: int = Field(ge=0, le=100)


class OverlapReply(Reasoned):
    """VIR-10: the abstract against each paper."""

    scores: Annotated[list[OverlapScore], EACH_BY_ITSELF] = Field(min_length=1)
