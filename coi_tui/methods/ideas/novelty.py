"""COI-12: what has been done already: the claims of an idea against the papers that searches find.

A paper's verdict follows by rule from passages that are really in it. A failed search, an empty one
or too few papers are INCONCLUSIVE; nothing is ever called novel."""

from __future__ import annotations

import asyncio
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, get_args

from coi_tui.engine.context import Context
from coi_tui.engine.declarations import Cost, Result
from coi_tui.engine.freshness import FreshnessEvaluator, Inputs
from coi_tui.literature.ranking import content_words
from coi_tui.literature.title_match import normalise_title
from coi_tui.methods.base.labelled import ask_about_each
from coi_tui.methods.base.reads import novelty, search_against
from coi_tui.methods.base.replies import (
    AgainstQueries,
    ClaimKind,
    ClaimVerdict,
    NoveltyQueries,
    NoveltyVerdicts,
    PaperVerdict,
)
from coi_tui.methods.base.settings import bounds_of
from coi_tui.methods.base.task import MethodTask, known, result
from coi_tui.methods.chain.chains import Chains
from coi_tui.methods.citing import contains_quote
from coi_tui.methods.evidence.papers import Named, look_up
from coi_tui.methods.ideas.rivals import (
    Searched,
    bearing_on,
    collect,
    failed_by_name,
    search_once,
    whole_idea,
)
from coi_tui.methods.services import Services, ServiceSet
from coi_tui.model.address import cell_at, cell_ref, ref
from coi_tui.model.content import (
    CLOSENESS,
    NOTHING,
    ClaimCell,
    ComparedPaper,
    IdeaClaim,
    NamedWork,
    NoveltyReport,
    NoveltySearch,
    Rival,
)
from coi_tui.model.errors import ServiceError
from coi_tui.model.papers import Paper
from coi_tui.model.state import State
from coi_tui.model.text import Fields, Values, count, listed

Closeness = Literal["close match", "partial", "not close"]
MECHANISM = "mechanism"
MOST_CLAIMS = 8
"""So many claims of a person are searched for and compared; a model is asked for fewer."""
QUERY_WORDS = 12
"""Most words of the search for a claim that a person wrote."""
ABSTRACT_WORDS = 60
"""Words of an abstract that are shown: the sentences that share most with the idea."""
MOST_WORKS = 12
"""Titles that an idea names which are looked up at most."""
MOST_SIMILAR = 2
"""Papers most similar to the idea itself that are compared whatever the rivals are."""
BESIDE_RIVALS = 12
"""So many papers are compared at most where rivals were looked for: what is merely similar to the
idea is to the point in one case of five (see ``docs/decisions/0114``)."""
PHRASES = 3
"""Phrases a claim, at most."""
NEAREST_SHOWN = 8
"""So many titles of papers that are known already are shown, so that the queries of a search
against the idea lead elsewhere."""
INCONCLUSIVE = "INCONCLUSIVE"
UNJUDGED = "not judged"
NO_MODEL = "No language model compared the papers with the idea."
NO_ABSTRACT = "There is no abstract to compare with."
FAR = "It is not among the papers nearest to the idea, which alone are compared."
UNREAD = "The verdict could not be read."
NOT_READ = NO_ABSTRACT, UNREAD
CUTTING = Cost("main", (1, 2), (900, 1_800), (220, 440))
JUDGING = Cost("main", (0, 2), (0, 6_700), (0, 2_750))
ASKING_AGAINST = Cost("main", (1, 2), (1_100, 2_200), (220, 440))
_ORDER = {verdict: n for n, verdict in enumerate((*CLOSENESS, UNJUDGED))}


# -- claims and passages


def of_person(rows: Sequence[Values] | None) -> list[IdeaClaim]:
    """Claims that a person wrote, a line each (``mechanism: ...``), with the words to search for. A
    line of no known kind has none."""
    found = []
    for row in rows or ():
        name, text = (str(row.get(part, "")).strip() for part in ("name", "description"))
        kind = name.casefold() if name.casefold() in get_args(ClaimKind) and text else ""
        claim = text if kind else ": ".join(filter(None, (name, text)))
        if claim:
            query = " ".join(list(content_words(claim).values())[:QUERY_WORDS]) or claim
            found.append(IdeaClaim(kind=kind, text=claim, queries=[query]))
    return found[:MOST_CLAIMS]


