"""SCI-3 to SCI-9: entities of texts, where they occur, what occurs together with them; co-citation,
scores, clusters and picks, all of these pure and deterministic; and the task of the three routes.

An entity is a phrase of a few words; two spellings with the same word stems are one entity.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, combinations, groupby

from coi_tui.engine.context import Context
from coi_tui.engine.declarations import Cost, Result
from coi_tui.engine.freshness import Inputs
from coi_tui.literature.ranking import Lists, fused, near_pairs
from coi_tui.methods.base.reads import criteria, reading
from coi_tui.methods.base.task import MethodTask, admitted, by_id, papers_of, result
from coi_tui.methods.base.text_tools import (
    STOP,
    Draft,
    Values,
    content_words,
    line_of,
    mappings,
    stem,
    term_weight,
    text_of,
    weighted_words,
    words,
)
from coi_tui.methods.evidence.reading_list import LINKS_READ, LIST_READ, listed_papers
from coi_tui.methods.evidence.searches import search_each
from coi_tui.methods.scipip import ScipipSettings
from coi_tui.methods.scipip.kinds import PaperEntity
from coi_tui.methods.services import Services
from coi_tui.model.errors import CoiError, ServiceError
from coi_tui.model.papers import Paper
from coi_tui.model.text import Fields, sentence
from coi_tui.process import run_in_thread
from coi_tui.services.llm.offline import TO_WRITE
from coi_tui.services.sources.types import ReferenceLists

MOST_WORDS, FEWEST_WORDS = 5, 2
PER_TEXT = 5
"""Entities taken of one text at most (SCI-1)."""
TOGETHER = 7
"""An entity is a neighbour of another if both are in more papers than this."""
ENTITY_BUDGET = 100
"""Papers by entities, those of the rarest entities first."""
HITS = 40
"""Papers that each search asks for."""
ENTITY_SEARCHES = 4
"""Searches for single entities, the rarest."""
LISTS_READ = 60
"""Papers whose references are asked for where no list of them is known yet: one request."""
ALIKE = 0.95
"""Similarity from which two papers fall into one cluster."""
NO_WORDS = STOP | {""}
_PIECE = re.compile(r"[.,;:!?()\[\]{}\"“”]|\s[-–—]\s")

Key = tuple[str, ...]
Occurrence = Mapping[Key, frozenset[str]]
"""The papers (by id) in whose text each entity occurs."""


@lru_cache(maxsize=20_000)
def key_of(name: str) -> Key:
    """What makes two spellings one entity: the stems of their words, hyphens taken apart."""
    return tuple(stem(word) for word in words(name.replace("-", " ")))


def names_of(entity: PaperEntity) -> dict[Key, str]:
    """Each of the names of an entity under its stems, its own first."""
    found: dict[Key, str] = {}
    for name in (entity.name, *entity.description.split(";")):
        found.setdefault(key_of(name), name.strip())
    found.pop((), None)
    return found


def is_entity(name: str) -> bool:
    """Whether a name has the length of an entity: 2 to 5 words. A single word that is written as a
    name (``BERT``) counts too."""
    count = len(words(name.replace("-", " ")))
    return FEWEST_WORDS <= count <= MOST_WORDS or (
        count == 1 and sum(c.isupper() or c.isdigit() for c in name) > 1
    )


def joined(found: Iterable[PaperEntity]) -> list[PaperEntity]:
    """Entities that share a spelling or a synonym as one, under the first name met, in the order
    met."""
    out: list[PaperEntity] = []
    for entity in found:
        own = names_of(entity).keys()
        group = [*(other for other in out if names_of(other).keys() & own), entity]
        every = "; ".join(f"{one.name}; {one.description}" for one in group)
        first, *others = names_of(PaperEntity(name=group[0].name, description=every)).values()
        texts = dict.fromkeys(text for one in group for text in one.of)
        merged = PaperEntity(name=first, description="; ".join(others), of=tuple(texts))
        place = out.index(group[0]) if len(group) > 1 else len(out)
        out = [*out[:place], merged, *(one for one in out[place:] if one not in group)]
    return out


# -- entities by rule


def runs(text: str) -> Iterator[list[str]]:
    """Runs of words without stop words or punctuation between them."""
    for piece in _PIECE.split(text):
        plain = (next(iter(words(word)), "") for word in piece.split())
        for says_something, run in groupby(plain, lambda word: word.casefold() not in NO_WORDS):
            if says_something:
                yield list(run)


def entities_by_rule(text: str) -> list[str]:
    """The phrases of a text that it repeats and whose words are distinctive, best first, ties in
    the order met (the title first)."""
    found = {key_of(run): run for run in map(" ".join, runs(text)) if is_entity(run)}
    stemmed = f" {' '.join(key_of(text))} "

    def weight(key: Key) -> float:
        return stemmed.count(f" {' '.join(key)} ") * sum(map(term_weight, key)) / len(key)

    return [found[key] for key in sorted(found, key=weight, reverse=True)[:PER_TEXT]]


# -- where they occur


def occurrence(texts: Mapping[str, str], keys: Iterable[Key]) -> dict[Key, frozenset[str]]:
    """In which texts (by paper id) each entity occurs: its stems one after the other."""
    stems = {paper: f" {' '.join(key_of(text))} " for paper, text in texts.items()}
    return {
        key: frozenset(paper for paper, stemmed in stems.items() if f" {' '.join(key)} " in stemmed)
        for key in set(keys)
    }


def vocabulary(texts: Mapping[str, str]) -> dict[Key, str]:
    """The phrases of 2 to 4 words, and the names of one word, that two texts or more hold, with one
    spelling each."""
    frequency: Counter[Key] = Counter()
    spelling: dict[Key, str] = {}
    for paper in sorted(texts):
        own = {
            key_of(phrase): phrase
            for run in runs(texts[paper])
            for start, end in combinations(range(len(run) + 1), 2)
            if end - start <= 4 and is_entity(phrase := " ".join(run[start:end]))
        }
        frequency.update(own.keys())
        spelling = own | spelling
    return {key: name for key, name in spelling.items() if frequency[key] > 1}


def neighbours(seeds: Iterable[Key], where: Occurrence, more_than: int) -> list[Key]:
    """SCI-4: the entities that occur together with a seed in strictly more than ``more_than``
    papers, sorted."""
    own = set(seeds)
    found = {
        key
        for key, papers in where.items()
        if key not in own
        for seed in own
        if len(papers & where.get(seed, frozenset())) > more_than
    }
    return sorted(found)


def within_budget(
    keys: Iterable[Key], where: Occurrence, budget: int
) -> tuple[list[Key], list[str]]:
    """SCI-5: the entities to take, the rarest first, and their papers, at most ``budget``; entities
    without papers are dropped.

    The papers come in the order in which their entities bring them, those of one entity by id.
    """
    rarest = sorted(
        (key for key in set(keys) if where.get(key)), key=lambda key: (len(where[key]), key)
    )
    taken: list[Key] = []
    papers: dict[str, None] = {}
    for key in rarest:
        if len(papers) >= budget:
            break
        taken.append(key)
        papers |= dict.fromkeys(sorted(where[key]))
    return taken, list(papers)[:budget]


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


# -- co-citation, scores, clusters and picks


def most_co_cited(papers: Collection[str], lists: Lists) -> list[str]:
    """SCI-6: for every paper the one that is cited together with it most often; ties by id. Only
    papers not there yet.

    ``lists``: what each citing paper cites. A pair counts once for each paper that cites both.
    """
    every = [frozenset(cited) for cited in lists.values()]
    out: dict[str, None] = {}
    for paper in sorted(papers):
        together = Counter(other for cited in every if paper in cited for other in cited - {paper})
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


# -- the routes together


def texts_of(papers: Iterable[Paper]) -> dict[str, str]:
    """Title and abstract of papers, by id."""
    return {paper.id: f"{paper.title}\n{paper.abstract or ''}".strip() for paper in papers}


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
        services, state = self.services(ctx), ctx.state
        found = await _by_routes(services, inputs)
        papers = found.papers
        every = dict.fromkeys(chain.from_iterable(found.routes.values()))
        pool = admitted(state, inputs, (papers[paper] for paper in every))
        similar = await services.similarity(inputs.one("background"), pool, pairs_from=ALIKE)
        alike = similar.pairs if similar.vectors else await run_in_thread(_alike, pool)
        score = scaled({p.id: (similar.vectors or similar.words).get(p.id, 0.0) for p in pool})
        rows, groups = in_one_order(score, found.routes, alike)
        order, unreadable = [row["paper"] for row in rows], {p.id for p in pool if not p.abstract}
        used = picked(
            groups, order, state.bounds(ScipipSettings, inputs.address).picked, unreadable
        )
        if not used:
            raise CoiError(
                "No paper is left to make ideas from.",
                "Edit the background or the criteria, then run again.",
            )
        content = {
            "papers": rows,
            "off": [paper for paper in order if paper not in used],
            **found.entities,
            "tries": found.tries,
            "note": found.note,
            "ranked": similar.how,
        }
        return result(inputs, content, "source", papers=(papers[paper] for paper in order))


@dataclass(frozen=True)
class Routes:
    """The papers of each route, best first, and all papers by id; the entities that they were
    searched with."""

    routes: Mapping[str, Sequence[str]]
    papers: Mapping[str, Paper]
    entities: Fields
    tries: Sequence[Fields]
    note: str


async def _by_routes(services: Services, inputs: Inputs) -> Routes:
    """Meaning, entities, co-citation, one after the other."""
    state, named = services.ctx.state, _searched_with(inputs)
    near = papers_of(state, inputs.one("nearest"))
    papers = by_id((*near, *listed_papers(state, inputs)))
    where = await run_in_thread(occurrence, texts_of(papers.values()), named)
    rarest = sorted({*named.values()}, key=lambda name: (len(where[key_of(name)]), name))
    searched = await search_each(services, inputs, rarest[:ENTITY_SEARCHES], HITS)
    papers = {p.id: p for answer in searched.answers for p in answer.papers} | papers
    found: Fields = await run_in_thread(entity_papers, texts_of(papers.values()), named)
    routes = {"meaning": [paper.id for paper in near], "entities": found.pop("papers")}
    services.at(1)
    before = list(dict.fromkeys([*routes["meaning"], *routes["entities"]]))
    links = dict(inputs.one("reading_links") or {})
    routes["co-citation"], note = await _co_cited(services, papers, before, links)
    services.at(3)
    return Routes(routes, papers, found, searched.tries, note)


def _searched_with(inputs: Inputs) -> dict[Key, str]:
    """The names of the entities that a person did not leave out, by their stems and those of their
    synonyms."""
    off = inputs.first("off") or []
    every = map(PaperEntity.from_stored, inputs.one("entities"))
    used = (one for n, one in enumerate(every, 1) if str(n) not in off)
    return {key: one.name for one in used for key in names_of(one)}


def in_one_order(
    score: Mapping[str, float],
    routes: Mapping[str, Sequence[str]],
    alike: Mapping[tuple[str, str], float],
) -> tuple[list[Fields], list[list[str]]]:
    """SCI-7, SCI-8: the papers of all routes, best first, each with its rank by each route and the
    number of its cluster, where that has others; and the clusters."""
    ranks = {name: {p: n for n, p in enumerate(route, 1)} for name, route in routes.items()}
    together, groups = fused(ranks), clusters(score, alike)
    shared = enumerate((group for group in groups if len(group) > 1), 1)
    merged = {paper: str(n) for n, group in shared for paper in group}
    rows: list[Fields] = [
        {
            "paper": paper,
            "score": score[paper],
            "routes": ", ".join(f"{name} {by[paper]}" for name, by in ranks.items() if paper in by),
            "cluster": merged.get(paper, ""),
        }
        for paper in sorted(score, key=lambda paper: (-score[paper], -together[paper], paper))
    ]
    return rows, groups


async def _co_cited(
    services: Services, papers: dict[str, Paper], found: Sequence[str], links: Lists
) -> tuple[list[str], str]:
    """SCI-6: for every paper so far the one that is cited together with it most; its record joins
    those that are known. Where citations cannot be had, a note says so.

    One request at most asks for lists of references, one for the records of papers.
    """
    source = services.source()
    try:
        unknown = [papers[paper] for paper in found if paper not in links][:LISTS_READ]
        answer = await source.reference_lists(unknown) if unknown else ReferenceLists()
        services.at(2)
        brought = most_co_cited(found, {**links, **answer.lists})
        records: dict[str, Paper | None] = {p.id: p for p in answer.papers if p.abstract}
        missing = [paper for paper in brought if paper not in papers | records]
        asked = await source.papers(missing) if missing else []
    except ServiceError as error:
        return [], f"The route by co-citation is not complete. {error.message}"
    records |= dict(zip(missing, asked, strict=True))
    ids = []
    for paper in brought:
        if (record := papers.get(paper) or records.get(paper)) is not None:
            ids.append(papers.setdefault(record.id, record).id)
    return list(dict.fromkeys(ids)), ""


def _alike(papers: Sequence[Paper]) -> Mapping[tuple[str, str], float]:
    """SCI-8: the pairs of papers that are alike by their words."""
    texts = texts_of(papers)
    return near_pairs(dict(zip(texts, weighted_words([*texts.values()]), strict=True)), ALIKE)


# -- what is searched with, where no language model is set


def draft_background(values: Values) -> Draft:
    """The topic as it stands; rules know no more of the field. It is searched for in its own
    words."""
    topic = line_of(values, "topic") or "the topic"
    query = topic if len(words(topic)) <= 12 else " ".join(content_words(topic)[:12])
    return {"text": sentence(topic) or "The topic.", "queries": [query or topic]}


def draft_entities(values: Values) -> Draft:
    """Phrases by rule, of each text the most distinctive; worksheets hold none."""
    found = []
    for text in mappings(values, "texts"):
        lines = [
            line for line in text_of(text, "text").splitlines() if not line.startswith(TO_WRITE)
        ]
        found += [
            {"text": line_of(text, "id"), "name": name, "also": []}
            for name in entities_by_rule("\n".join(lines))
        ]
    return {"entities": found or [{"text": "T1", "name": "the background", "also": []}]}


DRAFTS = {
    "scipip_background": draft_background,
    "scipip_entities": draft_entities,
}
"""The rule for each prompt that has one, by the prompt's name."""
