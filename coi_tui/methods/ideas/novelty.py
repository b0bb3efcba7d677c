"""COI-12: what has been done already: the claims of an idea against the papers that searches find.

A paper's verdict follows by rule from passages that are really in it. A failed search, an empty one
or too few papers are INCONCLUSIVE; nothing is ever called novel."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

from coi_tui.engine.context import Context
from coi_tui.engine.declarations import Cost, Result
from coi_tui.engine.freshness import FreshnessEvaluator, Inputs
from coi_tui.literature.ranking import content_words
from coi_tui.literature.title_match import normalise_title
from coi_tui.methods.base.idea_settings import bounds_of
from coi_tui.methods.base.labelled import BatchJudge
from coi_tui.methods.base.reads import novelty, search_against
from coi_tui.methods.base.reply_models import (
    AgainstQueries,
    AgainstQuery,
    ClaimKind,
    ClaimVerdict,
    NoveltyQueries,
    NoveltyVerdicts,
    PaperVerdict,
)
from coi_tui.methods.base.task import MethodTask, by_id, known, one_call, result
from coi_tui.methods.chain.chains import Chains
from coi_tui.methods.citing import contains_quote
from coi_tui.methods.evidence.cards import Named, look_up
from coi_tui.methods.evidence.searches import (
    Searched,
    collect,
    failed_by_name,
    search_all,
    whole_idea,
)
from coi_tui.methods.services import Services
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
CUTTING = one_call((900, 1_800), (220, 440))
JUDGING = Cost("main", (0, 2), (0, 6_700), (0, 2_750))
ASKING_AGAINST = one_call((1_100, 2_200), (220, 440))
JUDGE = BatchJudge[PaperVerdict]("coi_novelty_verdicts", NoveltyVerdicts)
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
    if why := _left_open(rows, searches, claims, floor):
        return INCONCLUSIVE, why
    if "partial" in found:
        return "partial", ""
    judged = [row for row in rows if row.verdict in CLOSENESS]
    return (NOTHING if all(row.off_point for row in judged) else "not close"), ""


def _left_open(
    rows: Sequence[ComparedPaper],
    searches: Sequence[NoveltySearch],
    claims: Sequence[IdeaClaim],
    floor: int,
) -> str:
    """Why the question is open; empty where it is not."""
    unread = sum(row.reason == UNREAD for row in rows)
    compared = unread + sum(row.verdict != UNJUDGED for row in rows)
    answered = {search.query for search in searches if search.hits}
    open_ = [f"{n}" for n, one in enumerate(claims, 1) if answered.isdisjoint(one.queries)]
    why = failed_by_name(searches)
    if not why and not compared:
        why = "The searches found nothing that could be compared."
    elif not why and open_:
        claim = "claim" if len(open_) == 1 else "claims"
        why = f"The searches for {claim} {listed(open_)} found nothing."
    elif not why and compared < floor:
        why = f"Only {count(compared, 'paper')} could be compared; {floor} are needed."
    if unread:
        why = f"{why} {unread} of {compared} verdicts could not be read.".strip()
    return why


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


@dataclass(frozen=True)
class Subject:
    """What a check is about: the parts of the idea, the works that it names, its rivals, and the
    report as it is before, with the claims; ``shown`` is what every prompt of the check shows."""

    text: Fields
    works: Sequence[str]
    rivals: Sequence[Rival]
    before: NoveltyReport
    recipe: Values
    shown: Values


@dataclass(frozen=True)
class Near:
    """The papers that may be compared with an idea, by id, and the ids of all that were found, the
    nearest first.

    ``first``: rivals and works that the idea names; ``kept``: those compared before;
    ``runners_up``: of the rivals.
    """

    papers: Mapping[str, Paper]
    order: Sequence[str]
    first: Sequence[Paper] = ()
    kept: Collection[str] = ()
    runners_up: Collection[str] = ()

    def places(self, ids: Container[str], most: int) -> tuple[list[str], int]:
        """In which order some of them are compared, and how many of this order: ``first`` and what
        is most similar to the idea, the kept ones that are still near, the runners-up, then by
        similarity; at most ``most``, and a quarter of the kept ones more."""
        most = min(most, BESIDE_RIVALS) if self.runners_up else most
        order = [p for p in self.order if p in ids]
        again = [p for p in order[: 2 * most] if p in self.kept][:most]
        sure = {*(p.id for p in self.first), *order[:MOST_SIMILAR]}
        # equals stay in the order of similarity
        order.sort(key=lambda p: (p not in sure, p not in again, p not in self.runners_up))
        return order, most + len(again) // 4


@dataclass(eq=False)
class NoveltyTask(MethodTask):
    """The idea cut into claims, a search for each and one with the whole idea, side by side, then
    each paper against each claim. Claims that a person wrote are taken as they are.

    A check that fails while there is a report is a failed task: it replaces nothing.
    """

    name = "novelty"
    prompts: ClassVar[tuple[str, ...]] = ("coi_novelty_queries", "coi_novelty_verdicts")

    rules: NoveltyRules = USUAL
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
        subject = await self._subject(services, inputs)
        before = subject.before
        named, searches = await self._found(services, inputs, subject)
        near = await _near(services, inputs, subject, named, searches)
        old = {row.paper: row for row in before.papers if row.reason != UNREAD}
        records = {**state.papers, **near.papers}
        every = dict.fromkeys([*(row.paper for row in before.papers), *near.papers])
        of_chain = (slot.paper or "" for slot in Chains.of(state).filled(inputs.at.branch))
        services.at()
        (judged, recipe), noticed = await asyncio.gather(
            self._judged(services, subject, near, [records[p] for p in every if p not in old]),
            _noticed(services, [*known(state, of_chain), *near.first]),
        )
        rows = _listed(state, inputs.address, [*old.values(), *judged], searches)
        done = [*before.searches, *(search.row for search in searches)]
        claims, floor = before.claims, bounds_of(state).novelty_floor
        verdict, why = concluded(rows, done, claims, floor)
        report = NoveltyReport(
            verdict=verdict,
            why=NO_MODEL if services.origin == "drafter" else why,
            idea=inputs.sources.get(ref(cell_at(inputs.at.branch, "idea"), "title"), ""),
            claims=claims,
            claims_by=before.claims_by,
            searches=done,
            papers=rows,
            named=each_once(subject.rivals, [work for work, _ in named] or before.named),
            judged=sum(row.verdict != UNJUDGED for row in rows),
            unread=[f"“{records[row.paper].title}”" for row in rows if row.reason in NOT_READ][:3],
            since=since_before(state.read(inputs.address, NoveltyReport), verdict, rows),
        )
        papers = {**near.papers, **by_id(noticed)}.values()
        made_by = dict(recipe or subject.recipe)
        return result(inputs, report.model_dump(), services.origin, made_by, papers)

    def _goes_on(self, state: State, address: str) -> bool:
        """Whether a report goes on; a check begins anew."""
        return False

    async def _subject(self, services: Services, inputs: Inputs) -> Subject:
        text, rivals = inputs.fields("idea"), inputs.one("rivals") or ()
        works = text.pop("works") or []
        text["summary"] = text.pop("final", "") or text["summary"]
        goes_on = self._goes_on(services.ctx.state, inputs.address)
        before = NoveltyReport.from_stored(inputs.fields("report") if goes_on else {})
        recipe: Values = {}
        if not before.claims:
            claims, by, recipe = await self._claims(services, inputs, text)
            before = before.model_copy(update={"claims": claims, "claims_by": by})
        shown = {
            "topic": inputs.one("topic"),
            "idea": {name: text[name] for name in ("title", "summary")},
            "claims": [{"kind": claim.kind, "text": claim.text} for claim in before.claims],
            "rivals": [{"title": r["title"], "year": r["year"]} for r in rivals],
        }
        return Subject(text, works, [*map(Rival.from_stored, rivals)], before, recipe, shown)

    async def _claims(
        self, services: Services, inputs: Inputs, text: Fields
    ) -> tuple[list[IdeaClaim], str, Values]:
        """The claims that a person wrote, else the idea as a model cuts it, in one call; who wrote
        them, and how they were made. A rule finds none."""
        if own := of_person(inputs.first("claims", None)):
            return own, "you", {}
        if services.origin == "drafter":
            return [], "", {}
        most = bounds_of(services.ctx.state).novelty_queries
        values = {"topic": inputs.one("topic"), "idea": text, "count": most}
        asked = await services.ask("coi_novelty_queries", values, NoveltyQueries)
        return [*asked.value.claims[:most]], "", asked.recipe

    async def _found(
        self, services: Services, inputs: Inputs, subject: Subject
    ) -> tuple[list[Named], list[Searched]]:
        """The works that the idea names, looked up, and the searches, side by side. Raises
        ServiceError where one failed and there is a report, before any verdict is paid for."""
        titles = [] if subject.before.searches else [*dict.fromkeys(subject.works)][:MOST_WORKS]
        named, searches = await asyncio.gather(
            _looked_up(services, titles), self._search(services, subject)
        )
        error = next((search.error for search in searches if search.error is not None), None)
        if error is not None and services.ctx.state.cell(inputs.address).versions:
            why = failed_by_name([search.row for search in searches])
            hint = error.hint or "The report before it stays in use; check again."
            raise ServiceError(error.service, error.kind, why, hint)
        return named, searches

    async def _search(self, services: Services, subject: Subject) -> list[Searched]:
        """A search for each phrase of a claim and one with the whole idea, side by side; claims of
        one phrase share theirs."""
        services.at(1)
        hits, phrases = bounds_of(services.ctx.state).novelty_hits, dict[str, int]()
        for n, claim in enumerate(subject.before.claims, 1):
            for phrase in claim.queries:
                phrases.setdefault(phrase, n)
        asks = [*phrases.items(), (whole_idea(subject.text), 0)]
        return await search_all(services.source(first_hand=True), hits, asks)

    async def _judged(
        self, services: Services, subject: Subject, near: Near, papers: Sequence[Paper]
    ) -> tuple[list[ComparedPaper], Values]:
        """The rows of papers, and how they were made: one call judges those that come first and can
        be read. A verdict follows from its cells."""
        given, by_rule = by_id(papers), services.origin == "drafter"
        order, most = near.places(given, self.rules.nearest)
        taken = {*[p for p in order if given[p].abstract][:most]}
        shown = [p for p in papers if p.id in taken and not by_rule]
        claims = subject.before.claims
        texts = [claim.text for claim in claims]
        verdicts, recipe = await JUDGE.ask(services, subject.shown, shown, texts)
        kinds = [claim.kind for claim in claims]

        def unjudged(p: Paper) -> ComparedPaper:
            why = NO_ABSTRACT if not p.abstract and p.id in order[:most] else FAR
            why = NO_MODEL if by_rule else UNREAD if p.id in taken else why
            return ComparedPaper(paper=p.id, verdict=UNJUDGED, reason=why)

        rows = [
            _row(p, verdicts[p.id], kinds, self.rules.wanted) if p.id in verdicts else unjudged(p)
            for p in papers
        ]
        return rows, recipe


async def _looked_up(services: Services, titles: Sequence[str]) -> list[Named]:
    if not titles:
        return []
    known = await services.known_papers(titles, 3)
    asked = [NamedWork(title=title) for title in titles]
    return await look_up(services.source(), asked, known.papers)


async def _near(
    services: Services,
    inputs: Inputs,
    subject: Subject,
    named: Iterable[Named],
    searches: Sequence[Searched],
) -> Near:
    """Rivals, works that the idea names, what was compared before, and of each search the papers
    nearest to the idea."""
    state = services.ctx.state
    first = known(state, (work.paper for work in subject.rivals))
    first += (paper for _, paper in named if paper is not None)
    first += known(state, inputs.first("wanted", []))
    kept = compared(map(ComparedPaper.from_stored, inputs.one("compared") or ()))
    runners_up = inputs.first("runners_up", [])
    taken = by_id((*first, *known(state, (*runners_up, *sorted(kept)))))
    every = (taken | collect(searches)).values()
    whole = "\n".join(map(str, filter(None, subject.text.values())))
    order = (await services.similarity(whole, every)).nearest(len(every))
    place = {paper: n for n, paper in enumerate(order)}
    most = bounds_of(state).novelty_hits
    for one in searches:
        taken |= by_id(sorted(one.papers, key=lambda p: place[p.id])[:most])
    return Near(taken, order, first, kept, runners_up)


async def _noticed(services: Services, papers: Sequence[Paper]) -> list[Paper]:
    """Those that were retracted or corrected; where nobody can be asked, the version says so."""
    try:
        return await services.source().noticed(papers)
    except ServiceError as error:
        if error.kind != "offline":
            why = f"nobody could be asked for retractions: {error.message}"
            services.ctx.changed += (why,)
        return []


def _row(
    paper: Paper, verdict: PaperVerdict, kinds: Sequence[str], wanted: Sequence[str]
) -> ComparedPaper:
    row = cells(verdict.claims, len(kinds), paper)
    return ComparedPaper(
        paper=paper.id,
        verdict=closeness(row, kinds, wanted),
        overlap=overlap(row, kinds),
        reason=verdict.reason,
        cells=row,
    )


def _listed(
    state: State, address: str, rows: Iterable[ComparedPaper], searches: Iterable[Searched]
) -> list[ComparedPaper]:
    """The rows as the report lists them, the closest first: each with the searches that found the
    paper, and whether no report before had it."""
    made = state.cell(address).versions
    reports = (state.content(state.versions[seq], NoveltyReport) for seq in made)
    earlier = {row.paper for report in reports for row in report.papers}
    found = [(search.row.query, {p.id for p in search.papers}) for search in searches]
    changes = (
        {
            "found_by": [*row.found_by, *(query for query, ids in found if row.paper in ids)],
            "new": bool(made) and row.paper not in earlier,
        }
        for row in rows
    )
    every = [row.model_copy(update=more) for row, more in zip(rows, changes, strict=True)]
    every.sort(key=lambda row: (_ORDER.get(row.verdict, 9), -len(row.found_by), row.paper))
    return every


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
        return ASKING_AGAINST + JUDGING + Cost(searches=(1, 2 * bounds_of(state).against_queries))

    def _goes_on(self, state: State, address: str) -> bool:
        """Whether there is a report of the idea as it is, with claims, so that its papers need not
        be judged again."""
        claims = state.value(ref(address, "claims"))
        return bool(claims) and FreshnessEvaluator(state, {address: self}.get)(address).ok

    async def _search(self, services: Services, subject: Subject) -> list[Searched]:
        before, state = subject.before, services.ctx.state
        bounds = bounds_of(state)
        first = [] if before.searches else await super()._search(services, subject)
        searched = [row.query for row in (*before.searches, *(search.row for search in first))]
        values = {
            **subject.shown,
            "searched": searched,
            "known": [p.title for p in known(state, (row.paper for row in before.papers))][
                :NEAREST_SHOWN
            ],
            "source": services.source(first_hand=True).name,
            "count": bounds.against_queries,
        }
        asked = (await services.ask("coi_search_against", values, AgainstQueries)).value.queries
        services.at(2)
        # where all were searched before, they are searched again: the report says who tried
        new = new_queries(asked, searched) or asked
        asks = [(one.query, 0, one.angle) for one in new[: bounds.against_queries]]
        return [
            *first,
            *await search_all(services.source(first_hand=True), bounds.novelty_hits, asks),
        ]


def new_queries(asked: Sequence[AgainstQuery], searched: Iterable[str]) -> list[AgainstQuery]:
    """Those that were not searched yet, each once, whatever their capitals."""
    had, new = {query.casefold() for query in searched}, dict[str, AgainstQuery]()
    for one in asked:
        if one.query.casefold() not in had:
            new.setdefault(one.query.casefold(), one)
    return [*new.values()]
