"""OpenAlex as a source of papers.

The key never passes here: ``HttpFetch`` puts it into the address at the last moment, so that no
recorded request holds it.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import quote

from coi_tui.literature.ids import known_ids, normalise_id
from coi_tui.literature.title_match import show_title
from coi_tui.model.errors import ServiceError
from coi_tui.model.papers import Paper
from coi_tui.model.text import Fields, clean_line
from coi_tui.services.http.answers import as_list, dig, whole_number
from coi_tui.services.sources.paper_source import (
    NO_ID,
    UNKNOWN,
    ServiceSource,
    chunks,
    ids_from,
    list_note,
    service_record,
    without,
)
from coi_tui.services.sources.types import (
    MATCH_ROWS,
    CitationList,
    Direction,
    ReferenceLists,
    SourceSpec,
)

SERVICE = "OpenAlex"
FIELDS = (
    "id,doi,ids,title,display_name,publication_year,publication_date,cited_by_count,authorships,primary_location,best_oa_location,locations,"
    "abstract_inverted_index,is_retracted"
)
"""Only root-level fields may be selected. ``locations`` tell the arXiv id of a paper whose DOI is
the publisher's."""
PAGE = 100
"""Rows a request, and values in one filter: the most that the service allows since 2026."""
PRICED_HOST = "content.openalex.org"
"""PDFs from there cost money, so they are never fetched."""
_OPERATORS = re.compile(r"\b(?:AND|OR|NOT)\b")


class OpenAlex(ServiceSource):
    """The client of the OpenAlex API."""

    name = SERVICE
    # arXiv ids go by their DOI
    forms = (
        ("OpenAlex", "{}"),
        ("arXiv", "doi:10.48550/arxiv.{}"),
        ("DOI", "doi:{}"),
        ("PMID", "pmid:{}"),
    )

    def _words(self, query: str) -> str:
        """Letters and digits only: commas, pipes, quotes, stars and upper-case operators mean
        something to the service."""
        lowered = _OPERATORS.sub(lambda found: found[0].lower(), clean_line(query))
        return " ".join(re.findall(r"[^\W_]+(?:['’-][^\W_]+)*", lowered))

    async def _search(self, words: str, most: int) -> tuple[list[Paper], int | None]:
        dated = {"filter": f"from_publication_date:{self.since}"} if self.since else {}
        rows, total = await self._works(search=words, per_page=str(most), **dated)
        return self._papers(rows), total

    async def _titled(self, title: str) -> list[Paper]:
        if not (words := self._words(title)):
            return []
        rows, _ = await self._works(filter=f"title.search:{words}", per_page=str(MATCH_ROWS))
        return self._papers(rows)

    async def _records(self, forms: Sequence[str]) -> dict[str, Paper | None]:
        """Several of its own ids in batches, others one by one (which is free)."""
        works = [form for form in forms if ":" not in form]
        found = await self._batch(works) if len(works) > 1 else {}
        rest = [form for form in forms if form not in found]
        found |= zip(rest, await asyncio.gather(*map(self._single, rest)), strict=True)
        return {form: to_paper(row, self._today(), form) for form, row in found.items()}

    async def citations(self, paper: Paper, limit: int) -> CitationList:
        """Papers that cite ``paper``, the most cited first: of a long list those are read from
        which a chain can go on."""
        work = known_ids(paper).get("OpenAlex") or work_id(dig(await self._row_of(paper), "id"))
        if work is None:
            return self._unknown(paper, "citing")
        dated = f",from_publication_date:{self.since}" if self.since else ""
        rows, total = await self._works(
            filter=f"cites:{work}{dated}",
            sort="cited_by_count:desc",
            per_page=str(max(1, min(limit, PAGE))),
        )
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
        note = list_note(len(read), len(every), read == every)
        if not every:
            note = (
                f"{SERVICE} lists no references, which it sometimes does although a paper has some"
            )
        if lost := len(read) - len(papers):
            note += f"; {lost} that {SERVICE} no longer describes"
        others, total = without(paper, papers), len(every)
        return self._listed(paper, "cited", others, total=total, rows_read=len(read), note=note)

    async def reference_lists(self, papers: Sequence[Paper]) -> ReferenceLists:
        """What each of ``papers`` cites, by OpenAlex ids alone, a hundred papers a request. Papers
        from elsewhere have no list."""
        by_work = {
            ids["OpenAlex"]: paper.id for paper in papers if "OpenAlex" in (ids := known_ids(paper))
        }
        rows = await self._batch(list(by_work), "id,referenced_works")
        return ReferenceLists(
            lists={
                by_work[work]: tuple(f"OpenAlex:{cited}" for cited in _referenced(row))
                for work, row in rows.items()
                if work in by_work
            },
            asked_at=self._today() if by_work else None,
            source=SERVICE,
        )

    def _unknown(self, paper: Paper, direction: Direction) -> CitationList:
        known = self._form(known_ids(paper))
        return self._no_list(paper, direction, UNKNOWN if known else NO_ID)

    # works

    async def _row_of(self, paper: Paper, fields: str = "id") -> Fields | None:
        """The record of a paper by the best of its ids; None where there is none."""
        form = self._form(known_ids(paper))
        return await self._single(form, fields) if form else None

    async def _single(self, form: str, fields: str = FIELDS) -> Fields | None:
        """One work by id; None where there is none. The service's 404 is a web page, which the
        fetch takes for an answer."""
        answer = await self._get(f"/works/{quote(form, safe=':/')}", select=fields)
        return None if answer.status == 404 else self._object(answer)

    async def _batch(self, works: Sequence[str], fields: str = FIELDS) -> Fields:
        """The records of works by their ids, a hundred a request."""
        found: Fields = {}
        for part in chunks(works, PAGE):
            asked = {"filter": f"openalex:{'|'.join(part)}", "per_page": str(PAGE)}
            rows, _ = await self._works(select=fields, **asked)
            found |= {work: row for row in rows if (work := work_id(dig(row, "id")))}
        return found

    async def _works(self, select: str = FIELDS, **params: str) -> tuple[list[Any], int | None]:
        """The first page of a list of works, and how many there are."""
        answer = await self._get("/works", **params, select=select)
        if answer.status == 404:
            why = f"{SERVICE} has no list of works at this address."
            raise ServiceError(SERVICE, "not_found", why, "Is COI_OPENALEX_URL right?")
        body = self._object(answer)
        return self._rows(body.get("results")), whole_number(dig(body, "meta", "count"))

    def _papers(self, rows: Iterable[object]) -> list[Paper]:
        return list(filter(None, (to_paper(row, self._today()) for row in rows)))


