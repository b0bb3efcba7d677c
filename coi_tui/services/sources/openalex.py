"""OpenAlex as a source of papers: its client, and its work objects turned into papers.

The key never passes here: ``HttpFetch`` puts it into the address at the last moment, so that no
recorded request holds it.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import quote

from pydantic import JsonValue

from coi_tui.config import OPENALEX_URL
from coi_tui.literature.deduplication import merge_papers
from coi_tui.literature.ids import Id, known_ids, normalise_id
from coi_tui.literature.title_match import match_title, show_title
from coi_tui.model.errors import ServiceError
from coi_tui.model.papers import Paper, PaperText
from coi_tui.model.text import clean, clean_line
from coi_tui.services.pdf.full_text import read_paper
from coi_tui.services.sources.people import people_by_name
from coi_tui.services.sources.service_answers import (
    as_dict,
    as_list,
    broken_answer,
    citation_links,
    ids_from,
    json_object,
    list_note,
    not_searched,
    record,
    search_result,
    web_url,
    whole_number,
    without,
)
from coi_tui.services.sources.types import (
    CitationList,
    Direction,
    Fetch,
    HttpRequest,
    People,
    ReferenceLists,
    SearchResult,
    TitleMatch,
    Today,
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
MATCH_ROWS = 10
PROBE = "W2741809807"
"""A work that has been there for years: the service's own example."""
PRICED_HOST = "content.openalex.org"
"""PDFs from there cost money, so they are never fetched."""
MAX_WORDS = 20_000
"""A longer abstract is taken for broken data."""
_OPERATORS = re.compile(r"\b(?:AND|OR|NOT)\b")
_DAY = re.compile(r"(\d{4})-(\d{2})-(\d{2})", re.ASCII)


