"""What the model calls that every method shares must answer: pydantic schemas, one a prompt.

Field descriptions travel to servers that take a JSON schema. Unknown extra fields are ignored,
missing ones are an error: nothing is filled in for the model.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal, Self, TypeVar

from pydantic import (
    BeforeValidator,
    Field,
    StringConstraints,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
    create_model,
    model_validator,
)

from coi_tui.model.content import CitedSource, Content, ExperimentPlan, IdeaClaim
from coi_tui.model.text import Fields, strings
from coi_tui.services.llm.offline import TO_WRITE
from coi_tui.services.llm.reply_reading import EACH_BY_ITSELF

Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
"""A text that says something: white space alone is a failure, never an empty answer."""

Mark = Annotated[int, Field(ge=1, le=10)]
"""A mark from 1, the worst, to 10."""

Aside = Annotated[
    str,
    BeforeValidator(
        lambda text: text if isinstance(text, str) and text.strip(" .").casefold() != "none" else ""
    ),
]
"""A text that the answer can do without: where it is none, or says “None”, the reply is read without
it."""


T = TypeVar("T")
Items = Annotated[list[T], EACH_BY_ITSELF]
"""A list of which an item that cannot be read is left out, and costs no other."""

LENIENT = BeforeValidator(lambda given: given if isinstance(given, list) else [])
"""A list that the answer can do without."""


def _or_none(given: object, read: ValidatorFunctionWrapHandler) -> object:
    try:
        return read(given)
    except ValidationError:
        return None


OR_NONE = WrapValidator(_or_none)
"""A part of the answer that is None where it cannot be read."""

Sources = Annotated[Items[CitedSource], LENIENT]
"""What a reply cites; one that cannot be read costs no reply."""


class Reply(Content):
    """Base of all replies, which are the contents of their cells unless a task says otherwise. What
    is written of a class here is for us: it is not sent with the schema, what a field says is.

    ``cites``: its texts cite papers by the labels of the prompt, which are made ids.
    """

    cites: ClassVar[bool] = False


class Reasoned(Reply):
    """A reply that begins with what the model thought before it answered; it is stored with how the
    text was made, never taken for content.

    Not asked of a model that reasons by itself.
    """

    reasoning: Aside = ""

    def content(self) -> Fields:
        """What is answered, without the reasoning."""
        return self.model_dump(exclude={"reasoning"})


def reply_of(name: str, content: type[Content], *names: str, **limits: Any) -> Any:
    """The reply of that name that gives these fields of a content, in this order: each must be
    there, and a text must say something. ``limits``: the ``Field`` of a list that has a length."""
    fields: Fields = {}
    texts: dict[Any, Any] = {str: Words, list[str]: list[Words]}
    for field in names:
        declared = content.model_fields[field]
        kind = texts.get(declared.annotation, declared.annotation)
        fields[field] = (Annotated[(kind, Field(), *declared.metadata)], limits.get(field, ...))
    return create_model(name, __base__=Reasoned, **fields)


class EntityReply(Reply):
    name: Words
    description: str = ""


class Card(Reasoned):
    """COI-3: what was read from an abstract; what the text is silent on is empty, though not all of
    it. ``limits`` is what the authors themselves name as such."""

    problem: Aside
    move: Aside
    evidence: Aside
    use: Aside
    limits: Aside

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if not any(map(str.strip, strings(self.content()))):
            raise ValueError("nothing is said of the paper")
        return self


class LongCard(Card):
    """The same from a full text, with what somebody needs who builds on the paper."""

    method: Aside
    experiment: Aside
    entities: Items[EntityReply] = Field(max_length=12)
    references: list[Words] = Field(max_length=3)


ClaimKind = Literal["problem", "mechanism", "why it works", "setting"]
"""What an idea may claim: what it solves, how, for which reason, and where."""


def _year(given: object) -> object:
    """A year from memory; None where it is none."""
    digits = str(given or "").strip()
    return int(digits) if digits.isdecimal() and len(digits) == 4 else None


class KnownWork(Reply):
    """A work that a model names from memory: it may not exist, or be another."""

    title: Words
    year: Annotated[int | None, BeforeValidator(_year)] = None
    authors: Annotated[Items[Words], LENIENT] = Field(default_factory=list, max_length=2)
    same: Aside = ""
    left: Aside = ""


class Rivals(Reasoned):
    """The works that a model holds to be nearest to a thought, and phrases to search for others."""

    works: Items[KnownWork] = Field(max_length=8)
    phrases: list[Words] = Field(min_length=1, max_length=3)


class NoveltyClaim(IdeaClaim):
    """COI-12: one claim of an idea, and phrases to search for work that already makes it."""

    kind: ClaimKind
    text: Words
    queries: list[Words] = Field(min_length=1, max_length=3)


class NoveltyQueries(Reasoned):
    """COI-12: an idea cut into claims, each with its search phrases."""

    claims: Items[NoveltyClaim] = Field(min_length=1, max_length=5)


Angle = Literal["own words", "other words", "other field", "opposite"]
"""How a query tries to find an idea that was had before: as it says it, as others say it,
elsewhere, or by what speaks against it."""


class AgainstQuery(Reply):
    """COI-12: words to search for work that has the idea already, and from which side they come at
    it."""

    angle: Angle
    query: Words


class AgainstQueries(Reasoned):
    """COI-12: the queries of a search against an idea."""

    queries: Items[AgainstQuery] = Field(min_length=1, max_length=12)


def as_number(given: object) -> object:
    """The number in a label such as ``claim 2``; anything else as it is."""
    digits = "".join(filter(str.isdigit, given)) if isinstance(given, str) else ""
    return int(digits) if digits else given


class ClaimVerdict(Reply):
    """COI-12: a claim (by its number) against one paper, with the passage that the judgement rests
    on."""

    claim: Annotated[int, BeforeValidator(as_number)]
    passage: Aside = ""
    judgement: Literal["same", "overlaps", "different"]


class PaperVerdict(Reply):
    """COI-12: one paper against the claims of the idea. ``id`` is the label the prompt gave to the
    paper (P1, P2 ...).

    How close it is follows from ``claims`` by rule; a
    claim that is not among them has no passage.
    """

    id: Words
    reason: Words
    claims: Items[ClaimVerdict]


class NoveltyVerdicts(Reply):
    """COI-12: what is said of each paper begins with the reason."""

    verdicts: Items[PaperVerdict] = Field(min_length=1)


class IdeaParts(Reply):
    """An idea of any method: one text, and what other tasks read."""

    cites = True
    title: Words
    summary: Words
    final: Words
    problem: Words
    mechanism: Words
    evaluation: Words
    setting: Words
    works: list[Words] = Field(default_factory=list, max_length=12)


class Idea(IdeaParts, Reasoned):
    """An idea, after what was thought before it."""


class SourcedIdea(Idea):
    """The same from a prompt that quotes papers."""

    sources: Sources = Field(default_factory=list)


Better = Literal["first", "second", "tie"]


class Criterion(Reply):
    """COI-13: which of two ideas is better by one criterion, after the reason, and by how much."""

    why: Words
    better: Better
    margin: Literal["slightly", "clearly"] = "clearly"


class MatchReply(Reply):
    """COI-13: two ideas, criterion by criterion."""

    novelty: Criterion
    significance: Criterion
    feasibility: Criterion
    clarity: Criterion
    effectiveness: Criterion


class ExperimentMatch(Reply):
    """The experiments of two ideas, criterion by criterion (table 25 of Chain of Ideas)."""

    feasibility: Criterion
    quality: Criterion
    clarity: Criterion


class RealPaper(Reply):
    """A published paper as the proposal that it was (tables 21 to 23 of Chain of Ideas)."""

    topic: Words
    idea: Words
    experiment: Words


class Retold(Reply):
    """A proposal in a number of words, as the judges of a suite read it."""

    text: Words


class PlanClaim(Reply):
    """COI-14: what the idea claims, and the measurement that would refute it."""

    claim: Words
    refuted_if: Words

    @property
    def description(self) -> str:
        """What would refute it; what is still to be written stays as it is."""
        clause = self.refuted_if.removeprefix("refuted if ")
        return clause if clause.startswith(TO_WRITE) else f"refuted if {clause}"


class Experiment(Reasoned):
    """COI-14: an experiment plan, by named parts."""

    claims: Items[PlanClaim] = Field(min_length=1, max_length=3)
    decisive: Words
    rival: Words
    design: Words
    baselines: Words
    metrics: Words
    effort: Words
    references: list[Words] = Field(default_factory=list, max_length=6)

    def content(self) -> Fields:
        claims = [{"name": one.claim, "description": one.description} for one in self.claims]
        return {**super().content(), "claims": claims}

    @property
    def plan(self) -> ExperimentPlan:
        """The same as it is stored."""
        return ExperimentPlan.from_stored(self.content())


class SourcedExperiment(Experiment):
    """The same from a prompt that quotes papers."""

    cites = True
    sources: Sources = Field(default_factory=list)


class Rewritten(Reasoned):
    """A text as a person asked for it, in the form in which it is edited: several parts under their
    headings."""

    cites = True
    text: Words


class ReviewPointReply(Reply):
    """COI-15: what is to be mended in a part of the plan; ``search``: a phrase, where it takes
    facts from papers."""

    part: Words
    point: Words
    search: Aside = ""


class PlanScores(Reply):
    """IE-10: a plan from 1 (useless) to 10 (nothing left to mend), by criterion."""

    decisive: Mark
    sound: Mark
    feasible: Mark


class Review(Reasoned):
    """COI-15: what is fatal to the plan, an empty list for nothing, and what else is to be said of
    it. ``scores``: of the plan as it is."""

    points: Items[ReviewPointReply] = Field(max_length=3)
    remarks: Annotated[Items[ReviewPointReply], LENIENT] = Field(default_factory=list, max_length=4)
    scores: Annotated[PlanScores | None, OR_NONE] = None


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


class _Answered(Reasoned):
    answers: Items[PointAnswer] = Field(default_factory=list)


class ProposalReply(Reasoned):
    """A proposal for a reader who has seen nothing else. ``corrections``: what was wrong in the
    idea or the plan and is right in it."""

    cites = True
    title: Words
    corrections: Annotated[list[Words], LENIENT] = Field(default_factory=list, max_length=4)
    text: Words
    sources: Sources = Field(default_factory=list)


class ClearSentences(Reply):
    """Sentences of a proposal as a reader who has seen nothing else follows them, and no other
    text."""

    cites = True
    sentences: list[Words]


class RefinedExperiment(SourcedExperiment, _Answered):
    """COI-15: the answer to each review point (counted from 1), and then the plan rewritten."""
