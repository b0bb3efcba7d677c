"""What each kind of cell of Imitate-and-Evolve holds, and what each model call must answer."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import BeforeValidator, Field, model_validator

from coi_tui.methods.base.replies import Aside, Reasoned, Reply, Words, reply_of
from coi_tui.methods.imitate.settings import MOST_STEPS
from coi_tui.model.content import Content, Named, SearchTry
from coi_tui.services.llm.replies import EACH_BY_ITSELF

SIDES = ("algorithm", "application")


# -- request and papers


class SplitContent(Content):
    """IE-1: a request in three parts, with the words to search for on either side."""

    algorithm: str = ""
    application: str = ""
    constraints: list[str] = []
    algorithm_query: str = ""
    application_query: str = ""


SplitRequest = reply_of(
    "SplitRequest", SplitContent, *SplitContent.model_fields, constraints=Field(max_length=8)
)


class ChoiceContent(Content):
    """What the person chose: the idea that the manuscript is to be written for; without one it is
    the topic."""

    target: list[str] = Field(
        [], title="The idea to write for, by address; nothing means the topic"
    )


class SidePaper(Content):
    """A paper of a side, with its similarity to the side's query."""

    paper: str
    title: str = ""
    score: float = 0.0


class SideContent(Content):
    """IE-2: the papers of one side, best first. ``off``: those that the person left out, by id."""

    papers: list[SidePaper] = []
    off: list[str] = []
    query: str = ""
    ranked: str = ""
    tries: list[SearchTry] = []

    def used(self) -> list[str]:
        """Those that are not left out, by id."""
        return [one.paper for one in self.papers if one.paper not in self.off]


class PairRow(Content):
    """IE-3: a paper of each side (ids) and how well the two go together; ``score`` 0: no score was
    given. A manuscript imitates one such pair."""

    algorithm: str = ""
    application: str = ""
    score: int = 0
    reason: str = ""


class PairsContent(Content):
    """IE-3: every pair, best first."""

    pairs: list[PairRow] = []


class PairScore(Reply):
    """IE-3: how well the two papers of a pair go together; ``id`` is the pair's label (A1-B2)."""

    id: Words
    reason: Words
    score: int = Field(ge=1, le=10)


class ScoredPairs(Reasoned):
    """IE-3: every pair with its score."""

    pairs: Annotated[list[PairScore], EACH_BY_ITSELF] = Field(min_length=1)


# -- outlines and plan


class OutlineContent(Content):
    """IE-4: sections and subsections of a paper, each with its number and title as its name and one
    summary."""

    paper: str = ""
    title: str = ""
    source: str = ""
    parts: list[Named] = []


class OutlinePart(Reply):
    """IE-4: a section or subsection with one summary."""

    number: Annotated[str, BeforeValidator(str)]
    title: Words
    summary: Words


class PaperOutline(Reasoned):
    """IE-4: how a paper is built."""

    parts: Annotated[list[OutlinePart], EACH_BY_ITSELF] = Field(min_length=1, max_length=30)


class PlanContent(Content):
    """IE-5: the plan: a step is the title of its section, and what that is for."""

    steps: list[Named] = Field([], title="Steps, each a title and what its section is for")


class PlannedStep(Reply):
    """IE-5: a step of the plan. ``like``: the label of the part of a paradigm that it imitates (A2,
    B3)."""

    title: Words
    purpose: Words
    like: Aside = ""


class ImitatedPlan(Reasoned):
    """IE-5: a new outline, after those of two papers."""

    steps: Annotated[list[PlannedStep], EACH_BY_ITSELF] = Field(min_length=1, max_length=MOST_STEPS)


# -- section by section


class PassageRow(Content):
    """IE-6: lines that were cut out of a paper (``paper`` is its id) or of a section of the draft,
    and where they are in it.

    ``shows``: what the model says that they show.
    """

    paper: str = ""
    section: int = 0
    where: str = ""
    text: str = ""
    shows: str = ""


class PassagesContent(Content):
    """IE-6: the evidence of a step. ``off``: passages that the person left out, by number."""

    passages: list[PassageRow] = []
    off: list[str] = []

    def on(self) -> list[PassageRow]:
        """The passages that are used."""
        return [row for n, row in enumerate(self.passages, start=1) if str(n) not in self.off]


class LineRange(Reply):
    """IE-6: lines of the text under a label, and what they show for the step."""

    source: Words
    shows: Words
    first: int = Field(ge=1)
    last: int = Field(ge=1)


class EvidenceRanges(Reasoned):
    """IE-6: the lines that bear on a step; none where no text says anything to it."""

    ranges: Annotated[list[LineRange], EACH_BY_ITSELF] = Field(max_length=12)


class StepContent(PlanContent):
    """IE-6: a step, the only item of ``steps``, after it was revised. ``kept``: nothing changed;
    ``why``: the reason for either.

    ``weak`` says what its evidence lacks.
    """

    kept: bool = False
    why: str = ""
    weak: str = ""


class LaterStep(Reasoned):
    """IE-6: a step that comes later, after a section was written: revised or left as it is."""

    why: Words
    change: bool
    title: Aside = ""
    purpose: Aside = ""

    @model_validator(mode="after")
    def _says_what_changes(self) -> Self:
        if self.change and not (self.title.strip() and self.purpose.strip()):
            raise ValueError("a change without title and purpose")
        return self


class EvolvedStep(LaterStep):
    """IE-6: the step that comes next. ``weak``: what its evidence lacks."""

    weak: Aside = ""


class SectionContent(Content):
    """IE-6: a section. ``papers``: those that it cites."""

    title: str = ""
    text: str = ""
    papers: list[str] = []


WrittenSection = reply_of("WrittenSection", SectionContent, "text")
RevisedSection = reply_of("RevisedSection", SectionContent, "text")


# -- review


class RefereeContent(Content):
    """IE-8: a review of the whole text. ``points``: each with the number of the section that it is
    about as its name."""

    summary: str = ""
    soundness: str = ""
    presentation: str = ""
    contribution: str = ""
    strengths: list[str] = []
    weaknesses: list[str] = []
    questions: list[str] = []
    rating: int | None = None
    points: list[Named] = Field([], title="Points, each with the number of its section before it")


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


class AnswersContent(Content):
    """IE-9: the points by their numbers: ``taken`` with the change to make, ``rebutted`` with the
    reason."""

    taken: list[Named] = Field([], title="Points to carry out, by number, each with its change")
    rebutted: list[Named] = Field(
        [], title="Points that are not carried out, by number, each with the reason"
    )


class PointDecision(Reasoned):
    """IE-9: what is changed for one point, or why nothing is."""

    change: Aside
    rebuttal: Aside = ""

    @model_validator(mode="after")
    def _decides(self) -> Self:
        if not self.change.strip() and not self.rebuttal.strip():
            raise ValueError("neither a change nor a rebuttal")
        return self


class GateRow(Content):
    """IE-10: a section before and after it was revised, the ratings of the whole text with either,
    and the outcome."""

    section: int = 0
    old: str = ""
    new: str = ""
    before: float | None = None
    after: float | None = None
    outcome: str = ""
    papers: list[str] = []


class GateContent(Content):
    """IE-10: the sections that were revised, and the texts of those whose revision is used."""

    rows: list[GateRow] = []
    texts: list[Named] = Field([], title="Revisions that are used, each after its section's number")

    def kept(self, section: int) -> str:
        """The revision of a section, where it is used."""
        return next((one.description for one in self.texts if one.name == str(section)), "")
