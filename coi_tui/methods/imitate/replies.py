"""What each model call of Imitate-and-Evolve must answer: pydantic schemas, one a prompt."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import BeforeValidator, Field, model_validator

from coi_tui.methods.base.replies import Aside, Reasoned, Reply, Words
from coi_tui.methods.imitate.settings import MOST_STEPS
from coi_tui.services.llm.reply_items import EACH_BY_ITSELF


class SplitRequest(Reasoned):
    """IE-1: a request as algorithm, application and constraints."""

    algorithm: Words
    application: Words
    constraints: list[Words] = Field(max_length=8)
    algorithm_query: Words
    application_query: Words


class PairScore(Reply):
    """IE-3: how well the two papers of a pair go together; ``id`` is the pair's label (A1-B2)."""

    id: Words
    reason: Words
    score: int = Field(ge=1, le=10)


class ScoredPairs(Reasoned):
    """IE-3: every pair with its score."""

    pairs: Annotated[list[PairScore], EACH_BY_ITSELF] = Field(min_length=1)


class OutlinePart(Reply):
    """IE-4: a section or subsection with one summary."""

    number: Annotated[str, BeforeValidator(str)]
    title: Words
    summary: Words


class PaperOutline(Reasoned):
    """IE-4: how a paper is built."""

    parts: Annotated[list[OutlinePart], EACH_BY_ITSELF] = Field(min_length=1, max_length=30)


class PlannedStep(Reply):
    """IE-5: a step of the plan. ``like``: the label of the part of a paradigm that it imitates (A2,
    B3)."""

    title: Words
    purpose: Words
    like: Aside = ""


class ImitatedPlan(Reasoned):
    """IE-5: a new outline, after those of two papers."""

    steps: Annotated[list[PlannedStep], EACH_BY_ITSELF] = Field(min_length=1, max_length=MOST_STEPS)


class LineRange(Reply):
    """IE-6: lines of the text under a label, and what they show for the step."""

    source: Words
    shows: Words
    first: int = Field(ge=1)
    last: int = Field(ge=1)


class EvidenceRanges(Reasoned):
    """IE-6: the lines that bear on a step; none where no text says anything to it."""

    ranges: Annotated[list[LineRange], EACH_BY_ITSELF] = Field(max_length=12)


class _MaybeChanged(Reasoned):
    """IE-6: a step of the plan, revised or left as it is."""

    why: Words
    change: bool
    title: Aside = ""
    purpose: Aside = ""

    @model_validator(mode="after")
    def _says_what_changes(self) -> Self:
        if self.change and not (self.title.strip() and self.purpose.strip()):
            raise ValueError("a change without title and purpose")
        return self


class EvolvedStep(_MaybeChanged):
    """IE-6: the step that comes next. ``weak``: what its evidence lacks."""

    weak: Aside = ""


class LaterStep(_MaybeChanged):
    """IE-6: a step that comes later, after a section was written."""


class WrittenSection(Reasoned):
    """IE-6: a section, with papers cited by label."""

    text: Words


class ManuscriptPoint(Reply):
    """IE-8: one thing to change, in one section."""

    section: int = Field(ge=1)
    point: Words


class ManuscriptReview(Reasoned):
    """IE-8: a review of the whole text."""

    summary: Words
    soundness: Words
    presentation: Words
    contribution: Words
    strengths: list[Words] = Field(max_length=6)
    weaknesses: list[Words] = Field(max_length=6)
    questions: list[Words] = Field(max_length=6)
    points: Annotated[list[ManuscriptPoint], EACH_BY_ITSELF] = Field(max_length=8)
    rating: int = Field(ge=1, le=10)


class PointDecision(Reasoned):
    """IE-9: what is changed for one point, or why nothing is."""

    change: Aside
    rebuttal: Aside = ""

    @model_validator(mode="after")
    def _decides(self) -> Self:
        if not self.change.strip() and not self.rebuttal.strip():
            raise ValueError("neither a change nor a rebuttal")
        return self


class RevisedSection(Reasoned):
    """IE-10: a section after its points were carried out."""

    text: Words
