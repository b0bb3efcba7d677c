"""OpenAlex as a source of papers.

The key never passes here: ``HttpFetch`` puts it into the address at the last moment, so that no
recorded request holds it.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from coi_tui.literature.ids import Id, known_ids, normalise_id
from coi_tui.literature.title_match import show_title
from coi_tui.model.errors import ServiceError
from coi_tui.model.papers import Paper, TitleMatch
from coi_tui.model.text import clean_line
from coi_tui.services.sources.paper_source import (
    ServiceSource,
    as_list,
    chunks,
    dig,
    ids_from,
    lines,
    list_note,
    service_record,
    web_url,
    whole_number,
    without,
)
from coi_tui.services.sources.types import (
    MATCH_ROWS,
    CitationList,
    Direction,
    HttpRequest,
    ReferenceLists,
    SearchResult,
    SourceSpec,
)

SERVICE = "OpenAlex"
FIELDS = (
    "id,doi,ids,title,display_name,publication_year,publication_date,cited_by_count,authorships,primary_location,best_oa_location,locations,"
    "abstract_inverted_index"
)
"""Only root-level fields may be selected. ``locations`` tell the arXiv id of a paper whose DOI is
the publisher's."""
PAGE = 100
"""Rows a request, and values in one filter: the most that the service allows since 2026."""
MAX_ROWS = 10_000
"""``page * per_page`` goes no further. A cursor would, but is refused without a key."""
PRICED_HOST = "content.openalex.org"
"""PDFs from there cost money, so they are never fetched."""
MAX_WORDS = 20_000
"""A longer abstract is taken for broken data."""
IDS = ("OpenAlex", "arXiv", "DOI", "PMID")
_OPERATORS = re.compile(r"\b(?:AND|OR|NOT)\b")
_DAY = re.compile(r"(\d{4})-(\d{2})-(\d{2})", re.ASCII)


