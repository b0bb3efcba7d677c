"""COI-12: what has been done already. A failed search, an empty one or too few papers are
INCONCLUSIVE; nothing is ever called novel."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from coi_tui.engine.declarations import Cost, Made, Result
from coi_tui.engine.freshness import FreshnessEvaluator, Inputs
from coi_tui.methods.base.labelled import Labelled, ask_about_each
from coi_tui.methods.base.reads import novelty, search_against
from coi_tui.methods.base.replies import (
    AgainstQueries,
    NoveltyQueries,
    NoveltyVerdicts,
    PaperVerdict,
)
from coi_tui.methods.base.settings import bounds_of
from coi_tui.methods.base.task import MethodTask
from coi_tui.methods.evidence.papers import NamedPaper, look_up, looked_up_sentence
from coi_tui.methods.ideas import claims as claiming
from coi_tui.methods.ideas.novelty_searches import (
    Searched,
    collect,
    failed_by_name,
    raise_failed,
    search_all,
    search_once,
    whole_idea,
)
from coi_tui.model.address import parse_address, ref
from coi_tui.model.content import CLOSENESS, ComparedPaper, IdeaClaim, NoveltyReport, NoveltySearch
from coi_tui.model.papers import Paper
from coi_tui.model.state import State
from coi_tui.model.text import count, sentence

if TYPE_CHECKING:
    from coi_tui.engine.context import Context
    from coi_tui.methods.services import Services, ServiceSet

ABSTRACT_WORDS = 60
"""Words of an abstract that are shown: the sentences that share most with the idea."""
MOST_WORKS = 12
"""Titles that an idea names which are looked up at most."""
INCONCLUSIVE = "INCONCLUSIVE"
UNJUDGED = "not judged"
NO_MODEL = "No language model compared the papers with the idea."
NO_ABSTRACT = "There is no abstract to compare with."
FAR = "It is not among the papers nearest to the idea, which alone are compared."
NEAREST_TOLD = 3
"""So many of the nearest papers are named in the summary."""
NEAREST_SHOWN = 8
"""So many titles of papers that are known already are shown, so that the queries of a search
against the idea lead elsewhere."""
PHRASES = 3
"""Phrases a claim, at most."""
CUTTING = Cost("main", (1, 2), (900, 1_800), (220, 440))
JUDGING = Cost("main", (0, 2), (0, 5_400), (0, 2_200))
ASKING_AGAINST = Cost("main", (1, 2), (1_100, 2_200), (220, 440))
_ORDER = {verdict: n for n, verdict in enumerate((*CLOSENESS, UNJUDGED))}


@dataclass(frozen=True)
class NoveltyRules:
    """What a method compares its ideas with, and what it calls close.

    ``nearest``: so many papers are judged at most, in one call: the rivals and what the idea names
    first, then those most similar to it.
    ``wanted``: the kinds of claims that a close match has to contain, each of them; empty: the
    mechanism and any other claim.
    """

    nearest: int = 16
    wanted: tuple[str, ...] = ()


USUAL = NoveltyRules()


class NoveltyTask(MethodTask):
    """The idea cut into claims, a search for each and one with the whole idea, side by side, then
    each paper against each claim. Claims that a person wrote are taken as they are.

    A check that fails while there is a report is a failed task: it replaces nothing.
    """

    name = "novelty"
    prompts: ClassVar[tuple[str, ...]] = ("coi_novelty_queries", "coi_novelty_verdicts")

    def __init__(self, tools: ServiceSet | None = None, rules: NoveltyRules = USUAL) -> None:
        super().__init__(tools)
        self.rules = rules

    reads = staticmethod(novelty)

    def cost(self, state: State, address: str) -> Cost:
        bounds, branch = bounds_of(state), parse_address(address).branch
        own = len(claiming.of_person(claiming.stored_claims(state, branch)))
        searches = (own or PHRASES * bounds.novelty_queries) + 1
        idea = f"{branch}/idea"
        known = state.in_use(idea) is not None
        named = len(state.value(ref(idea, "works")) or ()) if known else MOST_WORKS
        # At least one claim and the whole idea are searched for; at most a second service is asked
        # as well.
        judging = JUDGING + Cost(searches=(2, 2 * (searches + named)))
        return judging if own else CUTTING + judging

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, state = self.services(ctx), ctx.state
        text = inputs.fields("idea")
        works = text.pop("works") or []
        text["summary"] = text.pop("final", "") or text["summary"]
        before = self._before(state, inputs)
        claims, by, recipe = before.claims, before.claims_by, dict[str, Any]()
        if not claims:
            claims, by, recipe = await self._claims(services, inputs, text)
        shown = {
            "topic": inputs.one("topic"),
            "idea": {name: text[name] for name in ("title", "summary")},
            "claims": [{"kind": claim.kind, "text": claim.text} for claim in claims],
        }
        named, searches = await asyncio.gather(
            self._named(services, works if not before.searches else ()),
            self._search(services, shown, whole_idea(text), claims, before),
        )
        if state.in_use(inputs.address) is not None:
            raise_failed(searches)  # before any verdict is paid for
        rivals = (state.papers.get(row["paper"]) for row in inputs.one("rivals") or ())
        first = [p for p in (*rivals, *(one.paper for one in named)) if p is not None]
        found, found_by = collect(searches)
        papers = {p.id: p for p in first} | found
        records = {**state.papers, **papers}
        judged = [row for row in before.papers if row.verdict != UNJUDGED or row.reason == FAR]
        left = [row.paper for row in before.papers if row not in judged and row.paper in records]
        known = {row.paper for row in judged}
        new = [records[p] for p in dict.fromkeys([*left, *papers]) if p not in known]
        services.at(ctx.stage + 1)
        by_rule = services.origin == "drafter"
        near = [] if by_rule else await self._nearest(services, text, new, [p.id for p in first])
        verdicts = await _judge(services, shown, claims, near)
        rows = [*judged, *(self._row(p, verdicts.verdicts.get(p.id), claims) for p in near)]
        compared = {row.paper for row in rows}
        rows += [
            _unjudged(p, NO_MODEL if by_rule else FAR if p.abstract else NO_ABSTRACT)
            for p in new
            if p.id not in compared
        ]
        queries = {row.paper: row.found_by for row in before.papers}
        earlier = _in_earlier_reports(state, inputs.address)
        rows = [
            row.model_copy(
                update={
                    "found_by": [*queries.get(row.paper, ()), *found_by.get(row.paper, ())],
                    "new": earlier is not None and row.paper not in earlier,
                }
            )
            for row in rows
        ]
        rows.sort(key=lambda row: (_ORDER.get(row.verdict, 9), -len(row.found_by), row.paper))
        done = [*before.searches, *(search.row for search in searches)]
        missing = len(near) - len(verdicts.verdicts)
        lost = f"{missing} of {len(near)} verdicts could not be read." if missing else ""
        floor = bounds_of(state).novelty_floor
        verdict, why = (INCONCLUSIVE, NO_MODEL) if by_rule else concluded(rows, done, lost, floor)
        summary = _summary(rows, records)
        parts = (
            summary,
            looked_up_sentence(named, "that the idea names"),
            self._about_searches(searches, new),
        )
        report = NoveltyReport(
            verdict=verdict,
            why=why,
            idea=inputs.sources.get(f"{parse_address(inputs.address).branch}/idea#title", ""),
            about=verdicts.summary or before.about,
            claims=claims,
            claims_by=by,
            searches=done,
            papers=rows,
            judged=sum(row.verdict != UNJUDGED for row in rows),
            on_topic=sum(row.on_topic for row in rows),
            floor=floor,
            summary=" ".join(filter(None, parts)),
        )
        named_rows = [one.row() for one in named] or [one.model_dump() for one in before.named]
        content = {**report.model_dump(), "named": named_rows}
        made = Made(inputs.address, content, services.origin, dict(verdicts.recipe or recipe))
        return Result((made,), tuple(papers.values()))

    def _before(self, state: State, inputs: Inputs) -> NoveltyReport:
        """The report that goes on; an empty one for a check that begins anew."""
        return NoveltyReport()

    async def _claims(
        self, services: Services, inputs: Inputs, text: dict[str, Any]
    ) -> tuple[list[IdeaClaim], str, dict[str, Any]]:
        """The claims that a person wrote, else the idea as a model cuts it, in one call; who wrote
        them, and how they were made. A rule finds none."""
        if own := claiming.of_person(next((rows for _, rows in inputs.all("claims")), None)):
            return own, "you", {}
        if services.origin == "drafter":
            return [], "", {}
        most = bounds_of(services.ctx.state).novelty_queries
        values = {"topic": inputs.one("topic"), "idea": text, "count": most}
        asked = await services.ask("coi_novelty_queries", values, NoveltyQueries)
        return [*asked.value.claims[:most]], "", dict(asked.recipe)

    async def _search(
        self,
        services: Services,
        shown: Mapping[str, Any],
        whole: str,
        claims: Sequence[IdeaClaim],
        before: NoveltyReport,
    ) -> list[Searched]:
        """What is searched for: each claim and the whole idea."""
        services.at(1)
        source, hits = services.source(first_hand=True), bounds_of(services.ctx.state).novelty_hits
        return await search_all(source, claims, whole, hits)

    async def _named(self, services: Services, works: Sequence[str]) -> list[NamedPaper]:
        """The works that the idea names, looked up."""
        titles = list(dict.fromkeys(works))[:MOST_WORKS]
        if not titles:
            return []
        known = await services.known_papers(titles, 3)
        return await look_up(services.source(), [(title, None) for title in titles], known.papers)

    def _about_searches(self, searches: Sequence[Searched], new: Sequence[Paper]) -> str:
        """What the summary says of the searches themselves."""
        return ""

    async def _nearest(
        self, services: Services, text: dict[str, Any], new: Sequence[Paper], first: Sequence[str]
    ) -> list[Paper]:
        """The papers that are judged, in their order: those of ``first`` before the others, and of
        these the most similar."""
        papers = [p for p in new if p.abstract]
        if len(papers) <= self.rules.nearest:
            return papers
        said = "\n".join(map(str, filter(None, text.values())))
        order = (await services.similarity(said, papers)).nearest(len(papers))
        # equals stay in the order of similarity
        kept = sorted(order, key=lambda paper_id: paper_id not in first)[: self.rules.nearest]
        return [p for p in papers if p.id in kept]

    def _row(
        self, paper: Paper, verdict: PaperVerdict | None, claims: Sequence[IdeaClaim]
    ) -> ComparedPaper:
        """A paper's row; its verdict follows from its cells."""
        if verdict is None:
            return _unjudged(paper, "The verdict could not be read.")
        kinds = [claim.kind for claim in claims]
        cells = claiming.cells(verdict.claims, len(kinds), paper)
        return ComparedPaper(
            paper=paper.id,
            verdict=claiming.closeness(cells, kinds, self.rules.wanted),
            overlap=claiming.overlap(cells, kinds),
            reason=verdict.reason,
            on_topic=verdict.on_topic,
            cells=cells,
        )


