"""SCI-2 to SCI-9: papers by meaning, by entities and by co-citation, in one order, clustered, and the
ones that ideas are made from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from coi_tui.computing import run_in_thread
from coi_tui.engine.declarations import Cost, Result
from coi_tui.engine.freshness import Inputs, Read
from coi_tui.literature.ranking import Lists, fused, near_pairs
from coi_tui.methods.base.reads import criteria, reading, rules
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
from coi_tui.methods.base.text_tools import weighted_words
from coi_tui.methods.evidence.reading_list import LINKS_READ, LIST_READ, search_record
from coi_tui.methods.scipip.contents import Entities
from coi_tui.methods.scipip.entities import (
    PER_TEXT,
    Entity,
    is_entity,
    joined,
    key_of,
    neighbours,
    occurrence,
    vocabulary,
    within_budget,
)
from coi_tui.methods.scipip.settings import bounds_of
from coi_tui.model.criteria import left_out
from coi_tui.model.errors import CoiError, ServiceError
from coi_tui.model.papers import Paper
from coi_tui.model.state import State
from coi_tui.services.llm.reply_schemas import Choices
from coi_tui.services.sources.types import ReferenceLists, SearchResult, Source

if TYPE_CHECKING:
    from coi_tui.engine.context import Context
    from coi_tui.methods.services import Services

HITS = 40
"""Papers that each search asks for."""
BY_MEANING = 55
"""Papers by meaning."""
ENTITY_PAPERS = 8
"""Nearest papers of which entities are taken."""
MOST_FROM_BRAINSTORM = 10
"""Entities taken of the brainstorm at most (SCI-3)."""
ENTITY_SEARCHES = 4
"""Searches for single entities, the rarest."""
TOGETHER = 7
"""An entity is a neighbour of another if both are in more papers than this."""
ENTITY_BUDGET = 100
"""Papers by entities, those of the rarest entities first."""
LISTS_READ = 60
"""Papers whose references are asked for where no list of them is known yet: one request."""
ALIKE = 0.95
"""Similarity from which two papers fall into one cluster."""
BACKGROUND, BRAINSTORM = "T1", "T2"
"""The labels under which these two are shown; papers are P1, P2 and so on."""


async def search_each(source: Source, queries: Iterable[str]) -> list[SearchResult]:
    """Searches side by side, their answers in the order of the queries."""
    return await every_end(source.search(query, HITS) for query in dict.fromkeys(queries))


def texts_of(papers: Iterable[Paper]) -> dict[str, str]:
    """Title and abstract of papers, by id."""
    return {paper.id: f"{paper.title}\n{paper.abstract or ''}".strip() for paper in papers}


class NearestTask(MethodTask):
    """SCI-2: the papers nearest to the background, of those that its searches find, here and in the
    sources, and of the reading list."""

    name = "scipip nearest"

    reads = staticmethod(
        reading(
            "background={instance}/background#text",
            "queries={instance}/background#queries",
            criteria,
            LIST_READ,
        )
    )

    size = Cost(searches=(1, 3))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, text = self.services(ctx), str(inputs.one("background"))
        source = services.source(stage=0)
        queries = [str(one) for one in inputs.one("queries") or []] or [text[:200]]
        answers = await search_each(source, queries)
        answers.append(await services.known_papers(queries, HITS))
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
        scores, order = similar.vectors or similar.words, similar.nearest(BY_MEANING)
        content = {
            "papers": [{"paper": p, "score": round(float(scores.get(p, 0.0)), 5)} for p in order],
            "ranked": similar.how,
            "tries": [search_record(answer) for answer in answers],
        }
        kept = tuple(papers[p] for p in order)
        return result(inputs, content, "source", {"source": source.name}, kept)


# -- entities


def _texts_read(ctx: Context, inputs: Inputs) -> dict[str, tuple[str, str]]:
    """The texts of which entities are taken, by label, each after what it is called."""
    near = known(ctx.state, [row["paper"] for row in inputs.one("papers")])[:ENTITY_PAPERS]
    directions = "\n".join(line for _, lines in inputs.all("directions") for line in lines)
    texts = {BACKGROUND: ("background", str(inputs.one("background")))}
    texts |= {BRAINSTORM: ("brainstorm", directions)} if directions else {}
    return texts | {f"P{n}": text for n, text in enumerate(texts_of(near).items(), 1)}


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


ENTITIES: TextTask[Any] = TextTask(
    "scipip entities",
    "scipip_entities",
    Entities,
    _entity_reads,
    one_call((800, 4_000), (150, 900), "reader"),
    _texts,
    _entities,
    choices=lambda values: Choices(
        "entities", "text", [text["id"] for text in values["texts"]], exactly=False
    ),
)
"""SCI-3: entities of the background, of the nearest papers' abstracts, and in mode C of the
brainstorm; synonyms joined."""


# -- three routes


class RetrievalTask(MethodTask):
    """Meaning, entities and co-citation; then score, clusters and one paper a cluster in turn."""

    name = "scipip retrieval"

    reads = staticmethod(
        reading(
            "background={instance}/background#text",
            "nearest={instance}/nearest#papers",
            "entities={instance}/entities#entities",
            "off?={instance}/entities#off",
            criteria,
            LIST_READ,
            LINKS_READ,
        )
    )

    size = Cost(searches=(1, ENTITY_SEARCHES + 2))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, rejected = self.services(ctx), ctx.state.rejected(0)
        near, listed = (
            known(ctx.state, (row["paper"] for row in inputs.one(name) or []))
            for name in ("nearest", "reading")
        )
        off, entities = inputs.one("off") or [], map(Entity.from_held, inputs.one("entities"))
        searched = [one for n, one in enumerate(entities, 1) if str(n) not in off]
        named = {key: one.name for one in searched for key in one.names}
        papers = {paper.id: paper for paper in (*near, *listed)}
        routes = {"meaning": [paper.id for paper in near]}
        tries = await _search_entities(services, named, papers)
        found = await run_in_thread(entity_papers, texts_of(papers.values()), named)
        routes["entities"] = found.pop("papers")
        services.at(1)
        before = list(dict.fromkeys(paper for route in routes.values() for paper in route))
        links = dict(inputs.one("reading_links") or {})
        routes["co-citation"], note = await _co_cited(services, papers, before, links)
        services.at(3)
        every = dict.fromkeys([*before, *routes["co-citation"]])
        pool = [papers[paper] for paper in every if paper not in rejected]
        similar = await services.similarity(str(inputs.one("background")), pool, pairs_from=ALIKE)
        scores = similar.vectors or similar.words
        alike = similar.pairs if similar.vectors else await run_in_thread(_alike, pool)
        most = bounds_of(ctx.state, inputs.address).picked
        content = await run_in_thread(_content, pool, routes, scores, alike, inputs, most)
        if not content["picked"]:
            raise CoiError(
                "No paper is left to make ideas from.",
                "Edit the background or the criteria, then run again.",
            )
        content |= {**found, "tries": tries, "note": note, "ranked": similar.how}
        kept = tuple(papers[row["paper"]] for row in content["papers"])
        return result(inputs, content, "source", papers=kept)


async def _search_entities(
    services: Services, named: Mapping[tuple[str, ...], str], papers: dict[str, Paper]
) -> list[dict[str, Any]]:
    """SCI-5: searches for the rarest entities, whose papers join those that are known."""
    where = await run_in_thread(occurrence, texts_of(papers.values()), named)
    rarest = sorted(set(named.values()), key=lambda name: (len(where.get(key_of(name), ())), name))
    answers = await search_each(services.source(stage=0), rarest[:ENTITY_SEARCHES])
    for paper in (paper for answer in answers for paper in answer.papers):
        papers.setdefault(paper.id, paper)
    return [search_record(answer) for answer in answers]


def entity_papers(
    texts: Mapping[str, str], named: Mapping[tuple[str, ...], str]
) -> dict[str, list[str]]:
    """SCI-4, SCI-5: the entities that papers are taken by, which of them are neighbours of the
    others, and the papers in which they occur, those of the rarest first."""
    words = vocabulary(texts)
    where = occurrence(texts, {*words, *named})
    near = {key: words[key] for key in neighbours(named, where, TOGETHER) if key in words}
    keys, papers = within_budget([*named, *near], where, ENTITY_BUDGET)
    return {
        "entities": list(dict.fromkeys({**near, **named}[key] for key in keys)),
        "neighbours": sorted(near.values()),
        "papers": papers,
    }


async def _co_cited(
    services: Services, papers: dict[str, Paper], found: Sequence[str], links: Lists
) -> tuple[list[str], str]:
    """SCI-6: for every paper so far the one that is cited together with it most. Where citations
    cannot be had, a note says so.

    One request at most asks for lists of references, one for the records of papers.
    """
    source = services.source()
    try:
        unknown = [papers[paper] for paper in found if paper not in links][:LISTS_READ]
        answer = await source.reference_lists(unknown) if unknown else ReferenceLists()
        services.at(2)
        brought = most_co_cited(found, {**links, **answer.lists})
        records = {p.id: p for p in answer.papers if p.abstract and p.id in brought}
        missing = [paper for paper in brought if paper not in papers | records]
        asked = await source.papers(missing) if missing else []
    except ServiceError as error:
        return [], f"The route by co-citation is not complete. {error.message}"
    records |= {paper: one for paper, one in zip(missing, asked, strict=True) if one is not None}
    for record in records.values():
        papers.setdefault(record.id, record)
    ids = dict.fromkeys(records[paper].id if paper in records else paper for paper in brought)
    return [paper for paper in ids if paper in papers], ""


def _content(
    pool: Sequence[Paper],
    routes: Mapping[str, Sequence[str]],
    similarity: Mapping[str, float],
    alike: Mapping[tuple[str, str], float],
    inputs: Inputs,
    most: int,
) -> dict[str, Any]:
    """SCI-7 to SCI-9: rows by score, equals by the ranks of their routes; clusters, and the papers
    picked."""
    papers = {paper.id: paper for paper in pool}
    ranks = {name: {paper: n for n, paper in enumerate(route, 1)} for name, route in routes.items()}
    score, together = scaled({p: similarity.get(p, 0.0) for p in papers}), fused(ranks)
    order = sorted(papers, key=lambda paper: (-score[paper], -together[paper], paper))
    asked = rules(inputs)
    against = {p: why for p in order if (why := left_out(papers[p], asked))}
    out = {p for p in order if p in against or not papers[p].abstract}
    groups = clusters(order, alike)
    rows = [
        {
            "paper": paper,
            "title": papers[paper].title,
            "score": score[paper],
            "routes": {name: placed[paper] for name, placed in ranks.items() if paper in placed},
            "left_out": against.get(paper, ""),
        }
        for paper in order
    ]
    return {
        "papers": rows,
        "picked": picked(groups, order, most, out),
        "clusters": [group for group in groups if len(group) > 1],
    }


def _alike(papers: Sequence[Paper]) -> Mapping[tuple[str, str], float]:
    """SCI-8: the pairs of papers that are alike by their words."""
    texts = texts_of(papers)
    vectors = weighted_words([*texts.values()])
    return near_pairs(dict(zip(texts, vectors, strict=True)), ALIKE)


# -- co-citation, scores, clusters and picks: pure and deterministic


def most_co_cited(papers: Collection[str], lists: Lists) -> list[str]:
    """SCI-6: for every paper the one that is cited together with it most often; ties by id. Only
    papers not there yet.

    ``lists``: what each citing paper cites. A pair counts once for each paper that cites both.
    """
    citing: dict[str, list[Sequence[str]]] = {}
    for cited in lists.values():
        for paper in set(cited).intersection(papers):
            citing.setdefault(paper, []).append(cited)
    out: dict[str, None] = {}
    for paper in sorted(papers):
        together = Counter(
            other for cited in citing.get(paper, ()) for other in set(cited) if other != paper
        )
        best = min(together, key=lambda other: (-together[other], other), default=paper)
        out |= {} if best in papers else {best: None}
    return list(out)


def scaled(similarity: Mapping[str, float]) -> dict[str, float]:
    """SCI-7: similarity to the background, divided by the largest."""
    most = max(similarity.values(), default=0.0)
    return {
        paper: round(score / most, 5) if most > 0 else 0.0 for paper, score in similarity.items()
    }


def clusters(papers: Iterable[str], alike: Mapping[tuple[str, str], float]) -> list[list[str]]:
    """SCI-8: papers in groups in which every two are alike; ``alike`` has the pairs of those that
    are, each in the order of the ids.

    The most similar pairs are joined first, ties by id, so that the same papers give the same
    groups in any order. Each group is sorted.
    """
    group = {paper: [paper] for paper in sorted(papers)}
    for first, second in sorted(alike, key=lambda pair: (-alike[pair], pair)):
        one, other = group[first], group[second]
        if one is not other and all((min(a, b), max(a, b)) in alike for a in one for b in other):
            one += other
            group |= dict.fromkeys(other, one)
    return sorted({id(found): sorted(found) for found in group.values()}.values())


def picked(
    groups: Iterable[Sequence[str]], order: Sequence[str], most: int, out: Collection[str] = ()
) -> list[str]:
    """SCI-9: one paper a cluster in turn, in the ``order`` of the papers, until ``most``; ``out``
    are never taken."""
    cluster_of = {paper: n for n, group in enumerate(groups) for paper in group}
    taken, turn = Counter[int](), dict[str, int]()
    for paper in order:
        if paper not in out:
            turn[paper] = taken[cluster_of[paper]]
            taken[cluster_of[paper]] += 1
    return sorted(turn, key=turn.__getitem__)[:most]
