"""The researcher's imported papers as a source."""

from __future__ import annotations

from collections.abc import Sequence

from coi_tui.literature.bibliography_files import LIBRARY_NAME
from coi_tui.literature.ids import known_ids, normalise_id
from coi_tui.literature.ranking import RANKED_LOCALLY, content_words, rank
from coi_tui.literature.title_match import match_title
from coi_tui.literature.types import CitationList, Direction, ReferenceLists, SearchResult, TitleMatch, Today
from coi_tui.model.papers import Paper, PaperText

LEAST_SHARE = 0.5
"""An imported paper is a hit when it holds this share of the query's content words."""


class ImportedLibrary:
    """Papers that the researcher imported. It knows no citation links; it finds papers, matches titles and fills in abstracts."""

    def __init__(self, papers: Sequence[Paper], *, today: Today) -> None:
        self._papers = tuple(papers)
        self._today = today
        self._by_id = {pair: p for p in self._papers for pair in known_ids(p).items()} | {("", p.id): p for p in self._papers}
        self._words = [set(content_words(f"{p.title} {p.abstract or ''}")) for p in self._papers]

    @property
    def name(self) -> str:
        return LIBRARY_NAME

    async def search(self, query: str, limit: int) -> SearchResult:
        wanted = set(content_words(query))
        least = LEAST_SHARE * len(wanted)
        hits = [p for p, words in zip(self._papers, self._words, strict=True) if wanted and len(wanted & words) >= least]
        papers = tuple(p for _, p in rank(query, hits, background=self._papers))[:limit]
        return SearchResult(query=query, source=LIBRARY_NAME, asked_at=self._today(), total=len(hits), papers=papers, note=RANKED_LOCALLY)

    async def match(self, title: str, year: int | None, authors: Sequence[str] = ()) -> TitleMatch:
        return match_title(title, self._papers, year, authors)

    async def papers(self, ids: Sequence[str]) -> list[Paper | None]:
        return [self._by_id.get(("", i)) or self._by_id.get(normalise_id(i) or ("", "")) for i in ids]

    async def citations(self, paper: Paper, limit: int) -> CitationList:
        return self._no_list(paper, "citing")

    async def references(self, paper: Paper, limit: int) -> CitationList:
        return self._no_list(paper, "cited")

    async def reference_lists(self, papers: Sequence[Paper]) -> ReferenceLists:
        return ReferenceLists(note=f"{LIBRARY_NAME} holds no citation links")

    def _no_list(self, paper: Paper, direction: Direction) -> CitationList:
        return CitationList(paper=paper.id, direction=direction, note=f"{LIBRARY_NAME} holds no citation links")

    async def text(self, paper: Paper) -> PaperText:
        record = (await self.papers([paper.id]))[0]
        if record is None or not record.abstract:
            return PaperText(paper=paper.id, kind="none", note=f"no abstract in {LIBRARY_NAME}")
        return PaperText(paper=paper.id, kind="abstract", text=record.abstract, note=f"abstract from {LIBRARY_NAME}")