async def _judge(
    services: Services,
    shown: Mapping[str, Any],
    claims: Sequence[IdeaClaim],
    papers: Sequence[Paper],
) -> Labelled[PaperVerdict]:
    """The verdicts on all papers, in one call."""
    if not papers:
        return Labelled({}, {})
    said = [claim.text for claim in claims]
    short = {
        p.id: {"abstract": claiming.bearing_on(p.abstract or "", said, ABSTRACT_WORDS)}
        for p in papers
    }
    prompt, schema = "coi_novelty_verdicts", NoveltyVerdicts
    return await ask_about_each(
        services, prompt, shown, "papers", papers, schema, PaperVerdict, short
    )


def _unjudged(p: Paper, why: str) -> ComparedPaper:
    return ComparedPaper(paper=p.id, verdict=UNJUDGED, reason=why, on_topic=False)


def _in_earlier_reports(state: State, address: str) -> set[str] | None:
    """The papers of all reports of this branch; None before the first."""
    versions = [state.versions[seq] for seq in state.cell(address).versions]
    reports = [state.content(version, NoveltyReport) for version in versions]
    return {row.paper for report in reports for row in report.papers} if reports else None


def concluded(
    rows: Sequence[ComparedPaper], searches: Sequence[NoveltySearch], lost: str, floor: int
) -> tuple[str, str]:
    """The verdict of a report, and why it is inconclusive; ``lost``: which verdicts could
    not be read.

    A search or a verdict that is missing leaves the question open, and so do phrases that found
    nothing and fewer papers on the topic than the floor. A close match is one all the same.
    """
    found = {row.verdict for row in rows}
    if "close match" in found:
        return "close match", ""
    on_topic = sum(row.on_topic for row in rows)
    phrases = [search for search in searches if not search.whole]
    why = failed_by_name(searches)
    if not found - {UNJUDGED}:
        why = why or "The searches found nothing that could be compared."
    elif why or lost:
        why = " ".join(filter(None, (why, lost)))
    elif not any(search.hits for search in phrases):
        why = f"The search with the whole idea found papers, but {count(len(phrases), 'phrase')} for its claims found nothing."
    elif on_topic < floor:
        few = f"Only {count(on_topic, 'paper')}" if on_topic else "No paper"
        why = f"{few} on the topic {'were' if on_topic > 1 else 'was'} judged; {floor} are needed."
    return (INCONCLUSIVE, why) if why else ("partial" if "partial" in found else "not close", "")


