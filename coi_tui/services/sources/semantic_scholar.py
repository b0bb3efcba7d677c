"""Semantic Scholar as a source of papers."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import quote

from coi_tui.literature.ids import known_ids
from coi_tui.literature.paper_records import fill_gaps, possible_year, short_name, short_title
from coi_tui.literature.title_match import show_title
from coi_tui.model.papers import Paper
from coi_tui.model.text import Fields, Values, clean_line, clipped, listed
from coi_tui.services.http.answers import as_list, dig, whole_number
from coi_tui.services.sources.paper_source import (
    NO_ID,
    UNKNOWN,
    ServiceSource,
    authors_of,
    by_frequency,
    chunks,
    ids_from,
    list_note,
    newest_first,
    service_record,
    without,
)
from coi_tui.services.sources.types import (
    Author,
    AuthoredPaper,
    CitationList,
    Direction,
    HttpAnswer,
    HttpRequest,
    People,
    Person,
    ReferenceLists,
    SourceSpec,
)

SERVICE = "Semantic Scholar"
FIELDS = (
    "externalIds,title,abstract,year,publicationDate,venue,authors.name,citationCount,openAccessPdf"
)
"""Only the fields that are used: every further one makes answers slower, and some have caused
errors of the service."""
LINK_FIELDS = f"contexts,intents,{FIELDS}"
"""What is asked of the rows of a list of citations or references: of each citation, and of the
paper at its other end."""
CONTEXTS, CONTEXT_WORDS, CONTEXT_CHARS = 3, 30, 300
"""Sentences taken of a citation, and words and characters of each."""
INTENTS = {"background": "background", "methodology": "method", "result": "result"}
"""What a citation may be for, as the service names it and as it is shown."""
LISTED_FIELDS = "references.externalIds,references.title,references.year"
"""What is asked of the papers that many papers cite. With abstracts such an answer would pass the
10 MB that the service allows."""
LISTS = 50
"""Reference lists a request: the service gives at most 9,999 rows in one answer, and larger ones
have run into its time limit."""
AUTHOR_FIELDS = "name,affiliations,paperCount,citationCount,papers.title,papers.year,papers.authors"
AUTHORS = 20
"""Authors a request: with all their papers and co-authors, some 200 kB for one who wrote a lot,
where the service allows 10 MB."""
MAX_BATCH = 500
MAX_ROWS = 1_000
"""Rows of a list, which is read in one request."""
SPREAD_YEARS = 8
"""Years after which the papers that cite another are read by spans of time."""
_NO_QUOTES = str.maketrans('“”"', "‘’'")
_HYPHENS = re.compile("[-\u2010-\u2015]")
_SCHEMES = {"ArXiv": "arxiv", "DOI": "doi", "CorpusId": "corpusid", "ACL": "acl", "PubMed": "pmid"}
_AUTHOR = re.compile(r"\d{1,15}", re.ASCII)


class SemanticScholar(ServiceSource):
    """The client of the Semantic Scholar Graph API."""

    name = SERVICE
    # the service's own hash comes first: it needs no look-up there and no escaping in a path
    forms = (
        ("S2", "{}"),
        ("CorpusId", "CorpusId:{}"),
        ("arXiv", "ARXIV:{}"),
        ("DOI", "DOI:{}"),
        ("ACL", "ACL:{}"),
        ("PMID", "PMID:{}"),
    )

    def _words(self, query: str) -> str:
        """Hyphens are sent as blanks, since hyphenated words find nothing."""
        return clean_line(_HYPHENS.sub(" ", query))

    async def _search(self, words: str, most: int) -> tuple[list[Paper], int | None]:
        asked = {"query": words, "fields": FIELDS, "limit": str(most)}
        asked |= {"publicationDateOrYear": f"{self.since}:"} if self.since else {}
        body = self._object(await self._get("/paper/search", **asked))
        return self._papers(self._data(body)), whole_number(body.get("total"))

    async def _titled(self, title: str) -> list[Paper]:
        """The paper that the service proposes for a title."""
        answer = await self._get("/paper/search/match", query=title, fields=FIELDS)
        return [] if answer.status == 404 else self._papers(self._data(self._object(answer)))

    async def _records(self, forms: Sequence[str]) -> dict[str, Paper | None]:
        rows = await self._posted("/paper/batch", forms, FIELDS, MAX_BATCH)
        return {form: to_paper(row, self._today()) for form, row in zip(forms, rows, strict=True)}

    async def reference_lists(self, papers: Sequence[Paper]) -> ReferenceLists:
        """What each of ``papers`` cites, ``LISTS`` of them a request. A paper that the service does
        not know has no list."""
        lists: dict[str, tuple[str, ...]] = {}
        cited: dict[str, Paper] = {}
        for paper_id, row in (await self._rows_of(papers, LISTED_FIELDS, LISTS)).items():
            if isinstance(dig(row, "references"), list):
                found = {paper.id: paper for paper in self._papers(row["references"])}
                lists[paper_id] = tuple(own for own in found if own != paper_id)
                cited |= found
        return ReferenceLists(
            lists=lists,
            papers=tuple(cited.values()),
            note="" if lists or not papers else f"{SERVICE} gave no lists of references",
            asked_at=self._today(),
            source=SERVICE,
        )

    async def people(self, papers: Sequence[Paper], most: int, each: int) -> People:
        """The authors of ``papers``, then their records with ``each`` of their newest papers,
        ``AUTHORS`` of them a request.

        Never run live: the form of ``/author/batch`` is taken from the service's public
        description, not from an answer.
        """
        rows = await self._rows_of(papers, "authors.name", MAX_BATCH)
        named = {paper_id: _authors(dig(row, "authors")) for paper_id, row in rows.items()}
        authors = {paper_id: listed for paper_id, listed in named.items() if listed}
        chosen = by_frequency(authors, most)
        numbers = [a.id.removeprefix("S2:") for a in chosen if a.id.startswith("S2:")]
        records = await self._posted("/author/batch", numbers, AUTHOR_FIELDS, AUTHORS)
        known = {f"S2:{dig(row, 'authorId')}": row for row in records}
        return People(
            authors=authors,
            people=tuple(self._person(author, known.get(author.id), each) for author in chosen),
            note="" if chosen or not papers else f"{SERVICE} names no authors of these papers",
            asked_at=self._today() if papers else None,
            source=SERVICE,
        )

    def _person(self, author: Author, row: object, each: int) -> Person:
        """An author with what the service's record says."""
        papers = (_authored(paper, self._today()) for paper in as_list(dig(row, "papers")))
        places = (place for place in as_list(dig(row, "affiliations")) if isinstance(place, str))
        return Person(
            id=author.id,
            name=short_name(dig(row, "name")) or author.name,
            affiliation=next(filter(None, map(short_name, places)), ""),
            citations=whole_number(dig(row, "citationCount")),
            paper_count=whole_number(dig(row, "paperCount")),
            papers=newest_first(filter(None, papers), each),
        )

    # lists

    def _spans(self, paper: Paper, limit: int) -> tuple[str, ...]:
        """The spans of years in which citing papers are asked for; none where they are few enough to be
        read whole, or no time has passed."""
        year = paper.year
        if self.since:
            return (f"{self.since}:",)
        if year is None or (paper.citations.count or 0) <= limit:
            return ()
        if int(self._today()[:4]) - year < SPREAD_YEARS:
            return ()
        return (f"{year}:{year + 2}", f"{year + 3}:{year + 6}", f"{year + 7}:")

    async def _list(self, paper: Paper, direction: Direction, limit: int) -> CitationList:
        """A list with its first ``limit`` rows; the caller ranks them.

        Of the papers that cite another the service gives the newest first. Where there are more
        than ``limit``, so many are read of each of three spans of time (the two years after the
        paper, the next four, the rest), so that the papers that followed soon are among them.
        """
        citing = direction == "citing"
        spans = self._spans(paper, limit) if citing else ()
        if not (form := self._form(known_ids(paper))):
            return self._no_list(paper, direction, NO_ID)
        answers = await self._pages(form, "citations" if citing else "references", spans, limit)
        if any(answer.status == 404 for answer in answers):
            return self._no_list(paper, direction, UNKNOWN)
        bodies = list(map(self._object, answers))
        last = bodies[-1]
        if last.get("data", ()) is None:
            why = "gives no list for this paper; its publisher may keep it back"
            return self._no_list(paper, direction, why, withheld=True)
        rows = [row for body in bodies for row in self._data(body)]
        complete = not spans and not (last.get("data") and whole_number(last.get("next")))
        end = "citingPaper" if citing else "citedPaper"
        found = self._papers(dig(row, end) for row in rows)
        others = await self._with_abstracts(without(paper, found))
        total = len(rows) if complete else paper.citations.count if citing else None
        return self._listed(
            paper,
            direction,
            others,
            _uses(rows, end, others),
            total=total,
            rows_read=len(rows),
            note=list_note(len(rows), total, complete, len(rows) - len(found)),
        )

    async def _pages(
        self, form: str, kind: str, spans: Iterable[str], limit: int
    ) -> list[HttpAnswer]:
        """A list of a paper as the service gives it, of each span of time by itself."""
        path = quote(form, safe=":/")  # the service takes the slashes of a DOI unescaped
        asked = {"fields": LINK_FIELDS, "limit": str(max(1, min(limit, MAX_ROWS)))}
        dated: list[dict[str, str]] = [{"publicationDateOrYear": span} for span in spans] or [{}]
        read = (self._get(f"/paper/{path}/{kind}", **asked, **span) for span in dated)
        return await asyncio.gather(*read)

    async def _with_abstracts(self, papers: list[Paper]) -> list[Paper]:
        """``papers`` with missing abstracts asked for by id in one batch, since verdicts and cards
        are made from them (COI-4, COI-5)."""
        bare = [paper.ids["S2"] for paper in papers if paper.abstract is None]
        records = await self._records(bare)
        return [
            fill_gaps(paper, record) if (record := records.get(paper.ids["S2"])) else paper
            for paper in papers
        ]

    # requests

    async def _posted(self, path: str, ids: Sequence[str], fields: str, most: int) -> list[Any]:
        """The records of ``ids`` in their order, null for unknown ones; ``most`` a request."""

        async def batch(part: Sequence[str]) -> list[Any]:
            url, params = f"{self._base}{path}", (("fields", fields),)
            request = HttpRequest(method="POST", url=url, params=params, body={"ids": list(part)})
            answer = await self._fetch.json(request)
            rows = [None] * len(part) if answer.status == 404 else answer.payload
            if not isinstance(rows, list) or len(rows) != len(part):
                raise self._broken("a batch without one entry for each thing asked for")
            return rows

        return [
            row for rows in await asyncio.gather(*map(batch, chunks(ids, most))) for row in rows
        ]

    async def _rows_of(self, papers: Iterable[Paper], fields: str, most: int) -> Fields:
        """The record of each paper that the service has a form for, null for unknown ones."""
        forms = {form: paper.id for paper in papers if (form := self._form(known_ids(paper)))}
        rows = await self._posted("/paper/batch", list(forms), fields, most)
        return dict(zip(forms.values(), rows, strict=True))

    def _data(self, body: Values) -> list[Any]:
        """The rows of an answer; a search without hits has no ``data`` at all."""
        return [] if body.get("data") is None else self._rows(body["data"])

    def _papers(self, rows: Iterable[object]) -> list[Paper]:
        return list(filter(None, (to_paper(row, self._today()) for row in rows)))


