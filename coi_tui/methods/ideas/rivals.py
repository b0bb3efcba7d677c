"""Searches for prior work, each with its outcome, and the works nearest to the thought behind an
idea, before there is one: titles from memory that are looked up, and what searches find."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from coi_tui.engine.context import Context
from coi_tui.engine.declarations import Cost, Result
from coi_tui.engine.freshness import Inputs
from coi_tui.literature.ranking import (
    SEEDS,
    best_first,
    citations_a_year,
    content_words,
    fused,
    ranks,
    shared_links,
    stems,
)
from coi_tui.methods.base.reads import TOPIC, ReadsOf, reading
from coi_tui.methods.base.replies import KnownWork, Rivals
from coi_tui.methods.base.task import MethodTask, result
from coi_tui.methods.evidence.papers import FOUND, look_up
from coi_tui.methods.evidence.reading_list import (
    HITS,
    Found,
    rankings,
    with_references,
)
from coi_tui.methods.similarity import Similarity
from coi_tui.model.content import NamedWork, NoveltySearch
from coi_tui.model.errors import ServiceError
from coi_tui.model.papers import Paper
from coi_tui.model.text import clean_line, clipped, sentence, sentences
from coi_tui.process import run_in_thread
from coi_tui.services.llm.offline import without_hints
from coi_tui.services.sources.types import Source

WHOLE_IDEA_WORDS = 20
"""Most words of the search with the whole idea: services answer longer ones badly or not at all
(see ``benchmarks/novelty.py``)."""
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
RANKED = 12
"""Papers that a search asks for at least: they are ranked by similarity before some are taken."""


# -- searches


@dataclass(frozen=True)
class Searched:
    """One search: its row in the report, and what it found or why it failed."""

    row: NoveltySearch
    papers: tuple[Paper, ...] = ()
    error: ServiceError | None = None


async def search_once(
    source: Source, query: str, hits: int, claim: int = 0, angle: str = ""
) -> Searched:
    """One search and its outcome: ok, empty or failed, three different things.

    At least ``RANKED`` papers are asked for. It is for a claim, against the idea from an ``angle``,
    or else (claim 0) with the whole idea.
    """
    row = NoveltySearch(
        query=query, source=source.name, whole=not (claim or angle), claim=claim, angle=angle
    )
    try:
        found = await source.search(query, max(RANKED, hits))
    except ServiceError as error:
        failed = {"outcome": "failed", "note": error.message}
        return Searched(row.model_copy(update=failed), error=error)
    answer = {
        "source": found.source,
        "date": found.asked_at or "",
        "hits": len(found.papers),
        "note": found.note,
        "outcome": "ok" if found.papers else "empty",
    }
    return Searched(row.model_copy(update=answer), tuple(found.papers))


def whole_idea(text: Mapping[str, Any]) -> str:
    """The idea as one search: the words of its title, then the words that it uses most (of equals
    the first), without generic research words."""
    title = without_hints(str(text.get("title") or ""))
    body = without_hints(
        "\n".join(str(part) for name, part in text.items() if part and name != "title")
    )
    used, in_body, words = Counter(stems(body)), content_words(body), dict(content_words(title))
    for stem in sorted(in_body, key=lambda stem: -used[stem]):
        words.setdefault(stem, in_body[stem])
    return " ".join([*words.values()][:WHOLE_IDEA_WORDS]) or clean_line(title)


def failed_by_name(searches: Sequence[NoveltySearch]) -> str:
    """How many searches failed, and the first of them with its cause; empty where none did."""
    failed = [search for search in searches if search.outcome == "failed"]
    if not failed:
        return ""
    first = failed[0]
    what = "The search with the whole idea" if first.whole else f"The search “{first.query}”"
    where = first.source or "the service"
    return f"{len(failed)} of {len(searches)} searches failed. {what} in {where}: {sentence(first.note)}"


def collect(searches: Sequence[Searched]) -> tuple[dict[str, Paper], dict[str, list[str]]]:
    """The papers found, by id, and the queries that found each."""
    papers: dict[str, Paper] = {}
    found_by: dict[str, list[str]] = {}
    for search in searches:
        for p in search.papers:
            papers.setdefault(p.id, p)
            found_by.setdefault(p.id, []).append(search.row.query)
    return papers, found_by


def bearing_on(text: str, claims: Sequence[str], most: int) -> str:
    """The sentences of an abstract that share most words with each claim, then with all of them, in
    their order; gaps are shown.

    About ``most`` words: a sentence that does not fit is left out, but one is always there, and cut
    only where it is three times as long.
    """
    every, taken, room = sentences(text), set[int](), most
    words = [set(content_words(one)) for one in every]
    roots = [set(content_words(claim)) for claim in claims]
    whole, places = set[str]().union(*roots), range(len(every))
    order = [max(places, key=lambda n: len(words[n] & claim)) for claim in roots if every]
    order += sorted(places, key=lambda n: -len(words[n] & whole))
    for n in dict.fromkeys(order):
        if not taken or len(every[n].split()) <= room:
            taken.add(n)
            room -= len(every[n].split())
    shown = (every[n] if n in taken else "[...]" for n in places)
    return clipped(" ".join(part for part, _ in groupby(shown)), 3 * most + len(every))


# -- rivals


class RivalsTask(MethodTask):
    """One call names works from memory and phrases; titles and phrases, and the thought itself, are
    searched for side by side.

    What the papers found cite, and the nearest of those cited, counts. A work from memory stays,
    with what asking for it came to, whatever that is.
    """

    name = "rivals"
    prompts = ("coi_rivals",)
    size = Cost("main", (1, 2), (750, 1_500), (600, 1_200), (4, 30))

    def __init__(self, tools: Any, thought: ReadsOf) -> None:
        super().__init__(tools)
        # ``thought``: what the idea will be made from; ``own``: papers that it is made from as well
        self.reads = reading(TOPIC, thought)

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services = self.services(ctx)
        thought = "\n\n".join(
            one if isinstance(one, str) else "\n\n".join(map(str, one.values()))
            for _, one in inputs.all("thought")
        )
        values = {"topic": inputs.one("topic"), "thought": thought}
        asked = await services.ask("coi_rivals", values, Rivals)
        services.at(1)
        works, phrases = asked.value.works, list(dict.fromkeys(asked.value.phrases))
        source, titles = services.source(), [work.title for work in works]
        known = await services.known_papers([*titles, *phrases], KNOWN_HITS)
        asks = [(whole_idea({"final": thought}), HITS), *((one, PHRASE_HITS) for one in phrases)]

        async def searched() -> tuple[list[Searched], Found]:
            searches = await asyncio.gather(
                *(search_once(source, query, hits, n) for n, (query, hits) in enumerate(asks))
            )
            papers = collect(searches)[0].values()
            return searches, await with_references(services, [*papers], source)

        remembered = [NamedWork.model_validate(dict(work)) for work in works]
        named, (searches, found) = await asyncio.gather(
            look_up(services.source(stage=1), remembered, known.papers), searched()
        )
        of_memory = {paper.id: paper for _, paper in named if paper is not None}
        own = {paper.id for _, paper in inputs.all("own")}
        every = {p.id: p for p in (*known.papers, *of_memory.values(), *found.papers.values())}
        readable = [
            p for p in every.values() if p.id not in own and (p.abstract or p.id in of_memory)
        ]
        similar = await services.similarity(f"{values['topic']}\n\n{thought}", readable)
        order = await run_in_thread(_order, similar, found, readable)
        # lists of those that no search found: what they cite counts as that of the hits does
        bare = [every[p] for p in order if found.lists and p not in found.lists][:FURTHER]
        services.at(3)
        more = await with_references(services, bare, source, 0)
        found = replace(found, lists={**more.lists, **found.lists}, note=found.note or more.note)
        order = await run_in_thread(_order, similar, found, readable)
        first = [p for p in order if p in of_memory]
        pairs = [(one, work) for (one, _), work in zip(named, works, strict=True)]
        unknown = [
            {**one.model_dump(), "same": work.same, "left": work.left}
            for one, work in pairs
            if not one.paper
        ]
        room = max(SHOWN - len(first), SEARCHED_FOR)
        unnamed = [p for p in order if p not in of_memory]
        others, runners_up = unnamed[:room], unnamed[room : room + RUNNERS_UP]
        rows = [search.row for search in searches]
        named_as = {one.paper: (one.status, work) for one, work in reversed(pairs)}

        def listed(papers: Sequence[str]) -> list[dict[str, Any]]:
            return [_row(thought, every[p], *named_as.get(p, (SEARCHED,))) for p in papers]

        content = {
            "phrases": phrases,
            "works": [*listed(first), *unknown, *listed(others)],
            "runners_up": runners_up,
            "named": [one.model_dump() for one, _ in named],
            "searches": [row.model_dump() for row in rows],
            "ranked": similar.how,
            "note": " ".join(filter(None, (failed_by_name(rows), found.note))),
        }
        papers = {p: every[p] for p in (*others, *runners_up, *of_memory)}
        return result(inputs, content, services.origin, asked.recipe, papers.values())


def _order(similar: Similarity, found: Found, papers: Sequence[Paper]) -> list[str]:
    """The papers, the nearest first."""
    links = shared_links(similar.nearest(SEEDS), found.lists).items()
    signals = rankings(similar, found) | {
        "coupling": {},
        "co-citation": ranks({p: score for p, score in links if p in similar.words}),
        "citations a year": ranks(citations_a_year(similar.words, papers)),
    }
    return best_first(similar.words, fused(signals))


def _row(thought: str, paper: Paper, status: str, work: KnownWork | None = None) -> dict[str, Any]:
    """A rival. What a model says of it counts where it knew the work by its title."""
    same, left = (work.same, work.left) if work and status == FOUND else ("", "")
    return {
        "paper": paper.id,
        "title": paper.title,
        "year": paper.year,
        "status": status,
        "same": same,
        "left": left,
        "abstract": bearing_on(paper.abstract or "", [thought], ABSTRACT_WORDS),
    }