def _summary(rows: Sequence[ComparedPaper], papers: Mapping[str, Paper]) -> str:
    """What all verdicts together say: counts, the nearest papers with what they share, and what
    could not be judged."""
    counts = Counter(row.verdict for row in rows)
    judged = len(rows) - counts[UNJUDGED]
    if not judged:
        return ""
    compared = count(judged, "abstract was", "abstracts were")
    numbers = ", ".join(f"{counts[verdict]} {verdict}" for verdict in CLOSENESS)
    said = [f"{compared} compared with the idea: {numbers}."]
    for row in [row for row in rows if row.verdict in ("close match", "partial")][:NEAREST_TOLD]:
        p, shared = papers[row.paper], f", shared: {row.overlap}" if row.overlap else ""
        where = f"“{p.title}” ({p.year or 'n.d.'}{shared})"
        said.append(f"{row.verdict.capitalize()}: {where}. {sentence(row.reason)}")
    if left := counts[UNJUDGED]:
        said.append(f"{count(left, 'more paper was', 'more papers were')} found and not judged.")
    return " ".join(said)


class SearchAgainstTask(NoveltyTask):
    """One call writes queries that try to find the idea done already; what they find that the
    report did not have is judged like the rest.

    A report of the idea as it is goes on: its claims, papers and searches stay. Where there is
    none, a whole novelty check is made with it. The new report is a further version; a search that
    fails leaves the one before in use.
    """

    name = "search against"
    prompts = ("coi_novelty_queries", "coi_search_against", "coi_novelty_verdicts")
    reads = staticmethod(search_against)

    def cost(self, state: State, address: str) -> Cost:
        check = Cost() if self._goes_on(state, address) else super().cost(state, address)
        return check + self.queries_cost(state)

    def queries_cost(self, state: State) -> Cost:
        """The search against the idea alone, where there is a report that goes on."""
        searches = Cost(searches=(1, 2 * bounds_of(state).against_queries))
        return ASKING_AGAINST + JUDGING + searches

    def _goes_on(self, state: State, address: str) -> bool:
        """Whether there is a report of the idea as it is, with claims, so that its papers need not
        be judged again."""
        claims = state.value(ref(address, "claims"))
        return bool(claims) and FreshnessEvaluator(state, {address: self}.get)(address).ok

    def _before(self, state: State, inputs: Inputs) -> NoveltyReport:
        if not self._goes_on(state, inputs.address):
            return NoveltyReport()
        return NoveltyReport.from_held(inputs.fields("report"))

    async def _search(
        self,
        services: Services,
        shown: Mapping[str, Any],
        whole: str,
        claims: Sequence[IdeaClaim],
        before: NoveltyReport,
    ) -> list[Searched]:
        first = (
            [] if before.searches else await super()._search(services, shown, whole, claims, before)
        )
        state, bounds = services.ctx.state, bounds_of(services.ctx.state)
        searched = [row.query for row in (*before.searches, *(search.row for search in first))]
        known = [
            state.papers[row.paper].title for row in before.papers if row.paper in state.papers
        ]
        values = {
            **shown,
            "searched": searched,
            "known": known[:NEAREST_SHOWN],
            "count": bounds.against_queries,
        }
        asked = (await services.ask("coi_search_against", values, AgainstQueries)).value.queries
        had = {query.casefold() for query in searched}
        written = {query.query.casefold(): query for query in reversed(asked)}
        new = [query for key, query in reversed(written.items()) if key not in had]
        services.at(2)
        source = services.source(first_hand=True)
        # Where all were searched before, they are searched again: the report says who tried.
        return [
            *first,
            *await asyncio.gather(
                *(
                    search_once(source, one.query, bounds.novelty_hits, angle=one.angle)
                    for one in (new or asked)[: bounds.against_queries]
                )
            ),
        ]

    def _about_searches(self, searches: Sequence[Searched], new: Sequence[Paper]) -> str:
        asked = [done for done in searches if done.row.angle]
        others = collect([done for done in searches if not done.row.angle])[0]
        alone = (collect(asked)[0].keys() & {p.id for p in new}) - others.keys()
        angles = Counter(done.row.angle for done in asked)
        each = ", ".join(f"{angle} {n}" for angle, n in angles.items())
        made, found = count(len(asked), "search", "searches"), count(len(alone), "paper")
        return (
            f"{made} tried to find the idea done already ({each}); found by these alone: {found}."
        )