SOURCE = SourceSpec(
    "openalex",
    SERVICE,
    OpenAlex,
    url="https://api.openalex.org",
    ids=tuple(dict(OpenAlex.forms)),
    probe="OpenAlex:W2741809807",  # the service's own example; asked for by id, which is free
    key_parameter="api_key",
    without_key="a tenth of the daily budget online",
    price="$0.0001 a request, out of the budget of the day",
    plain_404=True,
)


def to_paper(row: object, today: str, form: str = "") -> Paper | None:
    """The paper of one work, or None for a row without an id. Any field may be null or missing.

    ``today`` dates its citation count; ``form`` is the id under which the service was asked for it.
    """
    ids = _ids(row)
    if not ids:
        return None
    if asked := normalise_id(form):
        ids.setdefault(*asked)
    pdfs = [dig(place, "pdf_url") for place in _places(row)]
    return service_record(
        SERVICE,
        ids,
        today,
        title=dig(row, "title") or dig(row, "display_name"),
        year=dig(row, "publication_year"),
        # a year without a day is given as the first of January
        published=clean_line(dig(row, "publication_date")).removesuffix("-01-01"),
        authors=(
            dig(one, "author", "display_name") or dig(one, "raw_author_name")
            for one in as_list(dig(row, "authorships"))
        ),
        venue=dig(row, "primary_location", "source", "display_name"),
        abstract=abstract_of(dig(row, "abstract_inverted_index")),
        citations=dig(row, "cited_by_count"),
        open_pdf=next((url for url in pdfs if url and PRICED_HOST not in str(url)), None),
        notices=["retracted"] if dig(row, "is_retracted") is True else (),
    )


def work_id(value: object) -> str | None:
    """``W...`` of an address or a bare id; None for anything else."""
    return ids_from([value] if isinstance(value, str) else []).get("OpenAlex")


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
        if isinstance(position, int) and position >= 0
    ]
    return show_title(" ".join(word for _, word in sorted(placed))) or None


def _ids(row: object) -> dict[str, str]:
    """Every identifier: its own, the DOI (an arXiv DOI is an arXiv id), PubMed's, and those of
    where copies lie."""
    given = [dig(row, "doi"), dig(row, "ids", "doi"), dig(row, "ids", "pmid")]
    for place in _places(row):
        given += [dig(place, "landing_page_url"), dig(place, "pdf_url")]
    own = work_id(dig(row, "id"))
    return ids_from(map(clean_line, given)) | {"OpenAlex": own} if own else {}


def _places(row: object) -> list[Any]:
    """Where the work lies: the best open copy, the primary one, then all others."""
    return [
        dig(row, "best_oa_location"),
        dig(row, "primary_location"),
        *as_list(dig(row, "locations")),
    ]
