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
    AgainstQuery,
    NoveltyQueries,
    NoveltyVerdicts,
    PaperVerdict,
)
from coi_tui.methods.base.settings import bounds_of
from coi_tui.methods.base.task import MethodTask
from coi_tui.methods.evidence.named_works import NamedPaper, look_up, told
from coi_tui.methods.ideas import claims as claiming
from coi_tui.methods.ideas.novelty_searches import (
    Claim,
    Searched,
    collect,
    failed_by_name,
    raise_failed,
    search_all,
    search_once,
    whole_idea,
)
from coi_tui.model.address import parse_address, ref
from coi_tui.model.content import CLOSENESS, NoveltyReport
from coi_tui.model.errors import ReplyError
from coi_tui.model.papers import Paper
from coi_tui.model.state import State
from coi_tui.model.text import count, sentence

if TYPE_CHECKING:
    from coi_tui.engine.context import Context
    from coi_tui.methods.services import Services, ServiceSet

PAPERS_A_CALL = 16
ABSTRACT_WORDS = 60
"""Words of an abstract that are shown: the sentences that share most with the idea."""
MOST_WORKS = 12
"""Titles that an idea names which are looked up at most."""
INCONCLUSIVE = "INCONCLUSIVE"
UNJUDGED = "not judged"
FAR = "It is not among the papers nearest to the idea, which alone are compared."
NEAREST_TOLD = 3
"""So many of the nearest papers are named in the summary."""
PHRASES = 3
"""Phrases a claim, at most."""


