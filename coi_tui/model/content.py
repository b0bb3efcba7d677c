"""What is stored of each kind of cell that methods share: the models through which contents are read.

A content may come from a person, so that fields may be missing: they are empty then.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Any, Literal, Self, TypeVar, cast, get_origin

from pydantic import BaseModel, ConfigDict, ValidationError, create_model
from pydantic.json_schema import SkipJsonSchema

from coi_tui.model.text import Fields, count


class Content(BaseModel):
    """Base of all contents."""

    model_config = ConfigDict(
        extra="ignore",
        frozen=True,
        coerce_numbers_to_str=True,
        defer_build=True,
        json_schema_extra=lambda schema: schema.pop("description", None),
    )

    @classmethod
    def from_stored(cls, stored: Mapping[str, Any]) -> Self:
        """The content that a session holds. A field of a person's text that does not fit is
        empty, and so is one that is not there."""
        try:
            return cls.model_validate(stored)
        except ValidationError as error:
            wrong = {problem["loc"][0] for problem in error.errors()}
            fitting = {name: value for name, value in stored.items() if name not in wrong}
            return cast(Self, _lenient(cls).model_validate(fitting))


C = TypeVar("C", bound=Content)


@lru_cache(maxsize=256)
def _lenient(content: type[C]) -> type[C]:
    """The same content with every field that must be there empty by default, for one that is not;
    what is there must fit."""
    required = {
        name: (field.annotation, EMPTY.get(get_origin(field.annotation) or field.annotation))
        for name, field in content.model_fields.items()
        if field.is_required()
    }
    if not required:
        return content
    return create_model(content.__name__, __base__=content, **cast(Any, required))


EMPTY: Mapping[Any, Any] = {str: "", list: [], dict: {}, tuple: (), int: 0, float: 0.0, bool: False}
"""What is empty, by the type of a field."""


class Topic(Content):
    """The topic, and a hunch that is sent to models only where the session says so."""

    text: str = ""
    hunch: str = ""


class CriteriaRules(Content):
    """The rules of ``model/criteria.py``, as JSON."""

    rules: Fields = {}


class CitedSource(Content):
    """A paper that a text cites, and the words of it that bear on the sentence. ``found``: whether
    they stand in what is known of the paper."""

    paper: str
    words: str
    found: Annotated[bool, SkipJsonSchema()] = False


class Named(Content):
    """A named thing of a paper, or a claim of a plan with what would refute it."""

    name: str = ""
    description: str = ""

    def __str__(self) -> str:
        return f"{self.name} ({self.description})" if self.description else self.name


class Note(Content):
    """A running text with a note: a question, a trend, a direction. ``linked`` is false of a trend
    between papers that have no link; ``candidates``: what was weighed beside a direction."""

    text: str = ""
    note: str = ""
    linked: bool = True
    candidates: list[Named] = []
    sources: list[CitedSource] = []

    def of_trend(self) -> str:
        """A trend in a line."""
        return f"{'' if self.linked else 'no link: replace this paper. '}{' '.join(self.text.split()) or 'trend'}"


class CandidateRow(Content):
    """A paper that may stand in a slot. ``left_out``: why the session's criteria leave it out;
    ``by``: what put it at its rank.

    ``link``, ``evidence`` and ``citing`` (sentences that cite) are of the link to the neighbouring
    paper. ``fits`` is false of what may not be an anchor: nobody judged it, or it was judged not to
    fit. ``topic`` is an anchor's grade with its ``reasoning``, None where nobody judged it;
    ``ranks`` the rank by each signal that is known.
    """

    paper: str
    rank: int = 0
    score: float = 0.0
    year: int | None = None
    readable: bool = True
    left_out: str = ""
    by: str = ""
    link: str = ""
    evidence: str = ""
    citing: list[str] = []
    fits: bool = True
    topic: int | None = None
    reasoning: str = ""
    unread: bool = False
    ranks: dict[str, int] = {}

    @property
    def verdict(self) -> CandidateVerdict | None:
        """What was judged of a candidate for an anchor, which has no cell of its own for it."""
        if self.topic is None:
            return None
        said = self.model_dump(include={"paper", "topic", "reasoning", "unread"})
        return CandidateVerdict(**said)

    @property
    def eligible(self) -> bool:
        """It may be judged and proposed: it can be read, no criterion leaves it out, and its link
        was not left unchecked."""
        return self.readable and not self.left_out and self.link != "cites, unconfirmed"


class SearchTry(Content):
    """A search as a session remembers it."""

    query: str = ""
    source: str = ""
    date: str = ""
    hits: int = 0
    total: int | None = None
    note: str = ""

    def __str__(self) -> str:
        """``“graph layout” in Semantic Scholar 2026-11-27: 8 hits``."""
        return f"“{self.query}” in {self.source} {self.date}: {count(self.hits, 'hit')}".strip()


class CandidateList(Content):
    """The papers that may stand in a slot, best first; ``order`` says in a sentence by what.

    For an anchor ``tries`` are the searches behind the list. For any other place ``of`` is the
    neighbouring paper whose citations or references were read: ``looked_at`` of them, of ``total``
    that there are. ``left_out`` counts those that the criteria leave out, and
    ``withheld`` says that the publisher keeps the list back.
    """

    entries: list[CandidateRow] = []
    ranked: str = ""
    order: str = ""
    tries: list[SearchTry] = []
    note: str = ""
    of: str = ""
    source: str = ""
    date: str = ""
    withheld: bool = False
    total: int | None = None
    looked_at: int = 0
    left_out: int = 0

    @property
    def refused(self) -> bool:
        """Whether the source holds too little on the topic: the list is empty and says the same as
        its only search."""
        return not self.entries and len(self.tries) == 1 and self.tries[0].note == self.note != ""


class ReadingRow(CandidateRow):
    """A paper of the reading list. ``score`` is its fused score.

    ``similarity`` to the topic is 0 to 1; ``cited_by`` counts the papers found by the search that
    cite it; ``found``: the search itself found it.
    """

    similarity: float = 0.0
    cited_by: int = 0
    found: bool = False


class ReadingContent(Content):
    """What a search of the topic found and what that cites, ranked for reading.

    ``cites`` holds what each of the papers found cites, as far as two of them cite it or it is
    listed. ``order`` says in a sentence by what they are ranked, ``note`` what is missing.
    """

    entries: list[ReadingRow] = []
    cites: dict[str, list[str]] = {}
    ranked: str = ""
    order: str = ""
    tries: list[SearchTry] = []
    note: str = ""
    left_out: int = 0


class CandidateVerdict(Content):
    """A candidate's grades, 0 to 3: for the topic, and for kinship with the neighbouring paper
    (None for an anchor, which has none).

    ``link`` says of which kind the kinship is. ``unread``: the model's verdict could not be read,
    so it is not taken.
    """

    paper: str
    topic: int = 0
    kinship: int | None = None
    link: str = ""
    reasoning: str = ""
    unread: bool = False

    @property
    def relevant(self) -> bool:
        """Whether the paper may be taken: no grade is 0."""
        return self.topic > 0 and self.kinship != 0

    @property
    def refused(self) -> bool:
        """Whether somebody judged that the paper does not fit; what could not be read is none."""
        return not self.relevant and not self.unread

    @property
    def standing(self) -> tuple[int, int]:
        """What a place takes the best of: the sum of the grades, then kinship."""
        return self.topic + (self.kinship or 0), self.kinship or 0

    @property
    def in_words(self) -> str:
        """``topic 3, kinship 2: builds on``."""
        if self.unread:
            return "verdict unread"
        return f"topic {self.topic}" + (
            f", kinship {self.kinship}: {self.link}" if self.kinship is not None else ""
        )


class RejectedCandidate(Content):
    """A paper that the researcher rejected, and why."""

    title: str = ""
    reason: str = ""


class CloseCase(RejectedCandidate):
    """A paper that a draft came too close to: why, that draft's ``idea`` in short, and what the two
    ``shared``."""

    idea: str = ""
    shared: str = ""


class Verdicts(Content):
    """Verdicts in the order in which they were made, and the paper that they chose.

    ``turned_down``: rejected papers whose reasons the model was given. ``about``: a digest of the
    topic, criteria and neighbour.
    """

    verdicts: list[CandidateVerdict] = []
    chosen: str | None = None
    about: str = ""
    turned_down: list[RejectedCandidate] = []


class SlotReason(Content):
    """How a paper came into a slot. ``by`` is ``you`` for a paper that the researcher put there.

    One that was proposed had a ``rank`` among ``of`` candidates, for the question ``question``
    (searched by ``query``) or around the paper
    ``neighbour``; ``grades`` are its verdict's, ``score`` is its match, ``ranked`` how that was
    counted, ``ranks`` its rank by each signal, ``cands`` the version of the list.
    """

    by: str = ""
    link: str = ""
    evidence: str = ""
    reasoning: str = ""
    grades: str = ""
    rank: int | None = None
    of: int = 0
    score: float = 0.0
    ranked: str = ""
    source: str = ""
    question: str = ""
    query: str = ""
    neighbour: str = ""
    cands: int | None = None
    ranks: dict[str, int] = {}

    @property
    def by_you(self) -> bool:
        return self.by == "you"


class CardContent(Content):
    """COI-3: what was read from a paper. ``source``: from which text of it; only a full text has
    what comes after ``limits``."""

    problem: str = ""
    move: str = ""
    evidence: str = ""
    use: str = ""
    limits: str = ""
    method: str = ""
    experiment: str = ""
    entities: list[Named] = []
    references: list[str] = []
    source: str = ""
    note: str = ""


class ReadPaper(CardContent):
    """What was read of one of several papers; ``unread`` says why nothing was."""

    paper: str = ""
    title: str = ""
    year: int | None = None
    unread: str = ""


class ReadPapers(Content):
    """The papers that a method read for all its ideas at once (``S1/records``)."""

    papers: list[ReadPaper] = []


class IdeaContent(Content):
    """An idea, whoever made it. A title and the whole idea as one text (``final``) there must be.

    ``problem`` to ``setting``: a sentence each, for the tasks that follow; ``works``: titles that
    the text names; ``origin``: from what a method worked it out, where it knows.
    """

    title: str = ""
    summary: str = ""
    final: str = ""
    problem: str = ""
    mechanism: str = ""
    evaluation: str = ""
    setting: str = ""
    works: list[str] = []
    origin: str = ""
    sources: list[CitedSource] = []


class Sketch(Content):
    """An idea in at most 130 words, one of many to choose from. ``sentence``: what a colleague would
    repeat; ``users``: who uses it, in which share of their cases; ``how`` with the rule or formula
    that carries it; ``nearest``: the title of the nearest work, ``left`` what is left of the sketch
    beside it; ``refuted``: what would refute it cheaply.

    ``origin``: what it was asked for (more like another one, a combination of two); ``note``: why
    it is empty.
    """

    title: str = ""
    sentence: str = ""
    users: str = ""
    how: str = ""
    nearest: str = ""
    left: str = ""
    refuted: str = ""
    origin: str = ""
    note: str = ""


class JudgedGroup(Content):
    """Sketches that a judge saw together, by their addresses: as they were ``shown``, and best
    first. ``why``: what speaks for the first, ``why_last`` against the last; ``texts``: digests of
    what was shown."""

    shown: list[str] = []
    order: list[str] = []
    why: str = ""
    why_last: str = ""
    texts: dict[str, str] = {}


class RankedSketch(Content):
    """The strength of a sketch in Elo points, with its 95 % interval."""

    sketch: str
    points: float = 0.0
    low: float = 0.0
    high: float = 0.0


class SketchRanking(Content):
    """A judge's ranking of sketches, best first, and the groups that it rests on."""

    ranked: list[RankedSketch] = []
    groups: list[JudgedGroup] = []


