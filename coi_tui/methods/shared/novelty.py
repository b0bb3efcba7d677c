"""COI-12: what has been done already. An empty or failed search is INCONCLUSIVE; nothing is ever called novel."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

from coi_tui.engine.reads import Inputs, Read
from coi_tui.engine.steps import Cost, Made, Result
from coi_tui.methods.shared.base import MethodStep
from coi_tui.methods.shared.reads import idea
from coi_tui.methods.shared.replies import NoveltyQueries, NoveltyVerdicts
from coi_tui.methods.shared.settings import bounds_of
from coi_tui.model.address import parse_address
from coi_tui.model.content import NoveltyReport
from coi_tui.model.errors import ReplyError, ServiceError
from coi_tui.model.papers import Paper
from coi_tui.model.state import State

if TYPE_CHECKING:
    from coi_tui.engine.context import Context
    from coi_tui.literature.types import SearchResult
    from coi_tui.methods.services import Asked, Services

PAPERS_A_CALL = 5
INCONCLUSIVE = "INCONCLUSIVE"


class NoveltyStep(MethodStep):
    """Queries, searches side by side, then a verdict a paper, ``PAPERS_A_CALL`` papers to a call."""

    name = "novelty"
    prompts = ("coi_novelty_queries", "coi_novelty_verdicts")

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        return tuple(idea("idea", parse_address(address).branch))

    def cost(self, state: State, address: str) -> Cost:
        bounds = bounds_of(state)
        chunks = -(-bounds.novelty_queries * bounds.novelty_hits // PAPERS_A_CALL)
        return Cost("main", (1, 2 * (1 + chunks)), (900, 2 * (900 + 2_600 * chunks)), (80, 2 * (100 + 600 * chunks)),
                    (1, bounds.novelty_queries * 2))  # fmt: skip

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, bounds = self.services(ctx), bounds_of(ctx.state)
        text = inputs.fields("idea")
        asked = await services.ask("coi_novelty_queries", {"idea": text, "count": bounds.novelty_queries}, NoveltyQueries)
        queries = list(dict.fromkeys(asked.value.queries))[: bounds.novelty_queries]
        services.at(1)
        source = services.source(first_hand=True)
        searches = await asyncio.gather(*(_search(source.search(q, bounds.novelty_hits), q, source.name) for q in queries))
        papers, found_by = _collect(searches)
        services.at(2)
        judged = await self._judge_all(services, text, [p for p in papers if p.abstract])
        rows = judged.rows + [_unjudged(p, "There is no abstract to compare with.") for p in papers if not p.abstract]
        rows.sort(key=lambda r: (_ORDER[r["verdict"]], r["paper"]))
        for row in rows:
            row["found_by"] = found_by[row["paper"]]
        self._mark_new(ctx, inputs, rows)
        content = _report(rows, [outcome for outcome, _ in searches], judged)
        content["idea"] = inputs.sources.get(f"{parse_address(inputs.address).branch}/idea#title", "")
        recipe = dict(judged.read[0].recipe if judged.read else asked.recipe)
        return Result((Made(inputs.address, content, services.origin, recipe),), tuple(papers))

    async def _judge_all(self, services: Services, text: dict[str, Any], papers: list[Paper]) -> Judged:
        """The verdicts on all papers, a few papers to a call. Raises the first error where no reply at all can be read."""
        chunks = _chunks(papers)
        replies = await asyncio.gather(*(self._judge(services, text, chunk) for chunk in chunks))
        read = [reply for reply in replies if not isinstance(reply, ReplyError)]
        lost = [reply for reply in replies if isinstance(reply, ReplyError)]
        if lost and not read:
            raise lost[0]
        rows = chain.from_iterable(_rows(chunk, reply) for chunk, reply in zip(chunks, replies, strict=True))
        return Judged(list(rows), read, len(lost))

    async def _judge(self, services: Services, text: dict[str, Any], papers: list[Paper]) -> Asked[NoveltyVerdicts] | ReplyError:
        """The verdicts on some papers; where they cannot be read, the error, and the report will say so."""
        labels = [f"P{n}" for n in range(1, len(papers) + 1)]
        shown = [{"id": label, "title": p.title, "year": p.year, "abstract": p.abstract} for label, p in zip(labels, papers, strict=True)]

        def check(reply: NoveltyVerdicts) -> str | None:
            said = [v.id for v in reply.verdicts]
            if sorted(set(said)) != sorted(labels) or len(said) != len(labels):
                return f"there must be exactly one verdict for each of {', '.join(labels)} and none for anything else."
            return None

        try:
            return await services.ask("coi_novelty_verdicts", {"idea": text, "papers": shown}, NoveltyVerdicts, check)
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
class Judged:
    """Rows of a report with their verdicts, the replies that they were read from, and how many replies could not be read."""

    rows: list[dict[str, Any]]
    read: list[Asked[NoveltyVerdicts]]
    lost: int


_ORDER = {"close match": 0, "partial": 1, "not close": 2, "not judged": 3}


async def _search(work: Any, query: str, source: str) -> tuple[dict[str, Any], SearchResult | None]:
    """One search and its outcome: ok, empty or failed, three different things."""
    try:
        found: SearchResult = await work
    except ServiceError as error:
        return {"query": query, "source": source, "date": "", "hits": 0, "outcome": "failed", "note": error.message}, None
    outcome = "ok" if found.papers else "empty"
    row = {"query": query, "source": found.source, "date": found.asked_at or "", "hits": len(found.papers), "outcome": outcome}
    return {**row, "note": found.note}, found


def _chunks(papers: list[Paper]) -> list[list[Paper]]:
    """The papers of each call."""
    return [papers[i : i + PAPERS_A_CALL] for i in range(0, len(papers), PAPERS_A_CALL)]


def _collect(searches: list[tuple[dict[str, Any], SearchResult | None]]) -> tuple[list[Paper], dict[str, list[str]]]:
    """Each paper once, and the queries that found it."""
    papers: dict[str, Paper] = {}
    found_by: dict[str, list[str]] = {}
    for outcome, found in searches:
        for p in found.papers if found else ():
            papers.setdefault(p.id, p)
            found_by.setdefault(p.id, []).append(outcome["query"])
    return list(papers.values()), found_by


def _rows(papers: list[Paper], reply: Asked[NoveltyVerdicts] | ReplyError) -> list[dict[str, Any]]:
    if isinstance(reply, ReplyError):
        return [_unjudged(p, "The verdict could not be read.") for p in papers]
    said = {v.id: v for v in reply.value.verdicts}
    return [
        {"paper": p.id, "verdict": said[label].verdict, "overlap": said[label].overlap, "reason": said[label].reason}
        for label, p in ((f"P{n}", p) for n, p in enumerate(papers, start=1))
    ]


def _unjudged(p: Paper, why: str) -> dict[str, Any]:
    return {"paper": p.id, "verdict": "not judged", "overlap": "", "reason": why}


def _report(rows: list[dict[str, Any]], searches: list[dict[str, Any]], judged: Judged) -> dict[str, Any]:
    """The report as it is kept."""
    counts = {name: sum(r["verdict"] == name for r in rows) for name in _ORDER}
    verdict, why = _conclusion(counts, searches, judged)
    closest = next((r["paper"] for r in rows if r["verdict"] in ("close match", "partial")), "")
    return {
        "verdict": verdict, "why": why, "queries": [s["query"] for s in searches], "searches": searches, "papers": rows,
        "counts": counts, "judged": _compared(counts), "closest": closest, "summary": " ".join(r.value.summary for r in judged.read),
    }  # fmt: skip


def _compared(counts: Mapping[str, int]) -> int:
    """How many papers have a verdict."""
    return counts["close match"] + counts["partial"] + counts["not close"]


def _conclusion(counts: Mapping[str, int], searches: list[dict[str, Any]], judged: Judged) -> tuple[str, str]:
    """The verdict on the idea and, where it is inconclusive, why.

    A close match is one whatever else failed. Without one, a search or a verdict that is missing leaves the question open.
    """
    if counts["close match"]:
        return "close match", ""
    failed = sum(s["outcome"] == "failed" for s in searches)
    searches_failed = f"{failed} of {len(searches)} searches failed." if failed else ""
    if not _compared(counts):
        return INCONCLUSIVE, searches_failed or "The searches found nothing that could be compared."
    lost = f"{judged.lost} of {judged.lost + len(judged.read)} replies with verdicts could not be read." if judged.lost else ""
    if failed or lost:
        return INCONCLUSIVE, " ".join(filter(None, (searches_failed, lost)))
    return ("partial" if counts["partial"] else "not close"), ""
