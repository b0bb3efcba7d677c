"""A small made-up literature: a citation graph that is the same for the same seed, and a source
over it."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from coi_tui.model.errors import ServiceError
from coi_tui.model.papers import Citations, Entity, Link, Paper, PaperText
from coi_tui.model.text import digest
from coi_tui.services.sources.paper_source import people_by_name
from coi_tui.services.sources.types import (
    CitationList,
    Direction,
    People,
    ReferenceLists,
    SearchResult,
    Source,
)

NAME = "memory library"
SYLLABLES = (
    "ba",
    "co",
    "du",
    "fe",
    "gi",
    "ho",
    "ju",
    "ka",
    "lo",
    "mi",
    "nu",
    "po",
    "ra",
    "se",
    "ti",
    "vo",
    "wu",
    "xe",
    "yo",
    "zi",
)


def word(rng: random.Random) -> str:
    return "".join(rng.choice(SYLLABLES) for _ in range(3))


@dataclass(frozen=True)
class World:
    """Papers by id, and for each the ids that it cites. ``middle``: the papers that a search may
    find (they have room on both sides)."""

    papers: Mapping[str, Paper]
    cites: Mapping[str, tuple[str, ...]]
    middle: tuple[str, ...]

    def cited_by(self, paper: str) -> list[str]:
        return [p for p, refs in self.cites.items() if paper in refs]

    def with_paper(self, paper: Paper, cites: Sequence[str] = ()) -> World:
        """The same world with one paper changed or added."""
        return World(
            {**self.papers, paper.id: paper},
            {**self.cites, paper.id: tuple(cites) or self.cites.get(paper.id, ())},
            self.middle,
        )


def make_world(
    seed: int = 1, *, first: int = 2010, last: int = 2023, per_year: int = 4, refs: int = 5
) -> World:
    """Every paper cites ``refs`` papers of the three years before it; all have few citations, and an
    abstract that ends with a word of what a scripted review searches for."""
    rng = random.Random(seed)
    papers: dict[str, Paper] = {}
    cites: dict[str, tuple[str, ...]] = {}
    by_year: dict[int, list[str]] = {}
    for year in range(first, last + 1):
        older = [p for y in range(year - 3, year) for p in by_year.get(y, [])]
        for n in range(per_year):
            key = f"arXiv:{year % 100:02d}01.{n:05d}"
            words = [word(rng) for _ in range(6)]
            papers[key] = Paper(
                id=key,
                title=" ".join(words[:4]).capitalize(),
                year=year,
                published=f"{year}-01",
                authors=(words[4].title(),),
                abstract=" ".join([*words, *(word(rng) for _ in range(8)), "search"]),
                citations=Citations(count=rng.randrange(5, 400)),
                source=NAME,
                datasets=(f"{words[0]}set",),
                baselines=(f"{words[1]}net",),
                entities=(Entity(name=words[2]),),
            )
            cites[key] = tuple(rng.sample(older, min(refs, len(older))))
            by_year.setdefault(year, []).append(key)
    span = (last - first) // 3
    middle = tuple(p for p in papers if first + span <= (papers[p].year or 0) <= last - span)
    return World(papers, cites, middle)


@dataclass
class MemorySource(Source):
    """A source over a world. ``asked`` records every request; the callables make single queries
    fail or come back empty."""

    name = NAME
    world: World
    fails: Callable[[str], bool] = lambda _query: False
    empty: Callable[[str], bool] = lambda _query: False
    delay: Callable[[str], float] = lambda _what: 0.0
    finds: Callable[[str], Sequence[str]] | None = None
    text_of: Callable[[Paper], PaperText] | None = None
    lists: bool = False
    """Whether the source tells what several papers cite at once."""
    asked: list[tuple[str, str]] = field(default_factory=list)

    async def _ask(self, kind: str, what: str) -> None:
        self.asked.append((kind, what))
        await asyncio.sleep(self.delay(f"{kind} {what}"))
        if self.fails(what):
            raise ServiceError(NAME, "unreachable", f"{NAME} did not answer.")

    async def search(self, query: str, limit: int) -> SearchResult:
        await self._ask("search", query)
        ids: Sequence[str] = sorted(self.world.middle, key=lambda p: digest([query, p]))
        if self.finds is not None:
            ids = self.finds(query)
        elif query.startswith(
            ("near ", "text ")
        ):  # what a direction is searched by for rivals: the tests of these say what is found
            ids = ()
        papers = () if self.empty(query) else tuple(self.world.papers[p] for p in ids[:limit])
        return SearchResult(
            query=query, source=NAME, asked_at="2026-01-01", total=len(ids), papers=papers
        )

    async def match(
        self, title: str, year: int | None, authors: Sequence[str] = ()
    ) -> Paper | None:
        return next((p for p in self.world.papers.values() if p.title == title), None)

    async def papers(self, ids: Sequence[str]) -> list[Paper | None]:
        return [self.world.papers.get(i) for i in ids]

    async def citations(self, paper: Paper, limit: int) -> CitationList:
        await self._ask("citations", paper.id)
        return self._listed(paper, "citing", self.world.cited_by(paper.id)[:limit])

    async def references(self, paper: Paper, limit: int) -> CitationList:
        await self._ask("references", paper.id)
        return self._listed(paper, "cited", list(self.world.cites.get(paper.id, ()))[:limit])

    def _listed(self, paper: Paper, direction: Direction, ids: list[str]) -> CitationList:
        links = tuple(
            Link(citing=i, cited=paper.id, kind="cites", evidence="made up")
            if direction == "citing"
            else Link(citing=paper.id, cited=i, kind="cites", evidence="made up")
            for i in ids
        )
        papers = tuple(self.world.papers[i] for i in ids)
        return CitationList(
            paper=paper.id,
            direction=direction,
            papers=papers,
            links=links,
            total=len(ids),
            rows_read=len(ids),
        )

    async def reference_lists(self, papers: Sequence[Paper]) -> ReferenceLists:
        if not self.lists:
            return ReferenceLists(note=f"{NAME} has no lists of references")
        await self._ask("reference lists", " ".join(p.id for p in papers))
        lists = {p.id: tuple(self.world.cites.get(p.id, ())) for p in papers}
        cited = tuple(
            self.world.papers[i] for ids in lists.values() for i in ids if i in self.world.papers
        )
        return ReferenceLists(lists=lists, papers=cited, source=NAME)

    async def people(self, papers: Sequence[Paper], most: int, each: int) -> People:
        await self._ask("people", " ".join(p.id for p in papers))
        return people_by_name(
            papers, self.world.papers.values(), most, each, source=NAME, asked_at="2026-01-01"
        )

    async def text(self, paper: Paper) -> PaperText:
        await asyncio.sleep(self.delay(f"text {paper.id}"))
        if self.text_of is not None:
            return self.text_of(paper)
        return PaperText(paper=paper.id, kind="abstract", text=paper.abstract or "")