SOURCE = SourceSpec(
    "semantic_scholar",
    SERVICE,
    SemanticScholar,
    url="https://api.semanticscholar.org/graph/v1",
    ids=tuple(dict(SemanticScholar.forms)),
    key_header="x-api-key",
    without_key="the shared limit applies online",
    pace_s=(1.1, 3.0),
    sends_for_people="ids of the authors of your papers",
)


def to_paper(row: object, today: str) -> Paper | None:
    """The paper of one API object, or None for a row without an id. Any field may be missing;
    ``today`` dates its citation count."""
    given = {prefix: dig(row, "externalIds", name) for name, prefix in _SCHEMES.items()}
    given["s2"] = dig(row, "paperId")
    ids = ids_from(f"{prefix}:{value}" for prefix, value in given.items() if value is not None)
    if "S2" not in ids:
        return None
    return service_record(
        SERVICE,
        ids,
        today,
        title=dig(row, "title"),
        year=dig(row, "year"),
        published=dig(row, "publicationDate"),
        authors=(dig(author, "name") for author in as_list(dig(row, "authors"))),
        venue=dig(row, "venue"),
        abstract=dig(row, "abstract"),
        citations=dig(row, "citationCount"),
        open_pdf=dig(row, "openAccessPdf", "url"),
    )


