"""Papers by DOI from Crossref."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from urllib.parse import quote

from coi_tui.config import CROSSREF_URL
from coi_tui.literature.ids import normalise_id, paper_key, paper_url
from coi_tui.literature.paper_limits import bounded
from coi_tui.literature.service_answers import (
    as_dict,
    as_list,
    broken_answer,
    whole_number,
)
from coi_tui.literature.title_match import show_title
from coi_tui.literature.types import Fetch, HttpRequest, Today
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
        """The paper of ``doi`` (in any form), None where Crossref does not know it: its 404 is
        plain text, taken for an answer."""
        pair = normalise_id(doi if ":" in doi else f"doi:{doi}")
        if pair is None or pair[0] != "DOI":
            return None
        answer = await self._fetch.json(
            HttpRequest(url=f"{self._base}/works/{quote(pair[1], safe='/')}")
        )
        if answer.status == 404:
            return None
        message = as_dict(answer.payload).get("message")
        if not isinstance(message, dict):
            raise broken_answer(SERVICE, "an answer without a work")
        return to_paper(message, self._today())


def to_paper(row: object, today: str) -> Paper | None:
    """The paper of one work; lists may be empty, dates ``[[null]]``, the abstract is JATS or,
    mostly, missing."""
    if not isinstance(row, dict):
        return None
    pair = normalise_id(f"doi:{clean_line(row.get('DOI'))}")
    if pair is None:
        return None
    ids = dict([pair])
    published = _date(row.get("issued")) or _date(row.get("published")) or _date(row.get("created"))
    count = whole_number(row.get("is-referenced-by-count"))
    paper = Paper(
        id=paper_key(ids),
        ids=ids,
        title=_title(row) or "(no title)",
        year=int(published[:4]) if published else None,
        published=published,
        authors=tuple(_authors(row.get("author"))),
        venue=_first(row.get("container-title")) or None,
        abstract=abstract_of(row.get("abstract")),
        citations=Citations()
        if count is None
        else Citations(count=count, source=SERVICE, read=today),
        url=paper_url(ids),
        source=SERVICE,
    )
    return bounded(paper, today)


def abstract_of(jats: object) -> str | None:
    """The words of an abstract in JATS, without its heading "Abstract"."""
    if not isinstance(jats, str):
        return None
    return show_title(_BLOCK.sub(" ", _JATS_TITLE.sub(" ", clean(jats)))) or None


def _title(row: Mapping[str, object]) -> str:
    """The title with its subtitle, which some records repeat in the title."""
    title, subtitle = _first(row.get("title")), _first(row.get("subtitle"))
    return (
        f"{title}: {subtitle}"
        if title and subtitle and subtitle.lower() not in title.lower()
        else title
    )


def _first(value: object) -> str:
    texts = value if isinstance(value, list) else [value]
    return next(
        (shown for text in texts if isinstance(text, str) and (shown := show_title(text))), ""
    )


def _date(value: object) -> str | None:
    """The date as far as it is given and possible: a year, a year and month, or a day."""
    parts = as_list(as_dict(value).get("date-parts"))
    given = [whole_number(part) or 0 for part in as_list(parts[0])[:3]] if parts else []
    if not given or not 1000 <= given[0] <= 2999:
        return None
    shown = [f"{given[0]:04d}"]
    for part, most in zip(given[1:], (12, 31), strict=False):
        if not 1 <= part <= most:
            break
        shown.append(f"{part:02d}")
    return "-".join(shown)


def _authors(value: object) -> Iterator[str]:
    for row in map(as_dict, as_list(value)):
        if name := clean_line(
            f"{row.get('given') or ''} {row.get('family') or row.get('name') or ''}"
        ):
            yield name
