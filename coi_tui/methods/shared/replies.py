"""What the model calls that every method shares must answer: pydantic schemas, one a prompt.

Field descriptions travel to servers that take a JSON schema. Unknown extra fields are ignored, missing ones are an error:
nothing is filled in for the model.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, ValidationError, model_validator

from coi_tui.llm.reply_items import EACH_BY_ITSELF

Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
"""A text that says something: white space alone is a failure, never an empty answer."""

Aside = Annotated[str, BeforeValidator(lambda said: said if isinstance(said, str) else "")]
"""A text beside the answer: where it is none, the reply is read without it."""


class Reply(BaseModel):
    """Base of all replies."""

    model_config = ConfigDict(extra="ignore", frozen=True, defer_build=True)


class Reasoned(Reply):
    """A reply that begins with what the model thought before it answered; it is kept with how the text was made, never taken for content.

    Not asked of a model that reasons by itself.
    """

    reasoning: Aside = ""

    def content(self) -> dict[str, Any]:
        """What is answered, without the reasoning."""
        return self.model_dump(exclude={"reasoning"})


class EntityReply(Reply):
    name: Words
    description: str = ""


class Card(Reasoned):
    """COI-3: what was read from a paper."""

    background: Words
    novelty: Words
    contribution: Words
    reasons: Words
    limitation: Words
    experiment: Words
    entities: Annotated[list[EntityReply], EACH_BY_ITSELF] = Field(max_length=12)
    references: list[Words] = Field(max_length=3)


ClaimKind = Literal["problem", "mechanism", "why it works", "setting"]
"""What an idea may claim: what it solves, how, for which reason, and where."""


class NoveltyClaim(Reply):
    """COI-12: one claim of an idea, and a phrase to search for work that already makes it."""

    kind: ClaimKind
    text: Words
    query: Words


class NoveltyQueries(Reasoned):
    """COI-12: an idea cut into claims, each with its search phrase."""

    claims: Annotated[list[NoveltyClaim], EACH_BY_ITSELF] = Field(min_length=1, max_length=5)


Angle = Literal["own words", "other words", "other field", "opposite"]
"""How a query tries to find an idea that was had before: as it says it, as others say it, elsewhere, or by what speaks against it."""


class AgainstQuery(Reply):
    """COI-12: words to search for work that has the idea already, and from which side they come at it."""

    angle: Angle
    query: Words


class AgainstQueries(Reasoned):
    """COI-12: the queries of a search against an idea."""

    queries: Annotated[list[AgainstQuery], EACH_BY_ITSELF] = Field(min_length=1, max_length=12)


def _number(said: object) -> object:
    """The number in a label such as ``claim 2``; anything else as it is."""
    digits = "".join(filter(str.isdigit, said)) if isinstance(said, str) else ""
    return int(digits) if digits else said


class ClaimVerdict(Reply):
    """COI-12: a claim (by its number) against one paper, with the passage that the judgement rests on."""

    claim: Annotated[int, BeforeValidator(_number)]
    passage: Aside = ""
    judgement: Literal["same", "overlaps", "different", "no passage found"]


class PaperVerdict(Reply):
    """COI-12: one paper against the claims of the idea. ``id`` is the label the prompt gave to the paper (P1, P2 ...).

    ``on_topic``: it works on the idea's task or problem, whatever it says of the claims; a paper counts as such where the reply does not
    say. How close it is follows from ``claims`` by rule.
    """

    id: Words
    reason: Words
    on_topic: bool = True
    claims: Annotated[list[ClaimVerdict], EACH_BY_ITSELF] = Field(min_length=1)


class NoveltyVerdicts(Reply):
    """COI-12: ``summary`` is of the idea; what is said of each paper begins with the reason."""

    summary: Aside = ""
    verdicts: Annotated[list[PaperVerdict], EACH_BY_ITSELF] = Field(min_length=1)


Choice = Literal[0, 1, 2]


class Match(Reply):
    """COI-13: 0 = the first idea is better, 1 = the second, 2 = a tie; per criterion."""

    reasoning: Words
    novelty: Choice
    significance: Choice
    feasibility: Choice
    clarity: Choice
    effectiveness: Choice


class Experiment(Reasoned):
    """COI-14: an experiment plan, by named parts."""

    design: Words
    baselines: Words
    ablation: Words
    metrics: Words
    implementation: Words
    feasibility: Words
    references: list[Words] = Field(default_factory=list, max_length=12)
    pseudocode: str = ""


class Rewritten(Reasoned):
    """A text as a person asked for it, in the form in which it is edited: several parts under their headings."""

    text: Words


class ReviewPoint(Reply):
    part: Words
    point: Words


class PlanScores(Reply):
    """IE-10: a plan from 1 (useless) to 10 (nothing left to mend), by criterion."""

    decisive: int = Field(ge=1, le=10)
    sound: int = Field(ge=1, le=10)
    feasible: int = Field(ge=1, le=10)


def _scores(said: Any) -> PlanScores | None:
    """Scores that can be read; a review without them is a review all the same."""
    try:
        return PlanScores.model_validate(said)
    except ValidationError:
        return None


class Review(Reasoned):
    """COI-15: suggestions on the plan; an empty list means that nothing needs to change. ``scores``: of the plan as it stands.

    ``query``: one phrase to search for, or null where no reading is needed. A model that leaves it out is asked for it by itself.
    """

    points: Annotated[list[ReviewPoint], EACH_BY_ITSELF] = Field(max_length=8)
    query: Annotated[str | None, BeforeValidator(lambda said: said if isinstance(said, str) else None)] = None
    scores: Annotated[PlanScores | None, BeforeValidator(_scores)] = None


class ReviewQuery(Reasoned):
    """COI-15: one phrase to search for, or null where no reading is needed, for points that no one review raised as they are."""

    query: str | None


class Facts(Reasoned):
    """COI-15: facts of one paper that help to answer the review points."""

    facts: list[Words] = Field(max_length=6)


class PointAnswer(Reply):
    """IE-9: a point is answered by a change of a part, or rebutted with the reason."""

    point: int = Field(ge=1)
    part: Aside = ""
    change: Aside = ""
    rebuttal: Aside = ""

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if not self.change.strip() and not self.rebuttal.strip():
            raise ValueError("neither a change nor a rebuttal")
        return self


class RefinedExperiment(Experiment):
    """COI-15: the plan rewritten, and the answer to each review point (counted from 1)."""

    answers: Annotated[list[PointAnswer], EACH_BY_ITSELF] = Field(default_factory=list)


MeansKind = Literal["compute", "data", "people", "weeks"]


class StepMeans(Reply):
    """A step of the plan (by its number) against the person's means. ``of``: which of them; ``by``: how much is missing."""

    step: Annotated[int, BeforeValidator(_number)] = Field(ge=1)
    reason: Words
    of: Annotated[MeansKind | Literal[""], BeforeValidator(lambda said: said or "")] = ""
    judgement: Literal["enough", "short", "cannot tell", "needs nothing"]
    short: Aside = ""
    by: Aside = ""


class CheapestTest(Reply):
    """The smallest test that would show the idea wrong, with what it needs."""

    test: Words
    wrong_if: Words
    needs: Words
    judgement: Literal["enough", "short", "cannot tell"]


class MeansJudgement(Reasoned):
    """The steps of a plan against the person's means."""

    steps: Annotated[list[StepMeans], EACH_BY_ITSELF] = Field(min_length=1)
    decisive: CheapestTest
