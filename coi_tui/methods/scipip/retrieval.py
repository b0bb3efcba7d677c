"""SCI-7 to SCI-9: the papers of three routes in one order, clustered, and the ones that ideas are
made from."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from coi_tui.computing import beside
from coi_tui.engine.declarations import Cost, Result
from coi_tui.engine.freshness import Inputs
from coi_tui.literature.citation_ranking import fused
from coi_tui.methods.base.reads import criteria_of, reading, rules
from coi_tui.methods.base.task import MethodTask, known, result
from coi_tui.methods.base.text_tools import weighted_words
from coi_tui.methods.evidence.reading_list import LINKS_READ, LIST_READ
from coi_tui.methods.scipip.clusters import (
    Alike,
    alike_by_halves,
    clusters,
    halves,
    picked,
    scaled,
)
from coi_tui.methods.scipip.entities import Entity
from coi_tui.methods.scipip.kinds import entity_off, says
from coi_tui.methods.scipip.routes import MEANING, Pool, by_co_citation, by_entities
from coi_tui.methods.scipip.settings import ScipipSettings, bounds_of
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
    f"{name}?={{instance}}/choice#{name}" for name in ("entities_off", "papers_off", "pinned")
]


class RetrievalTask(MethodTask):
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
        off = inputs.one("entities_off") or []
        named = (Entity.from_held(row) for row in inputs.one("entities"))
        entities = [one for one in named if not entity_off(off, one)]
        await by_entities(services, pool, entities, bounds)
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


def _content(
    pool: Pool,
    similarity: Mapping[str, float],
    alike: Alike,
    inputs: Inputs,
    bounds: ScipipSettings,
    rejected: Collection[str],
) -> dict[str, Any]:
    """SCI-7 to SCI-9: rows by score, equals by the ranks of their routes; clusters, and the papers
    picked."""
    found = [paper for paper in pool.found() if paper not in rejected]
    score, together = scaled({p: similarity.get(p, 0.0) for p in found}), fused(pool.routes)
    order = sorted(found, key=lambda paper: (-score[paper], -together[paper], paper))
    off, pinned = (
        [p for p in order if says(inputs.one(name) or [], p, pool.papers[p].title)]
        for name in ("papers_off", "pinned")
    )
    asked = rules(inputs)
    against = {p: UNTICKED for p in off if p not in pinned}
    against |= {p: why for p in order if (why := left_out(pool.papers[p], asked))}
    groups = clusters(order, alike, bounds.same_from)
    unreadable = {paper for paper in order if not pool.papers[paper].abstract}
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
        "picked": picked(groups, order, bounds.picked, pinned, out),
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
    compared = [paper for paper in papers if paper.id in near or not similar.vectors]
    parts = list(dict.fromkeys(part for paper in compared for part in halves(paper) if part))
    found = await services.vectors(parts) if parts and similar.vectors else None
    vectors = await beside(weighted_words, parts) if found is None else found[0]
    return await beside(alike_by_halves, compared, dict(zip(parts, vectors, strict=True)))
