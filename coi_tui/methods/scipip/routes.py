"""SCI-4 to SCI-6: papers by entities and by co-citation, in the pool of those that are known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from coi_tui.computing import beside
from coi_tui.literature.citation_ranking import Lists
from coi_tui.methods.evidence.reading_list import search_record
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
from coi_tui.methods.scipip.searching import search_each, texts_of
from coi_tui.methods.scipip.settings import ScipipSettings
from coi_tui.model.errors import ServiceError
from coi_tui.model.papers import Paper
from coi_tui.services.sources.types import ReferenceLists

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

    def brought(self, route: str, papers: Iterable[str]) -> None:
        self.routes[route] = {paper: n for n, paper in enumerate(papers, 1)}


async def by_entities(
    services: Services, pool: Pool, entities: Iterable[Entity], bounds: ScipipSettings
) -> None:
    """SCI-4, SCI-5: papers in which the entities and their neighbours occur, the rarest entities
    first, after searches for the rarest."""
    named = {key: entity.name for entity in entities for key in entity.names}
    where = await beside(occurrence, texts_of([*pool.papers.values()]), named)
    rarest = sorted(set(named.values()), key=lambda name: (len(where.get(key_of(name), ())), name))
    queries = rarest[: bounds.entity_searches]
    for answer in await search_each(services.source(stage=0), queries, bounds.hits):
        pool.tries.append(search_record(answer))
        pool.papers = {p.id: p for p in answer.papers} | pool.papers
    keys, papers, near = await beside(
        entity_papers, texts_of([*pool.papers.values()]), named, bounds
    )
    pool.entities = list(dict.fromkeys({**near, **named}[key] for key in keys))
    pool.near = sorted(near.values())
    pool.brought(ENTITIES, papers)


def entity_papers(
    texts: Mapping[str, str], named: Mapping[Key, str], bounds: ScipipSettings
) -> tuple[list[Key], list[str], dict[Key, str]]:
    """The entities that are searched with, their papers, and which of them are neighbours of the
    others."""
    words = vocabulary(texts)
    where = occurrence(texts, {*words, *named})
    near = {key: words[key] for key in neighbours(named, where, bounds.together) if key in words}
    keys, papers = within_budget([*named, *near], where, bounds.entity_budget)
    return keys, papers, near


async def by_co_citation(
    services: Services, pool: Pool, links: Lists, bounds: ScipipSettings
) -> None:
    """SCI-6: for every paper so far the one that is cited together with it most. Where citations
    cannot be had, a note says so.

    One request at most asks for lists of references, one for the records of papers.
    """
    source = services.source()
    try:
        unknown = [pool.papers[paper] for paper in pool.found() if paper not in links][:LISTS_READ]
        answer = await source.reference_lists(unknown) if unknown else ReferenceLists()
        services.at(2)
        brought = most_co_cited(pool.found(), {**links, **answer.lists}, bounds.co_cited)
        records = {p.id: p for p in answer.papers if p.abstract and p.id in brought}
        missing = [paper for paper in brought if paper not in pool.papers | records]
        asked = await source.papers(missing) if missing else []
        records |= {
            paper: one for paper, one in zip(missing, asked, strict=True) if one is not None
        }
    except ServiceError as error:
        pool.notes.append(f"The route by co-citation is not complete. {error.message}")
        return
    pool.papers = {paper.id: paper for paper in records.values()} | pool.papers
    ids = dict.fromkeys(records[paper].id if paper in records else paper for paper in brought)
    pool.brought(CO_CITATION, (paper for paper in ids if paper in pool.papers))
