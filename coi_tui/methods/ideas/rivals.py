"""The works nearest to the thought behind an idea, before there is one: titles from memory that are
looked up, and what searches find."""

from __future__ import annotations

import asyncio
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from coi_tui.engine.context import Context
from coi_tui.engine.declarations import Cost, Result
from coi_tui.engine.freshness import Inputs, Reads
from coi_tui.literature.ranking import (
    SEEDS,
    best_first,
    citations_a_year,
    fused,
    ranks,
    shared_links,
)
from coi_tui.methods.base.labelled import bearing_on
from coi_tui.methods.base.reads import NOTHING, TOPIC, ReadsOf
from coi_tui.methods.base.reply_models import KnownWork, Rivals
from coi_tui.methods.base.task import MethodTask, by_id, result
from coi_tui.methods.evidence.cards import FOUND, citable, look_up
from coi_tui.methods.evidence.reading_list import HITS, Found, rankings, with_references
from coi_tui.methods.evidence.searches import (
    Searched,
    collect,
    failed_by_name,
    search_once,
    whole_idea,
)
from coi_tui.methods.paper_similarity import Similarity
from coi_tui.methods.services import Services
from coi_tui.model.content import NamedWork
from coi_tui.model.papers import Paper
from coi_tui.model.state import State
from coi_tui.model.text import Fields
from coi_tui.process import run_in_thread

SHOWN, SEARCHED_FOR = 8, 3
"""Rivals that are listed besides works that nobody found, and how many of searches at least, however
many a model names."""
RUNNERS_UP = 4
"""Papers that come after them: a novelty check compares them too."""
PHRASE_HITS, KNOWN_HITS = 20, 5
"""Papers that each phrase asks the source for, and what is already known."""
FURTHER = 50
"""Of the nearest papers whose references are not known, so many are asked for them: one request at
Semantic Scholar."""
ABSTRACT_WORDS = 40
"""Words of an abstract that are shown: the sentences that share most with the thought."""
SEARCHED = "searched"


@dataclass(eq=False)
class RivalsTask(MethodTask):
    """One call names works from memory and phrases; titles and phrases, and the thought itself, are
    searched for side by side.

    What the papers found cite, and the nearest of those cited, counts. A work from memory stays,
    with what asking for it came to, whatever that is.

    ``thought``: what the idea will be made from; ``own``: papers that it is made from as well.
    """

    thought: ReadsOf = NOTHING
    name = "rivals"
    prompts = ("coi_rivals",)
    size = Cost("main", (1, 2), (750, 1_500), (600, 1_200), (4, 30))

    def reads(self, state: State, address: str) -> Reads:
        return (TOPIC, *self.thought(state, address))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services = self.services(ctx)
        thought = "\n\n".join(
            one if isinstance(one, str) else "\n\n".join(map(str, one.values()))
            for _, one in inputs.all("thought")
        )
        values = {"topic": inputs.one("topic"), "thought": thought}
        asked = await services.ask("coi_rivals", values, Rivals)
        services.at(1)
        near = await _gathered(services, thought, asked.value)
        own = {paper.id for _, paper in inputs.all("own")}
        similar, order = await _ordered(services, f"{values['topic']}\n\n{thought}", near, own)
        first = [p for p in order if p in near.of_memory]
        unnamed = [p for p in order if p not in near.of_memory]
        room = max(SHOWN - len(first), SEARCHED_FOR)
        others, runners_up = unnamed[:room], unnamed[room : room + RUNNERS_UP]
        rows = [search.row for search in near.searches]
        content = {
            "phrases": near.phrases,
            "works": [*near.rows(thought, first), *near.unknown(), *near.rows(thought, others)],
            "runners_up": runners_up,
            "named": [one.model_dump() for one, _ in near.named],
            "searches": [row.model_dump() for row in rows],
            "ranked": similar.how,
            "note": " ".join(filter(None, (failed_by_name(rows), near.found.note))),
        }
        papers = (near.papers[p] for p in dict.fromkeys((*others, *runners_up, *near.of_memory)))
        return result(inputs, content, services.origin, asked.recipe, papers)


