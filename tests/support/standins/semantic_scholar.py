"""A Semantic-Scholar-shaped server over the invented corpus (paths with or without /graph/v1)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import lru_cache
from typing import Any
from urllib.parse import unquote

from tests.support.standins import invented_text
from tests.support.standins.authors import Authors, affiliations_of, number_of
from tests.support.standins.corpus import Corpus, Paper, SearchIndex
from tests.support.standins.fault_injection import Fault
from tests.support.standins.http_server import Request, Response, answer_json
from tests.support.standins.pdf import full_text, pdf
from tests.support.standins.settings import NOVELTY_MARKER, S2Options

PAPER_FIELDS = frozenset(
    invented_text.split(
        "paperId corpusId externalIds title abstract venue year citationCount openAccessPdf "
        "publicationDate authors citations references"
    )
)
AUTHOR_FIELDS = frozenset(
    invented_text.split("authorId name affiliations paperCount citationCount papers")
)
LINK_FIELDS = frozenset({"contexts", "intents", "isInfluential"})
NULL_ABSTRACTS, NULL_YEARS, NULL_ROWS = 0.23, 0.03, 0.08
"""Shares of the rows of lists without the abstract or the year that batch has, and of rows without an
id in a list of references."""
NESTED = frozenset({"authors", "citations", "references", "embedding"})


class BadFields(ValueError):
    """A field that the service does not know."""


def fields_of(text: str | None, allowed: frozenset[str] = PAPER_FIELDS) -> list[str]:
    """The asked fields; without any, the title (``paperId`` is always there)."""
    asked = [field.strip() for field in (text or "title").split(",") if field.strip()]
    known = allowed | PAPER_FIELDS
    unknown = [
        f for f in asked if f not in known and (f.partition(".")[0] not in NESTED or "." not in f)
    ]
    if unknown:
        raise BadFields(f"Unrecognized or unsupported fields: [{', '.join(unknown)}]")
    return asked


def chance(*parts: object) -> float:
    """A number in [0, 1) that is always the same for the same parts."""
    digest = hashlib.sha256(":".join(map(str, parts)).encode()).digest()
    return int.from_bytes(digest[:7], "big") / 2**56


class Rows:
    """Makes paper objects and list rows from the corpus."""

    def __init__(self, corpus: Corpus, options: S2Options) -> None:
        self.corpus, self.options = corpus, options
        self._plain: dict[int, dict[str, Any]] = {}
        self.root = ""
        """The server's own URL, for links to PDFs."""

    def paper(
        self, paper: Paper, fields: Iterable[str], nulls: Iterable[str] = ()
    ) -> dict[str, Any]:
        """One paper with the asked fields; those in ``nulls`` are null."""
        row: dict[str, Any] = {"paperId": paper.paper_id}
        nested: dict[str, list[str]] = {}
        for field in fields:
            name, _, sub = field.partition(".")
            nested.setdefault(name, []).extend([sub] if sub else [])
            row.setdefault(name, None)
        for name, subs in nested.items():
            row[name] = None if name in nulls else self._value(paper, name, subs)
        return row

    def _value(self, paper: Paper, name: str, subs: list[str]) -> Any:
        if name in ("citations", "references"):
            listed = getattr(self.corpus, name)(paper)
            return [self.listed(paper, other, subs or ["title"]) for other in listed]
        if name == "authors":
            return [_author(full, subs) for full in paper.authors]
        if paper.number not in self._plain:
            self._plain[paper.number] = self._facts(paper)
        return self._plain[paper.number].get(name)

    def _facts(self, paper: Paper) -> dict[str, Any]:
        """All plain fields of a paper; made once, for speed."""
        return {
            "paperId": paper.paper_id,
            "corpusId": paper.corpus_id,
            "externalIds": {"ArXiv": paper.arxiv, "DOI": paper.doi, "CorpusId": paper.corpus_id},
            "title": paper.title,
            "abstract": paper.abstract,
            "venue": paper.venue,
            "year": paper.year,
            "citationCount": paper.count,
            "openAccessPdf": self._pdf(paper),
            "publicationDate": paper.date,
        }

    def has_pdf(self, paper: Paper) -> bool:
        return chance("pdf", paper.paper_id) < self.options.pdf_share

    def _pdf(self, paper: Paper) -> dict[str, Any] | None:
        if self.has_pdf(paper):
            return {
                "url": f"{self.root}/pdf/{paper.paper_id}.pdf",
                "status": "GREEN",
                "license": None,
            }
        return {"url": "", "status": "CLOSED", "license": None} if paper.number % 5 == 0 else None

    def listed(self, owner: Paper, paper: Paper, fields: Iterable[str]) -> dict[str, Any]:
        """A paper as it stands in the list of another: some abstracts and years are missing
        there."""
        nulls = []
        if chance("abstract", owner.paper_id, paper.paper_id) < NULL_ABSTRACTS:
            nulls.append("abstract")
        if chance("year", owner.paper_id, paper.paper_id) < NULL_YEARS:
            nulls += ["year", "publicationDate"]
        return self.paper(paper, fields, nulls)

    def rows(self, owner: Paper, key: str, fields: list[str]) -> list[dict[str, Any]]:
        """The whole list: ``key`` is citingPaper or citedPaper. Link fields only when asked for."""
        links = [field for field in fields if field in LINK_FIELDS]
        plain = [field for field in fields if field not in LINK_FIELDS]
        cited = key == "citedPaper"
        papers = self.corpus.references(owner) if cited else self.corpus.citations(owner)
        rows = [
            {**_link(owner, other, links), key: self.listed(owner, other, plain)}
            for other in papers
            if other is not owner
        ]
        if cited:
            for number in range(
                sum(chance("row", owner.paper_id, n) < NULL_ROWS for n in range(len(rows)))
            ):
                rows.insert(
                    number * 3 + 1,
                    {**_link(owner, owner, links, bare=True), key: _unmatched(plain, number)},
                )
        return rows


