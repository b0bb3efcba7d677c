"""Semantic Scholar as a source of papers."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from coi_tui.literature.deduplication import fill_gaps, merge_papers
from coi_tui.literature.ids import normalise_id, s2_form, s2_path_id
from coi_tui.literature.paper_limits import possible_year, short_name, short_title
from coi_tui.literature.title_match import show_title
from coi_tui.model.papers import Paper, TitleMatch
from coi_tui.model.text import clean, clean_line, clipped
from coi_tui.services.sources.paper_source import (
    INTENT_WORDS,
    ServiceSource,
    as_list,
    chunks,
    dig,
    ids_from,
    lines,
    list_note,
    service_record,
    web_url,
    whole_number,
    without,
)
from coi_tui.services.sources.people import MOST_AUTHORS, by_frequency, name_id, newest_first
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
    SearchResult,
    SourceSpec,
)

SERVICE = "Semantic Scholar"
FIELDS = (
    "externalIds,title,abstract,year,publicationDate,venue,authors.name,citationCount,openAccessPdf"
)
"""Only the fields that are used: every further one makes answers slower, and some have caused
errors of the service."""
LINK_FIELDS = f"contexts,intents,isInfluential,{FIELDS}"
"""What is asked of the rows of a list of citations or references: of each citation, and of the
paper at its other end."""
CONTEXTS, CONTEXT_WORDS, CONTEXT_CHARS = 3, 30, 300
"""Sentences taken of a citation, and words and characters of each."""
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
AFFILIATIONS = 3
"""Affiliations taken of one person."""
MAX_SEARCH = 100
MAX_BATCH = 500
MAX_OFFSET = 9_999
"""``offset + limit`` of a list must stay below 10,000."""
PAGE = {"citing": 100, "cited": 500}
"""Rows a request: citations are many and only the first matter; references must be read whole to
find a title among them."""
SPREAD_YEARS = 8
"""Years after which the papers that cite another are read by spans of time."""
_NO_QUOTES = str.maketrans('“”"', "‘’'")
_HYPHENS = re.compile("[-\u2010-\u2015]")
_DATE = re.compile(r"\d{4}(?:-\d{2}(?:-\d{2})?)?", re.ASCII)
_SCHEMES = {"ArXiv": "arxiv", "DOI": "doi", "CorpusId": "corpusid", "ACL": "acl", "PubMed": "pmid"}
_AUTHOR = re.compile(r"\d{1,15}", re.ASCII)


class SemanticScholar(ServiceSource):
    """The client."""

    name, scheme = SERVICE, "S2"

    async def search(self, query: str, limit: int) -> SearchResult:
        """Relevance search, at most 100 papers. Hyphens are sent as blanks, since hyphenated words
        find nothing."""
        words = clean_line(_HYPHENS.sub(" ", query))
        if not words:
            return self._not_searched(query)
        most = max(1, min(limit, MAX_SEARCH))
        answer = await self._get(
            "/paper/search", query=words, fields=FIELDS, offset="0", limit=str(most)
        )
        body = self._object(answer)
        papers = self._papers(self._data(body))
        return self._found(query, words, papers, whole_number(body.get("total")), most)

    async def match(self, title: str, year: int | None, authors: Sequence[str] = ()) -> TitleMatch:
        """The paper that the service proposes for ``title``, if title, year and author agree."""
        words = show_title(title)
        if not words:
            return TitleMatch(note="no title to look for")
        answer = await self._get("/paper/search/match", query=words, fields=FIELDS)
        rows = [] if answer.status == 404 else self._data(self._object(answer))
        return self._matched(words, self._papers(rows), year, authors)

    async def papers(self, ids: Sequence[str]) -> list[Paper | None]:
        """Papers by id of any kind, in order, in as few batches as possible; None for unknown ids
        and kinds the service has no form for."""
        forms = [s2_form(paper_id) for paper_id in ids]
        wanted = list(dict.fromkeys(filter(None, forms)))
        rows = await self._posted("/paper/batch", wanted, FIELDS, MAX_BATCH)
        found = {form: to_paper(row, self._today()) for form, row in zip(wanted, rows, strict=True)}
        return [
            _same_arxiv_id(paper_id, found.get(form or ""))
            for paper_id, form in zip(ids, forms, strict=True)
        ]

    async def citations(self, paper: Paper, limit: int) -> CitationList:
        """Papers that cite ``paper``: the caller ranks them.

        The service gives the newest first. Where there are more than ``limit``, so many are read of
        each of three spans of time (the two years after the paper, the next four, the rest), so
        that the papers that followed soon are among them.
        """
        return await self._list(paper, "citing", limit, _spans(paper, limit, self._today()))

    async def references(self, paper: Paper, limit: int) -> CitationList:
        return await self._list(paper, "cited", limit)

    async def reference_lists(self, papers: Sequence[Paper]) -> ReferenceLists:
        """What each of ``papers`` cites, ``LISTS`` of them a request. A paper that the service does
        not know has no list."""
        forms = _forms(papers)
        rows = await self._posted("/paper/batch", list(forms), LISTED_FIELDS, LISTS)
        lists: dict[str, tuple[str, ...]] = {}
        cited: dict[str, Paper] = {}
        for paper_id, row in zip(forms.values(), rows, strict=True):
            if isinstance(listed := dig(row, "references"), list):
                found = self._papers(listed)
                lists[paper_id] = tuple(dict.fromkeys(p.id for p in found if p.id != paper_id))
                cited |= {paper.id: paper for paper in found}
        note = "" if lists or not forms else f"{SERVICE} gave no lists of references"
        return ReferenceLists(
            lists=lists,
            papers=tuple(cited.values()),
            note=note,
            asked_at=self._today(),
            source=SERVICE,
        )

    async def people(self, papers: Sequence[Paper], most: int, each: int) -> People:
        """The authors of ``papers``, then their records with ``each`` of their newest papers,
        ``AUTHORS`` of them a request.

        Never run live: the form of ``/author/batch`` is taken from the service's public
        description, not from an answer.
        """
        forms = _forms(papers)
        rows = await self._posted("/paper/batch", list(forms), "authors.name", MAX_BATCH)
        authors = {
            paper_id: listed
            for paper_id, row in zip(forms.values(), rows, strict=True)
            if (listed := _authors(dig(row, "authors")))
        }
        chosen = by_frequency(authors, most)
        numbers = [a.id.removeprefix("S2:") for a in chosen if a.id.startswith("S2:")]
        records = await self._posted("/author/batch", numbers, AUTHOR_FIELDS, AUTHORS)
        known = {f"S2:{dig(row, 'authorId')}": row for row in records}
        note = "" if chosen or not papers else f"{SERVICE} names no authors of these papers"
        return People(
            authors=authors,
            people=tuple(self._person(author, known.get(author.id), each) for author in chosen),
            note=note,
            asked_at=self._today() if papers else None,
            source=SERVICE,
        )

    def _person(self, author: Author, row: object, each: int) -> Person:
        """An author with what the service's record says."""
        papers = (_authored(paper, self._today()) for paper in as_list(dig(row, "papers")))
        places = (short_name(p) for p in as_list(dig(row, "affiliations")) if isinstance(p, str))
        return Person(
            id=author.id,
            name=short_name(dig(row, "name")) or author.name,
            affiliations=tuple(dict.fromkeys(filter(None, places)))[:AFFILIATIONS],
            citations=whole_number(dig(row, "citationCount")),
            paper_count=whole_number(dig(row, "paperCount")),
            papers=newest_first(filter(None, papers), each),
        )

    # Lists

    async def _list(
        self, paper: Paper, direction: Direction, limit: int, spans: Sequence[str] = ()
    ) -> CitationList:
        form = s2_path_id(paper)
        if form is None:
            why = "has no id for this paper, so nothing was asked"
            return self._no_list(paper, direction, why)
        if spans:
            size = min(max(1, limit), PAGE["citing"])
            answers = await asyncio.gather(
                *(self._page(form, direction, 0, size, span) for span in spans)
            )
        else:
            answers = await self._pages(form, direction, max(1, limit))
        if any(answer.status == 404 for answer in answers):
            return self._no_list(paper, direction, "does not know this paper")
        bodies = list(map(self._object, answers))
        if "data" in bodies[-1] and bodies[-1]["data"] is None:
            why = "gives no list for this paper; its publisher may keep it back"
            return self._no_list(paper, direction, why, withheld=True)
        pages = list(map(self._data, bodies))
        complete = not spans and not (pages[-1] and whole_number(bodies[-1].get("next")))
        return await self._read(paper, direction, pages, complete)

    async def _pages(self, form: str, direction: Direction, most: int) -> list[HttpAnswer]:
        """The pages with the first so many rows; one may be shorter than asked for."""
        answers, offset, end = list[HttpAnswer](), 0, min(most, MAX_OFFSET)
        while offset < end:
            size = min(PAGE[direction], end - offset)
            answers.append(await self._page(form, direction, offset, size))
            body = answers[-1].payload
            following = whole_number(dig(body, "next")) or 0
            if following <= offset or not dig(body, "data"):
                break
            offset = following
        return answers

    async def _page(
        self, form: str, direction: Direction, offset: int, size: int, span: str = ""
    ) -> HttpAnswer:
        kind = "citations" if direction == "citing" else "references"
        path = quote(form, safe=":/")  # the service takes the slashes of a DOI unescaped
        dated = {"publicationDateOrYear": span} if span else {}
        return await self._get(
            f"/paper/{path}/{kind}",
            fields=LINK_FIELDS,
            offset=str(offset),
            limit=str(size),
            **dated,
        )

    async def _read(
        self, paper: Paper, direction: Direction, pages: Iterable[list[Any]], complete: bool
    ) -> CitationList:
        end = "citingPaper" if direction == "citing" else "citedPaper"
        rows = [row for page in pages for row in page]
        records = [dig(row, end) for row in rows]
        found = self._papers(records)
        others = await self._with_abstracts(without(paper, merge_papers(found)))
        total = len(rows) if complete else paper.citations.count if direction == "citing" else None
        uses = {dig(row, end, "paperId"): use for row in rows if (use := _use(row))}
        return self._listed(
            paper,
            direction,
            others,
            {p.id: uses[own] for p in others if (own := p.ids.get("S2")) in uses},
            total=total,
            rows_read=len(rows),
            note=list_note(len(rows), total, complete, len(rows) - len(found)),
        )

    async def _with_abstracts(self, papers: list[Paper]) -> list[Paper]:
        """``papers`` with missing abstracts asked for by id in one batch, since verdicts and cards
        are made from them (COI-4, COI-5)."""
        bare = [paper for paper in papers if paper.abstract is None]
        records = await self.papers([f"S2:{paper.ids['S2']}" for paper in bare])
        fuller = {
            paper.id: fill_gaps(paper, record)
            for paper, record in zip(bare, records, strict=True)
            if record is not None
        }
        return [fuller.get(paper.id, paper) for paper in papers]

    # Requests

    async def _posted(self, path: str, ids: Sequence[str], fields: str, most: int) -> list[Any]:
        """The records of ``ids`` in their order, null for unknown ones; ``most`` a request."""
        parts = chunks(ids, most)
        answers = await asyncio.gather(
            *(
                self._fetch.json(
                    HttpRequest(
                        method="POST",
                        url=f"{self._base}{path}",
                        params=(("fields", fields),),
                        body={"ids": list(part)},
                    )
                )
                for part in parts
            )
        )
        rows: list[Any] = []
        for part, answer in zip(parts, answers, strict=True):
            found = [None] * len(part) if answer.status == 404 else answer.payload
            if not isinstance(found, list) or len(found) != len(part):
                raise self._broken("a batch without one entry for each thing asked for")
            rows += found
        return rows

    async def _get(self, path: str, **params: str) -> HttpAnswer:
        return await self._fetch.json(
            HttpRequest(url=self._base + path, params=tuple(params.items()))
        )

    def _data(self, body: Mapping[str, Any]) -> list[Any]:
        """The rows of an answer; a search without hits has no ``data`` at all."""
        data = body.get("data")
        return [] if data is None else self._rows(data)

    def _papers(self, rows: Iterable[object]) -> list[Paper]:
        return list(filter(None, (to_paper(row, self._today()) for row in rows)))