def _uses(
    rows: Iterable[object], end: str, papers: Iterable[Paper]
) -> dict[str, tuple[str, tuple[str, ...]]]:
    """How each paper cites or is cited, by its id, where a row says so."""
    uses = {dig(row, end, "paperId"): _use(row) for row in rows}
    return {p.id: uses[own] for p in papers if (own := p.ids.get("S2")) in uses}


def _use(row: object) -> tuple[str, tuple[str, ...]]:
    """``cited as method: “We build on it.”``, and the sentences of a citation: each on one line,
    short, and without quotation marks, since it is shown between such."""
    given = as_list(dig(row, "intents"))
    purposes = [shown for intent, shown in INTENTS.items() if intent in given]
    sentences = (
        clipped(clean_line(text[:2_000]).translate(_NO_QUOTES), CONTEXT_WORDS)[:CONTEXT_CHARS]
        for text in as_list(dig(row, "contexts"))
        if isinstance(text, str)
    )
    contexts = tuple(dict.fromkeys(filter(None, sentences)))[:CONTEXTS]
    words = f"cited as {listed(purposes)}" if purposes else "cited in" if contexts else ""
    return f"{words}: “{contexts[0]}”" if contexts else words, contexts


# people


def _authors(rows: object) -> tuple[Author, ...]:
    """The authors of a paper object. One whom the service cannot tell from others has no id."""
    return authors_of(
        (dig(row, "name"), f"S2:{number}" if _AUTHOR.fullmatch(number) else "")
        for row in as_list(rows)
        for number in [clean_line(dig(row, "authorId"))]
    )


def _authored(paper: object, today: str) -> AuthoredPaper | None:
    title = short_title(show_title(dig(paper, "title")))
    year = possible_year(whole_number(dig(paper, "year")), today)
    authors = _authors(dig(paper, "authors"))
    return AuthoredPaper(title=title, year=year, authors=authors) if title else None
