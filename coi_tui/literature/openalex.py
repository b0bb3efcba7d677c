"""OpenAlex as a source of papers, all I/O through the ``Fetch`` it is given (reference: openalex.md).

The key never passes here: ``HttpFetch`` puts it into the address at the last moment, so that no recorded request holds it.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import quote

from pydantic import JsonValue

from coi_tui.config import OPENALEX_URL
from coi_tui.literature.deduplication import merge_papers
from coi_tui.literature.full_text import read_paper
from coi_tui.literature.ids import known_ids, normalise_id, paper_key, paper_url
from coi_tui.literature.service_answers import list_note, web_url, whole_number
from coi_tui.literature.title_match import match_title, show_title
from coi_tui.literature.types import CitationList, Direction, Fetch, HttpAnswer, HttpRequest, SearchResult, TitleMatch, Today
from coi_tui.model.errors import ServiceError
from coi_tui.model.papers import Citations, Link, Paper, PaperText
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

PAGE = 100
"""Rows a request, and values in one filter: the most there may be since 2026."""
MAX_ROWS = 10_000
"""``page * per_page`` goes no further. A cursor would, but is refused without a key (reference, "Base, key, money")."""
MATCH_ROWS = 10
PROBE = "W2741809807"
"""A work that has been there for years: the service's own example."""
_OPERATORS = re.compile(r"\b(?:AND|OR|NOT)\b")


