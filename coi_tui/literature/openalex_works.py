"""OpenAlex's work objects turned into papers; every field may be null or missing (reference: openalex.md, "Shapes", "Differences")."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from coi_tui.literature.ids import known_ids, normalise_id, paper_key, paper_url
from coi_tui.literature.s2_papers import number, web_url
from coi_tui.literature.titles import show_title
from coi_tui.model.papers import Citations, Paper
from coi_tui.model.text import clean, clean_line

SERVICE = "OpenAlex"
FIELDS = (
    "id,doi,ids,title,display_name,publication_year,publication_date,cited_by_count,authorships,primary_location,best_oa_location,locations,"
    "abstract_inverted_index"
)
"""Root-level fields only may be selected. ``locations`` tell the arXiv id of a paper whose DOI is the publisher's."""
PRICED_HOST = "content.openalex.org"
"""PDFs from there cost money, so they are left alone."""

_DAY = re.compile(r"(\d{4})-(\d{2})-(\d{2})", re.ASCII)
MAX_WORDS = 20_000
"""An abstract longer than this is none."""


def to_paper(row: object, today: str, also: tuple[str, str] | None = None) -> Paper | None:
    """The paper of one work, or None for a row without an id. ``also`` is an id under which the service knows it."""
    if not isinstance(row, dict):
        return None
    ids = _ids(row)
    if "OpenAlex" not in ids:
        return None
    if also is not None:
        ids.setdefault(*also)
    published = _published(row.get("publication_date"))
    year = number(row.get("publication_year")) or (int(published[:4]) if published else None)
    count = number(row.get("cited_by_count"))
    return Paper(
        id=paper_key(ids),
        ids=ids,
        title=show_title(row.get("title")) or show_title(row.get("display_name")) or "(no title)",
        year=year,
        published=published if published and year is not None and published.startswith(f"{year:04d}") else None,
        authors=_authors(row.get("authorships")),
        venue=_venue(row.get("primary_location")),
        abstract=abstract_of(row.get("abstract_inverted_index")),
        citations=Citations() if count is None else Citations(count=count, source=SERVICE, read=today),
        open_pdf=_open_pdf(row),
        url=paper_url(ids),
        source=SERVICE,
    )


def work_id(value: object) -> str | None:
    """``W…`` of an address or a bare id; None for anything else."""
    found = normalise_id(value) if isinstance(value, str) else None
    return found[1] if found and found[0] == "OpenAlex" else None


def own_work_id(paper: Paper) -> str | None:
    return known_ids(paper).get("OpenAlex")


def abstract_of(index: object) -> str | None:
    """The abstract of an inverted index: each word at its positions, gaps closed (index 0 may be missing); None where there is none."""
    if not isinstance(index, Mapping):
        return None
    placed: list[tuple[int, str]] = []
    for word, positions in index.items():
        for position in positions if isinstance(positions, list) else []:
            if isinstance(position, int) and not isinstance(position, bool) and position >= 0:
                placed.append((position, str(word)))
    if not placed or len(placed) > MAX_WORDS:
        return None
    return clean_line(show_title(" ".join(word for _, word in sorted(placed)))) or None


def _ids(row: Mapping[str, object]) -> dict[str, str]:
    """Every identifier: its own, the DOI (an arXiv DOI is an arXiv id), PubMed's, and arXiv's from where copies lie."""
    found: dict[str, str] = {}
    if own := work_id(row.get("id")):
        found["OpenAlex"] = own
    given = row.get("ids")
    more: Mapping[str, object] = given if isinstance(given, Mapping) else {}
    for value, prefix in ((row.get("doi"), "doi"), (more.get("doi"), "doi"), (more.get("pmid"), "pmid")):
        text = clean_line(value)
        if text and (known := normalise_id(text if text.startswith("http") else f"{prefix}:{text}")) and known[0] != "OpenAlex":
            found.setdefault(*known)
    for place in _places(row):
        for name in ("landing_page_url", "pdf_url"):
            known = normalise_id(clean_line(place.get(name)))
            if known and known[0] in ("arXiv", "ACL"):
                found.setdefault(*known)
    return found


def _places(row: Mapping[str, object]) -> Iterator[Mapping[str, object]]:
    """Where the work lies: the best open copy, the primary one, then all others."""
    others = row.get("locations")
    for place in (row.get("best_oa_location"), row.get("primary_location"), *(others if isinstance(others, list) else [])):
        if isinstance(place, Mapping):
            yield place


def _open_pdf(row: Mapping[str, object]) -> str | None:
    for place in _places(row):
        if (url := web_url(place.get("pdf_url"))) and PRICED_HOST not in url:
            return url
    return None


def _published(value: object) -> str | None:
    """The date; the first of January stands for a year without a day, and is taken for no more than that."""
    day = _DAY.fullmatch(clean_line(value))
    if not day:
        return None
    return day[1] if (day[2], day[3]) == ("01", "01") else day[0]


def _authors(value: object) -> tuple[str, ...]:
    names = []
    for row in value if isinstance(value, list) else []:
        author = row.get("author") if isinstance(row, dict) else None
        name = clean_line(author.get("display_name")) if isinstance(author, dict) else ""
        raw = clean_line(row.get("raw_author_name")) if isinstance(row, dict) else ""
        names.append(name or raw)
    return tuple(name for name in names if name)


def _venue(value: object) -> str | None:
    source = value.get("source") if isinstance(value, dict) else None
    name = source.get("display_name") if isinstance(source, dict) else None
    return clean(clean_line(name)) or None
