"""The library that all sessions share: their papers, vectors, and what services answered.
It may be gone at any time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import date

from coi_tui.literature.paper_records import known_by
from coi_tui.model.errors import ServiceError
from coi_tui.model.papers import Paper
from coi_tui.model.text import digest
from coi_tui.paths import Paths
from coi_tui.services.sources.types import UNAVAILABLE, Fetch, HttpAnswer, HttpRequest, PdfText
from coi_tui.store.library_file import LibraryFile


@dataclass
class Shelf:
    """The library for running tasks, off the event loop: its vectors (``VectorCache``) and its
    papers (``PaperShelf``) up to the day of a session's time cut."""

    library: LibraryFile
    known_until: str = ""
    _papers: list[Paper] | None = field(default=None, init=False)

    async def known_vectors(self, model: str, keys: Sequence[str]) -> Mapping[str, Sequence[float]]:
        return await self.library.run(self.library.embeddings, keys, model)

    async def keep_vectors(self, model: str, vectors: Mapping[str, Sequence[float]]) -> None:
        await self.library.run(self.library.remember_embeddings, model, vectors)

    async def papers(self) -> Sequence[Paper]:
        """Read once."""
        if self._papers is None:
            found = await self.library.run(self.library.all_papers)
            self._papers = [p for p in found if known_by(p, self.known_until)]
        return self._papers


@asynccontextmanager
async def open_shelf(paths: Paths, known_until: str) -> AsyncIterator[Shelf]:
    """The library, made if it is missing, closed at the end; both off the event loop."""
    library = await asyncio.to_thread(LibraryFile, paths.library)
    try:
        yield Shelf(library, known_until)
    finally:
        await asyncio.to_thread(library.close)


def remember(paths: Paths, papers: Mapping[str, Paper]) -> None:
    """Store what a session has met, for all sessions."""
    with LibraryFile(paths.library) as library:
        library.remember_papers(papers.values())


def known_paper(paths: Paths, pair: tuple[str, str]) -> Paper | None:
    """A paper of another session by one of its identifiers."""
    if not paths.library.exists():
        return None
    with LibraryFile(paths.library) as library:
        return library.paper(":".join(pair))


# answers of services


@dataclass(frozen=True)
class HttpCache:
    """A ``Fetch`` that takes an answer from the library where one was given within ``days``
    (0: never), and asks ``inner`` for the others and for those wanted ``fresh``.

    ``today`` is the ISO date. Where the service is unavailable an older answer is used, and
    ``warn`` gets a sentence about that.
    """

    inner: Fetch
    library: LibraryFile
    days: int
    today: Callable[[], str]
    warn: Callable[[str], None]

    async def json(self, request: HttpRequest) -> HttpAnswer:
        key = f"answer {digest(request.key())}"
        found = None if request.fresh else await self.library.run(self.library.cached, key)
        stored = HttpAnswer.model_validate({**found[0], "answered": found[1]}) if found else None
        if stored:
            age = date.fromisoformat(self.today()) - date.fromisoformat(stored.answered[:10])
            if 0 <= age.days < self.days:  # less than 0 where a clock was wrong
                return stored
        try:
            answer = await self.inner.json(request)
        except ServiceError as error:
            if stored is None or error.kind not in UNAVAILABLE:
                raise
            day = stored.answered[:10]
            self.warn(f"{error.service} is unavailable; its stored answer of {day} is used instead")
            return stored
        if _has_content(answer):
            bare = answer.model_dump(mode="json", include={"status", "payload"})
            await self.library.run(self.library.remember_reply, key, bare, self.today())
        return answer

    async def pdf_text(self, url: str) -> PdfText:
        """The text of a PDF, which does not grow old."""
        key = f"pdf {url}"
        if found := await self.library.run(self.library.cached, key):
            return PdfText.model_validate(found[0])
        text = await self.inner.pdf_text(url)
        if text.kind == "full text":
            await self.library.run(self.library.remember_reply, key, text.model_dump(mode="json"))
        return text


def _has_content(answer: HttpAnswer) -> bool:
    """What a service does not know today it may know tomorrow, so that is asked each time."""
    payload = answer.payload
    if answer.status != 200:
        return False
    if not isinstance(payload, dict):
        return any(row is not None for row in payload or ())
    rows = [payload[name] for name in ("data", "results", "entries") if name in payload]
    return any(rows) if rows else bool(payload)
