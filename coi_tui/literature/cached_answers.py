"""Answers of services that the shared library holds: their keys, their age, and a source whose records bear the date of their answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import TypeVar

from coi_tui.literature.types import (
    CitationList,
    Fetch,
    HttpAnswer,
    HttpRequest,
    PdfText,
    People,
    ReferenceLists,
    SearchResult,
    Source,
    TitleMatch,
    Today,
)
from coi_tui.model.hashing import digest
from coi_tui.model.papers import Paper, PaperText

DAY_S = 86_400

L = TypeVar("L", CitationList, People, ReferenceLists)
MakeSource = Callable[[Fetch, Today], Source]


def answer_key(source: str, known_until: str, request: HttpRequest) -> str:
    """The key of an answer in the library. Another source or time cut gives another key, even where the request would be the same."""
    return (
        f"answer {digest({'source': source, 'known_until': known_until, 'request': request.key()})}"
    )


def worth_caching(answer: HttpAnswer) -> bool:
    """Whether an answer holds something. What a service does not know today it may know tomorrow, so that is asked each time."""
    payload = answer.payload
    if answer.status != 200 or not payload:
        return False
    if isinstance(payload, list):
        return any(row is not None for row in payload)
    if not isinstance(payload, dict):
        return False
    rows = [payload[name] for name in ("data", "results") if name in payload]
    return any(rows) if rows else payload.get("total") != 0


# Age


def parse_time(text: str) -> datetime | None:
    """A date or time (ISO; UTC where it names no zone); None for anything else."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def seconds_old(answered: str, now: str) -> float | None:
    """Seconds since an answer was given; None where one of the times cannot be read."""
    then, today = parse_time(answered), parse_time(now)
    return (today - then).total_seconds() if then and today else None


def days_old(answered: str, now: str) -> int | None:
    """Calendar days since an answer was given; None without a date."""
    then, today = parse_time(answered), parse_time(now)
    return (today.date() - then.date()).days if then and today else None


def is_old(answered: str, now: str, days: int) -> bool:
    """Whether an answer must be asked for again: after ``days``, without a date, or with one in the future (a wrong clock)."""
    age = seconds_old(answered, now)
    return age is None or age >= days * DAY_S or age < -DAY_S


def age_text(answered: str, now: str, *, cached: bool) -> str:
    """``answered 3 d ago, from the library``; empty where no date is known."""
    days = days_old(answered, now)
    if days is None:
        return ""
    return f"answered {f'{days} d ago' if days > 0 else 'today'}{', from the library' if cached else ''}"


# Dated records


class DatedFetch:
    """A fetch that notes how old the answers to one question are, and whether one came from the library."""

    def __init__(self, inner: Fetch, today: Today) -> None:
        self._inner, self._today = inner, today
        self.asked, self.cached, self._oldest = False, False, ""

    def day(self) -> str:
        """The date of the oldest answer so far; today before the first."""
        return self._oldest or self._today()

    async def json(self, request: HttpRequest) -> HttpAnswer:
        answer = await self._inner.json(request)
        self.asked, self.cached = True, self.cached or answer.kept
        day = answer.answered[:10] or self._today()
        self._oldest = min(self._oldest or day, day)
        return answer

    async def pdf_text(self, url: str) -> PdfText:
        return await self._inner.pdf_text(url)


class DatedSource:
    """A source that is made anew for each question put to it, so that "read on" and "listed on" are the days of its answers."""

    def __init__(self, make: MakeSource, fetch: Fetch, today: Today) -> None:
        self._make, self._fetch, self._today = make, fetch, today
        self._name = make(fetch, today).name

    @property
    def name(self) -> str:
        return self._name

    def _begin(self) -> tuple[Source, DatedFetch]:
        fetch = DatedFetch(self._fetch, self._today)
        return self._make(fetch, fetch.day), fetch

    async def search(self, query: str, limit: int) -> SearchResult:
        source, fetch = self._begin()
        found = await source.search(query, limit)
        return (
            found.model_copy(update={"asked_at": fetch.day(), "cached": fetch.cached})
            if fetch.asked
            else found
        )

    async def match(self, title: str, year: int | None, authors: Sequence[str] = ()) -> TitleMatch:
        return await self._begin()[0].match(title, year, authors)

    async def papers(self, ids: Sequence[str]) -> list[Paper | None]:
        return await self._begin()[0].papers(ids)

    async def citations(self, paper: Paper, limit: int) -> CitationList:
        source, fetch = self._begin()
        return _dated(await source.citations(paper, limit), fetch)

    async def references(self, paper: Paper, limit: int) -> CitationList:
        source, fetch = self._begin()
        return _dated(await source.references(paper, limit), fetch)

    async def reference_lists(self, papers: Sequence[Paper]) -> ReferenceLists:
        source, fetch = self._begin()
        return _dated(await source.reference_lists(papers), fetch)

    async def people(self, papers: Sequence[Paper], most: int, each: int) -> People:
        source, fetch = self._begin()
        return _dated(await source.people(papers, most, each), fetch)

    async def text(self, paper: Paper) -> PaperText:
        return await self._begin()[0].text(paper)


def _dated(listed: L, fetch: DatedFetch) -> L:
    return (
        listed.model_copy(update={"asked_at": fetch.day(), "cached": fetch.cached})
        if fetch.asked
        else listed
    )
