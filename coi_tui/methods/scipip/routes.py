"""SCI-4 to SCI-6: papers by entities and by co-citation, in the pool of those that are known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from coi_tui.computing import beside
from coi_tui.engine.reads import Inputs
from coi_tui.literature.citation_ranking import Lists
from coi_tui.literature.types import ReferenceLists, Source
from coi_tui.methods.scipip import reads
from coi_tui.methods.scipip.clusters import most_co_cited
from coi_tui.methods.scipip.entities import (
    Entity,
    Key,
    key_of,
    neighbours,
    occurrence,
    vocabulary,
    within_budget,
)
from coi_tui.methods.scipip.searching import paper_text, search_each
from coi_tui.methods.scipip.settings import ScipipSettings
from coi_tui.methods.shared.candidate_rows import search_record
from coi_tui.model.errors import ServiceError
from coi_tui.model.papers import Paper
from coi_tui.model.wording import count

if TYPE_CHECKING:
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


# -- the second route ---------------------------------------------------------------------------------------------------


def seeds(inputs: Inputs) -> dict[Key, str]:
    """The spellings of the entities that the person left on, each with the entity's name."""
    off = {key_of(name) for name in reads.lines(inputs, "entities_off")}
    rows = [
        Entity(row["name"], tuple(filter(None, str(row.get("description", "")).split("; "))))
        for row in inputs.one("entities")
    ]
    return seeds_of(entity for entity in rows if not entity.keys & off)


def seeds_of(entities: Iterable[Entity]) -> dict[Key, str]:
    """Every spelling of entities, with the entity's name."""
    return {key: entity.name for entity in entities for key in sorted(entity.keys)}


async def by_entities(
    services: Services, pool: Pool, inputs: Inputs, bounds: ScipipSettings
) -> None:
    """SCI-4, SCI-5: papers in which the entities and their neighbours occur, the rarest entities first, after searches for the rarest."""
    named = seeds(inputs)
    texts = {p.id: paper_text(p) for p in pool.papers.values()}
    where = await beside(occurrence, texts, named)
    source = services.source(stage=0)
    rarest = sorted(set(named.values()), key=lambda name: (len(where.get(key_of(name), ())), name))
    for answer in await search_each(source, rarest[: bounds.entity_searches], bounds.hits):
        pool.tries.append(search_record(answer))
        pool.papers = {p.id: p for p in answer.papers} | pool.papers
    texts = {p.id: paper_text(p) for p in pool.papers.values()}
    keys, papers, near = await beside(entity_papers, texts, named, bounds)
    spelled = {**near, **named}
    pool.entities = list(dict.fromkeys(spelled[key] for key in keys))
    pool.near = sorted(near.values())
    pool.routes[ENTITIES] = {paper: n for n, paper in enumerate(papers, start=1)}


def entity_papers(
    texts: Mapping[str, str], named: Mapping[Key, str], bounds: ScipipSettings
) -> tuple[list[Key], list[str], dict[Key, str]]:
    """The entities that are searched with, their papers, and which of them are neighbours of the others."""
    words = vocabulary(texts)
    where = occurrence(texts, {*words, *named})
    near = {key: words[key] for key in neighbours(named, where, bounds.together) if key in words}
    keys, papers = within_budget([*named, *near], where, bounds.entity_budget)
    return keys, papers, near


# -- the third route ----------------------------------------------------------------------------------------------------


async def by_co_citation(
    services: Services, pool: Pool, links: Lists, bounds: ScipipSettings
) -> None:
    """SCI-6: for every paper so far the one that is cited together with it most. Where citations cannot be had, a note says so."""
    if not bounds.co_cited:
        return
    source = services.source()
    try:
        answer = await _reference_lists(source, pool, links)
        services.at(2)
        brought = most_co_cited(pool.found(), {**links, **answer.lists}, bounds.co_cited)
        records = await _records(source, pool, answer, brought)
    except ServiceError as error:
        pool.notes.append(f"The route by co-citation is not complete. {error.message}")
        return
    pool.papers = {paper.id: paper for paper in records.values()} | pool.papers
    ids = (records[paper].id if paper in records else paper for paper in brought)
    known = [paper for paper in dict.fromkeys(ids) if paper in pool.papers]
    if len(known) < len(brought):
        pool.notes.append(
            f"No record at the source: {count(len(brought) - len(known), 'paper')} cited together with others."
        )
    pool.routes[CO_CITATION] = {paper: n for n, paper in enumerate(known, start=1)}


async def _reference_lists(source: Source, pool: Pool, links: Lists) -> ReferenceLists:
    """What those papers cite of which no list is known yet: one request, or none."""
    unknown = [pool.papers[paper] for paper in pool.found() if paper not in links][:LISTS_READ]
    return await source.reference_lists(unknown) if unknown else ReferenceLists()


async def _records(
    source: Source, pool: Pool, answer: ReferenceLists, brought: Sequence[str]
) -> dict[str, Paper]:
    """The records of the papers brought, under the ids by which they were cited: those of the lists, else one request for all."""
    known = {paper.id: paper for paper in answer.papers if paper.abstract and paper.id in brought}
    missing = [paper for paper in brought if paper not in pool.papers and paper not in known]
    asked = await source.papers(missing) if missing else []
    return known | {
        paper: record for paper, record in zip(missing, asked, strict=True) if record is not None
    }
