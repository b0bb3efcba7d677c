"""The shared library as a session uses it: papers of other sessions, texts fetched once.
It may be gone at any time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, TypeVar

from coi_tui.model.papers import Paper
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

    library = await asyncio.to_thread(LibraryFile, paths.library)
    try:
        yield Shelf(library)
    finally:
        await asyncio.to_thread(library.close)


def remember(paths: Paths, papers: Mapping[str, Paper]) -> None:
    """Store what a session has met for the next one."""
    from coi_tui.store.library_file import LibraryFile

    with LibraryFile(paths.library) as library:
        library.remember_papers(papers.values())


def known_paper(paths: Paths, pair: tuple[str, str]) -> Paper | None:
    """A paper of another session by one of its identifiers."""
    if not paths.library.exists():
        return None
    from coi_tui.store.library_file import LibraryFile

    with LibraryFile(paths.library) as library:
        return library.paper(f"{pair[0]}:{pair[1]}")