@dataclass(frozen=True)
class NoveltyRules:
    """What a method compares its ideas with, and what it calls close.

    ``nearest``: so many papers are judged at most, the rivals and what the idea names first, then
    those most similar to it.
    ``wanted``: the kinds of claims that a close match has to contain, each of them; empty: the
    mechanism and any other claim.
    """

    nearest: int = 16
    wanted: tuple[str, ...] = ()

    def calls(self, found: int) -> int:
        """How many calls judge so many papers."""
        return -(-min(found, self.nearest) // PAPERS_A_CALL)


USUAL = NoveltyRules()


def in_short(inputs: Inputs, text: Mapping[str, Any]) -> dict[str, Any]:
    """Topic and idea, as they stand before claims that say the rest."""
    return {
        "topic": inputs.one("topic"),
        "idea": {name: text[name] for name in ("title", "summary")},
    }


class NoveltyTask(MethodTask):
    """The idea cut into claims, a search for each and one with the whole idea, side by side, then
    each paper against each claim,
    ``PAPERS_A_CALL`` papers to a call. Claims that a person wrote are taken as they are.

    A check that fails while a report stands is a failed step: it takes nobody's place.
    """

    name = "novelty"
    prompts: ClassVar[tuple[str, ...]] = ("coi_novelty_queries", "coi_novelty_verdicts")

    def __init__(self, tools: ServiceSet | None = None, rules: NoveltyRules = USUAL) -> None:
        super().__init__(tools)
        self.rules = rules

    reads = staticmethod(novelty)

    def cost(self, state: State, address: str) -> Cost:
        bounds, branch = bounds_of(state), parse_address(address).branch
        own = len(claiming.of_person(claiming.held(state, branch)))
        searches = (own or PHRASES * bounds.novelty_queries) + 1
        idea = f"{branch}/idea"
        known = state.in_use(idea) is not None
        named = len(state.value(ref(idea, "works")) or ()) if known else MOST_WORKS
        cutting = 0 if own else 1
        chunks = self.rules.calls(searches * bounds.novelty_hits)
        # At least one claim and the whole idea are searched for. Twice as many requests where a
        # second service is asked as well.
        return Cost(
            "main",
            (cutting, 2 * (cutting + chunks)),
            (900 * cutting, 2 * (900 * cutting + 2_700 * chunks)),
            (220 * cutting, 2 * (220 * cutting + 1_100 * chunks)),
            (2, 2 * (searches + named)),
        )

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, state = self.services(ctx), ctx.state
        standing = state.in_use(inputs.address) is not None
        text = inputs.fields("idea")
        works = text.pop("works") or []
        text["summary"] = text.pop("final", "") or text["summary"]
        cut = await self._claims(services, inputs, text)
        named, searches = await asyncio.gather(
            self._named(services, works, cut), self._search(services, inputs, text, cut)
        )
        if standing:
            raise_failed(searches)  # before any verdict is paid for
        rivals = (state.papers.get(row["paper"]) for row in inputs.one("rivals") or ())
        first = [p for p in (*rivals, *(one.paper for one in named)) if p is not None]
        found, found_by = collect(searches, cut.rows)
        papers = {p.id: p for p in (*first, *found)}
        records = {**state.papers, **papers}
        held = [row for row in cut.rows if row["verdict"] != UNJUDGED or row["reason"] == FAR]
        known = {row["paper"] for row in held}
        left = [row["paper"] for row in cut.rows if row["paper"] in records]
        new = [records[p] for p in dict.fromkeys([*left, *papers]) if p not in known]
        services.at(ctx.stage + 1)
        near = await self._nearest(services, text, new, [p.id for p in first])
        judged = await self._judge_all(services, in_short(inputs, text), cut.claims, near)
        if standing:
            _raise_unread(judged)
        rows = _all_rows([*held, *judged.rows], new, found_by)
        _mark_new(state, inputs.address, rows)
        content = report(
            rows,
            [*cut.searches, *(search.row for search in searches)],
            judged,
            bounds_of(state).novelty_floor,
        )
        said = _summary(rows, records, by_words=services.origin == "drafter")
        parts = (said, told(named, "that the idea names"), self._told(searches, new))
        branch = parse_address(inputs.address).branch
        content |= {
            "claims": cut.claims,
            "claims_by": cut.by,
            "summary": " ".join(filter(None, parts)),
            "named": [one.row() for one in named] or list(cut.named),
            "about": judged.about or cut.about,
            "idea": inputs.sources.get(f"{branch}/idea#title", ""),
        }
        recipe = dict(judged.recipe or cut.recipe)
        made = Made(inputs.address, content, services.origin, recipe)
        return Result((made,), tuple(papers.values()))

    async def _claims(self, services: Services, inputs: Inputs, text: dict[str, Any]) -> Cut:
        """The claims that a person wrote, else the idea as a model cuts it: one call."""
        if own := claiming.of_person(next((held for _, held in inputs.all("claims")), None)):
            return Cut(own, {}, "you")
        most = bounds_of(services.ctx.state).novelty_queries
        values = {"topic": inputs.one("topic"), "idea": text, "count": most}
        asked = await services.ask("coi_novelty_queries", values, NoveltyQueries)
        return Cut([claim.model_dump() for claim in asked.value.claims[:most]], asked.recipe)

    async def _search(
        self, services: Services, inputs: Inputs, text: dict[str, Any], cut: Cut
    ) -> list[Searched]:
        """What is searched for: each claim and the whole idea."""
        services.at(1)
        source, hits = services.source(first_hand=True), bounds_of(services.ctx.state).novelty_hits
        return await search_all(source, cut.claims, whole_idea(text), hits)

    async def _named(self, services: Services, works: Sequence[str], cut: Cut) -> list[NamedPaper]:
        """The works that the idea names, looked up; a report that goes on has them."""
        titles = [] if cut.searches else list(dict.fromkeys(works))[:MOST_WORKS]
        if not titles:
            return []
        known = await services.known_papers(titles, 3)
        return await look_up(services.source(), [(title, None) for title in titles], known.papers)

    def _told(self, searches: Sequence[Searched], new: Sequence[Paper]) -> str:
        """What the summary says of the searches themselves."""
        return ""

    async def _nearest(
        self, services: Services, text: dict[str, Any], new: Sequence[Paper], first: Sequence[str]
    ) -> list[Paper]:
        """The papers that are judged, those that come first before those that were found, which
        stand in their order."""
        papers = [p for p in new if p.abstract]
        if len(papers) <= self.rules.nearest:
            return papers
        said = "\n".join(map(str, filter(None, text.values())))
        order = (await services.similarity(said, papers)).nearest(len(papers))
        # equals stay in the order of similarity
        kept = sorted(order, key=lambda paper_id: paper_id not in first)[: self.rules.nearest]
        return [p for p in papers if p.id in kept]

    async def _judge_all(
        self, services: Services, values: dict[str, Any], claims: list[Claim], papers: list[Paper]
    ) -> Judged:
        """The verdicts on all papers, a few papers to a call, as many in one as in another; the
        report says which replies could not be read. Raises the first error where none can."""
        said = [claim["text"] for claim in claims]
        values |= {"claims": [{"kind": claim["kind"], "text": claim["text"]} for claim in claims]}
        short = {
            p.id: {"abstract": claiming.bearing_on(p.abstract or "", said, ABSTRACT_WORDS)}
            for p in papers
        }

        async def judge(chunk: list[Paper]) -> Labelled[PaperVerdict] | ReplyError:
            try:
                return await ask_about_each(
                    services,
                    "coi_novelty_verdicts",
                    values,
                    "papers",
                    chunk,
                    NoveltyVerdicts,
                    PaperVerdict,
                    short,
                )
            except ReplyError as error:
                return error

        calls = -(-len(papers) // PAPERS_A_CALL)
        size = -(-len(papers) // max(1, calls))
        chunks = [papers[n * size : (n + 1) * size] for n in range(calls)]
        replies = await asyncio.gather(*map(judge, filter(None, chunks)))
        read = [reply for reply in replies if not isinstance(reply, ReplyError)]
        lost = [reply for reply in replies if isinstance(reply, ReplyError)]
        if lost and not read:
            raise lost[0]
        verdicts = {paper: said for reply in read for paper, said in reply.verdicts.items()}
        kinds = [claim["kind"] for claim in claims]
        rows = [_row(p, verdicts.get(p.id), kinds, self.rules.wanted) for p in papers]
        about = next((reply.summary for reply in read if reply.summary), "")
        missing = len(papers) - len(verdicts)
        return Judged(rows, read[0].recipe if read else {}, missing, len(lost), about)


@dataclass(frozen=True)
class Cut:
    """The idea in claims, how they were made, and who wrote them (``you`` for a person).

    ``rows``, ``searches``, ``named`` and ``about``: what a report that goes on has already; none
    for a check that begins anew.
    """

    claims: list[Claim]
    recipe: Mapping[str, Any]
    by: str = ""
    rows: tuple[dict[str, Any], ...] = ()
    searches: tuple[dict[str, Any], ...] = ()
    named: tuple[dict[str, Any], ...] = ()
    about: str = ""


@dataclass(frozen=True)
class Judged:
    """Rows of a report with their verdicts, the recipe of one that was read, how many verdicts
    could not be read, how many whole replies, and what the idea is about in short."""

    rows: list[dict[str, Any]]
    recipe: Mapping[str, Any]
    lost: int
    lost_replies: int
    about: str = ""

    @property
    def lost_in_words(self) -> str:
        """How many verdicts could not be read; empty where all could."""
        return f"{self.lost} of {len(self.rows)} verdicts could not be read." if self.lost else ""


_ORDER = {verdict: n for n, verdict in enumerate((*CLOSENESS, UNJUDGED))}


def _raise_unread(judged: Judged) -> None:
    """Raise an error where a whole reply is missing and the verdicts that there are do not settle
    it."""
    if judged.lost_replies and not any(row["verdict"] == "close match" for row in judged.rows):
        raise ReplyError(judged.lost_in_words, "The report before it stays in use; check again.")


def _row(
    paper: Paper, verdict: PaperVerdict | None, kinds: Sequence[str], wanted: Sequence[str]
) -> dict[str, Any]:
    """A paper's row; its verdict follows from its cells."""
    if verdict is None:
        return _unjudged(paper, "The verdict could not be read.")
    cells = claiming.cells(verdict.claims, len(kinds), paper)
    return {
        "paper": paper.id,
        "verdict": claiming.closeness(cells, kinds, wanted),
        "overlap": claiming.overlap(cells, kinds),
        "reason": verdict.reason,
        "on_topic": verdict.on_topic,
        "cells": cells,
    }


def _all_rows(
    rows: Sequence[Mapping[str, Any]], new: Sequence[Paper], found_by: Mapping[str, list[str]]
) -> list[dict[str, Any]]:
    """A row a paper with the queries that found it: the nearest first, among equals what several
    queries found."""
    done = {row["paper"] for row in rows}
    bare = [
        _unjudged(p, FAR if p.abstract else "There is no abstract to compare with.")
        for p in new
        if p.id not in done
    ]
    told = [{**row, "found_by": found_by.get(row["paper"], [])} for row in (*rows, *bare)]
    return sorted(
        told, key=lambda r: (_ORDER.get(r["verdict"], len(_ORDER)), -len(r["found_by"]), r["paper"])
    )


def _mark_new(state: State, address: str, rows: list[dict[str, Any]]) -> None:
    """Mark papers that no earlier report of this branch held."""
    earlier = [
        state.content(state.versions[seq], NoveltyReport) for seq in state.cell(address).versions
    ]
    known = {row.paper for held in earlier for row in held.papers}
    for row in rows:
        row["new"] = bool(earlier) and row["paper"] not in known


def _unjudged(p: Paper, why: str) -> dict[str, Any]:
    return {"paper": p.id, "verdict": UNJUDGED, "overlap": "", "reason": why, "on_topic": False}


def report(
    rows: list[dict[str, Any]], searches: list[dict[str, Any]], judged: Judged, floor: int
) -> dict[str, Any]:
    """The report as it is kept, without its summary."""
    counts = Counter(row["verdict"] for row in rows)
    compared = len(rows) - counts[UNJUDGED]
    on_topic = sum(bool(row["on_topic"]) for row in rows)
    if counts["close match"]:
        verdict, why = "close match", ""
    elif why := _open_question(on_topic, compared, searches, judged, floor):
        verdict = INCONCLUSIVE
    else:
        verdict = "partial" if counts["partial"] else "not close"
    return {
        "verdict": verdict,
        "why": why,
        "searches": searches,
        "papers": rows,
        "judged": compared,
        "on_topic": on_topic,
        "floor": floor,
    }


def _open_question(
    on_topic: int, compared: int, searches: list[dict[str, Any]], judged: Judged, floor: int
) -> str:
    """Why a report without a close match is inconclusive; empty where it is not.

    A search or a verdict that is missing leaves the question open, and so do phrases that found
    nothing and fewer papers on the topic than the floor.
    """
    failed = failed_by_name(searches)
    if not compared:
        return failed or "The searches found nothing that could be compared."
    if failed or judged.lost_in_words:
        return " ".join(filter(None, (failed, judged.lost_in_words)))
    phrases = [s for s in searches if not s.get("whole")]
    if not any(s["hits"] for s in phrases):
        return f"The search with the whole idea found papers, but {count(len(phrases), 'phrase')} for its claims found nothing."
    if on_topic < floor:
        few = f"Only {count(on_topic, 'paper')}" if on_topic else "No paper"
        return f"{few} on the topic {'were' if on_topic > 1 else 'was'} judged; {floor} are needed."
    return ""


def _summary(rows: list[dict[str, Any]], papers: Mapping[str, Paper], *, by_words: bool) -> str:
    """What all verdicts together say: counts, the nearest papers with what they share, and what
    could not be judged."""
    counts = Counter(row["verdict"] for row in rows)
    judged = len(rows) - counts[UNJUDGED]
    if not judged:
        return ""
    compared = count(judged, "abstract was", "abstracts were")
    numbers = ", ".join(f"{counts[verdict]} {verdict}" for verdict in CLOSENESS)
    near = [row for row in rows if row["verdict"] in ("close match", "partial")]
    said = [
        f"{compared} compared with the idea: {numbers}.",
        *(_near(row, papers[row["paper"]]) for row in near[:NEAREST_TOLD]),
    ]
    if left := counts[UNJUDGED]:
        said.append(f"{count(left, 'more paper was', 'more papers were')} found and not judged.")
    if by_words:
        said.append("Words alone cannot show that two works are the same, nor that they differ.")
    return " ".join(said)


def _near(row: Mapping[str, Any], p: Paper) -> str:
    """A near paper in a sentence or two."""
    shared = f", shared: {row['overlap']}" if row["overlap"] else ""
    return f"{row['verdict'].capitalize()}: “{p.title}” ({p.year or 'n.d.'}{shared}). {sentence(row['reason'])}"


NEAREST_SHOWN = 8
"""So many titles of papers that are known already are shown, so that the queries lead elsewhere."""


class SearchAgainstTask(NoveltyTask):
    """One call writes queries that try to find the idea done already; what they find that the
    report did not have is judged like the rest.

    A report of the idea as it stands goes on: its claims, papers and searches stay. Where there is
    none, a whole novelty check is made with it. The new report is a further version; a search that
    fails leaves the one before in use.
    """

    name = "search against"
    prompts = ("coi_novelty_queries", "coi_search_against", "coi_novelty_verdicts")
    reads = staticmethod(search_against)

    def cost(self, state: State, address: str) -> Cost:
        check = Cost() if goes_on(self, state, address) else super().cost(state, address)
        return check + self.queries_cost(state)

    def queries_cost(self, state: State) -> Cost:
        """The search against the idea alone, where there is a report that goes on."""
        bounds = bounds_of(state)
        chunks = self.rules.calls(bounds.against_queries * bounds.novelty_hits)
        return Cost(
            "main",
            (1, 2 * (1 + chunks)),
            (1_100, 2 * (1_100 + 2_700 * chunks)),
            (220, 2 * (220 + 1_100 * chunks)),
            (1, 2 * bounds.against_queries),
        )

    async def _claims(self, services: Services, inputs: Inputs, text: dict[str, Any]) -> Cut:
        if not goes_on(self, services.ctx.state, inputs.address):
            return await super()._claims(services, inputs, text)
        report = inputs.fields("report")
        rows, searches, named = (
            tuple(map(dict, report[name] or ())) for name in ("papers", "searches", "named")
        )
        by, about = report["claims_by"], report["about"]
        return Cut(list(report["claims"]), {}, by, rows, searches, named, about)

    async def _search(
        self, services: Services, inputs: Inputs, text: dict[str, Any], cut: Cut
    ) -> list[Searched]:
        first = [] if cut.searches else await super()._search(services, inputs, text, cut)
        done = [*cut.searches, *(search.row for search in first)]
        asked = await self._queries(services, in_short(inputs, text), cut, done)
        services.at(2)
        source, hits = services.source(first_hand=True), bounds_of(services.ctx.state).novelty_hits
        found = (
            search_once(source.search(q.query, hits), q.query, source.name, angle=q.angle)
            for q in asked
        )
        return [*first, *await asyncio.gather(*found)]

    async def _queries(
        self,
        services: Services,
        values: dict[str, Any],
        cut: Cut,
        done: Sequence[Mapping[str, Any]],
    ) -> list[AgainstQuery]:
        """The queries within the bound, without those that were searched already, as long as
        one is left."""
        state = services.ctx.state
        searched, most = [str(row["query"]) for row in done], bounds_of(state).against_queries
        known = [
            state.papers[row["paper"]].title for row in cut.rows if row["paper"] in state.papers
        ]
        values |= {
            "claims": [{"kind": claim["kind"], "text": claim["text"]} for claim in cut.claims],
            "searched": searched,
            "known": known[:NEAREST_SHOWN],
            "count": most,
        }
        asked = await services.ask("coi_search_against", values, AgainstQueries)
        had = {words.casefold() for words in searched}
        written = {query.query.casefold(): query for query in reversed(asked.value.queries)}
        new = [query for key, query in reversed(written.items()) if key not in had]
        # Where all were searched before, they are searched again: the report says who tried.
        return (new or asked.value.queries)[:most]

    def _told(self, searches: Sequence[Searched], new: Sequence[Paper]) -> str:
        asked = [done for done in searches if done.row.get("angle")]
        others = collect([done for done in searches if done not in asked])[0]
        alone = {p.id for p in collect(asked)[0]} & {p.id for p in new} - {p.id for p in others}
        angles = Counter(done.row["angle"] for done in asked)
        told = ", ".join(f"{angle} {n}" for angle, n in angles.items())
        made, found = count(len(asked), "search", "searches"), count(len(alone), "paper")
        return (
            f"{made} tried to find the idea done already ({told}); found by these alone: {found}."
        )


def goes_on(step: NoveltyTask, state: State, address: str) -> bool:
    """Whether there is a report of the idea as it stands, with claims, so that its papers need not
    be judged again."""
    claims = state.value(ref(address, "claims"))
    return bool(claims) and FreshnessEvaluator(state, {address: step}.get)(address).ok
