"""An OpenAlex-shaped server over the invented corpus: search, title search, ``cites:``, ids and
DOIs in filters, single works."""

from typing import Any
from urllib.parse import unquote

from tests.support.standins.corpus import Paper, SearchIndex, number_of
from tests.support.standins.fault_injection import Fault
from tests.support.standins.http_server import Request, Response, Service, answer_json
from tests.support.standins.semantic_scholar import chance

SITE = "https://openalex.org"
FIRST = 4_300_000_000
ALWAYS_THERE = "W2741809807"
"""The real service's own example; here the first paper answers to it."""
NO_ABSTRACT = 0.2
FILTERS = ("cites", "openalex", "doi", "title.search")


class OpenAlexService(Service):
    """The answers. A filter by DOI leaves some works out that answer when asked alone, as the real
    service does."""

    name = "openalex"

    def __init__(self, index: SearchIndex) -> None:
        self.index, self.corpus = index, index.corpus
        self.keys: list[str] = []
        """Each request's key, for tests."""

    def kind(self, request: Request) -> str:
        return "search" if "search" in request.params else "other"

    def failure(self, status: int) -> Response:
        return answer_json({"error": "trouble", "message": "try later"}, status)

    def answer(self, request: Request, fault: Fault) -> Response:
        self.keys.append(request.params.get("api_key", ""))
        if request.path.rstrip("/") == "/works":
            return self._list(request.params)
        ident = unquote(request.path).removeprefix("/works/")
        paper = self.corpus.papers[0] if ident == ALWAYS_THERE else self._found(ident)
        if paper is None:
            return Response(404, b"<!doctype html><html></html>", content_type="text/html")
        return answer_json(self._work(paper))

    def _list(self, params: dict[str, str]) -> Response:
        size, page = int(params.get("per_page", "25")), int(params.get("page", "1"))
        papers = list(self.corpus.papers)
        if "search" in params:
            papers = self.index.search(params["search"].replace("-", " "))
        for part in filter(None, params.get("filter", "").split(",")):
            name, _, value = part.partition(":")
            if name not in FILTERS:
                known = f"{name} is not a valid field. Valid fields are: {', '.join(FILTERS)}."
                return answer_json({"error": "Invalid query", "message": known}, 400)
            papers = self._filtered(name, value)
        if params.get("sort") == "cited_by_count:desc":
            papers = sorted(papers, key=lambda p: (-p.count, p.number))
        shown = [self._work(paper) for paper in papers[(page - 1) * size : page * size]]
        meta = {"count": len(papers), "page": page, "per_page": size}
        return answer_json({"meta": meta, "results": shown})

    def _filtered(self, name: str, value: str) -> list[Paper]:
        if name == "title.search":
            return list(filter(None, [self.corpus.titled(value)]))
        found = list(filter(None, map(self._found, value.split("|"))))
        if name == "cites":
            return [citing for paper in found for citing in self.corpus.citations(paper)]
        return [paper for paper in found if name != "doi" or paper.number % 7]

    def _found(self, ident: str) -> Paper | None:
        """A paper by its work id or its DOI."""
        if ident.startswith("W"):
            number = int(ident[1:]) - FIRST
            return self.corpus.papers[number] if 0 <= number < len(self.corpus.papers) else None
        return self.corpus.find(ident.removeprefix("doi:").replace("10.48550/arxiv.", "arxiv:"))

    def _work(self, paper: Paper) -> dict[str, Any]:
        own, doi = _url(paper), f"https://doi.org/{paper.doi}".lower()
        venue = {"landing_page_url": doi, "source": {"display_name": paper.venue or None}}
        preprint = {"landing_page_url": f"https://arxiv.org/abs/{paper.arxiv}"}
        index: dict[str, list[int]] = {}
        for place, word in enumerate(paper.abstract.split()):
            index.setdefault(word, []).append(place)
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
                {"author": {"id": number and f"{SITE}/A{number}", "display_name": name}}
                for name in paper.authors
                for number in (number_of(name),)
            ],
            "primary_location": venue if paper.number % 11 else None,
            "best_oa_location": None,
            "locations": [venue, preprint],
            "abstract_inverted_index": None
            if chance("oa", paper.paper_id) < NO_ABSTRACT
            else index,
            "referenced_works": list(map(_url, self.corpus.references(paper))),
        }


def _url(paper: Paper) -> str:
    return f"{SITE}/W{FIRST + paper.number}"
