"""SCI-7 to SCI-9: the papers of three routes in one order, clustered, and the ones that ideas are
made from."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from coi_tui.computing import beside
from coi_tui.engine.reads import Inputs
from coi_tui.engine.steps import Cost, Result
from coi_tui.literature.citation_ranking import fused
from coi_tui.methods.scipip.clusters import (
    Alike,
    VectorSimilarity,
    WordSimilarity,
    clusters,
    halves,
    picked,
    scaled,
)
from coi_tui.methods.scipip.contents import EntityRow
from coi_tui.methods.scipip.entities import key_of
from coi_tui.methods.scipip.kinds import synonyms
from coi_tui.methods.scipip.routes import MEANING, Pool, by_co_citation, by_entities
from coi_tui.methods.scipip.settings import ScipipSettings, bounds_of
from coi_tui.methods.shared.base import MethodStep
from coi_tui.methods.shared.reading_list import LINKS_READ, LIST_READ
from coi_tui.methods.shared.reads import rules
from coi_tui.methods.shared.text_task import criteria_of, known, reading, result
from coi_tui.methods.similarity import Similarity
from coi_tui.model.criteria import left_out
from coi_tui.model.errors import CoiError
from coi_tui.model.papers import Paper
from coi_tui.model.state import State

if TYPE_CHECKING:
    from coi_tui.engine.context import Context
    from coi_tui.methods.services import Services

UNTICKED = "unticked by you"
NEAR = 0.1
"""Papers whose whole texts are less alike than the threshold by more than this are not compared
half by half."""
_CHOICE = [
    f"{name}?={{instance}}/choice#{name}"
    for name in ("entities_off", "papers_off", "pinned", "apart")
]


class RetrievalStep(MethodStep):
    """Meaning, entities and co-citation; then score, clusters and one paper a cluster in turn."""

    name = "scipip retrieval"

    reads = staticmethod(
        reading(
            "background={instance}/background#text",
            "nearest={instance}/nearest#papers",
            "entities={instance}/entities#entities",
            *_CHOICE,
            criteria_of,
            LIST_READ,
            LINKS_READ,
        )
    )

    def cost(self, state: State, address: str) -> Cost:
        return Cost(searches=(1, bounds_of(state, address).entity_searches + 2))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, bounds = self.services(ctx), bounds_of(ctx.state, inputs.address)
        near, listed = (
            known(ctx.state, (row["paper"] for row in inputs.one(name) or []))
            for name in ("nearest", "reading")
        )
        pool = Pool({paper.id: paper for paper in (*near, *listed)})
        pool.brought(MEANING, (paper.id for paper in near))
        off = {key_of(name) for name in inputs.one("entities_off") or []}
        entities = (synonyms(EntityRow.from_held(row)) for row in inputs.one("entities"))
        await by_entities(services, pool, (one for one in entities if not one.keys & off), bounds)
        services.at(1)
        await by_co_citation(services, pool, dict(inputs.one("reading_links") or {}), bounds)
        services.at(3)
        found = [pool.papers[paper] for paper in pool.found()]
        similar = await services.similarity(
            str(inputs.one("background")), found, pairs_from=max(0.0, bounds.same_from - NEAR)
        )
        services.at(4)
        alike = await _alike(services, found, similar)
        scores, rejected = similar.vectors or similar.words, ctx.state.rejected(0)
        content = await beside(_content, pool, scores, alike, inputs, bounds, rejected)
        if not content["picked"]:
            raise CoiError(
                "No paper is left to make ideas from.",
                "Tick or pin a paper in the choices, then run again.",
            )
        papers = tuple(pool.papers[row["paper"]] for row in content["papers"])
        return result(inputs, {**content, "ranked": similar.how}, "source", papers=papers)


def papers_said(papers: Mapping[str, Paper], said: Iterable[str]) -> list[str]:
    """The papers that a person named, by id or title."""
    by_title = {paper.title.casefold(): paper.id for paper in papers.values()}
    found = (line if line in papers else by_title.get(line.strip().casefold(), "") for line in said)
    return list(dict.fromkeys(filter(None, found)))


def in_order(
    pool: Pool, similarity: Mapping[str, float], without: Collection[str] = ()
) -> tuple[list[str], dict[str, float]]:
    """SCI-7: the papers found, the most similar to the background first, and the score of each;
    equals by the ranks of their routes."""
    found = [paper for paper in pool.found() if paper not in without]
    score = scaled({paper: similarity.get(paper, 0.0) for paper in found})
    together = fused(pool.routes)
    return sorted(found, key=lambda paper: (-score[paper], -together[paper], paper)), score


def _content(
    pool: Pool,
    similarity: Mapping[str, float],
    alike: Alike,
    inputs: Inputs,
    bounds: ScipipSettings,
    rejected: Collection[str],
) -> dict[str, Any]:
    """SCI-7 to SCI-9: rows by score, clusters, and the papers picked."""
    order, score = in_order(pool, similarity, rejected)
    off, pinned, apart = (
        papers_said(pool.papers, inputs.one(name) or [])
        for name in ("papers_off", "pinned", "apart")
    )
    asked = rules(inputs)
    against = {p: UNTICKED for p in off if p not in pinned}
    against |= {p: why for p in order if (why := left_out(pool.papers[p], asked))}
    groups = clusters(order, alike, bounds.same_from, apart)
    unreadable = {paper for paper in order if not pool.papers[paper].abstract}
    first = [paper for paper in pinned if paper in score]
    rank = {paper: n for n, paper in enumerate(order)}
    rows = [
        {
            "paper": paper,
            "title": pool.papers[paper].title,
            "score": score[paper],
            "routes": {
                route: ranks[paper] for route, ranks in pool.routes.items() if paper in ranks
            },
            "left_out": against.get(paper, ""),
        }
        for paper in order
    ]
    out = (against.keys() | unreadable) - set(pinned)
    return {
        "papers": rows,
        "picked": picked(groups, rank, bounds.picked, first, out),
        "clusters": [group for group in groups if len(group) > 1],
        "entities": pool.entities,
        "neighbours": pool.near,
        "tries": pool.tries,
        "note": " ".join(pool.notes),
    }


async def _alike(services: Services, papers: Sequence[Paper], similar: Similarity) -> Alike:
    """SCI-8: how alike two papers are, half by what they are about and half by what they add: by
    vectors of these halves where there are some, else by words. Vectors of halves are made only of
    papers whose whole texts are nearly alike.
    """
    near = {paper for pair in similar.pairs for paper in pair}
    texts = {paper.id: halves(paper) for paper in papers if paper.id in near}
    parts = list(dict.fromkeys(part for both in texts.values() for part in both if part))
    found = await services.vectors(parts) if parts else ([], "")
    if found is None or not similar.vectors:
        return await beside(WordSimilarity, papers)
    return VectorSimilarity(texts, dict(zip(parts, found[0], strict=True)))
