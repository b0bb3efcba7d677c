"""What is kept of each kind of cell that methods share: the models through which contents are read.

A content may come from an older version of the program or from a person, so that fields may be missing: they are empty then.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict


class Content(BaseModel):
    """Base of all contents."""

    model_config = ConfigDict(extra="ignore", frozen=True)


class Topic(Content):
    """The topic, and a hunch that is sent to models only where the session says so."""

    text: str = ""
    hunch: str = ""


class CriteriaRules(Content):
    """The rules of ``model/criteria.py``, as JSON."""

    rules: dict[str, Any] = {}


class Note(Content):
    """A running text with a note: a question, a trend, a direction."""

    text: str = ""
    note: str = ""


class CandidateRow(Content):
    """A paper that may stand in a slot. ``left_out``: why the session's criteria leave it out."""

    paper: str
    rank: int = 0
    score: float = 0.0
    year: int | None = None
    readable: bool = True
    left_out: str = ""
    link: str = ""
    evidence: str = ""
    fits: bool = True


class CandidateList(Content):
    """The papers that may stand in a slot, best first; ``tries``: the searches behind it."""

    entries: list[CandidateRow] = []
    ranked: str = ""
    tries: list[dict[str, Any]] = []
    note: str = ""
    of: str = ""
    source: str = ""


class Verdict(Content):
    """Whether a candidate is of use for the topic. ``unread``: the model's verdict could not be read, so it is not taken."""

    paper: str
    relevant: bool = False
    reasoning: str = ""
    unread: bool = False


class Verdicts(Content):
    """Verdicts in the order in which they were made, and the paper that they chose."""

    verdicts: list[Verdict] = []
    chosen: str | None = None


class Named(Content):
    """A named thing of a paper."""

    name: str = ""
    description: str = ""


class CardContent(Content):
    """COI-3: what was read from a paper. ``source``: from which text of it."""

    background: str = ""
    novelty: str = ""
    contribution: str = ""
    reasons: str = ""
    limitation: str = ""
    experiment: str = ""
    entities: list[Named] = []
    references: list[str] = []
    source: str = ""
    note: str = ""


class IdeaContent(Content):
    """An idea, whoever made it. A title and the idea itself (``final``) there must be; the rest differs from method to method."""

    title: str = ""
    motivation: str = ""
    novelty: str = ""
    contributions: list[str] = []
    method: str = ""
    origin: str = ""
    difference: str = ""
    challenges: str = ""
    final: str = ""


class ComparedPaper(Content):
    """A paper that a novelty report compared with the idea."""

    paper: str
    verdict: str = "not judged"
    overlap: str = ""
    reason: str = ""
    new: bool = False
    found_by: list[str] = []


class NoveltyReport(Content):
    """COI-12: what has been done already, with the searches that it rests on."""

    verdict: str = ""
    why: str = ""
    queries: list[str] = []
    searches: list[dict[str, Any]] = []
    papers: list[ComparedPaper] = []
    counts: dict[str, int] = {}
    judged: int = 0
    closest: str = ""
    summary: str = ""


class CloseCases(Content):
    """COI-11: papers that an earlier draft came too close to."""

    cases: list[dict[str, Any]] = []


class MatchRecord(Content):
    """COI-13: a match in both orders; ``results`` names the better idea's branch for each criterion, 0 for a tie."""

    first: int | str = 0
    second: int | str = 0
    straight: dict[str, Any] = {}
    swapped: dict[str, Any] = {}
    results: dict[str, int | str] = {}
    length_ratio: float = 1.0


class ExperimentPlan(Content):
    """COI-14: an experiment plan, by named parts; ``answers``: what a refinement changed for which review point."""

    design: str = ""
    baselines: str = ""
    ablation: str = ""
    metrics: str = ""
    implementation: str = ""
    feasibility: str = ""
    references: list[str] = []
    pseudocode: str = ""
    answers: list[dict[str, Any]] = []


class ReviewPoint(Content):
    """A point of a review; ``own``: added by the researcher."""

    n: int = 0
    part: str = ""
    point: str = ""
    own: bool = False


class ReviewContent(Content):
    """COI-15: the points of a review, and the version of the plan that it is of."""

    points: list[ReviewPoint] = []
    of: int = 0


Order = Literal["straight", "swapped"]
"""The two orders in which a match shows its ideas: A-B and B-A."""
