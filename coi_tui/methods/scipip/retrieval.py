"""SCI-7 to SCI-9: the papers of three routes in one order, clustered, and the ones that ideas are made from."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from coi_tui.computing import beside
from coi_tui.engine.reads import Inputs, Read
from coi_tui.engine.steps import Cost, Made, Result
from coi_tui.literature.citation_ranking import fused
from coi_tui.methods.scipip import reads
from coi_tui.methods.scipip.clusters import (
    Alike,
    VectorSimilarity,
    WordSimilarity,
    clusters,
    halves,
    picked,
    scaled,
)
from coi_tui.methods.scipip.routes import MEANING, Pool, by_co_citation, by_entities
from coi_tui.methods.scipip.settings import ScipipSettings, bounds_of
from coi_tui.methods.shared.base import MethodStep
from coi_tui.methods.shared.reading_list import LINKS_READ, LIST_READ
from coi_tui.methods.shared.reads import criteria, rules
from coi_tui.methods.similarity import Similarity
from coi_tui.model.address import parse_address
from coi_tui.model.criteria import left_out
from coi_tui.model.errors import CoiError
from coi_tui.model.papers import Paper
from coi_tui.model.state import State

if TYPE_CHECKING:
    from coi_tui.engine.context import Context
    from coi_tui.methods.services import Services

UNTICKED = "unticked by you"
NEAR = 0.1
"""Papers whose whole texts are less alike than the threshold by more than this are not compared half by half."""


class RetrievalStep(MethodStep):
    """Meaning, entities and co-citation; then score, clusters and one paper a cluster in turn."""

    name = "scipip retrieval"

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        return (
            reads.background(address),
            reads.of(address, "nearest", "papers", "nearest"),
            reads.of(address, "entities", "entities"),
            *reads.choices(address, *reads.CHOICES),
            *criteria(state),
            LIST_READ,
            LINKS_READ,
        )

    def cost(self, state: State, address: str) -> Cost:
        return Cost(
            searches=(1, bounds_of(state, parse_address(address).instance).entity_searches + 2)
        )

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, bounds = (
            self.services(ctx),
            bounds_of(ctx.state, parse_address(inputs.address).instance),
        )
        near = [row["paper"] for row in inputs.one("nearest") if row["paper"] in ctx.state.papers]
        listed = [
            row["paper"] for row in inputs.one("reading") or [] if row["paper"] in ctx.state.papers
        ]
        pool = Pool({paper: ctx.state.papers[paper] for paper in dict.fromkeys([*near, *listed])})
        pool.routes[MEANING] = {paper: n for n, paper in enumerate(near, start=1)}
        await by_entities(services, pool, inputs, bounds)
        services.at(1)
        await by_co_citation(services, pool, dict(inputs.one("reading_links") or {}), bounds)
        services.at(3)
        found = [pool.papers[paper] for paper in pool.found()]
        similar = await services.similarity(
            str(inputs.one("background")), found, pairs_from=max(0.0, bounds.same_from - NEAR)
        )
        services.at(4)
        alike = await _alike(services, found, similar)
        content = await beside(
            _content,
            pool,
            similar.vectors or similar.words,
            alike,
            inputs,
            bounds,
            ctx.state.rejected(0),
        )
        if not content["picked"]:
            raise CoiError(
                "No paper is left to make ideas from.",
                "Tick or pin a paper in the choices, then run again.",
            )
        kept = tuple(pool.papers[row["paper"]] for row in content["papers"])
        return Result((Made(inputs.address, {**content, "ranked": similar.how}, "source"),), kept)


# -- one order ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Choice:
    """What a person chose, as ids of papers that are known."""

    off: frozenset[str]
    pinned: tuple[str, ...]
    apart: frozenset[str]

    @classmethod
    def of(cls, inputs: Inputs, papers: Mapping[str, Paper]) -> Choice:
        off, pinned, apart = (
            papers_said(papers, reads.lines(inputs, name))
            for name in ("papers_off", "pinned", "apart")
        )
        return cls(frozenset(off) - set(pinned), tuple(pinned), frozenset(apart))


def papers_said(papers: Mapping[str, Paper], said: Iterable[str]) -> list[str]:
    """The papers that a person named, by id or title."""
    by_title = {paper.title.casefold(): paper.id for paper in papers.values()}
    found = (line if line in papers else by_title.get(line.strip().casefold(), "") for line in said)
    return list(dict.fromkeys(filter(None, found)))


def in_order(
    pool: Pool, similarity: Mapping[str, float], without: Collection[str] = ()
) -> tuple[list[str], dict[str, float]]:
    """SCI-7: the papers found, the most similar to the background first, and the score of each; equals by the ranks of their routes."""
    found = [paper for paper in pool.found() if paper not in without]
    score, together = (
        scaled({paper: similarity.get(paper, 0.0) for paper in found}),
        fused(pool.routes),
    )
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
    choice, against = Choice.of(inputs, pool.papers), _against(pool, order, inputs)
    groups = clusters(order, alike, bounds.same_from, choice.apart)
    unreadable = {paper for paper in order if not pool.papers[paper].abstract}
    out = (choice.off | against.keys() | unreadable) - set(choice.pinned)
    first = [paper for paper in choice.pinned if paper in score]
    rank = {paper: n for n, paper in enumerate(order)}
    return {
        "papers": _rows(
            pool,
            order,
            score,
            groups,
            against | dict.fromkeys(choice.off - against.keys(), UNTICKED),
        ),
        "picked": picked(groups, rank, bounds.picked, first, out),
        "clusters": [group for group in groups if len(group) > 1],
        "entities": pool.entities,
        "neighbours": pool.near,
        "tries": pool.tries,
        "note": " ".join(pool.notes),
    }


async def _alike(services: Services, papers: Sequence[Paper], similar: Similarity) -> Alike:
    """SCI-8: how alike two papers are, half by what they are about and half by what they add: by vectors of these halves where there are
    some, else by words. Vectors of halves are made only of papers whose whole texts are nearly alike.
    """
    texts = _near_halves(papers, similar)
    parts = list(dict.fromkeys(part for both in texts.values() for part in both if part))
    found = await services.vectors(parts) if parts else ([], "")
    if found is None or not similar.vectors:
        return await beside(WordSimilarity, papers)
    return VectorSimilarity(texts, dict(zip(parts, found[0], strict=True)))


def _near_halves(papers: Sequence[Paper], similar: Similarity) -> dict[str, tuple[str, str]]:
    """The halves of the papers whose whole texts are nearly alike by their vectors."""
    near = {paper for pair in similar.pairs for paper in pair}
    return {paper.id: halves(paper) for paper in papers if paper.id in near}


def _against(pool: Pool, papers: Iterable[str], inputs: Inputs) -> dict[str, str]:
    """What the session's criteria say against papers."""
    asked = rules(inputs)
    return {paper: why for paper in papers if (why := left_out(pool.papers[paper], asked))}


def _rows(
    pool: Pool,
    order: Iterable[str],
    score: Mapping[str, float],
    groups: Sequence[Sequence[str]],
    left: Mapping[str, str],
) -> list[dict[str, Any]]:
    together = fused(pool.routes)
    number = {paper: n for n, group in enumerate(groups, start=1) for paper in group}
    return [
        {
            "paper": paper,
            "title": pool.papers[paper].title,
            "score": score[paper],
            "fused": round(together[paper], 5),
            "routes": {
                route: ranks[paper] for route, ranks in pool.routes.items() if paper in ranks
            },
            "cluster": number[paper],
            "left_out": left.get(paper, ""),
        }
        for paper in order
    ]
