"""SCI-4 to SCI-9: the papers of three routes in one order, clustered, and the ones that ideas are made from."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from coi_tui.computing import beside
from coi_tui.engine.reads import Inputs, Read
from coi_tui.engine.steps import Cost, Made, Result
from coi_tui.literature.citation_ranking import fused
from coi_tui.methods.scipip import reads
from coi_tui.methods.scipip.clusters import WordSimilarity, clusters, most_co_cited, picked, scaled
from coi_tui.methods.scipip.entities import Entity, Key, key_of, neighbours, occurrence, vocabulary, within_budget
from coi_tui.methods.scipip.searching import paper_text
from coi_tui.methods.scipip.settings import ScipipSettings, bounds_of
from coi_tui.methods.shared.base import MethodStep
from coi_tui.methods.shared.candidate_rows import search_record
from coi_tui.methods.shared.reading_list import LINKS_READ, LIST_READ
from coi_tui.methods.shared.reads import criteria, rules
from coi_tui.model.address import parse_address
from coi_tui.model.criteria import left_out
from coi_tui.model.errors import CoiError, ServiceError
from coi_tui.model.papers import Paper
from coi_tui.model.state import State

if TYPE_CHECKING:
    from coi_tui.engine.context import Context
    from coi_tui.methods.services import Services

MEANING, ENTITIES, CO_CITATION = "meaning", "entities", "co-citation"
LISTS_READ = 60
"""Papers whose references are asked for where no list of them is known yet: one request."""


@dataclass
class Pool:
    """The papers that are known, the rank of each by each route, and what was searched."""

    papers: dict[str, Paper]
    routes: dict[str, dict[str, int]] = field(default_factory=dict)
    entities: list[str] = field(default_factory=list)
    near: list[str] = field(default_factory=list)
    tries: list[dict[str, Any]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def found(self) -> list[str]:
        """Every paper that a route brought, in the order of the routes."""
        return list(dict.fromkeys(paper for ranks in self.routes.values() for paper in ranks))


class RetrievalStep(MethodStep):
    """Meaning, entities and co-citation; then score, clusters and one paper a cluster in turn."""

    name = "scipip retrieval"

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        return (
            reads.background(address), reads.of(address, "nearest", "papers", "nearest"), reads.of(address, "entities", "entities"),
            *reads.choices(address, *reads.CHOICES), *criteria(state), LIST_READ, LINKS_READ,
        )  # fmt: skip

    def cost(self, state: State, address: str) -> Cost:
        return Cost(searches=(1, bounds_of(state, parse_address(address).instance).entity_searches + 2))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, bounds = self.services(ctx), bounds_of(ctx.state, parse_address(inputs.address).instance)
        near = [row["paper"] for row in inputs.one("nearest") if row["paper"] in ctx.state.papers]
        listed = [row["paper"] for row in inputs.one("reading") or [] if row["paper"] in ctx.state.papers]
        pool = Pool({paper: ctx.state.papers[paper] for paper in dict.fromkeys([*near, *listed])})
        pool.routes[MEANING] = {paper: n for n, paper in enumerate(near, start=1)}
        await _by_entities(services, pool, inputs, bounds)
        services.at(1)
        await _by_co_citation(services, pool, dict(inputs.one("reading_links") or {}), bounds)
        services.at(2)
        similar = await services.similarity(str(inputs.one("background")), [pool.papers[p] for p in pool.found()])
        content = await beside(_content, pool, similar.vectors or similar.words, inputs, bounds, ctx.state.rejected(0))
        if not content["picked"]:
            raise CoiError("No paper is left to make ideas from.", "Tick or pin a paper in the choices, then run again.")
        kept = tuple(pool.papers[row["paper"]] for row in content["papers"])
        return Result((Made(inputs.address, {**content, "ranked": similar.how}, "source"),), kept)


# -- the second route ---------------------------------------------------------------------------------------------------


def seeds(inputs: Inputs) -> dict[Key, str]:
    """The spellings of the entities that the person left on, each with the entity's name."""
    off = {key_of(name) for name in reads.lines(inputs, "entities_off")}
    rows = [Entity(row["name"], tuple(filter(None, str(row.get("description", "")).split("; ")))) for row in inputs.one("entities")]
    return {key: entity.name for entity in rows if not entity.keys & off for key in sorted(entity.keys)}


async def _by_entities(services: Services, pool: Pool, inputs: Inputs, bounds: ScipipSettings) -> None:
    """SCI-4, SCI-5: papers in which the entities and their neighbours occur, the rarest entities first, after searches for the rarest."""
    named = seeds(inputs)
    texts = {p.id: paper_text(p) for p in pool.papers.values()}
    where = await beside(occurrence, texts, named)
    source = services.source(stage=0)
    rarest = sorted(set(named.values()), key=lambda name: (len(where.get(key_of(name), ())), name))
    for name in rarest[: bounds.entity_searches]:
        answer = await source.search(name, bounds.hits)
        pool.tries.append(search_record(answer))
        pool.papers = {p.id: p for p in answer.papers} | pool.papers
    texts = {p.id: paper_text(p) for p in pool.papers.values()}
    keys, papers, near = await beside(_entity_papers, texts, named, bounds)
    spelled = {**near, **named}
    pool.entities = list(dict.fromkeys(spelled[key] for key in keys))
    pool.near = sorted(near.values())
    pool.routes[ENTITIES] = {paper: n for n, paper in enumerate(papers, start=1)}