class OpenAlex:
    """The client. Deterministic given the answers and ``today``; raises ServiceError whenever it cannot tell."""

    def __init__(self, fetch: Fetch, base_url: str = OPENALEX_URL, *, today: Today) -> None:
        self._fetch = fetch
        self._base = base_url.rstrip("/")
        self._today = today

    @property
    def name(self) -> str:
        return SERVICE

    async def search(self, query: str, limit: int) -> SearchResult:
        """Relevance search over titles, abstracts and texts, at most 100 papers, by words alone (no operators, no wildcards)."""
        words = _words(query)
        if not words:
            return SearchResult(query=query, source=SERVICE, note="no words to search for; nothing was asked")
        asked = max(1, min(limit, PAGE))
        body = await self._works(search=words, per_page=str(asked), page="1")
        total = _count(body)
        papers = merge_papers(self._papers(body))[:asked]
        notes = [f"searched as “{words}”"] if words != clean_line(query) else []
        notes.append(f"{len(papers)} of about {total}" if total else "nothing found" if not papers else f"{len(papers)} found")
        return SearchResult(query=query, source=SERVICE, asked_at=self._today(), total=total, papers=tuple(papers), note="; ".join(notes))

    async def match(self, title: str, year: int | None, authors: Sequence[str] = ()) -> TitleMatch:
        """The paper whose title is like enough, if year or author agree; never the service's word alone."""
        shown = show_title(title)
        if not (words := _words(shown)):
            return TitleMatch(note="no title to look for")
        papers = self._papers(await self._works(filter=f"title.search:{words}", per_page=str(MATCH_ROWS), page="1"))
        if not papers:
            return TitleMatch(note=f"{SERVICE} knows no paper of this title")
        return match_title(shown, papers, year, authors)

    async def answers(self) -> str:
        """Ask for one work by its id, which costs nothing while a search does. Raises ServiceError where it does not come."""
        if await self._single(("OpenAlex", PROBE), "id") is None:
            raise ServiceError(SERVICE, "not_found", f"{SERVICE} has no work {PROBE} at this address.", "Is COI_OPENALEX_URL right?")
        return "one work asked for by id"

    async def papers(self, ids: Sequence[str]) -> list[Paper | None]:
        """Papers by id, in order: OpenAlex ids and DOIs in batches, what those leave out one by one (which is free).

        None for unknown ids and for ids without a form there (Semantic Scholar's, ACL's).
        """
        known = [normalise_id(paper_id) for paper_id in ids]
        wanted = list(dict.fromkeys(pair for pair in known if pair and _form(pair)))
        found: dict[tuple[str, str], Paper] = {}
        for name, schemes in (("openalex", ("OpenAlex",)), ("doi", ("DOI", "arXiv"))):
            values = {_filter_value(pair): pair for pair in wanted if pair[0] in schemes and not set(",|") & set(pair[1])}
            await self._batch(name, values, found)
        left = [pair for pair in wanted if pair not in found]
        for pair, row in zip(left, await asyncio.gather(*(self._single(pair) for pair in left)), strict=True):
            if paper := to_paper(row, self._today(), pair if pair[0] != "OpenAlex" else None):
                found[pair] = paper
        return [found.get(pair) if pair else None for pair in known]

    async def citations(self, paper: Paper, limit: int) -> CitationList:
        """Papers citing ``paper``, the most cited first: of a long list those are seen from which a chain can go on."""
        own = await self._own(paper)
        if own is None:
            return self._unknown(paper, "citing")
        rows: list[JsonValue] = []
        total: int | None = None
        page, most = 1, max(1, min(limit, MAX_ROWS))
        size = min(PAGE, most)
        while len(rows) < most and page * size <= MAX_ROWS:
            body = await self._works(filter=f"cites:{own}", sort="cited_by_count:desc", per_page=str(size), page=str(page))
            got = _rows(body)
            total = _count(body)
            rows += got
            page += 1
            if len(got) < size or (total is not None and len(rows) >= total):
                most = len(rows)
        rows = rows[:most]
        complete = total is not None and len(rows) >= total
        known = [p for row in rows if (p := to_paper(row, self._today()))]
        return self._listed(paper, "citing", known, total, len(rows), list_note(len(rows), total, complete, 0))

    async def references(self, paper: Paper, limit: int) -> CitationList:
        """Papers that ``paper`` cites: the ids its record lists, described in batches."""
        form = self._best_form(paper)
        row = await self._single(form, "id,referenced_works") if form else None
        if row is None:
            return self._unknown(paper, "cited")
        listed = row.get("referenced_works")
        every = list(dict.fromkeys(w for ref in (listed if isinstance(listed, list) else []) if (w := work_id(ref))))
        seen = every[: max(1, limit)]
        found: dict[tuple[str, str], Paper] = {}
        await self._batch("openalex", {w: ("OpenAlex", w) for w in seen}, found)
        known = [found["OpenAlex", w] for w in seen if ("OpenAlex", w) in found]
        note = list_note(len(seen), len(every), len(seen) == len(every), 0)
        if not every:
            note = f"{SERVICE} lists no references, which it sometimes does although a paper has some"
        elif gone := len(seen) - len(known):
            note += f"; {gone} that {SERVICE} no longer describes"
        return self._listed(paper, "cited", known, len(every), len(seen), note)

    async def text(self, paper: Paper) -> PaperText:
        """The open PDF's text; else the abstract, asked for once more by id if need be; else none. The note says what was tried."""
        return await read_paper(self._fetch, paper, self._abstract)

    async def _abstract(self, paper: Paper) -> tuple[str | None, str]:
        form = self._best_form(paper)
        if form is None:
            return None, f"{SERVICE} has no id for this paper"
        again = to_paper(await self._single(form), self._today())
        if again is None:
            return None, f"{SERVICE} does not know this paper"
        return (again.abstract, "") if again.abstract else (None, f"{SERVICE} has no abstract")

    # Lists

    def _listed(self, paper: Paper, direction: Direction, known: list[Paper], total: int | None, looked_at: int, note: str) -> CitationList:
        own = set(known_ids(paper).items())
        papers = merge_papers(p for p in known if p.id != paper.id and not own & set(known_ids(p).items()))
        links = tuple(self._link(paper, other, direction) for other in papers)
        return CitationList(
            paper=paper.id, direction=direction, papers=tuple(papers), links=links, total=total, looked_at=looked_at, note=note
        )

    def _link(self, paper: Paper, other: Paper, direction: Direction) -> Link:
        citing, cited = (other, paper) if direction == "citing" else (paper, other)
        return Link(citing=citing.id, cited=cited.id, kind="cites", evidence=f"listed by {SERVICE}, read {self._today()}")

    def _unknown(self, paper: Paper, direction: Direction) -> CitationList:
        why = "does not know this paper" if self._best_form(paper) else "has no id for this paper, so nothing was asked"
        return CitationList(paper=paper.id, direction=direction, note=f"{SERVICE} {why}")

    # Single works

    def _best_form(self, paper: Paper) -> tuple[str, str] | None:
        ids = known_ids(paper)
        return next(((scheme, ids[scheme]) for scheme in ("OpenAlex", "arXiv", "DOI", "PMID") if scheme in ids), None)

    async def _own(self, paper: Paper) -> str | None:
        """The OpenAlex id of ``paper``, asked for by its other ids where it is not known."""
        if own := own_work_id(paper):
            return own
        form = self._best_form(paper)
        row = await self._single(form, "id") if form else None
        return work_id(row.get("id")) if row else None

    async def _single(self, pair: tuple[str, str], fields: str = FIELDS) -> dict[str, JsonValue] | None:
        """One work by id; None where there is none. Its 404 is a web page, which the fetch takes for an answer."""
        url = f"{self._base}/works/{quote(_form(pair), safe=':/')}"
        answer = await self._fetch.json(HttpRequest(url=url, params=(("select", fields),)))
        return None if answer.status == 404 else _object(answer)

    async def _batch(self, name: str, values: dict[str, tuple[str, str]], found: dict[tuple[str, str], Paper]) -> None:
        """Fill ``found`` with the works of ``values`` (value in the filter to id), a hundred a request."""
        every, wanted = list(values), set(values.values())
        for start in range(0, len(every), PAGE):
            part = every[start : start + PAGE]
            body = await self._works(filter=f"{name}:{'|'.join(part)}", per_page=str(PAGE), page="1")
            for paper in self._papers(body):
                for pair in known_ids(paper).items():
                    if pair in wanted:
                        found.setdefault(pair, paper)

    # Requests and shapes

    async def _works(self, **params: str) -> dict[str, JsonValue]:
        asked = tuple((name, value) for name, value in {**params, "select": FIELDS}.items())
        answer = await self._fetch.json(HttpRequest(url=f"{self._base}/works", params=asked))
        if answer.status == 404:
            raise ServiceError(SERVICE, "not_found", f"{SERVICE} has no list of works at this address.", "Is COI_OPENALEX_URL right?")
        return _object(answer)

    def _papers(self, body: dict[str, JsonValue]) -> list[Paper]:
        return [paper for row in _rows(body) if (paper := to_paper(row, self._today()))]