def _author(full: str, subs: list[str]) -> dict[str, Any]:
    number = number_of(full)
    author = {"authorId": None if number is None else str(number), "name": full}
    return {
        key: value for key, value in author.items() if key == "authorId" or not subs or key in subs
    }


def _link(owner: Paper, other: Paper, links: list[str], bare: bool = False) -> dict[str, Any]:
    """contexts, intents and isInfluential of one citation; often empty."""
    point = chance("link", owner.paper_id, other.paper_id)
    full = point < 0.5 and not bare
    contexts = [f"We build on {other.title} and change its first stage."] if full else []
    intents = [("background", "methodology", "result")[int(point * 6) % 3]] if full else []
    values: dict[str, Any] = {
        "contexts": contexts,
        "intents": intents,
        "isInfluential": full and point < 0.1,
    }
    return {name: values[name] for name in links}


def _unmatched(fields: list[str], number: int) -> dict[str, Any]:
    """A bibliography row that the service could not match: a title and nothing else."""
    row: dict[str, Any] = {"paperId": None}
    for field in fields:
        row[field.partition(".")[0]] = None
    for name in row.keys() & {"authors", "citations", "references"}:
        row[name] = []
    if "title" in row:
        row["title"] = ("Proc. of the Stand-in Society", "Personal communication", "Tech. rep. 12")[
            number % 3
        ]
    return row


TOO_MANY = (
    "Too Many Requests. Please wait and try again or apply for a key for higher rate limits. "
    "https://www.semanticscholar.org/product/api#api-key-form"
)


class BadQuery(ValueError):
    """Parameters that the service does not accept."""