def cells(verdicts: Iterable[ClaimVerdict], number: int, paper: Paper) -> list[ClaimCell]:
    """A cell for each of ``number`` claims. A passage that is not in the paper's abstract is
    dropped: a title alone is none.

    A claim that the reply leaves out, and one of which it says different things, has no passage.
    """
    found: dict[int, ClaimVerdict | None] = {}
    for one in verdicts:
        found[one.claim] = one if found.get(one.claim, one) == one else None
    text = paper.abstract or ""

    def cell(n: int) -> ClaimCell:
        if (one := found.get(n)) is None:
            return ClaimCell(claim=n)
        if not contains_quote(one.passage, text):
            return ClaimCell(claim=n, claimed=one.judgement)
        return ClaimCell(claim=n, judgement=one.judgement, passage=one.passage.strip())

    return [cell(n) for n in range(1, number + 1)]


def closeness(
    row: Sequence[ClaimCell], kinds: Sequence[str], wanted: Sequence[str] = ()
) -> Closeness:
    """The verdict on a paper from its cells; ``kinds`` are those of the claims. ``wanted``: the
    kinds that a close match has to contain, each of them; where the idea has no claim of one of
    these, and where none are named, the usual rule holds.

    A close match is a paper with passages that say the same as the mechanism and as at least one
    other claim (as the mechanism alone, where the idea has no other claim). Where no claim is
    called the mechanism, the first one is it. A paper that shares any claim otherwise is partial,
    also where the passage that was named for it is not in the paper: what a model took to be
    shared is not called far.
    """
    same = [n for n, cell in enumerate(row) if cell.judgement == "same"]
    contained = [kinds[n] for n in same]
    if wanted and set(wanted) <= set(kinds):
        contains = set(wanted) <= set(contained)
    else:
        core = MECHANISM in contained if MECHANISM in kinds else 0 in same
        contains = core and len(contained) >= min(2, len(kinds))
    if contains:
        return "close match"
    shared = any({cell.judgement, cell.claimed} & {"same", "overlaps"} for cell in row)
    return "partial" if shared else "not close"


def overlap(row: Sequence[ClaimCell], kinds: Sequence[str]) -> str:
    """What a paper shares with the idea, in short: ``mechanism (same), setting (overlaps)``."""
    return ", ".join(
        f"{kinds[n] or f'claim {n + 1}'} ({cell.judgement})"
        for n, cell in enumerate(row)
        if cell.judgement in ("same", "overlaps")
    )


def concluded(
    rows: Sequence[ComparedPaper],
    searches: Sequence[NoveltySearch],
    claims: Sequence[IdeaClaim],
    floor: int,
) -> tuple[str, str]:
    """The verdict of a report, and why it is inconclusive.

    It rests on whether each claim was really looked for: a search that failed, a claim whose
    searches found nothing, a verdict that could not be read and fewer papers than the floor leave
    the question open. A close match is one all the same.
    """
    found = {row.verdict for row in rows}
    if "close match" in found:
        return "close match", ""
    unread = sum(row.reason == UNREAD for row in rows)
    compared = unread + sum(row.verdict != UNJUDGED for row in rows)
    answered = {search.query for search in searches if search.hits}
    open_ = [f"{n}" for n, one in enumerate(claims, 1) if answered.isdisjoint(one.queries)]
    if why := failed_by_name(searches):
        pass
    elif not compared:
        why = "The searches found nothing that could be compared."
    elif open_:
        claim = "claim" if len(open_) == 1 else "claims"
        why = f"The searches for {claim} {listed(open_)} found nothing."
    elif compared < floor:
        why = f"Only {count(compared, 'paper')} could be compared; {floor} are needed."
    if unread:
        why = f"{why} {unread} of {compared} verdicts could not be read.".strip()
    if why:
        return INCONCLUSIVE, why
    if "partial" in found:
        return "partial", ""
    judged = [row for row in rows if row.verdict in CLOSENESS]
    return (NOTHING if all(row.off_point for row in judged) else "not close"), ""