def _form(pair: tuple[str, str]) -> str:
    """The form of an id in an address; empty for one the service has no form for. arXiv ids go by their DOI."""
    scheme, value = pair
    if scheme == "OpenAlex":
        return value
    if scheme in ("DOI", "arXiv"):
        return f"doi:{_filter_value(pair)}"
    return f"pmid:{value}" if scheme == "PMID" else ""


def _filter_value(pair: tuple[str, str]) -> str:
    return f"10.48550/arxiv.{pair[1]}" if pair[0] == "arXiv" else pair[1]


def _words(text: str) -> str:
    """Letters and digits only: commas, pipes, quotes, stars and upper-case operators mean something to the service."""
    lowered = _OPERATORS.sub(lambda found: found[0].lower(), clean_line(text))
    return " ".join(re.findall(r"[^\W_]+(?:['’-][^\W_]+)*", lowered))


def _object(answer: HttpAnswer) -> dict[str, JsonValue]:
    if answer.status != 200 or not isinstance(answer.payload, dict):
        raise _broken(f"status {answer.status} without the object that belongs there")
    return answer.payload


def _rows(body: dict[str, JsonValue]) -> list[JsonValue]:
    rows = body.get("results")
    if not isinstance(rows, list):  # every list has results, empty or not; an object without them is no list of works
        raise _broken("a list that is none")
    return rows


def _count(body: dict[str, JsonValue]) -> int | None:
    meta = body.get("meta")
    return whole_number(meta.get("count")) if isinstance(meta, dict) else None


def _broken(what: str) -> ServiceError:
    return ServiceError(SERVICE, "broken", f"{SERVICE} sent {what}.", "Try again later.")


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
    year = whole_number(row.get("publication_year")) or (int(published[:4]) if published else None)
    count = whole_number(row.get("cited_by_count"))
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
