"""Answers of services in the shared library, as one session may use them: of its own source, up to its own day, with their age."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from pydantic import ValidationError

from coi_tui.literature.cached_answers import answer_key, is_old
from coi_tui.literature.routing import UrlLookup
from coi_tui.literature.types import (
    CitationList,
    HttpAnswer,
    HttpRequest,
    People,
    ReferenceLists,
    SearchResult,
    Source,
    TitleMatch,
)
from coi_tui.model.errors import ServiceError
from coi_tui.model.papers import Paper, PaperText

if TYPE_CHECKING:
    from coi_tui.store.library_file import LibraryFile

T = TypeVar("T")


@dataclass(frozen=True)
class KeptAnswers:
    """The answers of one source for running steps (``AnswerCache``), off the event loop.

    ``now`` gives the time (ISO); ``days`` is how long an answer may stand for a new one; ``anew`` names the job that was told to ask the
    services again. ``online``: where nothing can be asked, no answer is too old.
    """

    library: LibraryFile
    source: str
    known_until: str
    days: int
    now: Callable[[], str]
    online: bool = True
    anew: str = ""

    def old(self, answered: str, *, held: bool = False) -> bool:
        """By ``days``; what the session itself was answered stands for a day at least, so that no job asks twice."""
        return self.online and is_old(
            answered, self.now(), max(1, self.days) if held else self.days
        )

    async def find(self, request: HttpRequest) -> HttpAnswer | None:
        """The kept answer with its date; None where there is none or another program version wrote it."""
        found = await self.library.run(
            self.library.cached, answer_key(self.source, self.known_until, request)
        )
        if found is None:
            return None
        try:
            return HttpAnswer.model_validate(found[0]).model_copy(
                update={"answered": found[1], "kept": True}
            )
        except ValidationError:
            return None

    async def keep(self, request: HttpRequest, answer: HttpAnswer) -> None:
        """Keep a new answer with its date; a library that cannot be written stops nobody."""
        bare = answer.model_dump(mode="json", exclude={"answered", "kept"})
        await self.library.run(
            self.library.remember_reply,
            answer_key(self.source, self.known_until, request),
            bare,
            self.now(),
        )


class KeptAnswersOf:
    """The kept answers of several services (``AnswerCache``), each under its own name, found by the address of a request."""

    def __init__(self, shelves: Sequence[tuple[str, KeptAnswers]]) -> None:
        self._by_address, self._first = UrlLookup(shelves), shelves[0][1]

    @property
    def anew(self) -> str:
        return self._first.anew

    def old(self, answered: str, *, held: bool = False) -> bool:
        return self._first.old(answered, held=held)

    async def find(self, request: HttpRequest) -> HttpAnswer | None:
        shelf = self._by_address.find(request.url)
        return await shelf.find(request) if shelf is not None else None

    async def keep(self, request: HttpRequest, answer: HttpAnswer) -> None:
        if (shelf := self._by_address.find(request.url)) is not None:
            await shelf.keep(request, answer)


class KeptFirst:
    """Offline: what the library holds of a service's answers, else another source. Each answer says which of the two gave it."""

    def __init__(self, kept: Source, other: Source) -> None:
        self._kept, self._other = kept, other

    @property
    def name(self) -> str:
        return f"kept answers of {self._kept.name}, then {self._other.name}"

    async def search(self, query: str, limit: int) -> SearchResult:
        return await _else(
            self._kept.search(query, limit), lambda: self._other.search(query, limit)
        )

    async def match(self, title: str, year: int | None, authors: Sequence[str] = ()) -> TitleMatch:
        return await _else(
            self._kept.match(title, year, authors), lambda: self._other.match(title, year, authors)
        )

    async def papers(self, ids: Sequence[str]) -> list[Paper | None]:
        return await _else(self._kept.papers(ids), lambda: self._other.papers(ids))

    async def citations(self, paper: Paper, limit: int) -> CitationList:
        return await _else(
            _of(self._kept, self._kept.citations(paper, limit)),
            lambda: _of(self._other, self._other.citations(paper, limit)),
        )

    async def references(self, paper: Paper, limit: int) -> CitationList:
        return await _else(
            _of(self._kept, self._kept.references(paper, limit)),
            lambda: _of(self._other, self._other.references(paper, limit)),
        )

    async def reference_lists(self, papers: Sequence[Paper]) -> ReferenceLists:
        return await _else(
            self._kept.reference_lists(papers), lambda: self._other.reference_lists(papers)
        )

    async def people(self, papers: Sequence[Paper], most: int, each: int) -> People:
        return await _else(
            self._kept.people(papers, most, each), lambda: self._other.people(papers, most, each)
        )

    async def text(self, paper: Paper) -> PaperText:
        """The full text that the library holds; else what the other source says of the paper; else the abstract."""
        kept: PaperText | ServiceError
        try:
            kept = await self._kept.text(paper)
        except ServiceError as error:
            _only_offline(error)
            kept = error
        if isinstance(kept, PaperText) and kept.kind == "full text":
            return kept
        other = await self._other.text(paper)
        return kept if other.kind == "none" and isinstance(kept, PaperText) else other


async def _else(first: Awaitable[T], other: Callable[[], Awaitable[T]]) -> T:
    """The first answer, or the other's where the library holds none."""
    try:
        return await first
    except ServiceError as error:
        _only_offline(error)
        return await other()


async def _of(source: Source, listed: Awaitable[CitationList]) -> CitationList:
    found = await listed
    return found if found.source else found.model_copy(update={"source": source.name})


def _only_offline(error: ServiceError) -> None:
    """Anything but "nothing may be asked" is a fault that must be told."""
    if error.kind != "offline":
        raise error