@dataclass
class Neighbours:
    """What there is near a thought: the works that a model knew from memory, as they were asked for
    and as it ``named`` them, and what searches ``found``; ``papers`` are all, by id."""

    phrases: Sequence[str]
    named: Sequence[tuple[NamedWork, KnownWork]]
    searches: Sequence[Searched]
    found: Found
    papers: Mapping[str, Paper]

    @cached_property
    def of_memory(self) -> dict[str, tuple[str, KnownWork]]:
        """How each paper that a model named was found, and what it says of it."""
        found: dict[str, tuple[str, KnownWork]] = {}
        for one, work in self.named:
            if one.paper:
                found.setdefault(one.paper, (one.status, work))
        return found

    def rows(self, thought: str, papers: Iterable[str]) -> list[Fields]:
        """The rows of rivals that are papers."""
        return [_row(thought, self.papers[p], *self.of_memory.get(p, (SEARCHED,))) for p in papers]

    def unknown(self) -> list[Fields]:
        """The rows of works from memory that nobody found."""
        return [
            {**one.model_dump(), "same": work.same, "left": work.left}
            for one, work in self.named
            if not one.paper
        ]


async def _gathered(services: Services, thought: str, reply: Rivals) -> Neighbours:
    """The works from memory, looked up, and beside that searches with the thought and the phrases,
    and what their papers cite."""
    phrases, source = list(dict.fromkeys(reply.phrases)), services.source()
    titles = [work.title for work in reply.works]
    known = await services.known_papers([*titles, *phrases], KNOWN_HITS)

    async def searched() -> tuple[list[Searched], Found]:
        asks = ((phrase, PHRASE_HITS, n) for n, phrase in enumerate(phrases, 1))
        searches = await asyncio.gather(
            search_once(source, whole_idea({"final": thought}), HITS),
            *(search_once(source, *ask) for ask in asks),
        )
        found = await with_references(services, [*collect(searches).values()], source)
        return searches, found

    remembered = [NamedWork.model_validate(dict(work)) for work in reply.works]
    named, (searches, found) = await asyncio.gather(
        look_up(services.source(stage=1), remembered, known.papers), searched()
    )
    of_memory = [paper for _, paper in named if paper is not None]
    papers = by_id((*known.papers, *of_memory, *found.papers.values()))
    pairs = [(one, work) for (one, _), work in zip(named, reply.works, strict=True)]
    return Neighbours(phrases, pairs, searches, found, papers)


async def _ordered(
    services: Services, text: str, near: Neighbours, own: Container[str]
) -> tuple[Similarity, list[str]]:
    """The papers that can be read or were named, but for a chain's ``own``, the nearest first. What
    those cite that no search found counts as what the hits cite does."""
    papers, found, source = near.papers, near.found, services.source()
    usable = [
        p for p in papers.values() if p.id not in own and (p.abstract or p.id in near.of_memory)
    ]
    similar = await services.similarity(text, usable)
    order, lists = await run_in_thread(_order, similar, found, usable), found.lists
    bare = [papers[p] for p in order if lists and p not in lists][:FURTHER]
    services.at(3)
    more = await with_references(services, bare, source, 0)
    found = replace(found, lists={**more.lists, **lists}, note=found.note or more.note)
    near.found = found
    return similar, await run_in_thread(_order, similar, found, usable)


def _order(similar: Similarity, found: Found, papers: Sequence[Paper]) -> list[str]:
    """The papers, the nearest first."""
    links = shared_links(similar.nearest(SEEDS), found.lists).items()
    signals = rankings(similar, found) | {
        "coupling": {},
        "co-citation": ranks({p: score for p, score in links if p in similar.words}),
        "citations a year": ranks(citations_a_year(similar.words, papers)),
    }
    return best_first(similar.words, fused(signals))


def _row(thought: str, paper: Paper, status: str, work: KnownWork | None = None) -> Fields:
    """A rival. What a model says of it counts where it knew the work by its title."""
    same, left = (work.same, work.left) if work and status == FOUND else ("", "")
    return {
        **citable(paper),
        "status": status,
        "same": same,
        "left": left,
        "abstract": bearing_on(paper.abstract or "", [thought], ABSTRACT_WORDS),
    }