class OpenAlex(ServiceSource):
    """The client."""

    name = scheme = SERVICE

    async def search(self, query: str, limit: int) -> SearchResult:
        """Relevance search over titles, abstracts and texts, at most 100 papers, by words alone (no
        operators, no wildcards)."""
        words = _words(query)
        if not words:
            return self._not_searched(query)
        most = max(1, min(limit, PAGE))
        rows, total = await self._works(search=words, per_page=str(most))
        return self._found(query, words, self._papers(rows), total, most)

    async def match(self, title: str, year: int | None, authors: Sequence[str] = ()) -> TitleMatch:
        """The paper whose title is similar enough, if year or author agree."""
        shown = show_title(title)
        if not (words := _words(shown)):
            return TitleMatch(note="no title to look for")
        rows, _ = await self._works(filter=f"title.search:{words}", per_page=str(MATCH_ROWS))
        return self._matched(shown, self._papers(rows), year, authors)

    async def papers(self, ids: Sequence[str]) -> list[Paper | None]:
        """Papers by id, in order: OpenAlex ids in batches, others one by one (which is free).

        None for unknown ids and for ids without a form there (Semantic Scholar's, ACL's).
        """
        pairs = [normalise_id(paper_id) or ("", "") for paper_id in ids]
        wanted = list(dict.fromkeys(filter(_form, pairs)))
        works = [value for scheme, value in wanted if scheme == SERVICE]
        batch = await self._batch(works) if len(works) > 1 else {}
        found: dict[Id, Any] = {(SERVICE, work): row for work, row in batch.items()}
        rest = [pair for pair in wanted if pair not in found]
        found |= zip(rest, await asyncio.gather(*map(self._single, rest)), strict=True)
        return [to_paper(found.get(pair), self._today(), pair) for pair in pairs]

    async def citations(self, paper: Paper, limit: int) -> CitationList:
        """Papers that cite ``paper``, the most cited first: of a long list those are read from
        which a chain can go on."""
        work = known_ids(paper).get("OpenAlex") or work_id(dig(await self._row_of(paper), "id"))
        if work is None:
            return self._unknown(paper, "citing")
        rows: list[Any] = []
        total: int | None = None
        most = max(1, min(limit, MAX_ROWS))
        size = min(PAGE, most)
        for page in range(1, MAX_ROWS // size + 1):
            more, total = await self._works(
                str(page),
                filter=f"cites:{work}",
                sort="cited_by_count:desc",
                per_page=str(size),
            )
            rows += more
            if len(more) < size or len(rows) >= min(most, most if total is None else total):
                break
        rows = rows[:most]
        note = list_note(len(rows), total, total is not None and len(rows) >= total)
        others = without(paper, self._papers(rows))
        return self._listed(paper, "citing", others, total=total, rows_read=len(rows), note=note)

    async def references(self, paper: Paper, limit: int) -> CitationList:
        """Papers that ``paper`` cites: the ids its record lists, described in batches."""
        row = await self._row_of(paper, "id,referenced_works")
        if row is None:
            return self._unknown(paper, "cited")
        every = _referenced(row)
        read = every[: max(1, limit)]
        papers = self._papers(map((await self._batch(read)).get, read))
        if not every:
            note = (
                f"{SERVICE} lists no references, which it sometimes does although a paper has some"
            )
        else:
            note = list_note(len(read), len(every), read == every)
        if lost := len(read) - len(papers):
            note += f"; {lost} that {SERVICE} no longer describes"
        return self._listed(
            paper,
            "cited",
            without(paper, papers),
            total=len(every),
            rows_read=len(read),
            note=note,
        )

    async def reference_lists(self, papers: Sequence[Paper]) -> ReferenceLists:
        """What each of ``papers`` cites, by OpenAlex ids alone, a hundred papers a request. Papers
        from elsewhere have no list."""
        by_work = {
            ids["OpenAlex"]: paper.id for paper in papers if "OpenAlex" in (ids := known_ids(paper))
        }
        lists: dict[str, tuple[str, ...]] = {}
        for part in chunks(list(by_work), PAGE):
            rows, _ = await self._works(
                filter=f"openalex:{'|'.join(part)}",
                select="id,referenced_works",
                per_page=str(PAGE),
            )
            for row in rows:
                if paper_id := by_work.get(work_id(dig(row, "id")) or ""):
                    lists[paper_id] = tuple(f"OpenAlex:{work}" for work in _referenced(row))
        return ReferenceLists(
            lists=lists, asked_at=self._today() if by_work else None, source=SERVICE
        )

    def _unknown(self, paper: Paper, direction: Direction) -> CitationList:
        known = "does not know this paper"
        why = known if _best_form(paper) else "has no id for this paper, so nothing was asked"
        return self._no_list(paper, direction, why)

    # Works

    async def _row_of(self, paper: Paper, fields: str = "id") -> dict[str, Any] | None:
        """The record of a paper by the best of its ids; None where there is none."""
        form = _best_form(paper)
        return await self._single(form, fields) if form else None

    async def _single(self, pair: Id, fields: str = FIELDS) -> dict[str, Any] | None:
        """One work by id; None where there is none. The service's 404 is a web page, which the
        fetch takes for an answer."""
        url = f"{self._base}/works/{quote(_form(pair), safe=':/')}"
        answer = await self._fetch.json(HttpRequest(url=url, params=(("select", fields),)))
        return None if answer.status == 404 else self._object(answer)

    async def _batch(self, works: Sequence[str]) -> dict[str, Any]:
        """The records of works by their ids, a hundred a request."""
        found: dict[str, Any] = {}
        for part in chunks(works, PAGE):
            rows, _ = await self._works(filter=f"openalex:{'|'.join(part)}", per_page=str(PAGE))
            found |= {work: row for row in rows if (work := work_id(dig(row, "id")))}
        return found

    async def _works(self, page: str = "1", **params: str) -> tuple[list[Any], int | None]:
        """A page of a list of works, and how many there are."""
        asked = {**params, "page": page, "select": params.get("select", FIELDS)}
        answer = await self._fetch.json(
            HttpRequest(url=f"{self._base}/works", params=tuple(asked.items()))
        )
        if answer.status == 404:
            why = f"{SERVICE} has no list of works at this address."
            raise ServiceError(SERVICE, "not_found", why, "Is COI_OPENALEX_URL right?")
        body = self._object(answer)
        return self._rows(body.get("results")), whole_number(dig(body, "meta", "count"))

    def _papers(self, rows: Any) -> list[Paper]:
        return list(filter(None, (to_paper(row, self._today()) for row in rows)))


SOURCE = SourceSpec(
    "openalex",
    SERVICE,
    OpenAlex,
    url="https://api.openalex.org",
    ids=IDS,
    probe="OpenAlex:W2741809807",  # the service's own example; asked for by id, which is free
    key_parameter="api_key",
    without_key="a tenth of the daily budget online",
    plain_404=True,
)


# Work objects


def to_paper(row: object, today: str, also: Id | None = None) -> Paper | None:
    """The paper of one work, or None for a row without an id. Any field may be null or missing.

    ``today`` dates its citation count; ``also`` is a further id under which the service knows it.
    """
    ids = _ids(row)
    if "OpenAlex" not in ids:
        return None
    if also is not None:
        ids.setdefault(*also)
    year, published = _dates(row)
    pdfs = (web_url(dig(place, "pdf_url")) for place in _places(row))
    return service_record(
        SERVICE,
        ids,
        today,
        dig(row, "cited_by_count"),
        title=show_title(dig(row, "title")) or show_title(dig(row, "display_name")) or "(no title)",
        year=year,
        published=published,
        authors=lines(
            clean_line(dig(one, "author", "display_name")) or dig(one, "raw_author_name")
            for one in as_list(dig(row, "authorships"))
        ),
        venue=clean_line(dig(row, "primary_location", "source", "display_name")) or None,
        abstract=abstract_of(dig(row, "abstract_inverted_index")),
        open_pdf=next((url for url in pdfs if url and PRICED_HOST not in url), None),
    )


def work_id(value: object) -> str | None:
    """``W...`` of an address or a bare id; None for anything else."""
    scheme, own = (normalise_id(value) if isinstance(value, str) else None) or ("", "")
    return own if scheme == "OpenAlex" else None


def _referenced(row: object) -> list[str]:
    """The ids of the works that a record lists as cited, each once."""
    return list(dict.fromkeys(filter(None, map(work_id, as_list(dig(row, "referenced_works"))))))


def abstract_of(index: object) -> str | None:
    """The abstract of an inverted index: each word at its positions, gaps closed (index 0 may be
    missing); None where there is none."""
    placed = [
        (position, str(word))
        for word, positions in (index.items() if isinstance(index, dict) else ())
        for position in as_list(positions)
        if isinstance(position, int) and not isinstance(position, bool) and position >= 0
    ]
    if not placed or len(placed) > MAX_WORDS:
        return None
    return clean_line(show_title(" ".join(word for _, word in sorted(placed)))) or None


def _ids(row: object) -> dict[str, str]:
    """Every identifier: its own, the DOI (an arXiv DOI is an arXiv id), PubMed's, and arXiv's from
    where copies lie."""
    own = work_id(dig(row, "id"))
    if own is None:
        return {}
    given = (("doi", dig(row, "doi")), ("doi", dig(row, "ids", "doi")))
    texts = [
        (name, clean_line(value)) for name, value in (*given, ("pmid", dig(row, "ids", "pmid")))
    ]
    ids = ids_from(text if text.startswith("http") else f"{name}:{text}" for name, text in texts)
    copies = ids_from(
        clean_line(dig(place, name))
        for place in _places(row)
        for name in ("landing_page_url", "pdf_url")
    )
    copies = {scheme: copies[scheme] for scheme in ("arXiv", "ACL") if scheme in copies}
    return {**copies, **ids, "OpenAlex": own}


def _places(row: object) -> list[Any]:
    """Where the work lies: the best open copy, the primary one, then all others."""
    return [
        dig(row, "best_oa_location"),
        dig(row, "primary_location"),
        *as_list(dig(row, "locations")),
    ]


def _dates(row: object) -> tuple[int | None, str | None]:
    """The year, and the date where it agrees with the year.

    The first of January stands for a year without a day, so only the year is taken from it.
    """
    day = _DAY.fullmatch(clean_line(dig(row, "publication_date")))
    date = "" if not day else day[1] if (day[2], day[3]) == ("01", "01") else day[0]
    year = whole_number(dig(row, "publication_year")) or (int(date[:4]) if date else None)
    return year, date if date and date.startswith(f"{year:04d}") else None


# Requests


def _best_form(paper: Paper) -> Id | None:
    ids = known_ids(paper)
    return next(((scheme, ids[scheme]) for scheme in IDS if scheme in ids), None)


def _form(pair: Id) -> str:
    """The form of an id in an address; empty for one the service has no form for. arXiv ids go by
    their DOI."""
    scheme, value = pair
    if scheme == "arXiv":
        return f"doi:10.48550/arxiv.{value}"
    forms = {"DOI": f"doi:{value}", "OpenAlex": value, "PMID": f"pmid:{value}"}
    return forms.get(scheme, "")


def _words(text: str) -> str:
    """Letters and digits only: commas, pipes, quotes, stars and upper-case operators mean something
    to the service."""
    lowered = _OPERATORS.sub(lambda found: found[0].lower(), clean_line(text))
    return " ".join(re.findall(r"[^\W_]+(?:['’-][^\W_]+)*", lowered))
