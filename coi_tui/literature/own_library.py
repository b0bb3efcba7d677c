"""The researcher's own papers as a source, and several sources asked as one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from coi_tui.literature.bibliography import NAME
from coi_tui.literature.ids import known_ids, normalise_id
from coi_tui.literature.ranking import RANKED_LOCALLY, rank
from coi_tui.literature.reading import best_text
from coi_tui.literature.titles import fill, match_title, merge
from coi_tui.literature.types import Direction, Found, Listed, Matched, Source
from coi_tui.literature.words import content_words
from coi_tui.model.papers import Paper, PaperText

LEAST_SHARE = 0.5
"""A paper of one's own is a hit when it holds this share of the query's telling words."""


class OwnLibrary:
    """Papers that the researcher brought in. It knows no citation links; it finds, matches and fills."""

    def __init__(self, papers: Sequence[Paper], *, today: Callable[[], str]) -> None:
        self._papers = tuple(papers)
        self._today = today
        self._by_id = {pair: p for p in self._papers for pair in known_ids(p).items()} | {("", p.id): p for p in self._papers}
        self._words = [set(content_words(f"{p.title} {p.abstract or ''}")) for p in self._papers]

    @property
    def name(self) -> str:
        return NAME

    async def search(self, query: str, limit: int) -> Found:
        wanted = set(content_words(query))
        hits = [p for p, held in zip(self._papers, self._words, strict=True) if wanted and len(wanted & held) >= LEAST_SHARE * len(wanted)]
        ranked = [p for _, p in rank(query, hits, background=self._papers)][:limit]
        return Found(query=query, source=NAME, asked_at=self._today(), total=len(hits), papers=tuple(ranked), note=RANKED_LOCALLY)

    async def match(self, title: str, year: int | None, authors: Sequence[str] = ()) -> Matched:
        return match_title(title, self._papers, year, authors)

    async def papers(self, ids: Sequence[str]) -> list[Paper | None]:
        return [self._by_id.get(("", i)) or self._by_id.get(normalise_id(i) or ("", "")) for i in ids]

    async def citations(self, paper: Paper, limit: int) -> Listed:
        return self._unlisted(paper, "citing")

    async def references(self, paper: Paper, limit: int) -> Listed:
        return self._unlisted(paper, "cited")

    def _unlisted(self, paper: Paper, direction: Direction) -> Listed:
        return Listed(paper=paper.id, direction=direction, note=f"{NAME} holds no citation links")

    async def text(self, paper: Paper) -> PaperText:
        own = (await self.papers([paper.id]))[0]
        if own is None or not own.abstract:
            return PaperText(paper=paper.id, kind="none", note=f"no abstract in {NAME}")
        return PaperText(paper=paper.id, kind="abstract", text=own.abstract, note=f"abstract from {NAME}")


class Several:
    """Sources in an order of preference. What the first does not know is asked of the next; one paper found twice is one paper.

    A list of citations is the ``listing`` source's own: lists of different makers are not mixed.
    """

    def __init__(self, sources: Sequence[Source], listing: Source) -> None:
        self._sources, self._listing = tuple(sources), listing

    @property
    def name(self) -> str:
        return " and ".join(source.name for source in self._sources)

    async def search(self, query: str, limit: int) -> Found:
        """All that were found, the first source's papers first, and who answered. Raises ServiceError where the listing source fails."""
        answers = [await source.search(query, limit) for source in self._sources]
        papers = merge(p for answer in answers for p in answer.papers)
        notes = "; ".join(f"{a.source}: {len(a.papers)}{f', {a.note}' if a.note else ''}" for a in answers)
        last = answers[-1]
        return Found(
            query=query, source=" and ".join(a.source for a in answers), asked_at=last.asked_at, total=last.total,
            papers=tuple(papers[:limit]), note=notes, kept=last.kept,
        )  # fmt: skip

    async def match(self, title: str, year: int | None, authors: Sequence[str] = ()) -> Matched:
        closest = Matched()
        for source in self._sources:
            found = await source.match(title, year, authors)
            if found.paper is not None:
                return found
            closest = max(closest, found, key=lambda m: m.score)
        return closest

    async def papers(self, ids: Sequence[str]) -> list[Paper | None]:
        """Each paper from the first source that knows it, what it lacks (its abstract above all) filled from the others."""
        held: list[Paper | None] = [None] * len(ids)
        for source in self._sources:
            lacking = [n for n, p in enumerate(held) if p is None or p.abstract is None]
            if not lacking:
                break
            for n, more in zip(lacking, await source.papers([ids[n] for n in lacking]), strict=True):
                mine = held[n]
                held[n] = more if mine is None else fill(mine, more) if more is not None else mine
        return held

    async def citations(self, paper: Paper, limit: int) -> Listed:
        return await self._listing.citations(paper, limit)

    async def references(self, paper: Paper, limit: int) -> Listed:
        return await self._listing.references(paper, limit)

    async def text(self, paper: Paper) -> PaperText:
        """The best that any source has: full text, else an abstract, else a summary; the notes of all."""
        return await best_text(paper, reversed(self._sources), lambda _, error: error.message)