def since_before(before: NoveltyReport | None, verdict: str, rows: Sequence[ComparedPaper]) -> str:
    """What a check compared that the one before it did not, in a sentence; empty for the first, and
    where nothing changed."""
    known = compared(before.papers) if before is not None else set[str]()
    now = compared(rows)
    if before is None or (before.verdict, known) == (verdict, now):
        return ""
    was = "the same verdict" if before.verdict == verdict else f"was {before.verdict}, is {verdict}"
    again = f"{len(known & now)} of {count(len(known), 'paper')} compared again"
    return f"Against the check before: {was}; {again}, {len(now - known)} new."


def each_once(rivals: Iterable[Rival], named: Iterable[NamedWork]) -> list[NamedWork]:
    """The works that an idea names, and those of the rivals that nobody found, each title once."""
    unknown = (NamedWork.from_stored(one.model_dump()) for one in rivals if not one.paper)
    return [*{normalise_title(one.title): one for one in (*unknown, *named)}.values()]


def compared(rows: Iterable[ComparedPaper]) -> set[str]:
    """The papers on which there is a verdict."""
    return {row.paper for row in rows if row.verdict != UNJUDGED}


# -- the check


@dataclass(frozen=True)
class NoveltyRules:
    """What a method compares its ideas with, and what it calls close.

    ``nearest``: so many papers are judged in one call: the rivals and what the idea names first,
    then the rivals' runners-up and those most similar to it. After an edit, those compared before
    that are among twice as many go before new ones, for which a quarter is added.
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
        bounds, branch = bounds_of(state), cell_ref(address).branch
        own = len(of_person(state.value(ref(cell_at(branch, "claims"), "claims"))))
        searches = (own or PHRASES * bounds.novelty_queries) + 1
        idea = cell_at(branch, "idea")
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
        goes_on = self._goes_on(state, inputs.address)
        before = NoveltyReport.from_stored(inputs.fields("report") if goes_on else {})
        claims, by, recipe = before.claims, before.claims_by, dict[str, Any]()
        if not claims:
            claims, by, recipe = await self._claims(services, inputs, text)
        shown = {
            "topic": inputs.one("topic"),
            "idea": {name: text[name] for name in ("title", "summary")},
            "claims": [{"kind": claim.kind, "text": claim.text} for claim in claims],
            "rivals": [
                {"title": r["title"], "year": r["year"]} for r in inputs.one("rivals") or ()
            ],
        }
        named, searches = await asyncio.gather(
            self._named(services, works if not before.searches else ()),
            self._search(
                services, shown, whole_idea(text), before.model_copy(update={"claims": claims})
            ),
        )
        made, searched = state.cell(inputs.address).versions, [search.row for search in searches]
        error = next((search.error for search in searches if search.error is not None), None)
        if error is not None and made:  # before any verdict is paid for
            hint = error.hint or "The report before it stays in use; check again."
            raise ServiceError(error.service, error.kind, failed_by_name(searched), hint)
        done = [*before.searches, *searched]
        near = [Rival.from_stored(row) for row in inputs.one("rivals") or ()]
        rivals = (state.papers.get(work.paper) for work in near)
        first = [p for p in (*rivals, *(paper for _, paper in named)) if p is not None]
        first += known(state, inputs.first("wanted", []))
        kept = compared(map(ComparedPaper.from_stored, inputs.one("compared") or ()))
        runners_up = inputs.first("runners_up", [])
        found_by = collect(searches)[1]
        there = (*first, *known(state, (*runners_up, *kept)))
        papers, order = await self._nearest(services, text, there, searches)
        records = {**state.papers, **papers}
        old = {row.paper: row for row in before.papers if row.reason != UNREAD}
        again = [row.paper for row in before.papers if row.paper not in old]
        new = [records[p] for p in dict.fromkeys([*again, *papers]) if p not in old]
        services.at(ctx.stage + 1)
        branch = cell_ref(inputs.address).branch
        chain = (state.papers.get(slot.paper or "") for slot in Chains.of(state).filled(branch))
        (rows, judging), noticed = await asyncio.gather(
            self._judged(
                services, shown, claims, new, order, {p.id for p in first}, kept, runners_up
            ),
            self._noticed(services, [*filter(None, chain), *first]),
        )
        papers |= {p.id: p for p in noticed}
        reports = [state.content(state.versions[seq], NoveltyReport) for seq in made]
        earlier = {row.paper for report in reports for row in report.papers}
        rows = [
            row.model_copy(
                update={
                    "found_by": [*row.found_by, *found_by.get(row.paper, ())],
                    "new": bool(made) and row.paper not in earlier,
                }
            )
            for row in (*old.values(), *rows)
        ]
        rows.sort(key=lambda row: (_ORDER.get(row.verdict, 9), -len(row.found_by), row.paper))
        verdict, why = concluded(rows, done, claims, bounds_of(state).novelty_floor)
        report = NoveltyReport(
            verdict=verdict,
            why=NO_MODEL if services.origin == "drafter" else why,
            idea=inputs.sources.get(ref(cell_at(branch, "idea"), "title"), ""),
            claims=claims,
            claims_by=by,
            searches=done,
            papers=rows,
            named=each_once(near, [work for work, _ in named] or before.named),
            judged=sum(row.verdict != UNJUDGED for row in rows),
            unread=[f"“{records[row.paper].title}”" for row in rows if row.reason in NOT_READ][:3],
            since=since_before(state.read(inputs.address, NoveltyReport), verdict, rows),
        )
        return result(
            inputs, report.model_dump(), services.origin, dict(judging or recipe), papers.values()
        )

    def _goes_on(self, state: State, address: str) -> bool:
        """Whether a report goes on; a check begins anew."""
        return False

    async def _claims(
        self, services: Services, inputs: Inputs, text: Fields
    ) -> tuple[list[IdeaClaim], str, Fields]:
        """The claims that a person wrote, else the idea as a model cuts it, in one call; who wrote
        them, and how they were made. A rule finds none."""
        if own := of_person(next((rows for _, rows in inputs.all("claims")), None)):
            return own, "you", {}
        if services.origin == "drafter":
            return [], "", {}
        most = bounds_of(services.ctx.state).novelty_queries
        values = {"topic": inputs.one("topic"), "idea": text, "count": most}
        asked = await services.ask("coi_novelty_queries", values, NoveltyQueries)
        return [*asked.value.claims[:most]], "", dict(asked.recipe)

    async def _search(
        self, services: Services, shown: Values, whole: str, before: NoveltyReport
    ) -> list[Searched]:
        """A search for each phrase of a claim and one with the whole idea, side by side; claims of
        one phrase share theirs."""
        services.at(1)
        source, hits = services.source(first_hand=True), bounds_of(services.ctx.state).novelty_hits
        phrases: dict[str, int] = {}
        for n, claim in enumerate(before.claims, start=1):
            for phrase in claim.queries:
                phrases.setdefault(phrase, n)
        asks = [*phrases.items(), (whole, 0)]
        return await asyncio.gather(*(search_once(source, query, hits, n) for query, n in asks))

    async def _named(self, services: Services, works: Sequence[str]) -> list[Named]:
        """The works that the idea names, looked up."""
        titles = list(dict.fromkeys(works))[:MOST_WORKS]
        if not titles:
            return []
        known = await services.known_papers(titles, 3)
        asked = [NamedWork(title=title) for title in titles]
        return await look_up(services.source(), asked, known.papers)

    async def _nearest(
        self,
        services: Services,
        text: Values,
        first: Iterable[Paper],
        searches: Sequence[Searched],
    ) -> tuple[dict[str, Paper], list[str]]:
        """The papers of ``first`` and of each search those nearest to the idea; and the ids of all that
        there are, the nearest first."""
        taken = {p.id: p for p in first}
        every = [*(taken | collect(searches)[0]).values()]
        whole = "\n".join(map(str, filter(None, text.values())))
        order = (await services.similarity(whole, every)).nearest(len(every))
        place = {paper: n for n, paper in enumerate(order)}
        most = bounds_of(services.ctx.state).novelty_hits
        for one in searches:
            taken |= {p.id: p for p in sorted(one.papers, key=lambda p: place[p.id])[:most]}
        return taken, order

    async def _noticed(self, services: Services, papers: Sequence[Paper]) -> list[Paper]:
        """Those that were retracted or corrected; where nobody can be asked, the version says so."""
        try:
            return await services.source().noticed(papers)
        except ServiceError as error:
            if error.kind != "offline":
                why = f"nobody could be asked for retractions: {error.message}"
                services.ctx.changed += (why,)
            return []

    async def _judged(
        self,
        services: Services,
        shown: Values,
        claims: Sequence[IdeaClaim],
        papers: Sequence[Paper],
        order: Sequence[str],
        first: Container[str],
        kept: Container[str],
        runners_up: Sequence[str],
    ) -> tuple[list[ComparedPaper], Values]:
        """The rows of papers, and how they were made: one call judges those of ``first``, those
        ``kept`` that are still near, the ``runners_up``, then those most similar to the idea
        (``order``), as many as the rules say and a quarter of the kept ones more. A verdict follows
        from its cells."""
        by_rule, most = services.origin == "drafter", self.rules.nearest
        most = min(most, BESIDE_RIVALS) if runners_up else most
        given = {p.id: p for p in papers}
        order = [p for p in order if p in given]
        again = [p for p in order[: 2 * most] if p in kept][:most]
        # equals stay in the order of similarity; what is most similar is compared in any case
        sure = order[:MOST_SIMILAR]
        order.sort(
            key=lambda p: (p not in first and p not in sure, p not in again, p not in runners_up)
        )
        most += len(again) // 4
        taken = [p for p in order if given[p].abstract][:most]
        near = [] if by_rule else [p for p in papers if p.id in taken]
        texts, kinds = [claim.text for claim in claims], [claim.kind for claim in claims]
        short = {
            p.id: {"abstract": bearing_on(p.abstract or "", texts, ABSTRACT_WORDS)} for p in near
        }
        found = await ask_about_each(
            services,
            "coi_novelty_verdicts",
            shown,
            "papers",
            near,
            NoveltyVerdicts,
            PaperVerdict,
            short,
        )
        rows = []
        for p in papers:
            verdict = found.verdicts.get(p.id)
            if verdict is None:
                bare = not p.abstract and p.id in order[:most]
                why = UNREAD if p in near else NO_ABSTRACT if bare else FAR
                why = NO_MODEL if by_rule else why
                rows.append(ComparedPaper(paper=p.id, verdict=UNJUDGED, reason=why))
                continue
            row = cells(verdict.claims, len(kinds), p)
            rows.append(
                ComparedPaper(
                    paper=p.id,
                    verdict=closeness(row, kinds, self.rules.wanted),
                    overlap=overlap(row, kinds),
                    reason=verdict.reason,
                    cells=row,
                )
            )
        return rows, found.recipe


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

    async def _search(
        self, services: Services, shown: Values, whole: str, before: NoveltyReport
    ) -> list[Searched]:
        first = [] if before.searches else await super()._search(services, shown, whole, before)
        state, bounds = services.ctx.state, bounds_of(services.ctx.state)
        searched = [row.query for row in (*before.searches, *(search.row for search in first))]
        titles = [
            state.papers[row.paper].title for row in before.papers if row.paper in state.papers
        ]
        values = {
            **shown,
            "searched": searched,
            "known": titles[:NEAREST_SHOWN],
            "source": services.source(first_hand=True).name,
            "count": bounds.against_queries,
        }
        asked = (await services.ask("coi_search_against", values, AgainstQueries)).value.queries
        had = {query.casefold() for query in searched}
        written = {one.query.casefold(): one for one in reversed(asked)}
        new = [one for key, one in reversed(written.items()) if key not in had]
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
