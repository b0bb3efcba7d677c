"""What each kind of cell of Imitate-and-Evolve holds."""

from __future__ import annotations

from pydantic import Field

from coi_tui.methods.base.cell_table import numbered
from coi_tui.methods.imitate.settings import MOST_STEPS
from coi_tui.model.content import Content, Named, SearchTry

AS_IN = "As in"
"""The name of the line of a plan step that says which part of a paradigm it imitates."""


class SplitContent(Content):
    """IE-1: a request in three parts, with the words to search for on either side."""

    algorithm: str = ""
    application: str = ""
    constraints: list[str] = []
    algorithm_query: str = ""
    application_query: str = ""


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


class PairRow(Content):
    """IE-3: a paper of each side (ids) and how well the two go together; ``score`` 0: no score was
    given. A manuscript imitates one such pair."""

    algorithm: str = ""
    application: str = ""
    score: int = 0
    reason: str = ""


class PairsContent(Content):
    """IE-3: every pair, best first, and the papers of both sides in the order of the matrix."""

    algorithm: list[str] = []
    application: list[str] = []
    pairs: list[PairRow] = []


class OutlineContent(Content):
    """IE-4: sections and subsections of a paper, each with its number and title as its name and one
    summary."""

    paper: str = ""
    title: str = ""
    source: str = ""
    parts: list[Named] = []


PlanContent = numbered("PlanContent", MOST_STEPS, Content, step=list[Named])
"""IE-5: the plan, a field for each step, so that whoever reads one step reads no other. See
``plan_steps`` for what a step holds."""


class StepContent(Content):
    """IE-6: a step after it was revised. ``kept``: nothing changed; ``why``: the reason for either.

    ``weak`` says what its evidence lacks.
    """

    step: list[Named] = Field(
        [], title="Title: what the section is for; the paradigm on a line “As in: ...”"
    )
    kept: bool = False
    why: str = ""
    weak: str = ""


class PassageRow(Content):
    """IE-6: lines that were cut out of a paper (``paper`` is its id) or of a section of the draft,
    and where they stand in it.

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


class SectionContent(Content):
    """IE-6: a section. ``papers``: those that it cites."""

    title: str = ""
    text: str = ""
    papers: list[str] = []


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


class AnswersContent(Content):
    """IE-9: the points by their numbers: ``taken`` with the change to make, ``rebutted`` with the
    reason."""

    taken: list[Named] = Field([], title="Points to carry out, by number, each with its change")
    rebutted: list[Named] = Field(
        [], title="Points that are not carried out, by number, each with the reason"
    )


class GateRow(Content):
    """IE-10: a section before and after it was revised, the scores of the whole text with either,
    and what became of it."""

    section: int = 0
    old: str = ""
    new: str = ""
    before: float | None = None
    after: float | None = None
    outcome: str = ""
    papers: list[str] = []


class Revisions(Content):
    """IE-10: the sections that were revised."""

    rows: list[GateRow] = []

    def kept(self, section: int) -> str:
        """The revision of a section, where it is used."""
        return str(getattr(self, f"text{section}", "")).strip()


GateContent = numbered("GateContent", MOST_STEPS, Revisions, text=str)
"""``text3`` is that of section 3 where the new one was kept, else empty."""
