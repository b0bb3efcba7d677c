"""The starter library as a source of papers: offline, with the evidence of every link kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from coi_tui.computing import beside
from coi_tui.literature.ids import known_ids, normalise_id
from coi_tui.literature.ranking import RANKED_LOCALLY, rank
from coi_tui.literature.starter.index import Hits, StarterIndex, bundled
from coi_tui.literature.starter.loader import NAME, StarterLibrary
from coi_tui.literature.title_match import match_title, normalise_title
from coi_tui.literature.types import CitationList, Direction, SearchResult, TitleMatch
from coi_tui.model.papers import Link, Paper, PaperText, order_key


class StarterSource:
    """Answers from the bundled files alone; nothing here can fail for want of a network. Raises StoreError for broken files."""

    def __init__(self, library: StarterLibrary | None = None, *, today: Callable[[], str] | None = None) -> None:
        self.library, self._index = bundled() if library is None else (library, StarterIndex(tuple(library.papers.values())))
        self._today = today
        self._all = tuple(self.library.papers.values())
        self._by_id = {pair: paper for paper in self._all for pair in known_ids(paper).items()}

    @property
    def name(self) -> str:
        return NAME

    async def search(self, query: str, limit: int) -> SearchResult:
        """Papers that share telling words with ``query``, ranked locally; empty where the library holds nothing on it."""
        hits, ranked = await beside(self._find, query)
        kept = tuple(ranked[: max(0, limit)])
        note = f"{hits.note}; {RANKED_LOCALLY}" if kept else hits.note
        asked = self._today() if self._today else None
        return SearchResult(query=query, source=NAME, asked_at=asked, total=len(ranked), papers=kept, note=note)

    def _find(self, query: str) -> tuple[Hits, list[Paper]]:
        hits = self._index.search(query)
        return hits, [paper for _, paper in rank(query, hits.papers, background=self._all)]

    async def match(self, title: str, year: int | None, authors: Sequence[str] = ()) -> TitleMatch:
        """The library's paper of that title."""
        return match_title(title, self._all, year, authors)

    async def papers(self, ids: Sequence[str]) -> list[Paper | None]:
        """Papers by id in any form, None for those the library does not hold."""
        return [self._one(paper_id) for paper_id in ids]

    async def citations(self, paper: Paper, limit: int) -> CitationList:
        """The library's papers that cite ``paper``, older first."""
        return self._listed(paper, "citing", limit)

    async def references(self, paper: Paper, limit: int) -> CitationList:
        """The library's papers that ``paper`` cites, older first."""
        return self._listed(paper, "cited", limit)

    async def text(self, paper: Paper) -> PaperText:
        """The project's own summary with what it knows of limitations, data sets, baselines and entities."""
        own = self._own(paper)
        if own is None:
            return PaperText(paper=paper.id, kind="none", note=f"not in the {NAME}")
        return PaperText(paper=paper.id, kind="summary", text=summary_text(own), note=f"summary from the {NAME}, not the paper's own words")

    def _one(self, paper_id: str) -> Paper | None:
        if paper_id in self.library.papers:
            return self.library.papers[paper_id]
        found = normalise_id(paper_id)
        return self._by_id.get(found) if found else None

    def _own(self, paper: Paper) -> Paper | None:
        """The library's record of ``paper``, found by any id, else by the very same title and year."""
        for name in (paper.id, *(f"{scheme}:{value}" for scheme, value in known_ids(paper).items())):
            if own := self._one(name):
                return own
        title = normalise_title(paper.title)
        return next((p for p in self._all if p.year == paper.year and normalise_title(p.title) == title), None)

    def _listed(self, paper: Paper, direction: Direction, limit: int) -> CitationList:
        own = self._own(paper)
        if own is None:
            return CitationList(paper=paper.id, direction=direction, note=f"not in the {NAME}")
        pairs = sorted((pair for link in self.library.links if (pair := self._pair(link, own, direction))), key=lambda p: order_key(p[0]))
        kept = pairs[: max(0, limit)]
        return CitationList(
            paper=paper.id,
            direction=direction,
            papers=tuple(other for other, _ in kept),
            links=tuple(_renamed(link, own.id, paper.id) for _, link in kept),
            total=len(pairs),
            rows_read=len(kept),
            note=f"{len(kept)} of {len(pairs)} in the {NAME}, which knows only its own papers",
        )

    def _pair(self, link: Link, own: Paper, direction: Direction) -> tuple[Paper, Link] | None:
        here, there = (link.cited, link.citing) if direction == "citing" else (link.citing, link.cited)
        return (self.library.papers[there], link) if here == own.id else None


def summary_text(paper: Paper) -> str:
    """A starter paper's summary and lists as one text: a label on a line of its own, then a line an item.

    The drafter reads its cards from this layout, so the two belong together (tests/drafts/test_starter_layout.py).
    """
    entities = [f"{e.name}: {e.description}" if e.description else e.name for e in paper.entities]
    lists = (("LIMITATIONS", paper.limitations), ("DATASETS", paper.datasets), ("BASELINES", paper.baselines), ("ENTITIES", entities))
    parts = [f"SUMMARY\n{paper.abstract or ''}"]
    parts += [f"{label}\n" + "\n".join(f"- {item}" for item in items) for label, items in lists if items]
    return "\n".join(parts)


def _renamed(link: Link, own: str, asked: str) -> Link:
    """The link under the id the caller knows the paper by."""
    if own == asked:
        return link
    ends = {"citing": asked if link.citing == own else link.citing, "cited": asked if link.cited == own else link.cited}
    return link.model_copy(update=ends)
