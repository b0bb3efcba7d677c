"""Searches of papers, as every task makes them: of a check each with its outcome, of a method all
side by side; what they found, and what of it may be used."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from coi_tui.engine.freshness import Inputs
from coi_tui.literature.ranking import content_words, stems
from coi_tui.methods.base.task import admitted, by_id, gather_all
from coi_tui.methods.services import Services
from coi_tui.model.content import NoveltySearch
from coi_tui.model.errors import CoiError, ServiceError
from coi_tui.model.papers import Paper
from coi_tui.model.text import Fields, Values, clean_line, sentence
from coi_tui.services.llm.offline import without_hints
from coi_tui.services.sources.types import SearchResult, Source

WHOLE_IDEA_WORDS = 20
"""Most words of the search with the whole idea: services answer longer ones badly or not at all
(see ``benchmarks/novelty.py``)."""
RANKED = 12
"""Papers that a search asks for at least: they are ranked by similarity before some are taken."""


def search_record(found: SearchResult) -> Fields:
    """A search as the session remembers it: words, source, date, how many hits."""
    return {
        "query": found.query,
        "source": found.source,
        "date": found.asked_at or "",
        "hits": len(found.papers),
        "total": found.total,
        "note": found.note,
    }


# -- searches of a method: one that fails, fails the task


@dataclass(frozen=True)
class Pool:
    """What searches found. ``papers``: those that the task may use, by id; ``source``: the name of
    what was asked."""

    source: str
    answers: Sequence[SearchResult]
    papers: Mapping[str, Paper]

    @property
    def tries(self) -> list[Fields]:
        """The searches as the session remembers them."""
        return [search_record(answer) for answer in self.answers]

    @property
    def readable(self) -> list[Paper]:
        """The papers with an abstract."""
        return [paper for paper in self.papers.values() if paper.abstract]

    def nothing(self, why: str, hint: str = "") -> CoiError:
        """The error where no paper can be used. Where the first source that holds too little on the
        topic says so, that is why."""
        return CoiError(next((one.lacking for one in self.answers if one.lacking), why), hint)


async def search_each(
    services: Services,
    inputs: Inputs,
    queries: Iterable[str],
    hits: int,
    listed: Iterable[Paper] = (),
    *,
    here: bool = False,
) -> Pool:
    """Searches side by side, and the papers that neither a person nor the criteria left out: those
    ``listed`` already first. ``here``: what the sessions hold is searched too, last."""
    source, queries = services.source(stage=0), list(queries)
    answers = await gather_all(source.search(query, hits) for query in queries)
    if here:
        answers.append(await services.known_papers(queries, hits))
    found = (paper for answer in answers for paper in answer.papers)
    usable = admitted(services.ctx.state, inputs, (*listed, *found))
    return Pool(source.name, answers, by_id(usable))


# -- searches of a check: one that fails is part of what it reports


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
    answer = {**search_record(found), "outcome": "ok" if found.papers else "empty", "query": query}
    del answer["total"]  # which only a search for a chain keeps
    return Searched(row.model_copy(update=answer), found.papers)


async def search_all(
    source: Source, hits: int, asks: Iterable[tuple[str, int] | tuple[str, int, str]]
) -> list[Searched]:
    """The same for several queries side by side, each with what it is for."""
    return await asyncio.gather(*(search_once(source, ask[0], hits, *ask[1:]) for ask in asks))


def whole_idea(text: Values) -> str:
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


def collect(searches: Iterable[Searched]) -> dict[str, Paper]:
    """The papers found, by id; of each the first record."""
    papers: dict[str, Paper] = {}
    for paper in (paper for search in searches for paper in search.papers):
        papers.setdefault(paper.id, paper)
    return papers
