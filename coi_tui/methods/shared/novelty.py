"""COI-12: what has been done already. A failed search, an empty one or too few papers are
INCONCLUSIVE; nothing is ever called novel."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from coi_tui.engine.reads import Inputs, Read
from coi_tui.engine.steps import Cost, Made, Result
from coi_tui.methods.shared import claims as claiming
from coi_tui.methods.shared.base import MethodStep
from coi_tui.methods.shared.labelled import Labelled, ask_about_each
from coi_tui.methods.shared.named_works import NamedPaper, look_up, told
from coi_tui.methods.shared.novelty_searches import (
    Claim,
    Searched,
    collect,
    failed_by_name,
    raise_failed,
    search_all,
    whole_idea,
)
from coi_tui.methods.shared.reads import TOPIC, idea_brief, rivals
from coi_tui.methods.shared.replies import NoveltyQueries, NoveltyVerdicts, PaperVerdict
from coi_tui.methods.shared.settings import IdeaSettings, bounds_of
from coi_tui.model.address import Branch, parse_address, ref
from coi_tui.model.content import NoveltyReport
from coi_tui.model.errors import ReplyError
from coi_tui.model.papers import Paper
from coi_tui.model.state import State
from coi_tui.model.wording import count, sentence

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

    def compared(self, found: int) -> int:
        """How many of so many papers are judged."""
        return min(found, self.nearest)


USUAL = NoveltyRules()


def _brief(state: State, branch: Branch) -> tuple[Read, ...]:
    """The idea in short and the works that it names; of a person's idea without a summary the
    text."""
    cell = f"{branch}/idea"
    text = () if state.value(ref(cell, "summary")) else (Read("idea", ref(cell, "final")),)
    return (*idea_brief("idea", branch), *text, Read("idea", ref(cell, "works"), optional=True))


def in_short(inputs: Inputs, text: Mapping[str, Any]) -> dict[str, Any]:
    """Topic and idea, as they stand before claims that say the rest."""
    return {
        "topic": inputs.one("topic"),
        "idea": {name: text[name] for name in ("title", "summary")},
    }


class NoveltyStep(MethodStep):
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

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        branch = parse_address(address).branch
        return (
            TOPIC,
            *_brief(state, branch),
            *claiming.reads(state, branch),
            rivals("rivals", branch),
        )

    def cost(self, state: State, address: str) -> Cost:
        bounds = bounds_of(state)
        own = len(claiming.of_person(claiming.held(state, parse_address(address).branch)))
        searches = (own or PHRASES * bounds.novelty_queries) + 1
        idea = f"{parse_address(address).branch}/idea"
        named = (
            MOST_WORKS if state.in_use(idea) is None else len(state.value(ref(idea, "works")) or ())
        )
        cutting = 0 if own else 1
        chunks = -(-self.rules.compared(searches * bounds.novelty_hits) // PAPERS_A_CALL)
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
        services, bounds = self.services(ctx), bounds_of(ctx.state)
        standing = ctx.state.in_use(inputs.address) is not None
        text = inputs.fields("idea")
        works = text.pop("works") or []
        text["summary"] = text.pop("final", "") or text["summary"]
        cut = await self._claims(services, inputs, text, bounds)
        named, searches = await asyncio.gather(
            self._named(services, works, cut), self._search(services, inputs, text, cut, bounds)
        )
        if standing:
            raise_failed(searches)  # before any verdict is paid for
        first = [*self._rivals(ctx.state, inputs), *(one.paper for one in named if one.paper)]
        papers, found_by = collect(searches, cut.rows)
        papers = list({p.id: p for p in (*first, *papers)}.values())
        held, new = _to_judge(ctx.state, cut.rows, papers)
        services.at(ctx.stage + 1)
        near = await self._nearest(
            services, text, [p for p in new if p.abstract], [p.id for p in first]
        )
        judged = await self._judge_all(services, in_short(inputs, text), cut.claims, near)
        if standing:
            _raise_unread(judged)
        rows = _all_rows(held, judged, new, found_by)
        self._mark_new(ctx, inputs, rows)
        content = _report(
            rows,
            [*cut.searches, *(search.row for search in searches)],
            judged,
            bounds.novelty_floor,
        )
        content |= {"claims": cut.claims, "claims_by": cut.by}
        records = {**ctx.state.papers, **{p.id: p for p in papers}}
        said = _summary(rows, records, by_words=services.origin == "drafter")
        content["summary"] = " ".join(
            filter(None, (said, told(named, "that the idea names"), self._told(searches, new)))
        )
        content["named"] = [one.row() for one in named] or list(cut.named)
        if about := judged.about or cut.about:
            content["about"] = about
        content["idea"] = inputs.sources.get(
            f"{parse_address(inputs.address).branch}/idea#title", ""
        )
        recipe = dict(judged.recipe or cut.recipe)
        return Result((Made(inputs.address, content, services.origin, recipe),), tuple(papers))

    async def _claims(
        self, services: Services, inputs: Inputs, text: dict[str, Any], bounds: IdeaSettings
    ) -> Cut:
        """The claims that a person wrote, else the idea as a model cuts it: one call."""
        if own := claiming.of_person(next((held for _, held in inputs.all("claims")), None)):
            return Cut(own, {}, "you")
        values = {"topic": inputs.one("topic"), "idea": text, "count": bounds.novelty_queries}
        asked = await services.ask("coi_novelty_queries", values, NoveltyQueries)
        return Cut(
            [claim.model_dump() for claim in asked.value.claims[: bounds.novelty_queries]],
            asked.recipe,
        )

    async def _search(
        self,
        services: Services,
        inputs: Inputs,
        text: dict[str, Any],
        cut: Cut,
        bounds: IdeaSettings,
    ) -> list[Searched]:
        """What is searched for: each claim and the whole idea."""
        services.at(1)
        return await search_all(
            services.source(first_hand=True), cut.claims, whole_idea(text), bounds.novelty_hits
        )

    async def _named(self, services: Services, works: Sequence[str], cut: Cut) -> list[NamedPaper]:
        """The works that the idea names, looked up; a report that goes on has them."""
        titles = [] if cut.searches else list(dict.fromkeys(works))[:MOST_WORKS]
        known = await services.known_papers(titles, 3) if titles else None
        return (
            await look_up(services.source(), [(title, None) for title in titles], known.papers)
            if known is not None
            else []
        )

    def _rivals(self, state: State, inputs: Inputs) -> list[Paper]:
        """The papers that were known to be near before there was an idea."""
        found = (state.papers.get(row.get("paper", "")) for row in inputs.one("rivals") or ())
        return [paper for paper in found if paper is not None]

    def _told(self, searches: Sequence[Searched], new: Sequence[Paper]) -> str:
        """What the summary says of the searches themselves."""
        return ""

    async def _nearest(
        self, services: Services, text: dict[str, Any], papers: list[Paper], first: Sequence[str]
    ) -> list[Paper]:
        """The papers that are judged, those that come first before those that were found, which
        stand in their order."""
        number = self.rules.compared(len(papers))
        if number == len(papers):
            return papers
        similar = await services.similarity(
            "\n".join(map(str, filter(None, text.values()))), papers
        )
        order = similar.nearest(len(papers))
        kept = set(
            sorted(order, key=lambda paper_id: paper_id not in first)[:number]
        )  # equals stay in the order of similarity
        return [p for p in papers if p.id in kept]

    async def _judge_all(
        self, services: Services, values: dict[str, Any], claims: list[Claim], papers: list[Paper]
    ) -> Judged:
        """The verdicts on all papers, a few papers to a call. Raises the first error where no reply
        at all can be read."""
        chunks = _chunks(papers)
        replies = await asyncio.gather(
            *(self._judge(services, values, claims, chunk) for chunk in chunks)
        )
        read = [reply for reply in replies if not isinstance(reply, ReplyError)]
        lost = [reply for reply in replies if isinstance(reply, ReplyError)]
        if lost and not read:
            raise lost[0]
        verdicts = {
            paper_id: verdict for reply in read for paper_id, verdict in reply.verdicts.items()
        }
        rows = [
            _row(p, verdicts.get(p.id), [claim["kind"] for claim in claims], self.rules.wanted)
            for p in papers
        ]
        about = next((reply.summary for reply in read if reply.summary), "")
        return Judged(
            rows, read[0].recipe if read else {}, len(papers) - len(verdicts), len(lost), about
        )

    async def _judge(
        self, services: Services, values: dict[str, Any], claims: list[Claim], papers: list[Paper]
    ) -> Labelled[PaperVerdict] | ReplyError:
        """The verdicts on some papers; where none of them can be read, the error, and the report
        will say so."""
        shown = [{"kind": claim["kind"], "text": claim["text"]} for claim in claims]
        said = [claim["text"] for claim in claims]
        short = {
            p.id: {"abstract": claiming.bearing_on(p.abstract or "", said, ABSTRACT_WORDS)}
            for p in papers
        }
        values = {**values, "claims": shown}
        try:
            return await ask_about_each(
                services,
                "coi_novelty_verdicts",
                values,
                "papers",
                papers,
                NoveltyVerdicts,
                PaperVerdict,
                short,
            )
        except ReplyError as error:
            return error

    def _mark_new(self, ctx: Context, inputs: Inputs, rows: list[dict[str, Any]]) -> None:
        """Papers that no earlier report of this branch held."""
        versions = [ctx.state.versions[seq] for seq in ctx.state.cell(inputs.address).versions]
        earlier = [ctx.state.content(version, NoveltyReport) for version in versions]
        known = {row.paper for report in earlier for row in report.papers}
        for row in rows:
            row["new"] = bool(earlier) and row["paper"] not in known


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


_ORDER = {"close match": 0, "partial": 1, "not close": 2, UNJUDGED: 3}


def _raise_unread(judged: Judged) -> None:
    """Raise an error where a whole reply is missing and the verdicts that there are do not settle
    it."""
    if judged.lost_replies and not any(row["verdict"] == "close match" for row in judged.rows):
        raise ReplyError(judged.lost_in_words, "The report before it stays in use; check again.")


def _chunks(papers: list[Paper]) -> list[list[Paper]]:
    """The papers of each call, as many in one as in another."""
    size = -(-len(papers) // max(1, -(-len(papers) // PAPERS_A_CALL)))
    return [papers[i : i + size] for i in range(0, len(papers), size)] if papers else []


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
    held: Iterable[Mapping[str, Any]],
    judged: Judged,
    new: Sequence[Paper],
    found_by: Mapping[str, list[str]],
) -> list[dict[str, Any]]:
    """A row a paper with the queries that found it: the nearest first, among equals what several
    queries found."""
    done = {row["paper"] for row in judged.rows}
    bare = [
        _unjudged(p, FAR if p.abstract else "There is no abstract to compare with.")
        for p in new
        if p.id not in done
    ]
    rows = [
        {**row, "found_by": found_by.get(row["paper"], [])} for row in (*held, *judged.rows, *bare)
    ]
    return sorted(
        rows, key=lambda r: (_ORDER.get(r["verdict"], len(_ORDER)), -len(r["found_by"]), r["paper"])
    )


def _to_judge(
    state: State, rows: Iterable[dict[str, Any]], found: Sequence[Paper]
) -> tuple[list[dict[str, Any]], list[Paper]]:
    """The rows of an earlier report that stay, and the papers to judge: those that it did not have,
    and those that it could not judge."""
    held, left = [], []
    for row in rows:
        paper = state.papers.get(row["paper"])
        if (
            row["verdict"] == UNJUDGED
            and row["reason"] != FAR
            and paper is not None
            and paper.abstract
        ):
            left.append(paper)
        else:
            held.append(row)
    done = {row["paper"] for row in held}
    return held, list({p.id: p for p in (*left, *found) if p.id not in done}.values())


def _unjudged(p: Paper, why: str) -> dict[str, Any]:
    return {"paper": p.id, "verdict": UNJUDGED, "overlap": "", "reason": why, "on_topic": False}


def _report(
    rows: list[dict[str, Any]], searches: list[dict[str, Any]], judged: Judged, floor: int
) -> dict[str, Any]:
    """The report as it is kept, without its summary."""
    counts = {name: sum(r["verdict"] == name for r in rows) for name in _ORDER}
    on_topic = sum(bool(r["on_topic"]) for r in rows)
    verdict, why = _conclusion(counts, on_topic, searches, judged, floor)
    return {
        "verdict": verdict,
        "why": why,
        "queries": [s["query"] for s in searches],
        "searches": searches,
        "papers": rows,
        "counts": counts,
        "judged": _compared(counts),
        "on_topic": on_topic,
        "floor": floor,
    }


def _compared(counts: Mapping[str, int]) -> int:
    """How many papers have a verdict."""
    return counts["close match"] + counts["partial"] + counts["not close"]


def _conclusion(
    counts: Mapping[str, int],
    on_topic: int,
    searches: list[dict[str, Any]],
    judged: Judged,
    floor: int,
) -> tuple[str, str]:
    """The verdict on the idea and, where it is inconclusive, why.

    A close match is one whatever else failed. Without one, a search or a verdict that is missing
    leaves the question open, and so do phrases that found nothing and fewer papers on the topic
    than the floor.
    """
    if counts["close match"]:
        return "close match", ""
    failed = failed_by_name(searches)
    if not _compared(counts):
        return INCONCLUSIVE, failed or "The searches found nothing that could be compared."
    if why := " ".join(filter(None, (failed, judged.lost_in_words))) or _no_phrase_found(searches):
        return INCONCLUSIVE, why
    if on_topic < floor:
        return INCONCLUSIVE, _too_few(on_topic, _compared(counts), floor)
    return ("partial" if counts["partial"] else "not close"), ""


def _no_phrase_found(searches: list[dict[str, Any]]) -> str:
    """Words for claims that none of the phrases for them found a paper on; empty where one did."""
    phrases = [s for s in searches if not s.get("whole")]
    if any(s["hits"] for s in phrases):
        return ""
    return f"The search with the whole idea found papers, but {count(len(phrases), 'phrase')} for its claims found nothing."


def _too_few(on_topic: int, compared: int, floor: int) -> str:
    """Words for fewer papers on the topic than the floor."""
    said = f"Only {count(on_topic, 'paper')}" if on_topic else "No paper"
    other = compared - on_topic
    more = (
        f" {count(other, 'further paper was', 'further papers were')} judged, but not found to be on the topic."
        if other
        else ""
    )
    return (
        f"{said} on the topic {'were' if on_topic > 1 else 'was'} judged; {floor} are needed.{more}"
    )


def _summary(rows: list[dict[str, Any]], papers: Mapping[str, Paper], *, by_words: bool) -> str:
    """What all verdicts together say: counts, the nearest papers with what they share, and what
    could not be judged."""
    counts = Counter(row["verdict"] for row in rows)
    judged = _compared(counts)
    if not judged:
        return ""
    said = [
        f"{count(judged, 'abstract was', 'abstracts were')} compared with the idea: {_numbers(counts)}."
    ]
    near = [row for row in rows if row["verdict"] in ("close match", "partial")]
    said += [_near(row, papers[row["paper"]]) for row in near[:NEAREST_TOLD]]
    if more := len(near[NEAREST_TOLD:]):
        said.append(f"{count(more, 'further paper overlaps', 'further papers overlap')} with it.")
    if left := counts["not judged"]:
        said.append(f"{count(left, 'more paper was', 'more papers were')} found and not judged.")
    if by_words:
        said.append("Words alone cannot show that two works are the same, nor that they differ.")
    return " ".join(said)


def _numbers(counts: Mapping[str, int]) -> str:
    close, partial = counts["close match"], counts["partial"]
    return f"{count(close, 'close match', 'close matches')}, {count(partial, 'partial overlap')}, {counts['not close']} not close"


def _near(row: Mapping[str, Any], p: Paper) -> str:
    """A near paper in a sentence or two."""
    kind = "A close match" if row["verdict"] == "close match" else "A partial overlap"
    shared = f", shared: {row['overlap']}" if row["overlap"] else ""
    told = f"{kind} is “{p.title}” ({p.year or 'n.d.'}{shared}). {sentence(row['reason'])}"
    same = (
        [cell for cell in row.get("cells", ()) if cell["judgement"] == "same"]
        if row["verdict"] == "close match"
        else []
    )
    return " ".join(
        [told, *(f"It contains claim {cell['claim']}: “{cell['passage']}”." for cell in same)]
    )
