"""A Semantic-Scholar-shaped server over the invented corpus (paths with or without /graph/v1)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any
from urllib.parse import unquote

from benchmarks.standins.corpus import Paper, SearchIndex
from benchmarks.standins.faults import Fault
from benchmarks.standins.http_server import Request, Response, answer_json
from benchmarks.standins.pdf import full_text, pdf
from benchmarks.standins.s2_rows import LINK_FIELDS, BadFields, Rows, chance, fields_of
from benchmarks.standins.settings import S2Options

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
        if request.method == "GET" and route.startswith("/pdf/"):
            return self._pdf(route)
        if request.method != "GET" or not route.startswith("/paper/"):
            return answer_json({"error": "Not Found"}, 404)
        ident, _, tail = route.removeprefix("/paper/").rpartition("/")
        if ident and tail in ("citations", "references"):
            return self._list(ident, tail, request.params)
        return self._paper(route.removeprefix("/paper/"), request.params)

    def _search(self, params: dict[str, str]) -> Response:
        """Relevance search; one without a hit has no ``data``."""
        query = params.get("query", "").strip()
        if not query:
            raise BadQuery("Missing required parameter: query")
        offset, limit = _page(params, most=100, reach=1000)
        for rule in self.options.rules:
            if rule.contains.casefold() in query.casefold():
                return answer_json({"total": 0, "offset": offset}) if rule.act == "empty" else self._act(rule.act)
        fields = fields_of(params.get("fields"))
        hits = [paper for paper in self.index.search(query) if _passes(paper, params)]
        if not hits[offset:]:
            return answer_json({"total": len(hits), "offset": offset})
        rows = [self.rows.paper(paper, fields) for paper in hits[offset : offset + limit]]
        return answer_json({"total": len(hits), **_paged(rows, len(hits), offset, limit)})

    def _act(self, act: str) -> Response:
        return self.failure(429 if act == "429" else 500)

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
        return answer_json([None if paper is None else self.rows.paper(paper, fields) for paper in found])

    def _paper(self, ident: str, params: dict[str, str]) -> Response:
        paper = self.corpus.find(unquote(ident))
        if paper is None:
            return answer_json({"error": f"Paper with id {ident} not found"}, 404)
        return answer_json(self.rows.paper(paper, fields_of(params.get("fields"))))

    def _list(self, ident: str, which: str, params: dict[str, str]) -> Response:
        """Citations or references, newest first; a withheld list has ``"data": null``."""
        paper = self.corpus.find(unquote(ident))
        if paper is None:
            return answer_json({"error": f"Paper with id {ident} not found"}, 404)
        offset, limit = _page(params, most=1000, reach=9999)
        fields = fields_of(params.get("fields"), LINK_FIELDS)
        if which == "citations":
            rows = self.rows.rows(paper, "citingPaper", fields)
            return answer_json(_paged(rows[offset : offset + limit], len(rows), offset, limit))
        info = {"paperId": paper.paper_id, "title": paper.title}
        if self._elided(paper):
            note = "Notice: The following paper fields have been elided by the publisher: {'references'}."
            info_pdf = {"url": "", "status": "CLOSED", "license": None, "disclaimer": note}
            return answer_json({"data": None, "citingPaperInfo": {**info, "openAccessPdf": info_pdf}})
        rows = self.rows.rows(paper, "citedPaper", fields)
        page = _paged(rows[offset : offset + limit], len(rows), offset, limit)
        return answer_json({**page, "citingPaperInfo": info})

    def _elided(self, paper: Paper) -> bool:
        return chance("elided", paper.paper_id) < self.options.elided

    def _pdf(self, route: str) -> Response:
        paper = self.corpus.find(route.removeprefix("/pdf/").removesuffix(".pdf"))
        if paper is None or not self.rows.has_pdf(paper):
            return Response(404, b"<html><body>Not found</body></html>", content_type="text/html")
        if paper.paper_id not in self._pdfs:
            self._pdfs[paper.paper_id] = pdf(full_text(self.corpus, paper))
        return Response(200, self._pdfs[paper.paper_id], content_type="application/pdf")


def _route(request: Request) -> str:
    return request.path.rstrip("/").removeprefix("/graph/v1")


def _page(params: dict[str, str], most: int, reach: int) -> tuple[int, int]:
    """Offset and limit, refused beyond the service's caps."""
    try:
        offset, limit = int(params.get("offset", "0")), int(params.get("limit", "100"))
    except ValueError as error:
        raise BadQuery("Unacceptable query params: [offset, limit]") from error
    if offset < 0 or not 1 <= limit <= most or offset + limit > reach:
        raise BadQuery(f"Unacceptable query params: [limit={limit}, offset={offset}]")
    return offset, limit


def _paged(rows: list[dict[str, Any]], total: int, offset: int, limit: int) -> dict[str, Any]:
    """A page; ``next`` is absent on the last one."""
    more = {"next": offset + limit} if offset + limit < total else {}
    return {"offset": offset, **more, "data": rows}


def _passes(paper: Paper, params: dict[str, str]) -> bool:
    """The filters year (2019, 2016-2020, 2010-, -2015), publicationDateOrYear (by year) and minCitationCount."""
    span = _span(params.get("year") or params.get("publicationDateOrYear") or "")
    return span[0] <= paper.year <= span[1] and paper.count >= int(params.get("minCitationCount") or 0)


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