def _entity_papers(
    texts: Mapping[str, str], named: Mapping[Key, str], bounds: ScipipSettings
) -> tuple[list[Key], list[str], dict[Key, str]]:  # fmt: skip
    """The entities that are searched with, their papers, and which of them are neighbours of the others."""
    words = vocabulary(texts)
    where = occurrence(texts, {*words, *named})
    near = {key: words[key] for key in neighbours(named, where, bounds.together) if key in words}
    keys, papers = within_budget([*named, *near], where, bounds.entity_budget)
    return keys, papers, near


# -- the third route ----------------------------------------------------------------------------------------------------


async def _by_co_citation(services: Services, pool: Pool, links: dict[str, Sequence[str]], bounds: ScipipSettings) -> None:
    """SCI-6: for every paper so far the one that is cited together with it most. Where citations cannot be had, a note says so."""
    if not bounds.co_cited:
        return
    found = pool.found()
    unknown = [pool.papers[paper] for paper in found if paper not in links][:LISTS_READ]
    source = services.source()
    try:
        answer = await source.reference_lists(unknown) if unknown else None
        lists = links | (answer.lists if answer is not None else {})
        described = {p.id: p for p in (answer.papers if answer is not None else ()) if p.abstract}
        brought = most_co_cited(found, lists, bounds.co_cited)
        missing = [paper for paper in brought if paper not in pool.papers and paper not in described]
        records = await source.papers(missing) if missing else []
    except ServiceError as error:
        pool.notes.append(f"The route by co-citation is not complete. {error.message}")
        return
    renamed = {asked: paper for asked, paper in zip(missing, records, strict=True) if paper is not None}
    pool.papers = {paper.id: paper for paper in (*described.values(), *renamed.values())} | pool.papers
    ids = [renamed[paper].id if paper in renamed else paper for paper in brought]
    known = [paper for paper in dict.fromkeys(ids) if paper in pool.papers]
    if len(known) < len(brought):
        pool.notes.append(f"{len(brought) - len(known)} papers cited together with others have no record at the source.")
    pool.routes[CO_CITATION] = {paper: n for n, paper in enumerate(known, start=1)}


# -- one order ----------------------------------------------------------------------------------------------------------


def _content(
    pool: Pool, similarity: Mapping[str, float], inputs: Inputs, bounds: ScipipSettings, rejected: Collection[str]
) -> dict[str, Any]:  # fmt: skip
    """SCI-7 to SCI-9: rows by score, clusters, and the papers picked."""
    asked = rules(inputs)
    found = [paper for paper in pool.found() if paper not in rejected]
    score, together = scaled({paper: similarity.get(paper, 0.0) for paper in found}), fused(pool.routes)
    order = sorted(found, key=lambda paper: (-score[paper], -together[paper], paper))
    chosen = {name: _papers_said(pool.papers, reads.lines(inputs, name)) for name in ("papers_off", "pinned", "apart")}
    against = {paper: why for paper in found if (why := left_out(pool.papers[paper], asked))}
    unreadable = {paper for paper in found if not pool.papers[paper].abstract} - set(chosen["pinned"])
    groups = clusters(found, WordSimilarity(pool.papers[p] for p in found), bounds.same_from, chosen["apart"])
    out = {*chosen["papers_off"], *against, *unreadable} - set(chosen["pinned"])
    number = {paper: n for n, group in enumerate(groups, start=1) for paper in group}
    rank = {paper: n for n, paper in enumerate(order)}
    rows = [
        {
            "paper": paper, "title": pool.papers[paper].title, "score": score[paper], "fused": round(together[paper], 5),
            "routes": {route: ranks[paper] for route, ranks in pool.routes.items() if paper in ranks}, "cluster": number[paper],
            "left_out": against.get(paper, "") or ("unticked by you" if paper in out & set(chosen["papers_off"]) else ""),
        }
        for paper in order
    ]  # fmt: skip
    first = [paper for paper in chosen["pinned"] if paper in number]
    return {
        "papers": rows, "picked": picked(groups, rank, bounds.picked, first, out), "clusters": [g for g in groups if len(g) > 1],
        "entities": pool.entities, "neighbours": pool.near, "tries": pool.tries, "note": " ".join(pool.notes),
    }  # fmt: skip


def _papers_said(papers: Mapping[str, Paper], said: Iterable[str]) -> list[str]:
    """The papers that a person named, by id or title."""
    by_title = {paper.title.casefold(): paper.id for paper in papers.values()}
    found = (line if line in papers else by_title.get(line.strip().casefold(), "") for line in said)
    return list(dict.fromkeys(filter(None, found)))