class S2Service:
    """The literature server's answers."""

    name = "s2"

    def __init__(self, index: SearchIndex, options: S2Options | None = None) -> None:
        self.index, self.corpus, self.options = index, index.corpus, options or S2Options()
        self.rows = Rows(self.corpus, self.options)
        self.authors = Authors(self.corpus)
        self._pdfs: dict[str, bytes] = {}

    def kind(self, request: Request) -> str:
        route = _route(request)
        if route.startswith("/paper/search"):
            return "search"
        return "pdf" if route.startswith("/pdf/") else "other"

    def note(self, request: Request) -> dict[str, Any]:
        ids = request.json.get("ids") if isinstance(request.json, dict) else None
        return {} if ids is None else {"ids": len(ids)}

    def failure(self, status: int) -> Response:
        if status == 429:
            return answer_json({"message": TOO_MANY, "code": "429"}, 429)
        return answer_json({"message": "Internal Server Error"}, status)

    def answer(self, request: Request, fault: Fault) -> Response:
        try:
            return self._answer(request)
        except (BadFields, BadQuery) as error:
            return answer_json({"error": str(error)}, 400)

    def _answer(self, request: Request) -> Response:
        route = _route(request)
        match request.method, route:
            case "GET", "/paper/search":
                return self._search(request.params)
            case "GET", "/paper/search/match":
                return self._match(request.params)
            case "POST", "/paper/batch":
                return self._batch(request)
            case "POST", "/author/batch":
                return self._author_batch(request)
        if request.method == "GET" and route.startswith("/pdf/"):
            return self._pdf(route)
        ident, _, tail = route.removeprefix("/paper/").rpartition("/")
        if request.method == "GET" and ident and tail in ("citations", "references"):
            return self._list(ident, tail, request.params)
        return answer_json({"error": "Not Found"}, 404)

    def _search(self, params: dict[str, str]) -> Response:
        """Relevance search; one without a hit has no ``data``."""
        query = params.get("query", "").strip()
        if not query:
            raise BadQuery("Missing required parameter: query")
        offset, limit = page_bounds(params, most=100, reach=1000)
        if self.options.novelty and NOVELTY_MARKER in query.casefold():
            empty = answer_json({"total": 0, "offset": offset})
            return empty if self.options.novelty == "empty" else self.failure(500)
        fields = fields_of(params.get("fields"))
        hits = self.index.search(query)
        if not hits[offset:]:
            return answer_json({"total": len(hits), "offset": offset})
        rows = [self.rows.paper(paper, fields) for paper in hits[offset : offset + limit]]
        return answer_json({"total": len(hits), **page_of(rows, len(hits), offset, limit)})

    def _match(self, params: dict[str, str]) -> Response:
        paper = self.corpus.titled(params.get("query", ""))
        if paper is None:
            return answer_json({"error": "Title match not found"}, 404)
        row = self.rows.paper(paper, ["title", *fields_of(params.get("fields"))])
        return answer_json({"data": [{**row, "matchScore": 109.55}]})

    def _batch(self, request: Request) -> Response:
        """In the order of the request, null for unknown ids."""
        ids = request.json.get("ids") if isinstance(request.json, dict) else None
        if not isinstance(ids, list) or not ids or len(ids) > 500:
            raise BadQuery("ids must be a list of 1 to 500 ids")
        fields = fields_of(request.params.get("fields"))
        found = [self.corpus.find(str(ident)) for ident in ids]
        return answer_json(
            [None if paper is None else self.rows.paper(paper, fields) for paper in found]
        )

    def _author_batch(self, request: Request) -> Response:
        """In the order of the request, null for unknown ids. Fields of their papers are named with
        a prefix."""
        ids = request.json.get("ids") if isinstance(request.json, dict) else None
        if not isinstance(ids, list) or not ids or len(ids) > 1000:
            raise BadQuery("ids must be a list of 1 to 1000 ids")
        asked = (request.params.get("fields") or "name").split(",")
        papers = fields_of(
            ",".join(
                field.removeprefix("papers.") for field in asked if field.startswith("papers.")
            )
        )
        plain = [field for field in asked if not field.startswith("papers.")]
        if unknown := [field for field in plain if field not in AUTHOR_FIELDS]:
            raise BadFields(f"Unrecognized or unsupported fields: [{', '.join(unknown)}]")
        names = map(self.authors.named, ids)
        return answer_json(
            [
                None if name is None else self._person(name, plain, papers, len(plain) < len(asked))
                for name in names
            ]
        )

    def _person(
        self, name: str, plain: list[str], fields: list[str], listed: bool
    ) -> dict[str, Any]:
        papers = self.authors.papers(name)
        facts = {
            "name": name,
            "affiliations": affiliations_of(name),
            "paperCount": len(papers),
            "citationCount": self.authors.cited(name),
        }
        row = {"authorId": str(number_of(name)), **{field: facts.get(field) for field in plain}}
        return (
            {**row, "papers": [self.rows.paper(paper, fields) for paper in papers]}
            if listed
            else row
        )

    def _list(self, ident: str, which: str, params: dict[str, str]) -> Response:
        """Citations or references, newest first; a withheld list has ``"data": null``."""
        paper = self.corpus.find(unquote(ident))
        if paper is None:
            return answer_json({"error": f"Paper with id {ident} not found"}, 404)
        offset, limit = page_bounds(params, most=1000, reach=9999)
        fields = fields_of(params.get("fields"), LINK_FIELDS)
        if which == "citations":
            low, high = _span(params.get("publicationDateOrYear") or "")
            spanned = [*fields, "year"] if high < 9999 or low else fields
            rows = [
                r
                for r in self.rows.rows(paper, "citingPaper", spanned)
                if low <= (r["citingPaper"].get("year") or low) <= high
            ]
            return answer_json(page_of(rows[offset : offset + limit], len(rows), offset, limit))
        info = {"paperId": paper.paper_id, "title": paper.title}
        rows = self.rows.rows(paper, "citedPaper", fields)
        page = page_of(rows[offset : offset + limit], len(rows), offset, limit)
        return answer_json({**page, "citingPaperInfo": info})

    def _pdf(self, route: str) -> Response:
        paper = self.corpus.find(route.removeprefix("/pdf/").removesuffix(".pdf"))
        if paper is None or not self.rows.has_pdf(paper):
            return Response(404, b"<html><body>Not found</body></html>", content_type="text/html")
        if paper.paper_id not in self._pdfs:
            self._pdfs[paper.paper_id] = pdf(full_text(self.corpus, paper))
        return Response(200, self._pdfs[paper.paper_id], content_type="application/pdf")


