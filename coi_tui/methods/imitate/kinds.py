"""The cells of Imitate-and-Evolve: what each holds, which is mostly what a model call must answer,
and what a key does on its rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field

from coi_tui.methods.base.cell_table import kinds_of, nth, row, stored, table, title_of
from coi_tui.methods.base.reply_models import Aside, Items, Mark, Reasoned, Reply, Words
from coi_tui.methods.ideas import kinds
from coi_tui.methods.imitate import MOST_STEPS
from coi_tui.model.address import cell_at, cell_ref
from coi_tui.model.content import Content, Named, SearchTry
from coi_tui.model.document import Block, RowChange, RowKey
from coi_tui.model.state import State
from coi_tui.model.text import Fields, count

SIDES = ("algorithm", "application")
MOST_POINTS = 8
"""Points of a review at most."""

Remarks = Annotated[list[Words], Field(max_length=6)]


class OutlinePart(Named):
    """A part of an outline, a step of a plan, a point of a review: its name, and what there is to
    say of it."""

    name: Words
    description: Words


Parts = Items[OutlinePart]


# -- request and papers


class SplitRequest(Reasoned):
    """IE-1: a request in three parts, with the words to search for on either side."""

    algorithm: Words
    application: Words
    constraints: list[Words] = Field(max_length=8)
    algorithm_query: Words
    application_query: Words


class OutlineChoice(Content):
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


class PairScore(Reply):
    """IE-3: how well the two papers of a pair go together; ``id`` is the pair's label (A1-B2)."""

    id: Words
    reason: Words
    score: Mark


class ScoredPairs(Reasoned):
    """IE-3: every pair with its score."""

    pairs: Items[PairScore] = Field(min_length=1)


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


def pair_table(state: State, address: str) -> Iterator[Block]:
    """Every pair, best first, with the one that a branch imitates."""
    at, it = cell_ref(address), state.read(address, PairRow)
    own = at.kind == "pair"
    rows = (
        row(
            n,
            "imitated" if own and one == it else "",
            one.score or "?",
            f"{title_of(state, one.algorithm)} + {title_of(state, one.application)}",
            why=one.reason,
        )
        for n, one in enumerate(stored(state, cell_at(at.instance, "pairs"), PairsContent).pairs, 1)
    )
    note = "Space imitates another pair." if own else ""
    return table("|score|algorithm + application", rows, note)


def pair_change(state: State, address: str, number: str, key: RowKey) -> RowChange | None:
    """Imitate another pair."""
    pairs = stored(state, cell_at(cell_ref(address).instance, "pairs"), PairsContent).pairs
    chosen, it = nth(pairs, number), state.read(address, PairRow)
    if it is None or chosen is None or key not in ("tick", "accept") or chosen == it:
        return None
    return RowChange(address, chosen.model_dump(), "imitate", f"Pair {number} is imitated.")


# -- outlines, plan, sections


class PaperOutline(Reasoned):
    """IE-4: sections and subsections of a paper, each with one summary."""

    parts: Parts = Field(min_length=1, max_length=30)


class OutlineContent(PaperOutline):
    """The same, and of what it was read."""

    paper: str = ""
    title: str = ""
    source: str = ""


class ImitatedPlan(Reasoned):
    """IE-5: the plan: a step is the title of its section, and what that is for."""

    steps: Parts = Field(
        min_length=1, max_length=MOST_STEPS, title="Steps, each a title and what its section is for"
    )


class PassageRow(Content):
    """IE-6: lines that were cut out of a paper (``paper`` is its id) or of a section of the draft,
    where they are in it, and what the model says that they show."""

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
        return [row for n, row in enumerate(self.passages, 1) if str(n) not in self.off]


class LineRange(Reply):
    """IE-6: lines of the text under a label, and what they show for the step."""

    source: Words
    shows: Words
    first: int = Field(ge=1)
    last: int = Field(ge=1)


class EvidenceRanges(Reasoned):
    """IE-6: the lines that bear on a step; none where no text says anything to it."""

    ranges: Items[LineRange] = Field(max_length=12)


class LaterStep(Reasoned):
    """IE-6: a step that comes later, after a section was written; None: it does not change."""

    why: Words
    step: OutlinePart | None


class EvolvedStep(LaterStep):
    """IE-6: the step that comes next. ``weak``: what its evidence lacks."""

    weak: Aside = ""


class StepContent(ImitatedPlan):
    """IE-6: a step, the only item of ``steps``, after it was revised. ``unchanged``: nothing changed;
    ``why``: the reason for either; ``weak``: what its evidence lacks."""

    unchanged: bool = False
    why: str = ""
    weak: str = ""


class WrittenSection(Reasoned):
    """IE-6: the text of a section."""

    text: Words


class SectionContent(Content):
    """IE-6: a section. ``cited``: the papers that it cites, by the words that name them."""

    title: str = ""
    text: str = ""
    cited: dict[str, str] = {}


# -- review


