"""Semantic Scholar as a source of papers, all I/O through the ``Fetch`` it is given (reference: semantic-scholar.md)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import quote

from pydantic import JsonValue

from coi_tui.config import SEMANTIC_SCHOLAR_URL
from coi_tui.literature.deduplication import fill_gaps, merge_papers
from coi_tui.literature.full_text import read_paper
from coi_tui.literature.ids import known_ids, normalise_id, paper_key, paper_url, s2_form, s2_path_id
from coi_tui.literature.service_answers import list_note, web_url, whole_number
from coi_tui.literature.title_match import match_title, show_title
from coi_tui.literature.types import CitationList, Direction, Fetch, HttpAnswer, HttpRequest, SearchResult, TitleMatch, Today
from coi_tui.model.errors import ServiceError
from coi_tui.model.papers import Citations, Link, Paper, PaperText
from coi_tui.model.text import clean, clean_line

SERVICE = "Semantic Scholar"
FIELDS = "externalIds,title,abstract,year,publicationDate,venue,authors.name,citationCount,openAccessPdf"
"""Only what is used: every further field costs time and some have caused errors (reference, "fields")."""

_DATE = re.compile(r"\d{4}(?:-\d{2}(?:-\d{2})?)?", re.ASCII)
_SCHEMES = {"ArXiv": "arxiv", "DOI": "doi", "CorpusId": "corpusid", "ACL": "acl", "PubMed": "pmid"}

MAX_SEARCH = 100
MAX_BATCH = 500
MAX_OFFSET = 9_999
"""``offset + limit`` of a list must stay below 10,000."""
PAGE = {"citing": 100, "cited": 500}
"""Rows a request: citations are many and only the first matter; references must be seen whole to find a title among them."""
_HYPHENS = re.compile("[-\u2010-\u2015]")


class SemanticScholar:
    """The client. Deterministic given the answers and ``today``; raises ServiceError whenever it cannot tell."""

    def __init__(self, fetch: Fetch, base_url: str = SEMANTIC_SCHOLAR_URL, *, today: Today) -> None:
        self._fetch = fetch
        self._base = base_url.rstrip("/")
        self._today = today

    @property
    def name(self) -> str:
        return SERVICE

    async def search(self, query: str, limit: int) -> SearchResult:
        """Relevance search, at most 100 papers. Hyphens are sent as blanks, since hyphenated words find nothing."""
        words = clean_line(_HYPHENS.sub(" ", query))
        if not words:
            return SearchResult(query=query, source=SERVICE, note="no words to search for; nothing was asked")
        asked = max(1, min(limit, MAX_SEARCH))
        answer = await self._get("/paper/search", query=words, fields=FIELDS, offset="0", limit=str(asked))
        body = self._object(answer)
        rows = self._rows(body.get("data"))  # an empty search has no ``data`` at all (reference, 1)
        total = whole_number(body.get("total"))
        papers = merge_papers(paper for row in rows if (paper := to_paper(row, self._today())))[:asked]
        notes = [f"searched as “{words}”"] if words != clean_line(query) else []
        notes.append(f"{len(papers)} of about {total}" if total else "nothing found" if not papers else f"{len(papers)} found")
        return SearchResult(query=query, source=SERVICE, asked_at=self._today(), total=total, papers=tuple(papers), note="; ".join(notes))

    async def match(self, title: str, year: int | None, authors: Sequence[str] = ()) -> TitleMatch:
        """The paper the service takes ``title`` for, if the likeness and year or author agree; never its word alone."""
        words = show_title(title)
        if not words:
            return TitleMatch(note="no title to look for")
        answer = await self._get("/paper/search/match", query=words, fields=FIELDS)
        rows = [] if answer.status == 404 else self._rows(self._object(answer).get("data"))
        papers = [paper for row in rows if (paper := to_paper(row, self._today()))]
        if not papers:
            return TitleMatch(note=f"{SERVICE} knows no paper of this title")
        return match_title(words, papers, year, authors)

    async def papers(self, ids: Sequence[str]) -> list[Paper | None]:
        """Papers by id in any form, in order, in as few batches as can be; None for unknown ids and for ids without a form there."""
        forms = [s2_form(paper_id) for paper_id in ids]
        wanted = list(dict.fromkeys(form for form in forms if form))
        found: dict[str, Paper | None] = {}
        for start in range(0, len(wanted), MAX_BATCH):
            part = wanted[start : start + MAX_BATCH]
            found.update(zip(part, await self._batch(part), strict=True))
        return [_asked_for(paper_id, found.get(form) if form else None) for paper_id, form in zip(ids, forms, strict=True)]

    async def citations(self, paper: Paper, limit: int) -> CitationList:
        """Papers citing ``paper``, newest first as the service gives them: rank them yourself (reference, "Endpoints")."""
        return await self._list(paper, "citing", limit)

    async def references(self, paper: Paper, limit: int) -> CitationList:
        """Papers that ``paper`` cites, with the titles of those the service could not identify."""
        return await self._list(paper, "cited", limit)

    async def text(self, paper: Paper) -> PaperText:
        """The open PDF's text; else the abstract, asked for once more by id if need be; else none. The note says what was tried."""
        return await read_paper(self._fetch, paper, self._abstract)

    async def _abstract(self, paper: Paper) -> tuple[str | None, str]:
        """The abstract by id, or None with the reason: lists often lack abstracts that the paper itself has (reference, 4)."""
        form = s2_path_id(paper)
        if form is None:
            return None, f"{SERVICE} has no id for this paper"
        answer = await self._get(f"/paper/{_in_path(form)}", fields=FIELDS)
        if answer.status == 404:
            return None, f"{SERVICE} does not know this paper"
        body = self._object(answer)
        again = to_paper(body, self._today())
        if again is not None and again.abstract:
            return again.abstract, ""
        return None, "the publisher keeps the abstract back" if elision_notice(body) else f"{SERVICE} has no abstract"

    # Lists

    async def _list(self, paper: Paper, direction: Direction, limit: int) -> CitationList:
        form = s2_path_id(paper)
        if form is None:
            return CitationList(paper=paper.id, direction=direction, note=f"{SERVICE} has no id for this paper, so nothing was asked")
        rows: list[JsonValue] = []
        offset: int | None = 0
        while offset is not None and len(rows) < max(1, limit) and offset < MAX_OFFSET:
            size = min(PAGE[direction], max(1, limit) - len(rows), MAX_OFFSET - offset)
            answer = await self._page(form, direction, offset, size)
            if answer.status == 404:
                return CitationList(paper=paper.id, direction=direction, note=f"{SERVICE} does not know this paper")
            body = self._object(answer)
            if "data" in body and body["data"] is None:
                return self._withheld(paper, direction, body)
            page = self._rows(body.get("data"))
            rows += page
            following = whole_number(body.get("next"))  # followed, never computed (reference, 9)
            offset = following if page and following is not None and following > offset else None
        return await self._listed(paper, direction, rows, complete=offset is None)

    async def _page(self, form: str, direction: Direction, offset: int, size: int) -> HttpAnswer:
        kind = "citations" if direction == "citing" else "references"
        return await self._get(f"/paper/{_in_path(form)}/{kind}", fields=FIELDS, offset=str(offset), limit=str(size))

    def _withheld(self, paper: Paper, direction: Direction, body: dict[str, JsonValue]) -> CitationList:
        notice = elision_notice(body.get("citingPaperInfo"))
        note = f"the publisher keeps this list back ({notice})" if notice else f"{SERVICE} gives no list for this paper"
        return CitationList(paper=paper.id, direction=direction, withheld=True, note=note)

    async def _listed(self, paper: Paper, direction: Direction, rows: list[JsonValue], *, complete: bool) -> CitationList:
        end = "citingPaper" if direction == "citing" else "citedPaper"
        inner = [row.get(end) for row in rows if isinstance(row, dict)]
        known = merge_papers(p for row in inner if (p := to_paper(row, self._today())))
        own = set(known_ids(paper).items()) | {("", paper.id)}
        others = [p for p in known if not own & (set(known_ids(p).items()) | {("", p.id)})]
        papers = merge_papers(await self._hydrated(others))
        titles = [show_title(row.get("title")) for row in inner if isinstance(row, dict) and to_paper(row, "") is None]
        unresolved = tuple(dict.fromkeys(title for title in titles if title))
        total = len(rows) if complete else paper.citations.count if direction == "citing" else None
        return CitationList(
            paper=paper.id,
            direction=direction,
            papers=tuple(papers),
            links=tuple(self._link(paper, other, direction) for other in papers),
            total=total,
            looked_at=len(rows),
            unresolved=unresolved,
            note=list_note(len(rows), total, complete, len(unresolved)),
        )

    def _link(self, paper: Paper, other: Paper, direction: Direction) -> Link:
        citing, cited = (other, paper) if direction == "citing" else (paper, other)
        return Link(citing=citing.id, cited=cited.id, kind="cites", evidence=f"listed by {SERVICE}, read {self._today()}")

    async def _hydrated(self, papers: list[Paper]) -> list[Paper]:
        """``papers`` with missing abstracts asked for by id in one batch (COI-4, COI-5; methods.md, 6, rule 5)."""
        bare = [paper.id for paper in papers if paper.abstract is None]
        again = dict(zip(bare, await self.papers([_sha(p) for p in papers if p.abstract is None]), strict=True)) if bare else {}
        return [fill_gaps(paper, fuller) if (fuller := again.get(paper.id)) else paper for paper in papers]

    # Requests and shapes

    async def _batch(self, forms: list[str]) -> list[Paper | None]:
        body: dict[str, JsonValue] = {"ids": list(forms)}
        request = HttpRequest(method="POST", url=f"{self._base}/paper/batch", params=(("fields", FIELDS),), body=body)
        answer = await self._fetch.json(request)
        if answer.status == 404:
            return [None] * len(forms)
        rows = answer.payload
        if not isinstance(rows, list) or len(rows) != len(forms):
            raise _broken("a batch without one entry for each paper asked for")
        return [to_paper(row, self._today()) for row in rows]

    async def _get(self, path: str, **params: str) -> HttpAnswer:
        return await self._fetch.json(HttpRequest(url=self._base + path, params=tuple(params.items())))

    def _object(self, answer: HttpAnswer) -> dict[str, JsonValue]:
        if answer.status != 200 or not isinstance(answer.payload, dict):
            raise _broken(f"status {answer.status} without the object that belongs there")
        return answer.payload

    def _rows(self, data: JsonValue) -> list[JsonValue]:
        if data is not None and not isinstance(data, list):
            raise _broken("a list that is none")
        return data or []


def _asked_for(paper_id: str, paper: Paper | None) -> Paper | None:
    """None in place of a paper with another arXiv id: of those a paper has only one, while DOIs and the service's own ids may be merged."""
    asked = normalise_id(paper_id)
    other = paper is not None and asked is not None and asked[0] == "arXiv" and paper.ids.get("arXiv", asked[1]) != asked[1]
    return None if other else paper


def _broken(what: str) -> ServiceError:
    return ServiceError(SERVICE, "broken", f"{SERVICE} sent {what}.", "Try again later.")


def _in_path(form: str) -> str:
    return quote(form, safe=":/")  # the service takes the slashes of a DOI raw


def _sha(paper: Paper) -> str:
    return f"S2:{paper.ids['S2']}"


def to_paper(row: object, today: str) -> Paper | None:
    """The paper of one API object, or None for a row without an id. ``today`` dates its citation count."""
    if not isinstance(row, dict):
        return None
    ids = _ids(row)
    if "S2" not in ids:
        return None
    published = _published(row.get("publicationDate"))
    year = whole_number(row.get("year")) or (int(published[:4]) if published else None)
    count = whole_number(row.get("citationCount"))
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


def elision_notice(info: object) -> str:
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
