"""A Semantic-Scholar-shaped server over held-out cuts of real papers. ``/NUMBER/graph/v1/...``
serves the cut of that case alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import unquote

import numpy as np

from benchmarks.held_out.corpus import Case, Link, PaperSet
from benchmarks.held_out.text_index import best, words
from tests.support.standins.fault_injection import Fault
from tests.support.standins.http_server import Request, Response, answer_json
from tests.support.standins.semantic_scholar import (
    LINK_FIELDS,
    BadQuery,
    fields_of,
    page_bounds,
    page_of,
)

SEARCH_REACH, LIST_REACH = 1000, 9999
NESTED_MOST, BATCH_MOST = 1000, 500
MATCH_HITS, MATCH_SHARE = 20, 0.5
"""A title matches when it is the closest of so many hits and shares at least this part of its
words."""
_HYPHENATED = re.compile(r"\w-\w")
_ROUTE = re.compile(r"/(\d+)(?:/graph/v1)?(/paper/.+?)/?$")


class HeldOutService:
    """Answers for every case of one set of papers; a case's number stands in the path."""

    name = "s2"

    def __init__(self, papers: PaperSet, cases: Mapping[int, Case]) -> None:
        self.papers, self.cases = papers, cases
        self._ids = id_table(papers)

    def kind(self, request: Request) -> str:
        return "search" if "/paper/search" in request.path else "other"

    def note(self, request: Request) -> dict[str, Any]:
        found = _ROUTE.match(request.path)
        return {"case": int(found[1])} if found else {}

    def failure(self, status: int) -> Response:
        return answer_json({"message": "Internal Server Error"}, status)

    def answer(self, request: Request, fault: Fault) -> Response:
        found = _ROUTE.match(request.path)
        case = self.cases.get(int(found[1])) if found else None
        if found is None or case is None:
            return answer_json({"error": "Not Found"}, 404)
        try:
            return Answers(case, self._ids).route(request, found[2])
        except BadQuery as error:
            return answer_json({"error": str(error)}, 400)


class Answers:
    """The answers of one case."""

    def __init__(self, case: Case, ids: Mapping[str, int]) -> None:
        self.case, self._ids = case, ids

    def route(self, request: Request, route: str) -> Response:
        match request.method, route:
            case "GET", "/paper/search":
                return self._search(request.params)
            case "GET", "/paper/search/match":
                return self._match(request.params)
            case "POST", "/paper/batch":
                return self._batch(request)
        if request.method != "GET":
            return answer_json({"error": "Not Found"}, 404)
        ident, _, tail = route.removeprefix("/paper/").rpartition("/")
        if ident and tail in ("citations", "references"):
            return self._list(ident, tail, request.params)
        ident = route.removeprefix("/paper/")
        number = self._number(ident)
        return (
            _unknown(ident)
            if number is None
            else answer_json(self.paper(number, fields_of(request.params.get("fields"))))
        )

    def _number(self, ident: str) -> int | None:
        """A paper of the cut by any of its ids."""
        number = self._ids.get(unquote(ident).strip().lower())
        return number if number is not None and self.case.mask[number] else None

    def _search(self, params: Mapping[str, str]) -> Response:
        """BM25 over titles and abstracts. A hyphenated word finds nothing, and an answer without a
        hit has no ``data``."""
        query = params.get("query", "").strip()
        if not query:
            raise BadQuery("Missing required parameter: query")
        offset, limit = page_bounds(dict(params), most=100, reach=SEARCH_REACH)
        fields, years, fewest = (
            fields_of(params.get("fields")),
            self._years(params),
            _whole(params, "minCitationCount"),
        )
        scores = self.case.ranking.bm25("" if _HYPHENATED.search(query) else query)
        hits = best(np.where(np.isin(self.case.papers.years, years), scores, 0), 0)
        hits = (
            [number for number in hits if len(self.case.citations(number)) >= fewest]
            if fewest
            else hits
        )
        if not hits[offset:]:
            return answer_json({"total": len(hits), "offset": offset})
        rows = [self.paper(number, fields) for number in hits[offset : offset + limit]]
        return answer_json(
            {"total": len(hits), **page_of(rows, min(len(hits), SEARCH_REACH), offset, limit)}
        )

    def _match(self, params: Mapping[str, str]) -> Response:
        wanted = set(words(params.get("query", "")))
        shares = [
            (_share(wanted, self._title(n)), -n)
            for n in best(self.case.ranking.bm25(" ".join(sorted(wanted))), MATCH_HITS)
        ]
        share, number = max(shares, default=(0.0, 0))
        if share < MATCH_SHARE:
            return answer_json({"error": "Title match not found"}, 404)
        row = self.paper(-number, ["title", *fields_of(params.get("fields"))])
        return answer_json({"data": [{**row, "matchScore": round(100 * share, 2)}]})

    def _title(self, number: int) -> set[str]:
        return set(words(self.case.papers.rows[number].title))

    def _batch(self, request: Request) -> Response:
        """In the order of the request, null for unknown ids."""
        ids = request.json.get("ids") if isinstance(request.json, dict) else None
        if not isinstance(ids, list) or not 1 <= len(ids) <= BATCH_MOST:
            raise BadQuery(f"ids must be a list of 1 to {BATCH_MOST} ids")
        fields = fields_of(request.params.get("fields"))
        numbers = [self._number(str(ident)) for ident in ids]
        rows = [None if number is None else self.paper(number, fields) for number in numbers]
        if (
            sum(
                len(row.get(name) or ())
                for row in rows
                if row
                for name in ("citations", "references")
            )
            > LIST_REACH
        ):
            raise BadQuery("Response would exceed maximum size")
        return answer_json(rows)

    def _list(self, ident: str, which: str, params: Mapping[str, str]) -> Response:
        """References in the order of the set, or citations, newest first; only these take dates."""
        number = self._number(ident)
        if number is None:
            return _unknown(ident)
        offset, limit = page_bounds(dict(params), most=1000, reach=LIST_REACH)
        fields = fields_of(params.get("fields"), LINK_FIELDS)
        plain, asked = (
            [f for f in fields if f not in LINK_FIELDS],
            [f for f in fields if f in LINK_FIELDS],
        )
        if which == "citations":
            dated = _dated(params.get("publicationDateOrYear", ""))
            others = [n for n in self._citations(number) if dated(self.case.papers.rows[n].year)]
            pairs, end = [(n, number) for n in others], "citingPaper"
        else:
            others = [int(n) for n in self.case.references(number)]
            pairs, end = [(number, n) for n in others], "citedPaper"
        rows = [
            {**_link(self.case.papers.links[pair], asked), end: self.paper(other, plain)}
            for pair, other in list(zip(pairs, others, strict=True))[offset : offset + limit]
        ]
        return answer_json(page_of(rows, len(others), offset, limit))

    def _citations(self, number: int) -> list[int]:
        return sorted(
            (int(n) for n in self.case.citations(number)),
            key=lambda n: (-self.case.papers.rows[n].year, n),
        )

    def _years(self, params: Mapping[str, str]) -> list[int]:
        """The years that pass the filters year and publicationDateOrYear; a paper's date is the
        first day of its year."""
        spans = [
            _dated(_range(params.get("year", ""))),
            _dated(params.get("publicationDateOrYear", "")),
        ]
        return [
            year for year in self.case.papers.known_years if all(dated(year) for dated in spans)
        ]

    def paper(self, number: int, fields: Sequence[str]) -> dict[str, Any]:
        """One paper with the asked fields; what the set does not know is null."""
        nested: dict[str, list[str]] = {}
        for field in fields:
            name, _, sub = field.partition(".")
            nested.setdefault(name, []).extend([sub] if sub else [])
        values = {name: self._value(number, name, subs) for name, subs in nested.items()}
        return {"paperId": self.case.papers.rows[number].id, **values}

    def _value(self, number: int, name: str, subs: list[str]) -> Any:
        row = self.case.papers.rows[number]
        match name:
            case "paperId":
                return row.id
            case "title" | "abstract" | "year" | "venue":
                return getattr(row, name)
            case "externalIds":
                return row.external_ids
            case "corpusId":
                return row.external_ids.get("CorpusId")
            case "url":
                return f"https://www.semanticscholar.org/paper/{row.id}"
            case "authors":
                return [{"authorId": None, "name": author} for author in row.authors]
            case "citationCount":
                return len(self.case.citations(number))
            case "referenceCount":
                return len(self.case.references(number))
            case "influentialCitationCount":
                return sum(
                    self.case.papers.links[int(n), number].influential
                    for n in self.case.citations(number)
                )
            case "citations":
                return [
                    self.paper(n, subs or ["title"]) for n in self._citations(number)[:NESTED_MOST]
                ]
            case "references":
                return [
                    self.paper(int(n), subs or ["title"])
                    for n in self.case.references(number)[:NESTED_MOST]
                ]
            case "isOpenAccess":
                return False
        return None