class ManuscriptReview(Reasoned):
    """IE-8: a review of the whole text. A point has the number of its section as its name."""

    summary: Words
    soundness: Words
    presentation: Words
    contribution: Words
    strengths: Remarks
    weaknesses: Remarks
    questions: Remarks
    points: Parts = Field(
        max_length=MOST_POINTS, title="Points, each with the number of its section before it"
    )
    rating: Mark


class PointDecision(Reasoned):
    """IE-9: what is changed for a point, or why nothing is."""

    text: Words
    decision: Literal["revise", "rebut"]


class AnswerContent(PointDecision):
    """The same, with the point."""

    point: str = ""


class RevisedSection(SectionContent):
    """IE-10: a section after its points were carried out, with the ratings of the whole text before
    and after."""

    before: int | None = None
    after: int | None = None
    outcome: str = ""


# -- the cells


def _step(it: StepContent) -> str:
    titles = "; ".join(step.name for step in it.steps)
    return f"{titles}{', no change' * it.unchanged}{'; weak evidence' * bool(it.weak)}"


def _passages(it: PassagesContent) -> str:
    papers = {one.paper for one in it.on() if one.paper}
    return f"{count(len(it.on()), 'passage')} of {count(len(papers), 'paper')}"


kind = kinds_of("E")
OWN: Fields = {"own": True, "optional": True}
FOR_THE_NEXT = {**OWN, "has_verdict": False, "decisions": kinds.OF_TEXT - {"accept"}}
"""Of a text that is edited but not accepted: it serves the next step, and is no part of the
manuscript."""
OWN_KINDS = (
    kind(
        "split",
        "The request",
        SplitRequest,
        "imitate split",
        "split",
        " ".join(name for name in SplitRequest.model_fields if name != "reasoning"),
        label="task",
        caption=lambda it: f"{it.algorithm} for {it.application}",
    ),
    kind("choice", "Your choice", OutlineChoice, edits="target", label="written for"),
    *(
        kind(
            side,
            f"Papers on the {side}",
            SideContent,
            "imitate search",
            "papers",
            rows=("papers", "score title", "ranked"),
        )
        for side in SIDES
    ),
    kind(
        "pairs",
        "All pairs",
        PairsContent,
        "imitate pairs",
        "pairs",
        label="paper pairs",
        caption=lambda it: count(len(it.pairs), "pair"),
        document=pair_table,
    ),
    kind(
        "pair",
        "Paradigm",
        PairRow,
        "imitate pair",
        "pairs",
        own=True,
        label="paradigm",
        document=pair_table,
        row_change=pair_change,
        caption=lambda it: f"score {it.score or '?'}",
    ),
    kind(
        "outline",
        "Outline of a paradigm",
        OutlineContent,
        "imitate outline",
        "outlines",
        "parts",
        item="1",
        own=True,
    ),
    kind(
        "plan",
        "Imitated plan",
        ImitatedPlan,
        "imitate plan",
        "plan",
        "steps",
        own=True,
        writes_idea=True,
    ),
    kind(
        "passages",
        "Evidence",
        PassagesContent,
        "imitate evidence",
        "section-1",
        item="2",
        label="evidence",
        caption=_passages,
        rows=("passages", "title where"),
        numbered=True,
        **OWN,
    ),
    kind(
        "step",
        "Step",
        StepContent,
        "imitate step",
        "section-1",
        "steps why weak",
        item="2",
        caption=_step,
        main="steps",
        writes_idea=True,
        **OWN,
    ),
    kind(
        "section",
        "Section",
        SectionContent,
        "imitate section",
        "section-1",
        "title text",
        item="2",
        writes_idea=True,
        **OWN,
    ),
    kind(
        "later",
        "Later step",
        StepContent,
        "imitate later step",
        "section-1",
        "steps why",
        item="2.4",
        caption=_step,
        main="steps",
        **FOR_THE_NEXT,
    ),
    kind(
        "referee",
        "Review of the manuscript",
        ManuscriptReview,
        "imitate review",
        "revision",
        " ".join(name for name in ManuscriptReview.model_fields if name != "reasoning"),
        label="review",
        main="points",
        caption=lambda it: f"rating {it.rating}, {count(len(it.points), 'point')}",
        **FOR_THE_NEXT,
    ),
    kind(
        "answer",
        "Answer to a point of the review",
        AnswerContent,
        "imitate answer",
        "revision",
        "point decision text",
        item="1",
        caption=lambda it: f"{it.decision}: {it.text}",
        **{**FOR_THE_NEXT, "decisions": kinds.OF_TEXT - {"accept"} | {"reject"}},
    ),
    kind(
        "revised",
        "Revised section",
        RevisedSection,
        "imitate revision",
        "revision",
        "title text",
        item="1",
        caption=lambda it: (
            f"{it.outcome}: rated {it.before or '?'} before, {it.after or '?'} after"
        ),
        decisions=kinds.OF_TEXT | {"reject"},
        **OWN,
    ),
    kinds.RIVALS,
    kinds.idea("imitate head", "ideas"),
)