class OpenAlex:
    """The client; every request goes through the ``Fetch`` it is given.

    The same answers and ``today`` give the same results. Raises ServiceError wherever it cannot
    tell.
    """

    def __init__(self, fetch: Fetch, base_url: str = OPENALEX_URL, *, today: Today) -> None:
        self._fetch = fetch
        self._base = base_url.rstrip("/")
        self._today = today

    @property
    def name(self) -> str:
        return SERVICE

    async def search(self, query: str, limit: int) -> SearchResult:
        """Relevance search over titles, abstracts and texts, at most 100 papers, by words alone (no
        operators, no wildcards)."""
        words = _words(query)
        if not words:
            return not_searched(SERVICE, query)
        asked = max(1, min(limit, PAGE))
        body = await self._works(search=words, per_page=str(asked), page="1")
        total = _count(body)
        papers = merge_papers(self._papers(body))[:asked]
        return search_result(SERVICE, query, words, papers, total, self._today())

    async def match(self, title: str, year: int | None, authors: Sequence[str] = ()) -> TitleMatch:
        """The paper whose title is similar enough, if year or author agree; the service's ranking
        alone is not trusted."""
        shown = show_title(title)
        if not (words := _words(shown)):
            return TitleMatch(note="no title to look for")
        papers = self._papers(
            await self._works(filter=f"title.search:{words}", per_page=str(MATCH_ROWS), page="1")
        )
        if not papers:
            return TitleMatch(note=f"{SERVICE} knows no paper of this title")
        return match_title(shown, papers, year, authors)

    async def answers(self) -> str:
        """Ask for one work by its id, which is free, while a search is not. Raises ServiceError
        where it does not come."""
        if await self._single(("OpenAlex", PROBE), "id") is None:
            raise ServiceError(
                SERVICE,
                "not_found",
                f"{SERVICE} has no work {PROBE} at this address.",
                "Is COI_OPENALEX_URL right?",
            )
        return "one work asked for by id"

    async def papers(self, ids: Sequence[str]) -> list[Paper | None]:
        """Papers by id, in order: OpenAlex ids and DOIs in batches, what those leave out one by one
        (which is free).

        None for unknown ids and for ids without a form there (Semantic Scholar's, ACL's).
        """
        pairs = [normalise_id(paper_id) or ("", "") for paper_id in ids]
        rows = await self._rows_of(list(filter(_form, pairs)))
        found = {
            pair: to_paper(row, self._today(), pair if pair[0] != "OpenAlex" else None)
            for pair, row in rows.items()
        }
        return [found.get(pair) for pair in pairs]

    async def citations(self, paper: Paper, limit: int) -> CitationList:
        """Papers that cite ``paper``, the most cited first: of a long list those are read from
        which a chain can go on."""
        work = await self._work_id_of(paper)
        if work is None:
            return self._unknown(paper, "citing")
        rows: list[JsonValue] = []
        total: int | None = None
        most = max(1, min(limit, MAX_ROWS))
        size = min(PAGE, most)
        for page in range(1, MAX_ROWS // size + 1):
            body = await self._works(
                filter=f"cites:{work}",
                sort="cited_by_count:desc",
                per_page=str(size),
                page=str(page),
            )
            more, total = _rows(body), _count(body)
            rows += more
            if len(more) < size or len(rows) >= min(most, total if total is not None else most):
                break
        rows = rows[:most]
        note = list_note(len(rows), total, total is not None and len(rows) >= total, 0)
        papers = [p for row in rows if (p := to_paper(row, self._today()))]
        return self._citation_list(paper, "citing", papers, total, len(rows), note)

    async def references(self, paper: Paper, limit: int) -> CitationList:
        """Papers that ``paper`` cites: the ids its record lists, described in batches."""
        form = _best_form(paper)
        row = await self._single(form, "id,referenced_works") if form else None
        if row is None:
            return self._unknown(paper, "cited")
        every = list(
            dict.fromkeys(
                work for value in as_list(row.get("referenced_works")) if (work := work_id(value))
            )
        )
        read = every[: max(1, limit)]
        found = await self._batch("openalex", {work: ("OpenAlex", work) for work in read})
        described = (to_paper(found.get(("OpenAlex", work)), self._today()) for work in read)
        papers = [paper for paper in described if paper is not None]
        note = _references_note(len(every), len(read), len(papers))
        return self._citation_list(paper, "cited", papers, len(every), len(read), note)

    async def reference_lists(self, papers: Sequence[Paper]) -> ReferenceLists:
        """What each of ``papers`` cites, by OpenAlex ids alone, a hundred papers a request. Papers
        from elsewhere have no list."""
        by_work = {
            ids["OpenAlex"]: paper.id for paper in papers if "OpenAlex" in (ids := known_ids(paper))
        }
        lists: dict[str, tuple[str, ...]] = {}
        every = list(by_work)
        for start in range(0, len(every), PAGE):
            part = "|".join(every[start : start + PAGE])
            body = await self._works(
                filter=f"openalex:{part}",
                select="id,referenced_works",
                per_page=str(PAGE),
                page="1",
            )
            for row in _rows(body):
                work = work_id(as_dict(row).get("id"))
                if work in by_work:
                    cited = (
                        work_id(value) for value in as_list(as_dict(row).get("referenced_works"))
                    )
                    lists[by_work[work]] = tuple(
                        dict.fromkeys(f"OpenAlex:{other}" for other in cited if other)
                    )
        return ReferenceLists(
            lists=lists, asked_at=self._today() if every else None, source=SERVICE
        )

    async def people(self, papers: Sequence[Paper], most: int, each: int) -> People:
        """By name alone, with what they wrote of ``papers``: nothing is asked."""
        day = self._today() if papers else None
        return people_by_name(papers, (), most, each, source=SERVICE, asked_at=day)

    async def text(self, paper: Paper) -> PaperText:
        return await read_paper(self._fetch, paper, self, "OpenAlex")

    # Lists

    def _citation_list(
        self,
        paper: Paper,
        direction: Direction,
        listed: list[Paper],
        total: int | None,
        rows_read: int,
        note: str,
    ) -> CitationList:
        papers = merge_papers(without(paper, listed))
        links = citation_links(paper, papers, direction, SERVICE, self._today())
        return CitationList(
            paper=paper.id,
            direction=direction,
            papers=tuple(papers),
            links=links,
            total=total,
            rows_read=rows_read,
            note=note,
            asked_at=self._today(),
        )

    def _unknown(self, paper: Paper, direction: Direction) -> CitationList:
        why = (
            "does not know this paper"
            if _best_form(paper)
            else "has no id for this paper, so nothing was asked"
        )
        return CitationList(paper=paper.id, direction=direction, note=f"{SERVICE} {why}")

    # Works

    async def _work_id_of(self, paper: Paper) -> str | None:
        """The OpenAlex id of ``paper``, asked for by its other ids where it is not known."""
        if work := known_ids(paper).get("OpenAlex"):
            return work
        form = _best_form(paper)
        row = await self._single(form, "id") if form else None
        return work_id(row.get("id")) if row else None

    async def _single(self, pair: Id, fields: str = FIELDS) -> dict[str, JsonValue] | None:
        """One work by id; None where there is none. The service's 404 is a web page, which the
        fetch takes for an answer."""
        url = f"{self._base}/works/{quote(_form(pair), safe=':/')}"
        answer = await self._fetch.json(HttpRequest(url=url, params=(("select", fields),)))
        return None if answer.status == 404 else json_object(answer, SERVICE)

    async def _rows_of(self, pairs: Sequence[Id]) -> dict[Id, dict[str, JsonValue]]:
        """Works by id: OpenAlex ids and DOIs in batches, what those leave out one
        by one, all at once. A single one goes by itself, which is free."""
        wanted = list(dict.fromkeys(pairs))
        found: dict[Id, dict[str, JsonValue]] = {}
        if len(wanted) > 1:
            own = {pair[1]: pair for pair in wanted if pair[0] == "OpenAlex"}
            dois = {_doi(pair): pair for pair in wanted if _fits_doi_filter(pair)}
            found |= await self._batch("openalex", own)
            found |= await self._batch("doi", dois)
        rest = [pair for pair in wanted if pair not in found]
        rows = await asyncio.gather(*(self._single(pair) for pair in rest))
        return found | {pair: row for pair, row in zip(rest, rows, strict=True) if row is not None}

    async def _batch(self, name: str, values: Mapping[str, Id]) -> dict[Id, dict[str, JsonValue]]:
        """The works of ``values`` (value in the filter ``name`` to id), a hundred a request."""
        found: dict[Id, dict[str, JsonValue]] = {}
        every, wanted = list(values), set(values.values())
        for start in range(0, len(every), PAGE):
            part = every[start : start + PAGE]
            body = await self._works(
                filter=f"{name}:{'|'.join(part)}", per_page=str(PAGE), page="1"
            )
            for row in map(as_dict, _rows(body)):
                paper = to_paper(row, self._today())
                for pair in wanted & set(known_ids(paper).items()) if paper else ():
                    found.setdefault(pair, row)
        return found

    async def _works(self, **params: str) -> dict[str, JsonValue]:
        asked = {**params, "select": params.get("select", FIELDS)}
        answer = await self._fetch.json(
            HttpRequest(url=f"{self._base}/works", params=tuple(asked.items()))
        )
        if answer.status == 404:
            raise ServiceError(
                SERVICE,
                "not_found",
                f"{SERVICE} has no list of works at this address.",
                "Is COI_OPENALEX_URL right?",
            )
        return json_object(answer, SERVICE)

    def _papers(self, body: dict[str, JsonValue]) -> list[Paper]:
        return list(filter(None, (to_paper(row, self._today()) for row in _rows(body))))


# Work objects


def to_paper(row: object, today: str, also: Id | None = None) -> Paper | None:
    """The paper of one work, or None for a row without an id. Any field may be null or missing.

    ``today`` dates its citation count; ``also`` is a further id under which the service knows it.
    """
    if not isinstance(row, dict):
        return None
    ids = _ids(row)
    if "OpenAlex" not in ids:
        return None
    if also is not None:
        ids.setdefault(*also)
    year, published = _dates(row)
    return record(
        SERVICE,
        ids,
        today,
        whole_number(row.get("cited_by_count")),
        title=show_title(row.get("title")) or show_title(row.get("display_name")) or "(no title)",
        year=year,
        published=published,
        authors=_authors(row.get("authorships")),
        venue=_venue(row.get("primary_location")),
        abstract=abstract_of(row.get("abstract_inverted_index")),
        open_pdf=_open_pdf(row),
    )


def work_id(value: object) -> str | None:
    """``W...`` of an address or a bare id; None for anything else."""
    found = normalise_id(value) if isinstance(value, str) else None
    return found[1] if found and found[0] == "OpenAlex" else None


def abstract_of(index: object) -> str | None:
    """The abstract of an inverted index: each word at its positions, gaps closed (index 0 may be
    missing); None where there is none."""
    placed = [
        (position, str(word))
        for word, positions in as_dict(index).items()
        for position in as_list(positions)
        if isinstance(position, int) and not isinstance(position, bool) and position >= 0
    ]
    if not placed or len(placed) > MAX_WORDS:
        return None
    return clean_line(show_title(" ".join(word for _, word in sorted(placed)))) or None


def _ids(row: Mapping[str, object]) -> dict[str, str]:
    """Every identifier: its own, the DOI (an arXiv DOI is an arXiv id), PubMed's, and arXiv's from
    where copies lie."""
    more = as_dict(row.get("ids"))
    given = [(row.get("doi"), "doi"), (more.get("doi"), "doi"), (more.get("pmid"), "pmid")]
    texts = [(clean_line(value), prefix) for value, prefix in given]
    ids = ids_from(
        text if text.startswith("http") else f"{prefix}:{text}" for text, prefix in texts if text
    )
    ids.pop("OpenAlex", None)  # only the record's own field counts
    for scheme, value in ids_from(
        clean_line(place.get(name))
        for place in _places(row)
        for name in ("landing_page_url", "pdf_url")
    ).items():
        if scheme in ("arXiv", "ACL"):
            ids.setdefault(scheme, value)
    own = work_id(row.get("id"))
    return {"OpenAlex": own, **ids} if own else ids


def _places(row: Mapping[str, object]) -> Iterator[Mapping[str, object]]:
    """Where the work lies: the best open copy, the primary one, then all others."""
    for place in (
        row.get("best_oa_location"),
        row.get("primary_location"),
        *as_list(row.get("locations")),
    ):
        if isinstance(place, Mapping):
            yield place


def _open_pdf(row: Mapping[str, object]) -> str | None:
    urls = (web_url(place.get("pdf_url")) for place in _places(row))
    return next((url for url in urls if url and PRICED_HOST not in url), None)


def _dates(row: Mapping[str, object]) -> tuple[int | None, str | None]:
    """The year, and the date where it agrees with the year.

    The first of January stands for a year without a day, so only the year is taken from it.
    """
    day = _DAY.fullmatch(clean_line(row.get("publication_date")))
    date = "" if not day else day[1] if (day[2], day[3]) == ("01", "01") else day[0]
    year = whole_number(row.get("publication_year")) or (int(date[:4]) if date else None)
    return year, date if date and year is not None and date.startswith(f"{year:04d}") else None


def _authors(value: object) -> tuple[str, ...]:
    rows = [as_dict(row) for row in as_list(value)]
    names = (
        clean_line(as_dict(row.get("author")).get("display_name"))
        or clean_line(row.get("raw_author_name"))
        for row in rows
    )
    return tuple(name for name in names if name)


def _venue(value: object) -> str | None:
    source = as_dict(as_dict(value).get("source"))
    return clean(clean_line(source.get("display_name"))) or None


# Requests and answers


def _best_form(paper: Paper) -> Id | None:
    ids = known_ids(paper)
    return next(
        ((scheme, ids[scheme]) for scheme in ("OpenAlex", "arXiv", "DOI", "PMID") if scheme in ids),
        None,
    )


def _form(pair: Id) -> str:
    """The form of an id in an address; empty for one the service has no form for. arXiv ids go by
    their DOI."""
    scheme, value = pair
    if scheme == "OpenAlex":
        return value
    if scheme in ("DOI", "arXiv"):
        return f"doi:{_doi(pair)}"
    return f"pmid:{value}" if scheme == "PMID" else ""


def _doi(pair: Id) -> str:
    return f"10.48550/arxiv.{pair[1]}" if pair[0] == "arXiv" else pair[1]


def _fits_doi_filter(pair: Id) -> bool:
    """Whether a work can be asked for in a batch by its DOI; commas and pipes separate values
    there."""
    return pair[0] in ("DOI", "arXiv") and not set(",|") & set(pair[1])


def _words(text: str) -> str:
    """Letters and digits only: commas, pipes, quotes, stars and upper-case operators mean something
    to the service."""
    lowered = _OPERATORS.sub(lambda found: found[0].lower(), clean_line(text))
    return " ".join(re.findall(r"[^\W_]+(?:['’-][^\W_]+)*", lowered))


def _rows(body: dict[str, JsonValue]) -> list[JsonValue]:
    rows = body.get("results")
    if not isinstance(
        rows, list
    ):  # every list has results, empty or not; an object without them is no list of works
        raise broken_answer(SERVICE, "something else than a list")
    return rows


def _count(body: dict[str, JsonValue]) -> int | None:
    return whole_number(as_dict(body.get("meta")).get("count"))


def _references_note(listed: int, read: int, described: int) -> str:
    if not listed:
        return f"{SERVICE} lists no references, which it sometimes does although a paper has some"
    note = list_note(read, listed, read == listed, 0)
    return (
        f"{note}; {read - described} that {SERVICE} no longer describes"
        if described < read
        else note
    )
