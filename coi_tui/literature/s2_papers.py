"""Semantic Scholar's paper objects turned into papers; every field may be null or missing (reference, "What really comes back")."""

from __future__ import annotations

import re
from collections.abc import Callable

from coi_tui.literature.ids import normalise_id, paper_key, paper_url
from coi_tui.literature.titles import show_title
from coi_tui.model.papers import Citations, Paper
from coi_tui.model.text import clean, clean_line

SERVICE = "Semantic Scholar"
FIELDS = "externalIds,title,abstract,year,publicationDate,venue,authors.name,citationCount,openAccessPdf"
"""Only what is used: every further field costs time and some have caused errors (reference, "fields")."""

_DATE = re.compile(r"\d{4}(?:-\d{2}(?:-\d{2})?)?", re.ASCII)
_SCHEMES = {"ArXiv": "arxiv", "DOI": "doi", "CorpusId": "corpusid", "ACL": "acl", "PubMed": "pmid"}


def to_paper(row: object, today: str) -> Paper | None:
    """The paper of one API object, or None for a row without an id. ``today`` dates its citation count."""
    if not isinstance(row, dict):
        return None
    ids = _ids(row)
    if "S2" not in ids:
        return None
    published = _published(row.get("publicationDate"))
    year = number(row.get("year")) or (int(published[:4]) if published else None)
    count = number(row.get("citationCount"))
    return Paper(
        id=paper_key(ids),
        ids=ids,
        title=show_title(row.get("title")) or "(no title)",
        year=year,
        published=published,
        authors=_authors(row.get("authors")),
        venue=clean_line(row.get("venue")) or None,
        abstract=clean(row.get("abstract")).strip() or None,
        citations=Citations() if count is None else Citations(count=count, source=SERVICE, read=today),
        open_pdf=_open_pdf(row.get("openAccessPdf")),
        url=paper_url(ids),
        source=SERVICE,
    )


def number(value: object) -> int | None:
    """A count that may come as a number or as text; None when it is neither, or negative."""
    if isinstance(value, str) and value.strip().isascii() and value.strip().isdigit():
        value = int(value.strip()[:18])
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def elided(info: object) -> str:
    """The publisher's notice that a field is kept back, or the empty text (reference, 6)."""
    pdf = info.get("openAccessPdf") if isinstance(info, dict) else None
    notice = clean_line(pdf.get("disclaimer")) if isinstance(pdf, dict) else ""
    return notice if "elided" in notice else ""


def _ids(row: dict[str, object]) -> dict[str, str]:
    external = row.get("externalIds")
    found: dict[str, str] = {}
    for name, prefix in _SCHEMES.items():
        value = external.get(name) if isinstance(external, dict) else None
        if value is not None and (known := normalise_id(f"{prefix}:{value}")):
            found.setdefault(*known)
    own = row.get("paperId")
    if isinstance(own, str) and (known := normalise_id(f"s2:{own}")):
        found.setdefault(*known)
    return found


def _published(value: object) -> str | None:
    text = clean_line(value)
    return text if _DATE.fullmatch(text) else None


def _authors(value: object) -> tuple[str, ...]:
    rows = value if isinstance(value, list) else []
    names = (clean_line(row.get("name")) for row in rows if isinstance(row, dict))
    return tuple(name for name in names if name)


def _open_pdf(value: object) -> str | None:
    return web_url(value.get("url")) if isinstance(value, dict) else None


def web_url(value: object) -> str | None:
    """An address of the web as it was given, its blanks (which some have) made fit to be sent; None for anything else."""
    url = clean_line(value)
    return url.replace(" ", "%20") if isinstance(value, str) and re.match(r"https?://[^\s/]", url) else None


Today = Callable[[], str]
"""Gives the ISO date on which an answer was read; handed in, so that a replay gives the same session."""
