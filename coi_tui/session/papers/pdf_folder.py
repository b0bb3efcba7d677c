"""PDFs on their way into the imported papers: looked at here, confirmed through the sources, decided by a person, then kept.

Each file is a row of one table. Nothing is written before ``keep``; a file that cannot be read is a sentence, and stops no other.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from coi_tui.computing import beside
from coi_tui.literature.full_text import ExtractedPdf
from coi_tui.literature.ids import Id, known_ids
from coi_tui.literature.known_papers import KnownPapers, best_score
from coi_tui.literature.pdf_first_page import apart_of, ids_of, titles_of
from coi_tui.literature.pdf_identification import (
    By,
    Candidate,
    identify_pdf,
    paper_as_it_is,
    paper_named,
)
from coi_tui.literature.types import Source
from coi_tui.model.errors import CoiError, ServiceError, UsageError
from coi_tui.model.papers import Paper
from coi_tui.model.text import clean_line
from coi_tui.model.wording import count
from coi_tui.paths import Paths
from coi_tui.session.papers.imported import drop_text, keep_text, own_papers, own_text, texts_held
from coi_tui.session.papers.imported_file import add_papers
from coi_tui.session.papers.imported_pdfs import PdfRead, bytes_of, hash_of, read_pdf

log = logging.getLogger(__name__)
State = Literal["sure", "title", "ask", "said", "out", "twin", "before", "unread", "new", "known"]
_SETTLED: tuple[State, ...] = ("before", "new", "known", "said")
"""States of a row that stays what it is, whatever the sources say."""
TITLES_ASKED = 2
"""Of what may be the title of a PDF only the first so many are asked about."""
IDS_ASKED = 4
"""The same of its ids."""
SEARCHED = 5
"""Papers that a search for a title may suggest."""


@dataclass(frozen=True)
class PdfRow:
    """One file.

    ``sure``: an id and the title say which paper it is; ``title``: its title and authors do, without an id; ``ask``: not sure, ``why``;
    ``said``: as a person said; ``out``: left out by a person; ``twin``: another file of a paper that a row before is; ``before``: this
    very file was imported earlier; ``unread``: ``why`` in one sentence. Kept: ``new`` for a paper that was not there, ``known`` for one
    that was.
    """

    path: Path
    state: State
    paper: Paper | None = None
    how: str = ""
    why: str = ""
    title: str = ""
    near: tuple[Candidate, ...] = ()
    confirmed: bool = True
    read: PdfRead | None = None

    @property
    def name(self) -> str:
        """The name of the file, fit to be shown."""
        return clean_line(self.path.name)

    @property
    def offers(self) -> list[str]:
        """The suggestions in ``near``, a line each: ``0.93  Title (2022, DOI:10.1/x)``."""
        return [f"{offer.score:.2f}  {offer.paper.cited}" for offer in self.near]


@dataclass(frozen=True)
class Wanted:
    """What the sources would be asked about: ids and titles that were found in the PDFs, and in how many of these."""

    ids: tuple[Id, ...]
    titles: tuple[str, ...]
    files: int

    def __bool__(self) -> bool:
        return bool(self.ids or self.titles)


Registry = Callable[[Id], Awaitable[Paper | None]]
"""Asks the registry that gives out such ids."""
Told = Callable[[int, int], None]
"""Hears how many of how many are done."""


class PdfFolder:
    """The rows, what is known to hold them against, and what becomes of each."""

    def __init__(self, paths: Paths) -> None:
        self._paths = paths
        self.rows: list[PdfRow] = []
        self._known = KnownPapers()
        self._asked: set[int] = set()
        """Rows about which the sources were asked."""

    async def look(
        self, files: Sequence[Path], told: Told = lambda _done, _of: None, *, again: bool = False
    ) -> None:
        """Read the files and tell what can be told here; nobody is asked. ``told`` hears of each; ``again``: imported ones too."""
        self._known = await beside(_known_papers, self._paths)
        held = {} if again else {pdf: paper for paper, (_, pdf) in texts_held(self._paths).items()}
        seen: dict[str, Path] = {}
        for n, path in enumerate(files, start=1):
            self.rows.append(await self._looked_at(path, held, seen))
            told(n, len(files))
        self._mark_twins()

    async def _looked_at(self, path: Path, held: dict[str, str], seen: dict[str, Path]) -> PdfRow:
        """One file: known from before by its bytes, or read. ``held``: papers by the hash of their PDF; ``seen``: files of this folder."""
        try:
            data = await beside(bytes_of, path)
            pdf = hash_of(data)
            if (earlier := seen.setdefault(pdf, path)) != path:
                return PdfRow(
                    path,
                    "twin",
                    why=f"{clean_line(path.name)} is the same file as {clean_line(earlier.name)}, so it is left out.",
                )
            if pdf in held and (before := self._known.named(held[pdf])):
                return PdfRow(path, "before", before[0])
            read = await read_pdf(path.name, data)
        except UsageError as error:
            return PdfRow(path, "unread", why=error.message)
        return self._told_apart(PdfRow(path, "ask", read=read), asked=False)

    def _told_apart(self, row: PdfRow, *, asked: bool) -> PdfRow:
        """The row with the paper that its PDF is, as far as that is sure."""
        assert row.read is not None
        found = identify_pdf(row.read.looked, self._known, asked=asked)
        return replace(
            row,
            state=_TOLD[found.by],
            paper=found.paper,
            how=found.how,
            why=found.why,
            title=found.title,
            near=found.candidates,
            confirmed=found.confirmed,
        )

    def _mark_twins(self) -> None:
        """Of several files of one paper the first stays: one that is settled before others, a sure one before one told by its title."""
        first: dict[str, PdfRow] = {}
        for n in (*self.of(*_SETTLED), *self.of("sure"), *self.of("title")):
            row = self.rows[n]
            assert row.paper is not None
            names = {
                row.paper.id,
                *(f"{scheme}:{value}" for scheme, value in known_ids(row.paper).items()),
            }
            earlier = next((first[name] for name in sorted(names) if name in first), None)
            if earlier is not None and row.state not in _SETTLED:
                why = f"{row.name} is another file of the paper that {earlier.name} is, so its text is left out."
                self.rows[n] = replace(row, state="twin", why=why)
            for name in names:
                first.setdefault(name, row)

    # -- the sources ----------------------------------------------------------------------------------------------

    def wanted(self) -> Wanted:
        """What the sources would be asked about."""
        rows = self._unconfirmed()
        ids = [pair for n in rows for pair in self._ids_at(n)]
        titles = [title for n in rows for title in self._titles_at(n)]
        return Wanted(tuple(dict.fromkeys(ids)), tuple(dict.fromkeys(titles)), len(rows))

    def _unconfirmed(self) -> list[int]:
        """Rows that no record confirms, and about which the sources were not asked."""
        return [
            n
            for n, r in enumerate(self.rows)
            if n not in self._asked and (r.state == "ask" or not r.confirmed) and r.read is not None
        ]

    def _ids_at(self, n: int) -> list[Id]:
        own, others = ids_of(self._looked(n))
        return [*own, *others][:IDS_ASKED]

    def _titles_at(self, n: int) -> list[str]:
        return titles_of(self._looked(n))[:TITLES_ASKED]

    def _looked(self, n: int) -> ExtractedPdf:
        """What was read of row ``n``. Raises UsageError where nothing was."""
        read = self.rows[n].read
        if read is None:
            raise UsageError(
                self.rows[n].why or "This file was imported earlier.", "Choose another row."
            )
        return read.looked

    async def confirm(
        self, source: Source, registry: Registry, told: Told = lambda _done, _of: None
    ) -> str:
        """Hold what is not confirmed against what the source, and the registries, know of its ids and titles.

        An error of a service ends the asking, and is the answer, in a sentence; what was confirmed until then stays so.
        """
        rows = self._unconfirmed()
        trouble = ""
        try:
            trouble = await self._ask_ids(
                list(dict.fromkeys(pair for n in rows for pair in self._ids_at(n))),
                source,
                registry,
            )
            for done, n in enumerate(rows, start=1):
                row = self._told_apart(self.rows[n], asked=True)
                if row.state == "ask":
                    await self._ask_titles(self._titles_at(n), source)
                    row = self._told_apart(row, asked=True)
                self.rows[n] = row
                self._asked.add(n)
                told(done, len(rows))
        except ServiceError as error:
            return str(error)
        finally:
            self._mark_twins()
        return trouble

    async def _ask_ids(self, pairs: Sequence[Id], source: Source, registry: Registry) -> str:
        """The sources first; the registries of what these do not know, until one cannot be asked, which is then the answer."""
        new = [pair for pair in pairs if self._known.with_id(pair) is None]
        papers = await source.papers([f"{scheme}:{value}" for scheme, value in new]) if new else []
        trouble = ""
        for pair, paper in zip(new, papers, strict=True):
            try:
                found = paper if paper is not None or trouble else await registry(pair)
            except ServiceError as error:
                trouble, found = str(error), None
            if found is not None:
                self._known.add_as(pair, found)
        return trouble

    async def _ask_titles(self, titles: Sequence[str], source: Source) -> None:
        """Until one title has a paper: the source's own match, else what a search for it finds."""
        for title in titles:
            matched = (await source.match(title, None)).paper
            found = (
                [matched]
                if matched is not None
                else list((await source.search(title, SEARCHED)).papers)
            )
            self._known.add(found)
            if matched is not None:
                return

    # -- decisions ------------------------------------------------------------------------------------------------

    def take(self, n: int, suggestion: int = 0) -> None:
        """Row ``n`` is its suggestion. Raises UsageError where there is none."""
        near = self.rows[n].near
        if not 0 <= suggestion < len(near):
            raise UsageError(
                "There is no such suggestion.", "Type a DOI, an arXiv id or the title."
            )
        self._say(n, near[suggestion].paper)

    def name(self, n: int, said: str) -> None:
        """Row ``n`` is the paper of an id or a title that a person types. Raises UsageError for nothing."""
        if not clean_line(said):
            raise UsageError("Nothing was typed.", "Type a DOI, an arXiv id or the title.")
        self._say(n, paper_named(said, self._looked(n), self._known))

    def as_it_is(self, n: int) -> None:
        """Row ``n`` is taken by its own title and id, which no source confirms; by its file's name where it has no title."""
        row = self.rows[n]
        title = row.title or clean_line(row.path.stem)
        if apart := apart_of(self._looked(n)):
            title = (
                title if title.casefold().startswith(apart) else f"{apart.capitalize()}: {title}"
            )
        self._say(n, paper_as_it_is(self._looked(n), title), "as it is, confirmed by no source")

    def take_as_told(self, n: int) -> None:
        """Row ``n``, told by its title and authors, is accepted by a person."""
        row = self.rows[n]
        if row.paper is None or row.state not in ("sure", "title"):
            raise UsageError(
                "It is not sure which paper this is.",
                "Take a suggestion, or type a DOI, an arXiv id or the title.",
            )
        self.rows[n] = replace(row, state="sure")

    def ask_again(self, n: int) -> None:
        """Row ``n`` was told here, and a person wants to decide on it alone."""
        row = self.rows[n]
        told = (
            []
            if row.paper is None
            else [Candidate(row.paper, best_score(titles_of(self._looked(n)), row.paper))]
        )
        near = (
            *told,
            *(offer for offer in row.near if row.paper is None or offer.paper.id != row.paper.id),
        )
        self.rows[n] = replace(row, state="ask", paper=None, near=near, why="you decide on it")

    def leave_out(self, n: int) -> None:
        """Row ``n`` is not imported."""
        self.rows[n] = replace(self.rows[n], state="out")

    def _say(self, n: int, paper: Paper, how: str = "as you said") -> None:
        self.rows[n] = replace(self.rows[n], state="said", paper=paper, how=how)

    def of(self, *states: State) -> list[int]:
        """The rows in one of some states."""
        return [n for n, row in enumerate(self.rows) if row.state in states]

    def keep(self, *, titles: bool, only: int | None = None) -> None:
        """Import what is sure and what was said; ``titles``: also what is told by its title and authors; ``only``: one row alone.

        Raises StoreError.
        """
        ready = self.of("sure", "said", *(("title",) if titles else ()))
        for n in ready if only is None else [n for n in ready if n == only]:
            self.rows[n] = self._kept(self.rows[n])

    def _kept(self, row: PdfRow) -> PdfRow:
        assert row.paper is not None
        assert row.read is not None
        before = own_papers(self._paths) if row.state == "said" else []
        added = add_papers(self._paths.imported_papers, [row.paper])
        kept = added.became[row.paper.id]
        if (
            row.state == "said"
        ):  # a person's answer puts right what this very file was taken for before
            _drop_texts_of(
                self._paths, row.read.own.pdf, [other for other in before if other.id != kept.id]
            )
        keep_text(self._paths, kept, row.read.own)
        return replace(row, state="new" if added.new else "known", paper=kept, read=None)


