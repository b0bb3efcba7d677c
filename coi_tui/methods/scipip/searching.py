"""SCI-2, SCI-3: papers by meaning, and the entities that papers are searched with."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from coi_tui.engine.reads import Inputs, Read
from coi_tui.engine.steps import Cost, Made, Result
from coi_tui.literature.types import SearchResult, Source
from coi_tui.llm.reply_schemas import Choices
from coi_tui.methods.scipip import reads
from coi_tui.methods.scipip.entities import PER_TEXT, Entity, is_entity, joined
from coi_tui.methods.scipip.replies import Entities
from coi_tui.methods.scipip.settings import bounds_of
from coi_tui.methods.shared.base import MethodStep
from coi_tui.methods.shared.candidate_rows import search_record
from coi_tui.methods.shared.reading_list import LIST_READ
from coi_tui.methods.shared.reads import criteria, rules
from coi_tui.model.address import parse_address
from coi_tui.model.criteria import left_out
from coi_tui.model.errors import CoiError
from coi_tui.model.papers import Paper
from coi_tui.model.state import State

if TYPE_CHECKING:
    from coi_tui.engine.context import Context

MOST_FROM_BRAINSTORM = 10
"""Entities taken of the brainstorm at most (SCI-3)."""
BACKGROUND, BRAINSTORM = "T1", "T2"
"""The labels under which these two are shown; papers are P1, P2 and so on."""


class NearestStep(MethodStep):
    """SCI-2: the papers nearest to the background, of those that its searches find, here and in the sources, and of the reading list."""

    name = "scipip nearest"

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        return (
            reads.background(address),
            reads.of(address, "background", "queries"),
            *criteria(state),
            LIST_READ,
        )

    def cost(self, state: State, address: str) -> Cost:
        return Cost(searches=(1, 3))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, bounds = (
            self.services(ctx),
            bounds_of(ctx.state, parse_address(inputs.address).instance),
        )
        text, asked, source = str(inputs.one("background")), rules(inputs), services.source(stage=0)
        queries = reads.lines(inputs, "queries") or [text[:200]]
        answers = await search_each(source, list(dict.fromkeys(queries)), bounds.hits)
        answers.append(await services.known_papers(queries, bounds.hits))
        listed = [row["paper"] for row in inputs.one("reading") or []]
        known = {paper: ctx.state.papers[paper] for paper in listed if paper in ctx.state.papers}
        found = known | {paper.id: paper for answer in answers for paper in answer.papers}
        rejected = ctx.state.rejected(0)
        papers = [p for p in found.values() if p.id not in rejected and not left_out(p, asked)]
        if not papers:
            lacking = next((answer.lacking for answer in answers if answer.lacking), "")
            raise CoiError(
                lacking or "No paper was found for this background.",
                "Edit the background or its queries, then run again.",
            )
        services.at(1)
        similar = await services.similarity(text, papers)
        order = similar.nearest(bounds.nearest)
        rows = [
            {"paper": p, "score": round(_score(similar.words, similar.vectors, p), 5)}
            for p in order
        ]
        content = {
            "papers": rows,
            "ranked": similar.how,
            "tries": [search_record(answer) for answer in answers],
            "considered": len(papers),
        }
        return Result(
            (Made(inputs.address, content, "source", {"source": source.name}),),
            tuple(found[p] for p in order),
        )


async def search_each(source: Source, queries: Sequence[str], hits: int) -> list[SearchResult]:
    """Searches side by side, their answers in the order of the queries. All are waited for; the first error is raised then."""
    ends = await asyncio.gather(
        *(source.search(query, hits) for query in queries), return_exceptions=True
    )
    for end in ends:
        if isinstance(end, BaseException):
            raise end
    return [end for end in ends if not isinstance(end, BaseException)]


def _score(words: Mapping[str, float], vectors: Mapping[str, float], paper: str) -> float:
    """Similarity to the background: by vectors where these are known of all, else by words."""
    return float((vectors or words).get(paper, 0.0))


class EntitiesStep(MethodStep):
    """SCI-3: entities of the background, of the nearest papers' abstracts, and in mode C of the brainstorm; synonyms joined."""

    name, prompts = "scipip entities", ("scipip_entities",)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        steered = bounds_of(state, parse_address(address).instance).mode == "C"
        return (
            reads.background(address),
            *([reads.of(address, "brainstorm", "directions")] if steered else ()),
            reads.of(address, "nearest", "papers"),
        )

    def cost(self, state: State, address: str) -> Cost:
        return Cost("reader", (1, 2), (800, 4_000), (150, 900))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, bounds = (
            self.services(ctx),
            bounds_of(ctx.state, parse_address(inputs.address).instance),
        )
        directions = (
            reads.lines(inputs, "directions")
            if any(r.name == "directions" for r in inputs.reads)
            else []
        )
        near = [row["paper"] for row in inputs.one("papers")][: bounds.entity_papers]
        papers = {
            f"P{n}": ctx.state.papers[p]
            for n, p in enumerate((p for p in near if p in ctx.state.papers), start=1)
        }
        texts = [{"id": BACKGROUND, "text": str(inputs.one("background"))}]
        texts += [{"id": BRAINSTORM, "text": "\n".join(directions)}] if directions else []
        texts += [{"id": label, "text": paper_text(paper)} for label, paper in papers.items()]
        labels = Choices("entities", "text", [text["id"] for text in texts], exactly=False)
        asked = await services.ask("scipip_entities", {"texts": texts}, Entities, choices=labels)
        rows, dropped = _rows(
            asked.value,
            {BACKGROUND: "background", BRAINSTORM: "brainstorm"}
            | {k: p.id for k, p in papers.items()},
        )
        if not rows:
            raise CoiError(
                "No entity of two to five words was found in the background.",
                "Edit the background, then run again.",
            )
        return Result(
            (
                Made(
                    inputs.address,
                    {"entities": rows, "dropped": dropped},
                    services.origin,
                    asked.recipe,
                ),
            )
        )


def _rows(said: Entities, texts: dict[str, str]) -> tuple[list[dict[str, Any]], int]:
    """The entities by text, no more of each than allowed, joined; and how many names were no entities."""
    taken: dict[str, int] = {}
    found, dropped = [], 0
    for one in said.entities:
        of = texts.get(one.text, "background")
        if not is_entity(one.name):
            dropped += 1
        elif taken.get(of, 0) < (MOST_FROM_BRAINSTORM if of == "brainstorm" else PER_TEXT):
            taken[of] = taken.get(of, 0) + 1
            found.append(Entity(one.name, tuple(one.also), (of,)))
    return [
        {"name": e.name, "description": "; ".join(e.also), "of": list(e.of)} for e in joined(found)
    ], dropped


def paper_text(paper: Paper) -> str:
    """Title and abstract."""
    return f"{paper.title}\n{paper.abstract or ''}".strip()
