"""A source whose records bear the date of the answers they were read from, also where those were kept for a while."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from coi_tui.literature.types import Fetch, Found, HttpAnswer, HttpRequest, Listed, Matched, PdfText, Source
from coi_tui.model.papers import Paper, PaperText

Today = Callable[[], str]
Make = Callable[[Fetch, Today], Source]


class Seen:
    """A fetch that remembers how old the answers of one question were, and whether one came from the library."""

    def __init__(self, inner: Fetch, today: Today) -> None:
        self._inner, self._today = inner, today
        self.asked, self.kept, self._oldest = False, False, ""

    def day(self) -> str:
        """The date of the oldest answer so far; today before the first."""
        return self._oldest or self._today()

    async def json(self, request: HttpRequest) -> HttpAnswer:
        answer = await self._inner.json(request)
        self.asked, self.kept = True, self.kept or answer.kept
        given = answer.answered[:10] or self._today()
        self._oldest = min(self._oldest or given, given)
        return answer

    async def pdf_text(self, url: str) -> PdfText:
        return await self._inner.pdf_text(url)


class Dated:
    """A source made anew for each question put to it, so that "read on" and "listed on" are the days of its answers."""

    def __init__(self, make: Make, fetch: Fetch, today: Today) -> None:
        self._make, self._fetch, self._today = make, fetch, today
        self._name = make(fetch, today).name

    @property
    def name(self) -> str:
        return self._name

    def _begin(self) -> tuple[Source, Seen]:
        seen = Seen(self._fetch, self._today)
        return self._make(seen, seen.day), seen

    async def search(self, query: str, limit: int) -> Found:
        source, seen = self._begin()
        found = await source.search(query, limit)
        return found.model_copy(update={"asked_at": seen.day(), "kept": seen.kept}) if seen.asked else found

    async def match(self, title: str, year: int | None, authors: Sequence[str] = ()) -> Matched:
        return await self._begin()[0].match(title, year, authors)

    async def papers(self, ids: Sequence[str]) -> list[Paper | None]:
        return await self._begin()[0].papers(ids)

    async def citations(self, paper: Paper, limit: int) -> Listed:
        source, seen = self._begin()
        return _dated(await source.citations(paper, limit), seen)

    async def references(self, paper: Paper, limit: int) -> Listed:
        source, seen = self._begin()
        return _dated(await source.references(paper, limit), seen)

    async def text(self, paper: Paper) -> PaperText:
        return await self._begin()[0].text(paper)


def _dated(listed: Listed, seen: Seen) -> Listed:
    return listed.model_copy(update={"asked_at": seen.day(), "kept": seen.kept}) if seen.asked else listed