SOURCE = SourceSpec(
    "semantic_scholar",
    SERVICE,
    SemanticScholar,
    url="https://api.semanticscholar.org/graph/v1",
    ids=("S2", "CorpusId", "arXiv", "DOI", "ACL", "PMID"),
    key_header="x-api-key",
    without_key="the shared limit applies online",
    pace_s=(1.1, 3.0),
    sends_for_people="ids of the authors of your papers",
)


def to_paper(row: object, today: str) -> Paper | None:
    """The paper of one API object, or None for a row without an id. Any field may be missing;
    ``today`` dates its citation count."""
    numbers = ((prefix, dig(row, "externalIds", name)) for name, prefix in _SCHEMES.items())
    own = dig(row, "paperId")
    ids = ids_from(
        [
            *(f"{prefix}:{value}" for prefix, value in numbers if value is not None),
            *([f"s2:{own}"] if isinstance(own, str) else []),
        ]
    )
    if "S2" not in ids:
        return None
    date = clean_line(dig(row, "publicationDate"))
    published = date if _DATE.fullmatch(date) else None
    return service_record(
        SERVICE,
        ids,
        today,
        dig(row, "citationCount"),
        title=show_title(dig(row, "title")) or "(no title)",
        year=whole_number(dig(row, "year")) or (int(published[:4]) if published else None),
        published=published,
        authors=lines(dig(author, "name") for author in as_list(dig(row, "authors"))),
        venue=clean_line(dig(row, "venue")) or None,
        abstract=clean(dig(row, "abstract")).strip() or None,
        open_pdf=web_url(dig(row, "openAccessPdf", "url")),
    )


