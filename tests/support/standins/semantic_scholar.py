"""A Semantic-Scholar-shaped server over the invented corpus (paths with or without /graph/v1)."""

import hashlib
from collections.abc import Collection, Iterable
from typing import Any
from urllib.parse import unquote

from tests.support.standins import invented_text
from tests.support.standins.corpus import Corpus, Paper, SearchIndex, number_of
from tests.support.standins.fault_injection import Fault
from tests.support.standins.http_server import Request, Response, Service, answer_json
from tests.support.standins.pdf import full_text, pdf
from tests.support.standins.settings import S2Options

PAPER_FIELDS = frozenset(
    invented_text.split(
        "paperId corpusId externalIds title abstract venue year citationCount openAccessPdf "
        "publicationDate authors citations references embedding"
    )
)
"""The first parts of the names of fields."""
LINK_FIELDS = frozenset({"contexts", "intents", "isInfluential"})
NULL_ABSTRACTS, NULL_YEARS, NULL_ROWS = 0.23, 0.03, 0.08
"""Shares of the rows of lists without the abstract or the year that batch has, and of rows without an
id in a list of references."""
TOO_MANY = (
    "Too Many Requests. Please wait and try again or apply for a key for higher rate limits. "
    "https://www.semanticscholar.org/product/api#api-key-form"
)


class BadQuery(ValueError):
    """Parameters or fields that the service does not accept."""


def fields_of(text: str | None, more: Collection[str] = ()) -> list[str]:
    """The asked fields; without any, the title (``paperId`` is always there)."""
    asked = [field.strip() for field in (text or "title").split(",") if field.strip()]
    unknown = {field.partition(".")[0] for field in asked} - PAPER_FIELDS - set(more)
    if unknown:
        raise BadQuery(f"Unrecognized or unsupported fields: {sorted(unknown)}")
    return asked


def page_bounds(params: dict[str, str], most: int, reach: int) -> tuple[int, int]:
    """Offset and limit, refused beyond the service's caps."""
    offset, limit = int(params.get("offset", "0")), int(params.get("limit", "100"))
    if offset < 0 or not 1 <= limit <= most or offset + limit > reach:
        raise BadQuery(f"Unacceptable query params: [limit={limit}, offset={offset}]")
    return offset, limit


def page_of(rows: list[dict[str, Any]], total: int, offset: int, limit: int) -> dict[str, Any]:
    """A page; ``next`` is absent on the last one."""
    more = {"next": offset + limit} if offset + limit < total else {}
    return {"offset": offset, **more, "data": rows}


def chance(*parts: object) -> float:
    """A number in [0, 1) that is always the same for the same parts."""
    digest = hashlib.sha256(":".join(map(str, parts)).encode()).digest()
    return int.from_bytes(digest[:7], "big") / 2**56


class Rows:
    """Makes paper objects and list rows from the corpus. ``root``: the server's own URL, for links
    to PDFs."""

    def __init__(self, corpus: Corpus, options: S2Options) -> None:
        self.corpus, self.options, self.root = corpus, options, ""
        self._plain: dict[int, dict[str, Any]] = {}

    def paper(
        self, paper: Paper, fields: Iterable[str], nulls: Collection[str] = ()
    ) -> dict[str, Any]:
        """One paper with the asked fields; those in ``nulls`` are null."""
        nested: dict[str, list[str]] = {"paperId": []}
        for field in fields:
            name, _, sub = field.partition(".")
            nested.setdefault(name, []).extend([sub] if sub else [])
        return {
            name: None if name in nulls else self._value(paper, name, subs)
            for name, subs in nested.items()
        }

    def _value(self, paper: Paper, name: str, subs: list[str]) -> Any:
        if name in ("citations", "references"):
            listed = getattr(self.corpus, name)(paper)
            return [self._listed(paper, other, subs or ["title"]) for other in listed]
        if paper.number not in self._plain:  # made once, for speed
            self._plain[paper.number] = self._facts(paper)
        return self._plain[paper.number].get(name)

    def _facts(self, paper: Paper) -> dict[str, Any]:
        url = f"{self.root}/pdf/{paper.paper_id}.pdf" if self.has_pdf(paper) else ""
        authors = ((number_of(name), name) for name in paper.authors)
        return {
            "paperId": paper.paper_id,
            "corpusId": paper.corpus_id,
            "externalIds": {"ArXiv": paper.arxiv, "DOI": paper.doi, "CorpusId": paper.corpus_id},
            "title": paper.title,
            "abstract": paper.abstract,
            "venue": paper.venue,
            "year": paper.year,
            "citationCount": paper.count,
            "openAccessPdf": {"url": url, "license": None}
            if url or paper.number % 5 == 0
            else None,
            "publicationDate": paper.date,
            "authors": [
                {"authorId": None if number is None else str(number), "name": name}
                for number, name in authors
            ],
        }

    def has_pdf(self, paper: Paper) -> bool:
        return chance("pdf", paper.paper_id) < self.options.pdf_share

    def _listed(self, owner: Paper, paper: Paper, fields: Iterable[str]) -> dict[str, Any]:
        """A paper as it stands in the list of another: some abstracts and years are missing
        there."""
        nulls = []
        if chance("abstract", owner.paper_id, paper.paper_id) < NULL_ABSTRACTS:
            nulls.append("abstract")
        if chance("year", owner.paper_id, paper.paper_id) < NULL_YEARS:
            nulls += ["year", "publicationDate"]
        return self.paper(paper, fields, nulls)

    def rows(self, owner: Paper, key: str, fields: list[str]) -> list[dict[str, Any]]:
        """The whole list: ``key`` is citingPaper or citedPaper. A list of references has rows that
        the service could not match to a paper: a title and nothing else."""
        links = [field for field in fields if field in LINK_FIELDS]
        plain = [field for field in fields if field not in LINK_FIELDS]
        cited = key == "citedPaper"
        papers = self.corpus.references(owner) if cited else self.corpus.citations(owner)
        rows = [
            {**_link(owner, other, links), key: self._listed(owner, other, plain)}
            for other in papers
        ]
        unmatched = sum(chance("row", owner.paper_id, n) < NULL_ROWS for n in range(len(rows)))
        for number in range(unmatched if cited else 0):
            bare = {**dict.fromkeys(["paperId", *plain]), "title": "Personal communication"}
            rows.insert(number * 3 + 1, {**dict.fromkeys(links), key: bare})
        return rows