class WorkedOutIdea(IdeaContent):
    """An idea that was worked out of a sketch: its ``sentence``, what was tried against it, and
    whether it ``holds`` (holds, simplified, falls) with the reason."""

    sentence: str = ""
    attack: str = ""
    why: str = ""
    holds: str = ""


class NamedWork(Content):
    """A work as a model or a text names it, and what asking for its title came to.

    ``status``: found; found otherwise (``paper`` has another title, year or authors); not found;
    not asked (``note`` says why).
    """

    title: str = ""
    year: int | None = None
    authors: list[str] = []
    status: str = ""
    paper: str = ""
    note: str = ""


class NamedBySketch(NamedWork):
    """The nearest work of a sketch, with the address of that."""

    sketch: str = ""


class NamedWorks(Content):
    """The works that sketches name as the nearest, looked up."""

    works: list[NamedBySketch] = []


class Rival(NamedWork):
    """A work near the thought behind an idea, with the ``abstract`` or its beginning. ``status``
    *searched*: a search found it.

    ``same`` and ``left``: what it shares with the thought and what is left of that apart from it, where
    a model knew the work.
    """

    abstract: str = ""
    same: str = ""
    left: str = ""


class ProposalContent(Content):
    """A proposal for a reader who has seen nothing else: Markdown headings and plain paragraphs."""

    title: str = ""
    text: str = ""
    sources: list[CitedSource] = []


