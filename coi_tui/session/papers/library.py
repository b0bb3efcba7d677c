"""The shared library as a session uses it: papers and links of other sessions, texts fetched once.
It may be gone at any time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, TypeVar

from coi_tui.model.papers import Link, Paper
from coi_tui.paths import Paths

if TYPE_CHECKING:
    from coi_tui.store.library_file import LibraryFile

T = TypeVar("T")


class Shelf:
    """The library's vectors for running steps (``VectorCache``), off the event loop."""

    def __init__(self, library: LibraryFile) -> None:
        self.library = library

    async def known_vectors(self, model: str, keys: Sequence[str]) -> Mapping[str, Sequence[float]]:
        return await self.library.run(self.library.embeddings, keys, model)

    async def keep_vectors(self, model: str, vectors: Mapping[str, Sequence[float]]) -> None:
        await self.library.run(self.library.remember_embeddings, model, vectors)


class PapersOfSessions:
    """The library's papers for running steps (``PaperShelf``), read once; up to the day of a
    session's time cut."""

    def __init__(self, library: LibraryFile, known_until: str = "") -> None:
        self._library, self._cut = library, known_until
        self._read: list[Paper] | None = None

    async def papers(self) -> Sequence[Paper]:
        if self._read is None:
            from coi_tui.literature.paper_records import known_by

            found = await self._library.run(self._library.all_papers)
            self._read = [paper for paper in found if not self._cut or known_by(paper, self._cut)]
        return self._read


@asynccontextmanager
async def shelf_of(paths: Paths) -> AsyncIterator[Shelf]:
    """The library, made if it is missing, closed at the end; both off the event loop."""
    from coi_tui.store.library_file import LibraryFile

    library = await asyncio.to_thread(LibraryFile.open, paths.library)
    try:
        yield Shelf(library)
    finally:
        await asyncio.to_thread(library.close)


def remember(paths: Paths, papers: Mapping[str, Paper], links: list[Link]) -> None:
    """Keep what a session has met for the next one."""
    from coi_tui.store.library_file import LibraryFile

    with LibraryFile.open(paths.library) as library:
        library.remember_papers(papers.values())
        library.remember_links(links)


def from_library(paths: Paths, ask: Callable[[LibraryFile], T], none: T) -> T:
    """What the library answers; ``none`` where there is no library."""
    if not paths.library.exists():
        return none
    from coi_tui.store.library_file import LibraryFile

    with LibraryFile.open(paths.library) as library:
        return ask(library)


def known_paper(paths: Paths, pair: tuple[str, str]) -> Paper | None:
    """A paper of another session by one of its identifiers."""
    name = f"{pair[0]}:{pair[1]}"
    none: Paper | None = None
    return from_library(paths, lambda library: library.paper(name), none)


def library_links(paths: Paths, papers: Mapping[str, Paper]) -> list[Link]:
    """Links of the session's papers that other sessions found."""
    return from_library(
        paths, lambda library: [link for paper in papers for link in library.links(paper)], []
    )
