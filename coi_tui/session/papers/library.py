"""The shared library as a session uses it: papers and links of other sessions, texts fetched once. It may be gone at any time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from coi_tui.model.papers import Link, Paper
from coi_tui.paths import Paths

if TYPE_CHECKING:
    from coi_tui.store.library_file import LibraryFile


class Shelf:
    """The library's texts and vectors for running steps (``TextCache``, ``VectorCache``), off the event loop."""

    def __init__(self, library: LibraryFile) -> None:
        self.library = library

    async def cached_text(self, url: str) -> Mapping[str, Any] | None:
        found = await self.library.run(self.library.cached, f"pdf {url}")
        return found[0] if found is not None else None

    async def remember_text(self, url: str, answer: Mapping[str, Any]) -> None:
        await self.library.run(self.library.remember_reply, f"pdf {url}", dict(answer))

    async def known_vectors(self, model: str, keys: Sequence[str]) -> Mapping[str, Sequence[float]]:
        return await self.library.run(self.library.embeddings, keys, model)

    async def keep_vectors(self, model: str, vectors: Mapping[str, Sequence[float]]) -> None:
        await self.library.run(self.library.remember_embeddings, model, vectors)


class PapersOfSessions:
    """The library's papers for running steps (``PaperShelf``), read once; up to the day of a session's time cut."""

    def __init__(self, library: LibraryFile, known_until: str = "") -> None:
        self._library, self._cut = library, known_until
        self._read: list[Paper] | None = None

    async def papers(self) -> Sequence[Paper]:
        if self._read is None:
            from coi_tui.literature.time_cut import known_by

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


def known_paper(paths: Paths, pair: tuple[str, str]) -> Paper | None:
    """A paper of another session by one of its identifiers; None where no library is."""
    if not paths.library.exists():
        return None
    from coi_tui.store.library_file import LibraryFile

    name = f"{pair[0]}:{pair[1]}"
    with LibraryFile.open(paths.library) as library:
        return library.papers([name]).get(name)


def library_papers(paths: Paths) -> list[Paper]:
    """Every paper that sessions have met; none where no library is."""
    if not paths.library.exists():
        return []
    from coi_tui.store.library_file import LibraryFile

    with LibraryFile.open(paths.library) as library:
        return library.all_papers()


def library_links(paths: Paths, papers: Mapping[str, Paper]) -> list[Link]:
    """Links of the session's papers that other sessions found."""
    if not paths.library.exists():
        return []
    from coi_tui.store.library_file import LibraryFile

    with LibraryFile.open(paths.library) as library:
        return [link for paper in papers for link in library.links(paper)]


def library_sizes(paths: Paths) -> dict[str, int]:
    """Rows of the library by table; empty where no library is."""
    if not paths.library.exists():
        return {}
    from coi_tui.store.library_file import LibraryFile

    with LibraryFile.open(paths.library) as library:
        return library.sizes()


def prune_library(paths: Paths, before: str) -> int:
    """Throw away what services answered before a date (ISO); returns how many answers. Sessions keep their own copies."""
    if not paths.library.exists():
        return 0
    from coi_tui.store.library_file import LibraryFile

    with LibraryFile.open(paths.library) as library:
        return library.prune(before)