class Means(Content):
    """What a person has for the work, in their own words."""

    text: str = ""


class IdeaClaim(Content):
    """One thing that an idea claims. ``kind``: problem, mechanism, why it works or setting;
    ``queries``: the phrases that it is searched by."""

    kind: str = ""
    text: str = ""
    queries: list[str] = []


class OwnClaims(Content):
    """What an idea claims, as a person wrote it: pairs of a kind and a text."""

    claims: list[Named] = []


NO_PASSAGE = "no passage found"


class ClaimCell(Content):
    """What a paper says of one claim (counted from 1). ``judgement``: same, overlaps, different or
    no passage found.

    ``passage`` is in the paper's title or abstract word for word. ``claimed`` is the model's
    judgement where the passage that it named is in neither: the cell is then *no passage
    found*.
    """

    claim: int = 0
    judgement: str = NO_PASSAGE
    passage: str = ""
    claimed: str = ""


class ComparedPaper(Content):
    """A paper that a novelty report compared with the idea.

    ``cells``: what it says of each claim; none in reports that were made before ideas were cut into
    claims.
    """

    paper: str
    verdict: str = "not judged"
    overlap: str = ""
    reason: str = ""
    new: bool = False
    found_by: list[str] = []
    cells: list[ClaimCell] = []

    @property
    def off_point(self) -> bool:
        """Whether it was compared and says nothing of any claim."""
        says = any(cell.judgement != NO_PASSAGE or cell.claimed for cell in self.cells)
        return self.verdict == CLOSENESS[2] and bool(self.cells) and not says

    @property
    def one_to_one(self) -> bool:
        """Whether it says the same as every claim of the idea, of which there are several."""
        return len(self.cells) > 1 and {cell.judgement for cell in self.cells} == {"same"}


