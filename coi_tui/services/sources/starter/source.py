"""The starter library as a source of papers: offline, with the evidence of every link."""

from __future__ import annotations

from collections.abc import Sequence

from coi_tui.literature.ids import known_ids, normalise_id
from coi_tui.literature.ranking import RANKED_LOCALLY, rank, words_seen
from coi_tui.literature.title_match import match_title, normalise_title
from coi_tui.model.papers import Paper, PaperText, TitleMatch, order_key
from coi_tui.process import run_in_thread
from coi_tui.services.sources.people import people_by_name
from coi_tui.services.sources.starter.index import Hits, StarterIndex, bundled
from coi_tui.services.sources.starter.loader import NAME, StarterLibrary
from coi_tui.services.sources.types import (
    CitationList,
    Direction,
    People,
    ReferenceLists,
    SearchResult,
    Source,
    Today,
)


class StarterSource(Source):
    """Answers from the bundled files alone, so it needs no network. Raises StoreError for broken
    files."""

    name = NAME

    def __init__(
        self, library: StarterLibrary | None = None, *, today: Today | None = None
    ) -> None:
        self.library, self._index = (
            bundled()
            if library is None
            else (library, StarterIndex(tuple(library.papers.values()), library.links))
        )
        self._day = today
        self._all = tuple(self.library.papers.values())
        self._by_id = {pair: paper for paper in self._all for pair in known_ids(paper).items()}

    async def search(self, query: str, limit: int) -> SearchResult:
        """Papers that share distinctive words with ``query``, ranked locally; none where the
        library holds nothing on it.

        ``lacking`` says, with figures, that the library holds too little on ``query`` to build
        chains on it as a topic.
        """
        hits, ranked = await run_in_thread(self._find, query)
        papers = tuple(ranked[: max(0, limit)])
        return SearchResult(
            query=query,
            source=NAME,
            asked_at=self._day and self._day(),
            total=len(ranked),
            papers=papers,
            note=f"{hits.note}; {RANKED_LOCALLY}" if papers else hits.note,
            lacking=hits.lacking,
        )

    def _find(self, query: str) -> tuple[Hits, list[Paper]]:
        hits = self._index.search(query)
        return hits, [paper for _, paper in rank(query, hits.papers, words_seen(self._all))]

    async def match(self, title: str, year: int | None, authors: Sequence[str] = ()) -> TitleMatch:
        return match_title(title, self._all, year, authors)

    async def papers(self, ids: Sequence[str]) -> list[Paper | None]:
        return [self._one(paper_id) for paper_id in ids]

    async def citations(self, paper: Paper, limit: int) -> CitationList:
        """The library's papers that cite ``paper``: those by a checked link, older first, then
        those by a link that was not checked."""
        return self._list(paper, "citing", limit)

    async def references(self, paper: Paper, limit: int) -> CitationList:
        """The library's papers that ``paper`` cites, in the same order."""
        return self._list(paper, "cited", limit)

    async def reference_lists(self, papers: Sequence[Paper]) -> ReferenceLists:
        """What each of ``papers`` cites among the library's own, by links that were checked."""
        lists = {
            paper.id: tuple(
                link.cited
                for link in self.library.links
                if link.citing == record.id and link.kind == "cites"
            )
            for paper in papers
            if (record := self._record_of(paper)) is not None
        }
        cited = dict.fromkeys(paper_id for ids in lists.values() for paper_id in ids)
        records = tuple(self.library.papers[paper_id] for paper_id in cited)
        return ReferenceLists(lists=lists, papers=records, source=NAME)

    async def people(self, papers: Sequence[Paper], most: int, each: int) -> People:
        """By name alone, with what they wrote of ``papers`` and of the library's own."""
        day = self._day and self._day()
        return people_by_name(papers, self._all, most, each, source=NAME, asked_at=day)

    async def text(self, paper: Paper) -> PaperText:
        """The project's own summary with what it knows of limitations, data sets, baselines and
        entities."""
        record = self._record_of(paper)
        if record is None:
            return PaperText(paper=paper.id, kind="none", note=f"not in the {NAME}")
        note = f"summary from the {NAME}, not the paper's own words"
        return PaperText(paper=paper.id, kind="summary", text=summary_text(record), note=note)

    def _one(self, paper_id: str) -> Paper | None:
        known = self.library.papers.get(paper_id)
        return known or self._by_id.get(normalise_id(paper_id) or ("", ""))

    def _record_of(self, paper: Paper) -> Paper | None:
        """The library's record of ``paper``, found by any id, else by the same title and year."""
        names = (paper.id, *(f"{scheme}:{value}" for scheme, value in known_ids(paper).items()))
        title = normalise_title(paper.title)
        same = (p for p in self._all if p.year == paper.year and normalise_title(p.title) == title)
        return next(filter(None, map(self._one, names)), None) or next(same, None)

    def _list(self, paper: Paper, direction: Direction, limit: int) -> CitationList:
        record = self._record_of(paper)
        if record is None:
            return CitationList(paper=paper.id, direction=direction, note=f"not in the {NAME}")
        here, there = ("cited", "citing") if direction == "citing" else ("citing", "cited")
        pairs = [
            (self.library.papers[getattr(link, there)], link)
            for link in self.library.links
            if getattr(link, here) == record.id
        ]
        pairs.sort(key=lambda pair: (pair[1].kind != "cites", order_key(pair[0])))
        shown = pairs[: max(0, limit)]
        note = f"{len(shown)} of {len(pairs)} in the {NAME}, which knows only its own papers"
        if unchecked := sum(link.kind != "cites" for _, link in shown):
            note += (
                f"; {unchecked} by links that were not checked, which no chain follows by itself"
            )
        return CitationList(
            paper=paper.id,
            direction=direction,
            papers=tuple(other for other, _ in shown),
            links=tuple(link.model_copy(update={here: paper.id}) for _, link in shown),
            total=len(pairs),
            rows_read=len(shown),
            note=note,
        )


def summary_text(paper: Paper) -> str:
    """A starter paper's summary and lists as one text: a label on a line of its own, then a line an
    item.

    Cards are made from this layout by rule, so the two belong together
    (tests/drafts/test_rules.py).
    """
    entities = [f"{e.name}: {e.description}" if e.description else e.name for e in paper.entities]
    lists = (
        ("LIMITATIONS", paper.limitations),
        ("DATASETS", paper.datasets),
        ("BASELINES", paper.baselines),
        ("ENTITIES", entities),
    )
    parts = [f"SUMMARY\n{paper.abstract or ''}"]
    parts += [
        f"{label}\n" + "\n".join(f"- {item}" for item in items) for label, items in lists if items
    ]
    return "\n".join(parts)
