"""Answers of services that are kept in the library: what each is kept under, how old it is, and records that bear its date."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from coi_tui.literature.types import CitationList, Fetch, HttpAnswer, HttpRequest, PdfText, SearchResult, Source, TitleMatch, Today
from coi_tui.model.hashing import digest
from coi_tui.model.papers import Paper, PaperText

DAY_S = 86_400


def answer_key(source: str, known_until: str, request: HttpRequest) -> str:
    """What an answer is kept under. Another source or time cut is another key, even where the request would be the same."""
    return f"answer {digest({'source': source, 'known_until': known_until, 'request': request.key()})}"


def parse_time(said: str) -> datetime | None:
    """A date or time (ISO; UTC where it names no zone); None for what is none."""
    try:
        found = datetime.fromisoformat(said)
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def seconds_old(answered: str, now: str) -> float | None:
    """How long ago an answer was given; None where one of the times cannot be read."""
    given, seen = parse_time(answered), parse_time(now)
    return (seen - given).total_seconds() if given and seen else None


def days_old(answered: str, now: str) -> int | None:
    """Days of the calendar since an answer was given; None without a date."""
    given, seen = parse_time(answered), parse_time(now)
    return (seen.date() - given.date()).days if given and seen else None


def is_old(answered: str, now: str, days: int) -> bool:
    """Whether an answer is to be asked for again: after ``days``, without a date, or with one that lies ahead (a wrong clock)."""
    age = seconds_old(answered, now)
    return age is None or age >= days * DAY_S or age < -DAY_S


def worth_caching(answer: HttpAnswer) -> bool:
    """An answer that holds something. What a service does not know today it may know tomorrow, so that is asked for each time."""
    payload = answer.payload
    if answer.status != 200 or not payload:
        return False
    if isinstance(payload, list):
        return any(row is not None for row in payload)
    if not isinstance(payload, dict):
        return False
    rows = [payload[name] for name in ("data", "results") if name in payload]
    return any(rows) if rows else payload.get("total") != 0


def age_text(answered: str, now: str, *, kept: bool) -> str:
    """``answered 3 d ago, from the library``; empty where no date is known."""
    days = days_old(answered, now)
    if days is None:
        return ""
    return f"answered {f'{days} d ago' if days > 0 else 'today'}{', from the library' if kept else ''}"


MakeSource = Callable[[Fetch, Today], Source]


class DatedFetch:
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


class DatedSource:
    """A source made anew for each question put to it, so that "read on" and "listed on" are the days of its answers."""

    def __init__(self, make: MakeSource, fetch: Fetch, today: Today) -> None:
        self._make, self._fetch, self._today = make, fetch, today
        self._name = make(fetch, today).name

    @property
    def name(self) -> str:
        return self._name

    def _begin(self) -> tuple[Source, DatedFetch]:
        seen = DatedFetch(self._fetch, self._today)
        return self._make(seen, seen.day), seen

    async def search(self, query: str, limit: int) -> SearchResult:
        source, seen = self._begin()
        found = await source.search(query, limit)
        return found.model_copy(update={"asked_at": seen.day(), "kept": seen.kept}) if seen.asked else found

    async def match(self, title: str, year: int | None, authors: Sequence[str] = ()) -> TitleMatch:
        return await self._begin()[0].match(title, year, authors)

    async def papers(self, ids: Sequence[str]) -> list[Paper | None]:
        return await self._begin()[0].papers(ids)

    async def citations(self, paper: Paper, limit: int) -> CitationList:
        source, seen = self._begin()
        return _dated(await source.citations(paper, limit), seen)

    async def references(self, paper: Paper, limit: int) -> CitationList:
        source, seen = self._begin()
        return _dated(await source.references(paper, limit), seen)

    async def text(self, paper: Paper) -> PaperText:
        return await self._begin()[0].text(paper)


def _dated(listed: CitationList, seen: DatedFetch) -> CitationList:
    return listed.model_copy(update={"asked_at": seen.day(), "kept": seen.kept}) if seen.asked else listed
