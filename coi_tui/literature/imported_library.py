"""The researcher's own papers as a source, and several sources asked as one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from coi_tui.literature.bibliography_files import LIBRARY_NAME
from coi_tui.literature.ids import known_ids, normalise_id
from coi_tui.literature.ranking import RANKED_LOCALLY, content_words, rank
from coi_tui.literature.title_match import match_title
from coi_tui.literature.types import CitationList, Direction, SearchResult, TitleMatch
from coi_tui.model.papers import Paper, PaperText

LEAST_SHARE = 0.5
"""A paper of one's own is a hit when it holds this share of the query's telling words."""


class ImportedLibrary:
    """Papers that the researcher brought in. It knows no citation links; it finds, matches and fills."""

    def __init__(self, papers: Sequence[Paper], *, today: Callable[[], str]) -> None:
        self._papers = tuple(papers)
        self._today = today
        self._by_id = {pair: p for p in self._papers for pair in known_ids(p).items()} | {("", p.id): p for p in self._papers}
        self._words = [set(content_words(f"{p.title} {p.abstract or ''}")) for p in self._papers]

    @property
    def name(self) -> str:
        return LIBRARY_NAME

    async def search(self, query: str, limit: int) -> SearchResult:
        wanted = set(content_words(query))
        hits = [p for p, held in zip(self._papers, self._words, strict=True) if wanted and len(wanted & held) >= LEAST_SHARE * len(wanted)]
        ranked = [p for _, p in rank(query, hits, background=self._papers)][:limit]
        return SearchResult(
            query=query, source=LIBRARY_NAME, asked_at=self._today(), total=len(hits), papers=tuple(ranked), note=RANKED_LOCALLY
        )

    async def match(self, title: str, year: int | None, authors: Sequence[str] = ()) -> TitleMatch:
        return match_title(title, self._papers, year, authors)

    async def papers(self, ids: Sequence[str]) -> list[Paper | None]:
        return [self._by_id.get(("", i)) or self._by_id.get(normalise_id(i) or ("", "")) for i in ids]

    async def citations(self, paper: Paper, limit: int) -> CitationList:
        return self._unlisted(paper, "citing")

    async def references(self, paper: Paper, limit: int) -> CitationList:
        return self._unlisted(paper, "cited")

    def _unlisted(self, paper: Paper, direction: Direction) -> CitationList:
        return CitationList(paper=paper.id, direction=direction, note=f"{LIBRARY_NAME} holds no citation links")

    async def text(self, paper: Paper) -> PaperText:
        own = (await self.papers([paper.id]))[0]
        if own is None or not own.abstract:
            return PaperText(paper=paper.id, kind="none", note=f"no abstract in {LIBRARY_NAME}")
        return PaperText(paper=paper.id, kind="abstract", text=own.abstract, note=f"abstract from {LIBRARY_NAME}")
