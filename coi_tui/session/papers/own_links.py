"""Which papers cite the researcher's own papers, and which these cite: as sources answered when they
were asked, and as the reference lists of the own PDFs say. Each link has its evidence."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import chain

from coi_tui.literature.citations import meant_by
from coi_tui.literature.ids import Id, known_ids, normalise_id
from coi_tui.literature.list_entries import LIBRARY_NAME
from coi_tui.literature.ranking import LocalPapers
from coi_tui.literature.sections import references
from coi_tui.literature.title_match import years_agree
from coi_tui.model.papers import Link, Paper
from coi_tui.model.text import digest
from coi_tui.paths import Paths
from coi_tui.present.bibliography import TitleIndex
from coi_tui.services.sources.imported_library import ImportedLibrary, LocalRecord
from coi_tui.services.sources.starter import bundled_library
from coi_tui.services.sources.types import CitationList, Direction, Source
from coi_tui.session.papers.own_papers import own_papers, own_text, stored_texts
from coi_tui.store.library_file import LibraryFile

NO_LINKS = "no links known: connect (`coi papers links`)"
NEITHER = f"{NO_LINKS}, or attach the PDF"
"""The same of a paper without a PDF."""
LINKS_OF = "links of "
"""Under this and a paper's id the library has what was asked for."""
LinkRow = tuple[str, str, str]
"""The ids of the citing and the cited paper, and the evidence."""
_YEAR = re.compile(r"\b(?:19|20)\d\d\b", re.ASCII)


class OwnLinks:
    """The links of the own papers, read when first needed: call it off the event loop."""

    def __init__(self, paths: Paths, own: Sequence[Paper]) -> None:
        self._paths, self._own = paths, {paper.id: paper for paper in own}

    @cached_property
    def asked(self) -> dict[str, list[LinkRow]]:
        """What sources listed, by the own paper's id."""
        with LibraryFile(self._paths.library) as library:
            rows = {paper: library.cached(LINKS_OF + paper) for paper in self._own}
        return {paper: row[0] for paper, row in rows.items() if row}

    def to_ask(self, *, again: bool = False) -> list[Paper]:
        """The papers whose links a source may know: those that no source was asked for, or all."""
        asked = {} if again else self.asked
        return [p for p in self._own.values() if known_ids(p) and p.id not in asked]

    @cached_property
    def _known(self) -> dict[Id, Paper]:
        """All papers that may be at the end of a link, by every id; the own record goes first."""
        with LibraryFile(self._paths.library) as library:
            others = library.all_papers()
        every = (*others, *bundled_library().papers.values(), *self._own.values())
        return {pair: p for p in every for pair in (("", p.id), *known_ids(p).items())}

    def _find(self, name: str) -> Paper | None:
        return self._known.get(normalise_id(name) or ("", name))

    @cached_property
    def links(self) -> dict[tuple[str, str], str]:
        """The evidence of every link, by its citing and cited paper."""
        found = dict[tuple[str, str], str]()
        for citing, cited, evidence in chain(*self.asked.values(), self._of_pdfs()):
            a, b = self._find(citing), self._find(cited)
            if a and b and a != b:
                found.setdefault((a.id, b.id), evidence)
        return found

    def _of_pdfs(self) -> Iterator[LinkRow]:
        """By the identifiers and titles in the reference lists, where the year agrees."""
        titles = TitleIndex({paper.id: paper for paper in self._known.values()})
        for name, (file, _) in stored_texts(self._paths).items():
            text = own_text(self._paths, self._own[name]) if name in self._own else None
            for entry in references(text.text) if text else ():
                meant, years = meant_by(entry.text), _YEAR.findall(entry.text)
                other = self._find(meant if normalise_id(meant) else titles.find(meant) or "")
                year = int(years[-1]) if years else None
                if other and years_agree(other.year, year) is not False:
                    evidence = f"reference {entry.mark} of your PDF {file}: “{entry.text[:200]}”"
                    yield name, other.id, evidence

    @cached_property
    def numbers(self) -> Counter[str]:
        """How many links are known of each paper."""
        return Counter(end for pair in self.links for end in pair)

    def listed(self, paper: Paper, direction: Direction) -> CitationList:
        """The papers on one side of a paper, with their links."""
        names = (paper.id, *map(":".join, known_ids(paper).items()))
        record = next(filter(None, map(self._find, names)), paper)
        side = {
            pair[direction == "cited"]: evidence
            for pair, evidence in self.links.items()
            if pair[direction == "citing"] == record.id
        }
        papers = tuple(filter(None, map(self._find, side)))
        ends = {"citing": paper.id, "cited": paper.id, "kind": "cites"}
        note = NEITHER if record.id in self._own else f"not in {LIBRARY_NAME}"
        return CitationList(
            paper=paper.id,
            direction=direction,
            papers=papers,
            links=tuple(Link(**{**ends, direction: p.id}, evidence=side[p.id]) for p in papers),
            rows_read=len(papers),
            note="" if papers else note,
        )


def own_source(
    paths: Paths, today: Callable[[], str]
) -> Callable[[LocalRecord | None], Source | None]:
    """Gives the researcher's own papers, as they are now, as a source; None where there are none.
    Its argument stores their answers."""
    papers = own_papers(paths)
    library, links = LocalPapers(papers), OwnLinks(paths, papers)
    known = [p.model_dump(mode="json") for p in papers], links.asked, stored_texts(paths)
    state = digest(known) if papers else ""

    def source(record: LocalRecord | None) -> Source | None:
        if not papers:
            return None
        return ImportedLibrary(library, links.listed, today=today, record=record, state=state)

    return source