class NoveltySearch(Content):
    """A search of a novelty check. ``outcome``: ok, empty or failed. ``whole``: with the words of
    the whole idea, not with a phrase;
    ``claim``: the number of the claim that it was for, 0 where none is known; ``angle``: the side
    from which it tried to find the idea done already, in a search against it."""

    query: str = ""
    source: str = ""
    date: str = ""
    hits: int = 0
    outcome: str = ""
    note: str = ""
    whole: bool = False
    claim: int = 0
    angle: str = ""


class PlacedPaper(Content):
    """A paper that an edit of the idea moved. ``standing``: no longer near, near now, or found by
    the search and near."""

    paper: str
    standing: str = ""


class LiteratureContent(Content):
    """The papers near an idea with the ``facets`` that it had then. ``works``: those that moved
    with its last edits; ``ranked``: how that was counted."""

    facets: dict[str, str] = {}
    papers: list[str] = []
    works: list[PlacedPaper] = []
    searches: list[NoveltySearch] = []
    ranked: str = ""


class RivalsContent(Content):
    """The works nearest to the thought behind an idea, best first; ``runners_up``: the papers that
    come after them; ``named``: the titles from memory with what became of each.

    ``ranked``: how they were ordered; ``note``: what could not be searched.
    """

    phrases: list[str] = []
    works: list[Rival] = []
    runners_up: list[str] = []
    named: list[NamedWork] = []
    searches: list[NoveltySearch] = []
    ranked: str = ""
    note: str = ""


CLOSENESS = ("close match", "partial", "not close")
"""The verdicts of a novelty report on a paper that was judged."""
NOTHING = "nothing to the point"
"""The verdict on an idea where no paper compared says anything of a claim."""


class NoveltyReport(Content):
    """COI-12: what has been done already, with the searches that it rests on. ``idea`` names the
    version of the idea (``v12``); ``named``: the works that the idea names, looked up.

    ``since``: what the check before it did not say; ``unread``: the first neighbours that
    could not be read.
    """

    verdict: str = ""
    why: str = ""
    idea: str = ""
    claims: list[IdeaClaim] = []
    claims_by: str = ""
    searches: list[NoveltySearch] = []
    named: list[NamedWork] = []
    papers: list[ComparedPaper] = []
    judged: int = 0
    since: str = ""
    unread: list[str] = []

    @property
    def concludes(self) -> bool:
        """Whether the verdict says anything; every other one is INCONCLUSIVE."""
        return self.verdict in (*CLOSENESS, NOTHING)

    @property
    def reason(self) -> str:
        """Why it concludes nothing."""
        return self.why or "too little was found"

    def numbers(self) -> list[int]:
        """How many papers are a close match, partial and not close."""
        return [sum(row.verdict == verdict for row in self.papers) for verdict in CLOSENESS]


