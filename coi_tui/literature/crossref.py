"""Papers by DOI from Crossref, and their open copies from Unpaywall (reference: crossref-unpaywall.md)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import quote

from pydantic import JsonValue

from coi_tui.config import CROSSREF_URL, UNPAYWALL_URL
from coi_tui.literature.ids import normalise_id, paper_key, paper_url
from coi_tui.literature.service_answers import web_url, whole_number
from coi_tui.literature.title_match import show_title
from coi_tui.literature.types import Fetch, HttpRequest, Today
from coi_tui.model.errors import ServiceError
from coi_tui.model.papers import Citations, Paper
from coi_tui.model.text import clean, clean_line

SERVICE = "Crossref"
_JATS_TITLE = re.compile(r"<jats:title>\s*abstract\s*</jats:title>", re.IGNORECASE)
_BLOCK = re.compile(r"</?(?:jats:)?(?:p|sec|title|list|list-item|break)\b[^<>]*>", re.IGNORECASE)


class Crossref:
    """Asks for one DOI at a time. arXiv's DOIs are not there (they are DataCite's)."""

    def __init__(self, fetch: Fetch, base_url: str = CROSSREF_URL, *, today: Today) -> None:
        self._fetch = fetch
        self._base = base_url.rstrip("/")
        self._today = today

    async def paper(self, doi: str) -> Paper | None:
        """The paper of ``doi`` (in any form), None where Crossref does not know it: its 404 is plain text, taken for an answer."""
        pair = normalise_id(doi if ":" in doi else f"doi:{doi}")
        if pair is None or pair[0] != "DOI":
            return None
        answer = await self._fetch.json(HttpRequest(url=f"{self._base}/works/{quote(pair[1], safe='/')}"))
        if answer.status == 404:
            return None
        message = answer.payload.get("message") if isinstance(answer.payload, dict) else None
        if not isinstance(message, dict):
            raise ServiceError(SERVICE, "broken", f"{SERVICE} sent no work.", "Try again later.")
        return to_paper(message, self._today())


class Unpaywall:
    """Where an open copy of a paper lies. Its fetch adds the mail address that the service wants, so that no request holds it."""

    def __init__(self, fetch: Fetch, base_url: str = UNPAYWALL_URL) -> None:
        self._fetch = fetch
        self._base = base_url.rstrip("/")

    async def open_pdf(self, doi: str) -> str | None:
        """The address of a PDF, the best location's first; None where there is none."""
        answer = await self._fetch.json(HttpRequest(url=f"{self._base}/v2/{quote(doi, safe='/')}"))
        if answer.status == 404 or not isinstance(answer.payload, dict):
            return None
        others = answer.payload.get("oa_locations")
        for place in (answer.payload.get("best_oa_location"), *(others if isinstance(others, list) else [])):
            if isinstance(place, dict) and (url := web_url(place.get("url_for_pdf"))):
                return url
        return None


def to_paper(row: object, today: str) -> Paper | None:
    """The paper of one work; lists may be empty, dates ``[[null]]``, the abstract is JATS or, mostly, missing."""
    if not isinstance(row, dict):
        return None
    pair = normalise_id(f"doi:{clean_line(row.get('DOI'))}")
    if pair is None:
        return None
    ids = dict([pair])
    when = _date(row.get("issued")) or _date(row.get("published")) or _date(row.get("created"))
    count = whole_number(row.get("is-referenced-by-count"))
    title = _first(row.get("title"))
    sub = _first(row.get("subtitle"))
    return Paper(
        id=paper_key(ids),
        ids=ids,
        title=(f"{title}: {sub}" if title and sub and sub.lower() not in title.lower() else title) or "(no title)",
        year=int(when[:4]) if when else None,
        published=when,
        authors=tuple(_authors(row.get("author"))),
        venue=_first(row.get("container-title")) or None,
        abstract=abstract_of(row.get("abstract")),
        citations=Citations() if count is None else Citations(count=count, source=SERVICE, read=today),
        url=paper_url(ids),
        source=SERVICE,
    )


def abstract_of(jats: object) -> str | None:
    """The words of an abstract in JATS; its heading "Abstract" goes."""
    if not isinstance(jats, str):
        return None
    return show_title(_BLOCK.sub(" ", _JATS_TITLE.sub(" ", clean(jats)))) or None


def _first(value: object) -> str:
    texts = value if isinstance(value, list) else [value]
    return next((shown for text in texts if isinstance(text, str) and (shown := show_title(text))), "")


def _date(value: object) -> str | None:
    parts = value.get("date-parts") if isinstance(value, dict) else None
    first = parts[0] if isinstance(parts, list) and parts else None
    numbers: list[int] = []
    for part in first[:3] if isinstance(first, list) else []:
        found = whole_number(part)
        if not found or (numbers and found > 31) or (len(numbers) == 1 and found > 12):
            break
        numbers.append(found)
    if not numbers or not 1000 <= numbers[0] <= 2999:
        return None
    return "-".join([f"{numbers[0]:04d}", *(f"{n:02d}" for n in numbers[1:])])


def _authors(value: JsonValue) -> Iterator[str]:
    for row in value if isinstance(value, list) else []:
        if isinstance(row, dict) and (name := clean_line(f"{row.get('given') or ''} {row.get('family') or row.get('name') or ''}")):
            yield name