def _forms(papers: Iterable[Paper]) -> dict[str, str]:
    """The ids of papers by the form of an id that the service takes."""
    return {form: paper.id for paper in papers if (form := s2_path_id(paper)) is not None}


def _spans(paper: Paper, limit: int, today: str) -> tuple[str, ...]:
    """Spans of years to read the citing papers of; none where they are few enough to be read whole,
    or no time has passed."""
    year, now = paper.year, int(today[:4]) if today[:4].isdigit() else 0
    if year is None or (paper.citations.count or 0) <= limit or now - year < SPREAD_YEARS:
        return ()
    return (f"{year}:{year + 2}", f"{year + 3}:{year + 6}", f"{year + 7}:")


def _use(row: object) -> dict[str, Any]:
    """What a row says of its citation; empty where it says nothing. A sentence is on one line,
    short, and without quotation marks, since it is shown between such."""
    given = as_list(dig(row, "intents"))
    sentences = (
        clipped(clean_line(text[:2_000]).translate(_NO_QUOTES), CONTEXT_WORDS)[:CONTEXT_CHARS]
        for text in as_list(dig(row, "contexts"))
        if isinstance(text, str)
    )
    found = {
        "intents": tuple(intent for intent in INTENT_WORDS if intent in given),
        "contexts": tuple(dict.fromkeys(filter(None, sentences)))[:CONTEXTS],
        "influential": dig(row, "isInfluential") is True,
    }
    return found if any(found.values()) else {}


