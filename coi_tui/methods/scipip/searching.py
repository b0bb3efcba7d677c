"""SCI-2, SCI-3: papers by meaning, and the entities that papers are searched with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from coi_tui.engine.declarations import Cost, Result
from coi_tui.engine.freshness import Inputs, Read
from coi_tui.methods.base.reads import criteria, reading
from coi_tui.methods.base.task import (
    MethodTask,
    TextTask,
    Values,
    admitted,
    every_end,
    known,
    lacking,
    one_call,
    result,
)
from coi_tui.methods.evidence.reading_list import LIST_READ, search_record
from coi_tui.methods.scipip.entities import PER_TEXT, Entity, is_entity, joined
from coi_tui.methods.scipip.replies import Entities
from coi_tui.methods.scipip.settings import bounds_of
from coi_tui.model.errors import CoiError
from coi_tui.model.papers import Paper
from coi_tui.model.state import State
from coi_tui.services.llm.reply_schemas import Choices
from coi_tui.services.sources.types import SearchResult, Source

if TYPE_CHECKING:
    from coi_tui.engine.context import Context

ENTITY_PAPERS = 8
"""Nearest papers of which entities are taken."""
MOST_FROM_BRAINSTORM = 10
"""Entities taken of the brainstorm at most (SCI-3)."""
BACKGROUND, BRAINSTORM = "T1", "T2"
"""The labels under which these two are shown; papers are P1, P2 and so on."""


async def search_each(source: Source, queries: Iterable[str], hits: int) -> list[SearchResult]:
    """Searches side by side, their answers in the order of the queries."""
    return await every_end(source.search(query, hits) for query in dict.fromkeys(queries))


class NearestTask(MethodTask):
    """SCI-2: the papers nearest to the background, of those that its searches find, here and in the
    sources, and of the reading list."""

    name = "scipip nearest"

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        background = "{instance}/background#"
        return reading(
            f"background={background}text",
            f"queries={background}queries",
            *criteria(state),
            LIST_READ,
        )(state, address)

    def cost(self, state: State, address: str) -> Cost:
        return Cost(searches=(1, 3))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, bounds = self.services(ctx), bounds_of(ctx.state, inputs.address)
        text, source = str(inputs.one("background")), services.source(stage=0)
        queries = [str(one) for one in inputs.one("queries") or []] or [text[:200]]
        answers = await search_each(source, queries, bounds.hits)
        answers.append(await services.known_papers(queries, bounds.hits))
        listed = known(ctx.state, (row["paper"] for row in inputs.one("reading") or []))
        found = [*listed, *(paper for answer in answers for paper in answer.papers)]
        papers = {paper.id: paper for paper in admitted(ctx.state, inputs, found)}
        if not papers:
            raise CoiError(
                lacking(answers) or "No paper was found for this background.",
                "Edit the background or its queries, then run again.",
            )
        services.at(1)
        similar = await services.similarity(text, list(papers.values()))
        scores, order = similar.vectors or similar.words, similar.nearest(bounds.nearest)
        content = {
            "papers": [{"paper": p, "score": round(float(scores.get(p, 0.0)), 5)} for p in order],
            "ranked": similar.how,
            "tries": [search_record(answer) for answer in answers],
        }
        return result(
            inputs, content, "source", {"source": source.name}, tuple(papers[p] for p in order)
        )


def _texts_read(ctx: Context, inputs: Inputs) -> dict[str, tuple[str, str]]:
    """The texts of which entities are taken, by label, each after what it is called."""
    near = known(ctx.state, [row["paper"] for row in inputs.one("papers")])[:ENTITY_PAPERS]
    directions = "\n".join(line for _, lines in inputs.all("directions") for line in lines)
    texts = {BACKGROUND: ("background", str(inputs.one("background")))}
    texts |= {BRAINSTORM: ("brainstorm", directions)} if directions else {}
    return texts | {f"P{n}": (paper.id, paper_text(paper)) for n, paper in enumerate(near, 1)}


def _texts(ctx: Context, inputs: Inputs) -> Values:
    texts = _texts_read(ctx, inputs)
    return {"texts": [{"id": label, "text": text} for label, (_, text) in texts.items()]}


def _entities(ctx: Context, inputs: Inputs, said: Entities) -> Values:
    """The entities by text, no more of each than allowed, joined. Names that are no entities are
    left out."""
    texts, taken = _texts_read(ctx, inputs), Counter[str]()
    found = []
    for one in said.entities:
        of = texts.get(one.text, texts[BACKGROUND])[0]
        most = MOST_FROM_BRAINSTORM if of == "brainstorm" else PER_TEXT
        if is_entity(one.name) and taken[of] < most:
            taken[of] += 1
            found.append(Entity(name=one.name, description="; ".join(one.also), of=(of,)))
    if not found:
        raise CoiError(
            "No entity of two to five words was found in the background.",
            "Edit the background, then run again.",
        )
    return {"entities": [one.model_dump(mode="json") for one in joined(found)]}


def _entity_reads(state: State, address: str) -> tuple[Read, ...]:
    steered = bounds_of(state, address).mode == "C"
    return reading(
        "background={instance}/background#text",
        *(["directions={instance}/brainstorm#directions"] if steered else ()),
        "papers={instance}/nearest#papers",
    )(state, address)


def _labels(values: Values) -> Choices:
    return Choices("entities", "text", [text["id"] for text in values["texts"]], exactly=False)


ENTITIES: TextTask[Any] = TextTask(
    "scipip entities",
    "scipip_entities",
    Entities,
    _entity_reads,
    one_call((800, 4_000), (150, 900), "reader"),
    _texts,
    _entities,
    choices=_labels,
)
"""SCI-3: entities of the background, of the nearest papers' abstracts, and in mode C of the
brainstorm; synonyms joined."""


def paper_text(paper: Paper) -> str:
    """Title and abstract."""
    return f"{paper.title}\n{paper.abstract or ''}".strip()


def texts_of(papers: Sequence[Paper]) -> dict[str, str]:
    return {paper.id: paper_text(paper) for paper in papers}