def _drop_texts_of(paths: Paths, pdf: str, papers: Iterable[Paper]) -> None:
    for paper in papers:
        held = own_text(paths, paper)
        if held is not None and held.pdf == pdf:
            drop_text(paths, paper)


def _known_papers(paths: Paths) -> KnownPapers:
    """The own papers, then those of the shared and the starter library. Nobody is asked."""
    from coi_tui.literature.starter.loader import bundled_library
    from coi_tui.session.papers.library import library_papers

    known = KnownPapers(own_papers(paths))
    try:
        known.add(library_papers(paths))
    except (
        CoiError
    ):  # a library that cannot be read knows no papers; the own ones are asked all the same
        log.info("the shared library could not be read, so its papers are not compared with PDFs")
    known.add(bundled_library().papers.values())
    return known


_TOLD: dict[By, State] = {"id": "sure", "title": "title", "": "ask"}
WORDS: dict[State, str] = {
    "sure": "sure",
    "title": "by title",
    "ask": "which?",
    "said": "you said",
    "out": "left out",
    "twin": "twice",
    "before": "unchanged",
    "unread": "not read",
    "new": "new",
    "known": "known",
}
"""Each state in a word or two, for tables."""
_COUNTED: tuple[tuple[tuple[State, ...], str], ...] = (
    (("new",), "imported as new papers"),
    (("known",), "added to papers you had"),
    (("before",), "already imported"),
    (("twin",), "another file of a paper that is there"),
    (("out",), "left out"),
    (("sure", "said"), "to be taken"),
    (("title",), "told by title and authors, to be accepted"),
    (("ask",), "to identify (which paper is this?)"),
    (("unread",), "could not be read"),
)


def summary(rows: Sequence[PdfRow]) -> str:
    """How it stands, in a line."""
    said = [
        f"{n} {words}"
        for states, words in _COUNTED
        if (n := sum(row.state in states for row in rows))
    ]
    return f"{count(len(rows), 'PDF')}: {', '.join(said) or 'nothing to do'}."
