"""An OpenAlex-shaped server over the invented corpus: search, title search, ``cites:``, ids and
DOIs in filters, single works."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote

from tests.support.standins.authors import number_of
from tests.support.standins.corpus import Paper, SearchIndex
from tests.support.standins.fault_injection import Fault
from tests.support.standins.http_server import Request, Response, answer_json
from tests.support.standins.semantic_scholar import chance

FIELDS = frozenset(
    {
        "id",
        "doi",
        "ids",
        "title",
        "display_name",
        "publication_year",
        "publication_date",
        "cited_by_count",
        "authorships",
        "primary_location",
        "best_oa_location",
        "locations",
        "abstract_inverted_index",
        "referenced_works",
    }
)
FIRST = 4_300_000_000
ALWAYS_THERE = "W2741809807"
"""The real service's own example; here the first paper answers to it."""
NO_ABSTRACT = 0.2
HTML_404 = Response(
    404, b"<!doctype html><html><body><h1>404</h1></body></html>", content_type="text/html"
)


class BadQuery(ValueError):
    """A filter or field that the service does not know."""


def work_id(paper: Paper) -> str:
    return f"W{FIRST + paper.number}"


class OpenAlexService:
    """The answers. A filter by DOI leaves some works out that answer when asked alone, as the real
    service does."""

    name = "openalex"

    def __init__(self, index: SearchIndex) -> None:
        self.index, self.corpus = index, index.corpus
        self.keys: list[str] = []
        """Each request's key, for tests."""

    def kind(self, request: Request) -> str:
        return "search" if "search" in request.params else "other"

    def note(self, request: Request) -> dict[str, Any]:
        return {}

    def failure(self, status: int) -> Response:
        return answer_json(
            {
                "error": "Rate limit exceeded" if status == 429 else "Internal error",
                "message": "try later",
            },
            status,
        )

    def answer(self, request: Request, fault: Fault) -> Response:
        self.keys.append(request.params.get("api_key", ""))
        try:
            if request.path.rstrip("/") == "/works":
                return self._list(request.params)
            return self._one(unquote(request.path).removeprefix("/works/"), request.params)
        except BadQuery as error:
            return answer_json(
                {"error": "Invalid query parameters error.", "message": str(error)}, 400
            )

    def _one(self, ident: str, params: dict[str, str]) -> Response:
        known = self.corpus.papers[0] if ident == ALWAYS_THERE else None
        paper = (
            known or self._by_work(ident) or self.corpus.find(self._doi(ident.removeprefix("doi:")))
        )
        return answer_json(self._work(paper, params)) if paper else HTML_404

    def _list(self, params: dict[str, str]) -> Response:
        size, page = int(params.get("per_page", "25")), int(params.get("page", "1"))
        if not 1 <= size <= 100 or page < 1 or size * page > 10_000:
            raise BadQuery("per_page must be between 1 and 100, and page * per_page at most 10,000")
        papers = (
            self.index.search(params["search"].replace("-", " "))
            if "search" in params
            else list(self.corpus.papers)
        )
        for part in filter(None, params.get("filter", "").split(",")):
            papers = self._filtered(papers, *part.partition(":")[::2])
        if params.get("sort") == "cited_by_count:desc":
            papers = sorted(papers, key=lambda p: (-p.count, p.number))
        shown = [self._work(paper, params) for paper in papers[(page - 1) * size : page * size]]
        meta = {
            "count": len(papers),
            "db_response_time_ms": 4,
            "page": page,
            "per_page": size,
            "groups_count": None,
        }
        return answer_json({"meta": meta, "results": shown, "group_by": []})

    def _filtered(self, papers: list[Paper], name: str, value: str) -> list[Paper]:
        values = value.split("|")
        if len(values) > 100:
            raise BadQuery("at most 100 values in one filter")
        if name == "cites":
            cited = self._by_work(value)
            return self.corpus.citations(cited) if cited else []
        if name == "openalex":
            return list(filter(None, map(self._by_work, values)))
        if name == "doi":
            return [
                paper
                for paper in filter(None, (self.corpus.find(self._doi(v)) for v in values))
                if paper.number % 7
            ]
        if name == "title.search":
            return list(filter(None, [self.corpus.titled(value)]))
        raise BadQuery(
            f"{name} is not a valid field. Valid fields are: cites, doi, openalex, title.search."
        )

    def _by_work(self, ident: str) -> Paper | None:
        number = int(ident[1:]) - FIRST if ident[:1] == "W" and ident[1:].isdigit() else -1
        return self.corpus.papers[number] if 0 <= number < len(self.corpus.papers) else None

    def _doi(self, value: str) -> str:
        return value.replace("10.48550/arxiv.", "arxiv:")

    def _work(self, paper: Paper, params: dict[str, str]) -> dict[str, Any]:
        asked = params.get("select", "id").split(",")
        if unknown := [field for field in asked if field not in FIELDS]:
            raise BadQuery(f"{unknown} cannot be selected")
        full = self._facts(paper)
        return {field: full.get(field) for field in asked}

    def _facts(self, paper: Paper) -> dict[str, Any]:
        own = f"https://openalex.org/{work_id(paper)}"
        doi = f"https://doi.org/{paper.doi}".lower()
        preprint = {
            "landing_page_url": f"https://arxiv.org/abs/{paper.arxiv}",
            "pdf_url": None,
            "source": {"display_name": "arXiv"},
        }
        venue = {
            "landing_page_url": doi,
            "pdf_url": None,
            "source": {"display_name": paper.venue} if paper.venue else None,
        }
        return {
            "id": own,
            "doi": doi,
            "ids": {"openalex": own, "doi": doi},
            "title": paper.title,
            "display_name": paper.title,
            "publication_year": paper.year,
            "publication_date": paper.date or f"{paper.year}-01-01",
            "cited_by_count": paper.count,
            "authorships": [
                {
                    "author_position": "first",
                    "author": {"id": _author_id(name), "display_name": name},
                }
                for name in paper.authors
            ],
            "primary_location": venue if paper.number % 11 else None,
            "best_oa_location": None,
            "locations": [venue, preprint],
            "abstract_inverted_index": None
            if chance("oa", paper.paper_id) < NO_ABSTRACT
            else inverted(paper.abstract),
            "referenced_works": [
                f"https://openalex.org/{work_id(other)}" for other in self.corpus.references(paper)
            ],
        }


def _author_id(name: str) -> str | None:
    number = number_of(name)
    return None if number is None else f"https://openalex.org/A{number}"


def inverted(text: str) -> dict[str, list[int]]:
    """An abstract as the service hands it out."""
    index: dict[str, list[int]] = {}
    for place, word in enumerate(text.split()):
        index.setdefault(word, []).append(place)
    return index