def _route(request: Request) -> str:
    return request.path.rstrip("/").removeprefix("/graph/v1")


def page_bounds(params: dict[str, str], most: int, reach: int) -> tuple[int, int]:
    """Offset and limit, refused beyond the service's caps."""
    try:
        offset, limit = int(params.get("offset", "0")), int(params.get("limit", "100"))
    except ValueError as error:
        raise BadQuery("Unacceptable query params: [offset, limit]") from error
    if offset < 0 or not 1 <= limit <= most or offset + limit > reach:
        raise BadQuery(f"Unacceptable query params: [limit={limit}, offset={offset}]")
    return offset, limit


def page_of(rows: list[dict[str, Any]], total: int, offset: int, limit: int) -> dict[str, Any]:
    """A page; ``next`` is absent on the last one."""
    more = {"next": offset + limit} if offset + limit < total else {}
    return {"offset": offset, **more, "data": rows}


@lru_cache(maxsize=64)
def _span(text: str) -> tuple[int, int]:
    if not text:
        return 0, 9999
    low, mark, high = text.partition(":") if ":" in text else text.partition("-")
    try:
        first = int(low[:4]) if low else 0
        last = (int(high[:4]) if high else 9999) if mark else first
    except ValueError as error:
        raise BadQuery(f"Unacceptable query params: [{text}]") from error
    return first, last