def _unknown(ident: str) -> Response:
    return answer_json({"error": f"Paper with id {ident} not found"}, 404)


def _share(wanted: set[str], title: set[str]) -> float:
    """Common words by all words of two titles."""
    return len(wanted & title) / len(wanted | title) if wanted | title else 0.0


def _link(link: Link, asked: Sequence[str]) -> dict[str, Any]:
    values: dict[str, Any] = {
        "contexts": list(link.contexts),
        "intents": list(link.intents),
        "isInfluential": link.influential,
        "contextsWithIntent": [
            {"context": text, "intents": list(link.intents)} for text in link.contexts
        ],
    }
    return {name: values[name] for name in asked}


def _whole(params: Mapping[str, str], name: str) -> int:
    text = params.get(name) or "0"
    if not text.isdigit():
        raise BadQuery(f"Unacceptable query params: [{name}={text}]")
    return int(text)


def _range(text: str) -> str:
    """2016-2020, 2010-, -2015 or 2019 as a range of dates."""
    low, mark, high = text.partition("-")
    return f"{low}:{high}" if mark else text


def _dated(span: str) -> Callable[[int], bool]:
    """Whether the first day of a year lies in a range such as 2016-03-05:2020-06, 2016: or 2019; an
    empty range holds all years."""
    low, mark, high = span.partition(":")
    high = high if mark else low
    if not all(re.fullmatch(r"(\d{4}(-\d{2}(-\d{2})?)?)?", end) for end in (low, high)):
        raise BadQuery(f"Unacceptable query params: [{span}]")
    first, last = low + "0000-01-01"[len(low) :], high + "9999-12-31"[len(high) :]
    return lambda year: first <= f"{year:04}-01-01" <= last


def id_table(papers: PaperSet) -> dict[str, int]:
    """Every id form, in lower case."""
    return {form: row.number for row in papers.rows for form in _forms(row.id, row.external_ids)}


def _forms(paper_id: str, external_ids: Mapping[str, Any]) -> list[str]:
    forms = [paper_id.lower()]
    for scheme, value in external_ids.items():
        forms += [f"{scheme}:{value}".lower(), *([str(value).lower()] if scheme == "DOI" else [])]
    return forms