def _same_arxiv_id(paper_id: str, paper: Paper | None) -> Paper | None:
    """None for a paper with another arXiv id than was asked for: a paper has one only, while DOIs
    and the service's ids may be merged."""
    scheme, value = normalise_id(paper_id) or ("", "")
    if paper is None or scheme != "arXiv":
        return paper
    return paper if paper.ids.get("arXiv", value) == value else None


# People


def _authors(rows: object) -> tuple[Author, ...]:
    """The authors of a paper object. One without an id (the service does not know who it is) goes by
    name."""
    found: dict[str, Author] = {}
    for row in as_list(rows)[:MOST_AUTHORS]:
        number = clean_line(dig(row, "authorId"))
        if name := short_name(dig(row, "name")):
            own = f"S2:{number}" if _AUTHOR.fullmatch(number) else name_id(name)
            found.setdefault(own, Author(id=own, name=name))
    return tuple(found.values())


def _authored(paper: object, today: str) -> AuthoredPaper | None:
    title = short_title(show_title(dig(paper, "title")))
    own = clean_line(dig(paper, "paperId"))
    if not title:
        return None
    return AuthoredPaper(
        title=title,
        year=possible_year(whole_number(dig(paper, "year")), today),
        authors=_authors(dig(paper, "authors")),
        id=f"S2:{own}" if len(own) <= 64 and own.isalnum() else "",
    )