class PapersToCompare(Content):
    """Papers that a person wants a novelty report to compare with the idea."""

    papers: list[str] = []


class NewPaper(Content):
    """A paper that is new since the person looked. ``says``: what it has to do with what the person
    has, a sentence each; ``cites``: the papers of the session that it cites, each with the evidence.

    ``place``: where it would stand in a chain; ``idea``: the branch of the idea that it touches.
    """

    paper: str
    says: list[str] = []
    cites: dict[str, str] = {}
    place: str = ""
    idea: str = ""


class NewsContent(Content):
    """A look for papers that were published or indexed from the day ``since`` on, as it stood on the
    day ``until``; the best first.

    ``more``: new ones that rank lower; ``off_field``: those that are hardly about the topic;
    ``left_out``: those that the criteria leave out. ``found``: everything that the look found.
    ``complete``: no search failed.
    """

    entries: list[NewPaper] = []
    since: str = ""
    until: str = ""
    more: int = 0
    off_field: int = 0
    left_out: int = 0
    searches: list[NoveltySearch] = []
    found: list[str] = []
    complete: bool = True
    note: str = ""


class CloseCases(Content):
    """COI-11: papers that an earlier draft came too close to."""

    cases: list[CloseCase] = []


class MatchRecord(Content):
    """COI-13: a match in both orders; ``results`` names the better idea's branch for each
    criterion, 0 for a tie; ``slight``: the criteria that are won slightly.

    ``straight`` (order A-B) and ``swapped`` (B-A) hold the place of the better idea for each
    criterion, and the ``reasoning``.
    """

    first: int | str = 0
    second: int | str = 0
    straight: Fields = {}
    swapped: Fields = {}
    results: dict[str, int | str] = {}
    slight: list[str] = []


class ReviewAnswer(Content):
    """What a refinement says to a review point, by the point's number: what it changed in which
    part, or why it changed nothing."""

    point: int = 0
    part: str = ""
    change: str = ""
    rebuttal: str = ""


class FactsOfPaper(Content):
    """What a paper that was read for a refinement says about the review ``points`` (by number) that
    it was found for."""

    title: str = ""
    paper: str = ""
    points: list[int] = []
    facts: list[str] = []


class Support(Content):
    """What a refinement was looked up in: the searches, the papers that they found, the facts taken
    from them."""

    queries: list[str] = []
    papers: list[str] = []
    facts: list[FactsOfPaper] = []


class ReviewPoint(Content):
    """A point of a review; ``search``: words to search for what answers it; ``own``: added by the
    researcher; ``remark``: not fatal, so that nothing follows from it unless a person ticks it."""

    n: int = 0
    part: str = ""
    point: str = ""
    search: str = ""
    own: bool = False
    remark: bool = False


class PlanScore(Content):
    """IE-10: the score of a refined plan, and that of the plan before it; None for none. ``longer``:
    it has more words than that, and was not reviewed."""

    before: float | None = None
    after: float | None = None
    longer: bool = False


class ExperimentPlan(Content):
    """COI-14: an experiment plan, by named parts; ``answers``: what a refinement says to each
    review point.

    ``claims``: each with what would refute it; ``decisive``: the smallest experiment that could
    kill the idea, done first; ``rival``: the simplest rival that would make the idea needless;
    ``effort``: weeks, compute, people and risks.
    """

    claims: list[Named] = []
    decisive: str = ""
    rival: str = ""
    design: str = ""
    baselines: str = ""
    metrics: str = ""
    effort: str = ""
    references: list[str] = []
    sources: list[CitedSource] = []
    answers: list[ReviewAnswer] = []
    support: Support | None = None
    scored: PlanScore | None = None

    def part(self, name: str) -> str:
        """A part as one text, an item of a list a line."""
        value = getattr(self, name)
        return value if isinstance(value, str) else "\n".join(map(str, value))


class ReviewContent(Content):
    """COI-15: the points of a review, the version of the plan that it is of, and its scores by
    criterion."""

    points: list[ReviewPoint] = []
    of: int = 0
    scores: dict[str, int] = {}


Order = Literal["straight", "swapped"]
"""The two orders in which a match shows its ideas: A-B and B-A."""