def _link(owner: Paper, other: Paper, links: list[str]) -> dict[str, Any]:
    """contexts, intents and isInfluential of one citation; often empty."""
    point = chance("link", owner.paper_id, other.paper_id)
    full = point < 0.5
    values: dict[str, Any] = {
        "contexts": [f"We build on {other.title} and change its first stage."] if full else [],
        "intents": [("background", "methodology", "result")[int(point * 6) % 3]] if full else [],
        "isInfluential": point < 0.1,
    }
    return {name: values[name] for name in links}


class S2Service(Service):
    """The literature server's answers."""

    name = "s2"

    def __init__(self, index: SearchIndex, options: S2Options | None = None) -> None:
        self.index, self.corpus, self.options = index, index.corpus, options or S2Options()
        self.rows = Rows(self.corpus, self.options)

    def kind(self, request: Request) -> str:
        route = _route(request)
        if route.startswith("/paper/search"):
            return "search"
        return "pdf" if route.startswith("/pdf/") else "other"

    def note(self, request: Request) -> dict[str, Any]:
        ids = request.json.get("ids") if isinstance(request.json, dict) else None
        return {} if ids is None else {"ids": len(ids)}

    def failure(self, status: int) -> Response:
        message = TOO_MANY if status == 429 else "Internal Server Error"
        return answer_json({"message": message, "code": str(status)}, status)

    def answer(self, request: Request, fault: Fault) -> Response:
        try:
            return self._answer(request)
        except BadQuery as error:
            return answer_json({"error": str(error)}, 400)

    def _answer(self, request: Request) -> Response:
        route, params = _route(request), request.params
        match request.method, route:
            case "GET", "/paper/search":
                return self._search(params)
            case "GET", "/paper/search/match":
                return self._match(params)
            case "POST", "/paper/batch":
                fields = fields_of(params.get("fields"))
                found = (self.corpus.find(ident) for ident in _ids(request))
                return answer_json([p and self.rows.paper(p, fields) for p in found])
        ident, _, tail = route.removeprefix("/paper/").rpartition("/")
        if request.method == "GET" and route.startswith("/pdf/"):
            return self._pdf(route)
        if request.method == "GET" and ident and tail in ("citations", "references"):
            return self._list(ident, tail, params)
        return answer_json({"error": "Not Found"}, 404)

    def _search(self, params: dict[str, str]) -> Response:
        """Relevance search; one without a hit has no ``data``."""
        query = params.get("query", "").strip()
        if not query:
            raise BadQuery("Missing required parameter: query")
        offset, limit = page_bounds(params, most=100, reach=1000)
        fields, hits = fields_of(params.get("fields")), self.index.search(query)
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

    def _list(self, ident: str, which: str, params: dict[str, str]) -> Response:
        """Citations or references, newest first."""
        paper = self.corpus.find(unquote(ident))
        if paper is None:
            return answer_json({"error": f"Paper with id {ident} not found"}, 404)
        offset, limit = page_bounds(params, most=1000, reach=9999)
        key = "citingPaper" if which == "citations" else "citedPaper"
        rows = self.rows.rows(paper, key, fields_of(params.get("fields"), LINK_FIELDS))
        if span := params.get("publicationDateOrYear", ""):
            first, _, last = span.partition(":")
            low, high = int(first[:4] or 0), int(last[:4] or 9999)
            rows = [row for row in rows if low <= (row[key].get("year") or low) <= high]
        return answer_json(page_of(rows[offset : offset + limit], len(rows), offset, limit))

    def _pdf(self, route: str) -> Response:
        paper = self.corpus.find(route.removeprefix("/pdf/").removesuffix(".pdf"))
        if paper is None or not self.rows.has_pdf(paper):
            return Response(404, b"<html><body>Not found</body></html>", content_type="text/html")
        text = full_text(self.corpus, paper)
        return Response(200, pdf(text), content_type="application/pdf")


def _route(request: Request) -> str:
    return request.path.rstrip("/").removeprefix("/graph/v1")


def _ids(request: Request) -> list[str]:
    """The ids of a batch, which is answered in their order, with null for those not known."""
    ids = request.json.get("ids") if isinstance(request.json, dict) else None
    if not isinstance(ids, list) or not 0 < len(ids) <= 500:
        raise BadQuery("ids must be a list of 1 to 500 ids")
    return list(map(str, ids))
