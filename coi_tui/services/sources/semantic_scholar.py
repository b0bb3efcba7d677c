"""Semantic Scholar as a source of papers: its client, and its paper objects turned into papers."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from pydantic import JsonValue

from coi_tui.config import SEMANTIC_SCHOLAR_URL
from coi_tui.literature.deduplication import fill_gaps, merge_papers
from coi_tui.literature.ids import normalise_id, s2_form, s2_path_id
from coi_tui.literature.title_match import match_title, show_title
from coi_tui.model.papers import Paper, PaperText
from coi_tui.model.text import clean, clean_line, clipped
from coi_tui.services.pdf.full_text import read_paper
from coi_tui.services.sources.people import by_frequency, s2_authors, s2_number, s2_person
from coi_tui.services.sources.service_answers import (
    INTENT_WORDS,
    as_dict,
    as_list,
    broken_answer,
    citation_links,
    ids_from,
    json_object,
    list_note,
    not_searched,
    record,
    search_result,
    web_url,
    whole_number,
    without,
)
from coi_tui.services.sources.types import (
    Author,
    CitationList,
    Direction,
    Fetch,
    HttpAnswer,
    HttpRequest,
    People,
    Person,
    ReferenceLists,
    SearchResult,
    TitleMatch,
    Today,
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
CONTEXTS, CONTEXT_WORDS = 3, 30
"""Sentences kept of a citation, and words of each."""
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
MAX_SEARCH = 100
MAX_BATCH = 500
MAX_OFFSET = 9_999
"""``offset + limit`` of a list must stay below 10,000."""
PAGE = {"citing": 100, "cited": 500}
"""Rows a request: citations are many and only the first matter; references must be read whole to
find a title among them."""
SPREAD_YEARS = 8
"""Years after which the papers that cite another are read by spans of time."""
CONTEXT_CHARS = 300
_NO_QUOTES = str.maketrans('“”"', "‘’'")
_HYPHENS = re.compile("[-\u2010-\u2015]")
_DATE = re.compile(r"\d{4}(?:-\d{2}(?:-\d{2})?)?", re.ASCII)
_SCHEMES = {"ArXiv": "arxiv", "DOI": "doi", "CorpusId": "corpusid", "ACL": "acl", "PubMed": "pmid"}


class SemanticScholar:
    """The client; every request goes through the ``Fetch`` it is given.

    The same answers and ``today`` give the same results. Raises ServiceError wherever it cannot
    tell.
    """

    def __init__(self, fetch: Fetch, base_url: str = SEMANTIC_SCHOLAR_URL, *, today: Today) -> None:
        self._fetch = fetch
        self._base = base_url.rstrip("/")
        self._today = today

    @property
    def name(self) -> str:
        return SERVICE

    async def search(self, query: str, limit: int) -> SearchResult:
        """Relevance search, at most 100 papers. Hyphens are sent as blanks, since hyphenated words
        find nothing."""
        words = clean_line(_HYPHENS.sub(" ", query))
        if not words:
            return not_searched(SERVICE, query)
        asked = max(1, min(limit, MAX_SEARCH))
        body = json_object(
            await self._get(
                "/paper/search", query=words, fields=FIELDS, offset="0", limit=str(asked)
            ),
            SERVICE,
        )
        papers = merge_papers(self._papers(_rows(body)))[:asked]
        total = whole_number(body.get("total"))
        return search_result(SERVICE, query, words, papers, total, self._today())

    async def match(self, title: str, year: int | None, authors: Sequence[str] = ()) -> TitleMatch:
        """The paper that the service proposes for ``title``, if title, year and author agree; its
        proposal alone is not trusted."""
        words = show_title(title)
        if not words:
            return TitleMatch(note="no title to look for")
        answer = await self._get("/paper/search/match", query=words, fields=FIELDS)
        papers = [] if answer.status == 404 else self._papers(_rows(json_object(answer, SERVICE)))
        if not papers:
            return TitleMatch(note=f"{SERVICE} knows no paper of this title")
        return match_title(words, papers, year, authors)

    async def papers(self, ids: Sequence[str]) -> list[Paper | None]:
        """Papers by id of any kind, in order, in as few batches as possible; None for unknown ids
        and kinds the service has no form for."""
        forms = [s2_form(paper_id) for paper_id in ids]
        wanted = list(dict.fromkeys(form for form in forms if form))
        found: dict[str, Paper | None] = {}
        for start in range(0, len(wanted), MAX_BATCH):
            part = wanted[start : start + MAX_BATCH]
            rows = await self._posted("/paper/batch", part, FIELDS)
            found |= {
                form: to_paper(row, self._today()) for form, row in zip(part, rows, strict=True)
            }
        return [
            _same_arxiv_id(paper_id, found.get(form) if form else None)
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
        """Papers that ``paper`` cites, with the titles of those the service could not identify."""
        return await self._list(paper, "cited", limit)

    async def reference_lists(self, papers: Sequence[Paper]) -> ReferenceLists:
        """What each of ``papers`` cites, ``LISTS`` of them a request. A paper that the service does
        not know has no list."""
        forms = {form: paper.id for paper in papers if (form := s2_path_id(paper)) is not None}
        asked = list(forms)
        parts = [asked[start : start + LISTS] for start in range(0, len(asked), LISTS)]
        answers = await asyncio.gather(
            *(self._posted("/paper/batch", part, LISTED_FIELDS) for part in parts)
        )
        lists: dict[str, tuple[str, ...]] = {}
        cited: dict[str, Paper] = {}
        for form, row in zip(asked, (row for rows in answers for row in rows), strict=True):
            if isinstance(row, dict) and isinstance(row.get("references"), list):
                found = self._papers(as_list(row["references"]))
                lists[forms[form]] = tuple(
                    dict.fromkeys(paper.id for paper in found if paper.id != forms[form])
                )
                cited |= {paper.id: paper for paper in found}
        note = "" if lists or not asked else f"{SERVICE} gave no lists of references"
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
        authors = await self._authors_of(
            {form: paper.id for paper in papers if (form := s2_path_id(paper)) is not None}
        )
        chosen = by_frequency(authors, most)
        told = await self._persons(
            [number for author in chosen if (number := s2_number(author))], each
        )
        people = tuple(
            told.get(author.id) or Person(id=author.id, name=author.name) for author in chosen
        )
        note = "" if people or not papers else f"{SERVICE} names no authors of these papers"
        return People(
            authors=authors,
            people=people,
            note=note,
            asked_at=self._today() if papers else None,
            source=SERVICE,
        )

    async def _authors_of(self, forms: Mapping[str, str]) -> dict[str, tuple[Author, ...]]:
        """The authors of papers, by the id of the paper at each form of an id."""
        asked = list(forms)
        parts = [asked[start : start + MAX_BATCH] for start in range(0, len(asked), MAX_BATCH)]
        answers = await asyncio.gather(
            *(self._posted("/paper/batch", part, "authors.name") for part in parts)
        )
        pairs = zip(asked, (row for rows in answers for row in rows), strict=True)
        return {
            forms[form]: listed
            for form, row in pairs
            if (listed := s2_authors(as_dict(row).get("authors")))
        }

    async def _persons(self, numbers: Sequence[str], each: int) -> dict[str, Person]:
        groups = [numbers[start : start + AUTHORS] for start in range(0, len(numbers), AUTHORS)]
        found = await asyncio.gather(
            *(self._posted("/author/batch", group, AUTHOR_FIELDS) for group in groups)
        )
        return {
            person.id: person
            for rows in found
            for row in rows
            if (person := s2_person(row, each, self._today()))
        }

    async def text(self, paper: Paper) -> PaperText:
        return await read_paper(self._fetch, paper, self, "S2")

    # Lists

    async def _list(
        self, paper: Paper, direction: Direction, limit: int, spans: Sequence[str] = ()
    ) -> CitationList:
        form = s2_path_id(paper)
        if form is None:
            return CitationList(
                paper=paper.id,
                direction=direction,
                note=f"{SERVICE} has no id for this paper, so nothing was asked",
            )
        if spans:
            return await self._sampled(paper, form, limit, spans)
        rows: list[JsonValue] = []
        offset: int | None = 0
        while offset is not None and offset < MAX_OFFSET and len(rows) < max(1, limit):
            size = min(PAGE[direction], max(1, limit) - len(rows), MAX_OFFSET - offset)
            answer = await self._page(form, direction, offset, size)
            if answer.status == 404:
                return CitationList(
                    paper=paper.id, direction=direction, note=f"{SERVICE} does not know this paper"
                )
            body = json_object(answer, SERVICE)
            if _is_withheld(body):
                return self._withheld(paper, direction, body)
            page = _rows(body)
            rows += page
            offset = _next_offset(body, offset) if page else None
        return await self._citation_list(paper, direction, rows, complete=offset is None)

    async def _sampled(
        self, paper: Paper, form: str, limit: int, spans: Sequence[str]
    ) -> CitationList:
        """The newest citing papers of each span of time, side by side."""
        size = min(limit, PAGE["citing"])
        answers = await asyncio.gather(
            *(self._page(form, "citing", 0, size, span) for span in spans)
        )
        if any(answer.status == 404 for answer in answers):
            return CitationList(
                paper=paper.id, direction="citing", note=f"{SERVICE} does not know this paper"
            )
        pages = [_rows(json_object(answer, SERVICE)) for answer in answers]
        listed = await self._citation_list(
            paper, "citing", [row for page in pages for row in page], complete=False
        )
        read = ", ".join(
            f"{len(page)} of {span.strip(':').replace(':', ' to ')}"
            for span, page in zip(spans, pages, strict=True)
        )
        return listed.model_copy(update={"note": f"{listed.note} ({read})"})

    async def _page(
        self, form: str, direction: Direction, offset: int, size: int, span: str = ""
    ) -> HttpAnswer:
        kind = "citations" if direction == "citing" else "references"
        dated = {"publicationDateOrYear": span} if span else {}
        return await self._get(
            f"/paper/{_in_path(form)}/{kind}",
            fields=LINK_FIELDS,
            offset=str(offset),
            limit=str(size),
            **dated,
        )

    def _withheld(
        self, paper: Paper, direction: Direction, body: dict[str, JsonValue]
    ) -> CitationList:
        notice = elision_notice(body.get("citingPaperInfo"))
        note = (
            f"the publisher keeps this list back ({notice})"
            if notice
            else f"{SERVICE} gives no list for this paper"
        )
        return CitationList(paper=paper.id, direction=direction, withheld=True, note=note)

    async def _citation_list(
        self, paper: Paper, direction: Direction, rows: list[JsonValue], *, complete: bool
    ) -> CitationList:
        end = "citingPaper" if direction == "citing" else "citedPaper"
        records: list[object] = [as_dict(row).get(end) for row in rows]
        others = without(paper, merge_papers(self._papers(records)))
        papers = merge_papers(await self._with_abstracts(others))
        unresolved = _titles_without_id(records)
        total = len(rows) if complete else paper.citations.count if direction == "citing" else None
        return CitationList(
            paper=paper.id,
            direction=direction,
            papers=tuple(papers),
            links=citation_links(
                paper, papers, direction, SERVICE, self._today(), _uses(rows, end, papers)
            ),
            total=total,
            rows_read=len(rows),
            unresolved=unresolved,
            note=list_note(len(rows), total, complete, len(unresolved)),
            asked_at=self._today(),
        )

    async def _with_abstracts(self, papers: list[Paper]) -> list[Paper]:
        """``papers`` with missing abstracts asked for by id in one batch, since verdicts and cards
        are made from them (COI-4, COI-5)."""
        bare = [paper for paper in papers if paper.abstract is None]
        if not bare:
            return papers
        records = await self.papers([f"S2:{paper.ids['S2']}" for paper in bare])
        fuller = {
            paper.id: record
            for paper, record in zip(bare, records, strict=True)
            if record is not None
        }
        return [
            fill_gaps(paper, fuller[paper.id]) if paper.id in fuller else paper for paper in papers
        ]

    # Requests

    async def _posted(self, path: str, ids: Sequence[str], fields: str) -> list[JsonValue]:
        """The records of ``ids`` in their order, null for unknown ones."""
        body: dict[str, JsonValue] = {"ids": list(ids)}
        request = HttpRequest(
            method="POST", url=f"{self._base}{path}", params=(("fields", fields),), body=body
        )
        answer = await self._fetch.json(request)
        if answer.status == 404:
            return [None] * len(ids)
        rows = answer.payload
        if not isinstance(rows, list) or len(rows) != len(ids):
            raise broken_answer(SERVICE, "a batch without one entry for each thing asked for")
        return rows

    async def _get(self, path: str, **params: str) -> HttpAnswer:
        return await self._fetch.json(
            HttpRequest(url=self._base + path, params=tuple(params.items()))
        )

    def _papers(self, rows: Sequence[object]) -> list[Paper]:
        return [paper for row in rows if (paper := to_paper(row, self._today()))]


def to_paper(row: object, today: str) -> Paper | None:
    """The paper of one API object, or None for a row without an id. Any field may be missing;
    ``today`` dates its citation count."""
    if not isinstance(row, dict):
        return None
    ids = _ids(row)
    if "S2" not in ids:
        return None
    published = _published(row.get("publicationDate"))
    return record(
        SERVICE,
        ids,
        today,
        whole_number(row.get("citationCount")),
        title=show_title(row.get("title")) or "(no title)",
        year=whole_number(row.get("year")) or (int(published[:4]) if published else None),
        published=published,
        authors=_authors(row.get("authors")),
        venue=clean_line(row.get("venue")) or None,
        abstract=clean(row.get("abstract")).strip() or None,
        open_pdf=web_url(as_dict(row.get("openAccessPdf")).get("url")),
    )


def _spans(paper: Paper, limit: int, today: str) -> tuple[str, ...]:
    """Spans of years to read the citing papers of; none where they are few enough to be read whole,
    or no time has passed."""
    year, now = paper.year, int(today[:4]) if today[:4].isdigit() else 0
    if year is None or (paper.citations.count or 0) <= limit or now - year < SPREAD_YEARS:
        return ()
    return (f"{year}:{year + 2}", f"{year + 3}:{year + 6}", f"{year + 7}:")


def elision_notice(info: object) -> str:
    """The publisher's notice that a field is kept back, or the empty text."""
    notice = clean_line(as_dict(as_dict(info).get("openAccessPdf")).get("disclaimer"))
    return notice if "elided" in notice else ""


def _ids(row: Mapping[str, object]) -> dict[str, str]:
    external = as_dict(row.get("externalIds"))
    texts = [
        f"{prefix}:{external[name]}"
        for name, prefix in _SCHEMES.items()
        if external.get(name) is not None
    ]
    own = row.get("paperId")
    return ids_from([*texts, f"s2:{own}"] if isinstance(own, str) else texts)


def _published(value: object) -> str | None:
    text = clean_line(value)
    return text if _DATE.fullmatch(text) else None


def _authors(value: object) -> tuple[str, ...]:
    names = (clean_line(as_dict(row).get("name")) for row in as_list(value))
    return tuple(name for name in names if name)


def _uses(
    rows: Sequence[JsonValue], end: str, papers: Sequence[Paper]
) -> dict[str, dict[str, Any]]:
    """What the rows of a list say of each citation, by the id of the paper at its other end;
    nothing for a row that says nothing."""
    said = {
        as_dict(as_dict(row).get(end)).get("paperId"): use
        for row in rows
        if (use := _use(as_dict(row)))
    }
    return {paper.id: said[own] for paper in papers if (own := paper.ids.get("S2")) in said}


def _use(row: Mapping[str, object]) -> dict[str, Any]:
    intents = tuple(intent for intent in INTENT_WORDS if intent in as_list(row.get("intents")))
    sentences = (_sentence(text) for text in as_list(row.get("contexts")) if isinstance(text, str))
    contexts = tuple(dict.fromkeys(sentence for sentence in sentences if sentence))[:CONTEXTS]
    found = {
        "intents": intents,
        "contexts": contexts,
        "influential": row.get("isInfluential") is True,
    }
    return found if any(found.values()) else {}


def _sentence(text: str) -> str:
    """A sentence of a citing paper, on one line and short; without quotation marks, since it is
    shown between such."""
    return clipped(clean_line(text[:2_000]).translate(_NO_QUOTES), CONTEXT_WORDS)[:CONTEXT_CHARS]


def _titles_without_id(records: Sequence[object]) -> tuple[str, ...]:
    """Titles of listed papers that the service could not identify, each once."""
    titles = (
        show_title(record.get("title"))
        for record in records
        if isinstance(record, dict) and to_paper(record, "") is None
    )
    return tuple(dict.fromkeys(title for title in titles if title))


def _rows(body: Mapping[str, JsonValue]) -> list[JsonValue]:
    """The rows of an answer; a search without hits has no ``data`` at all."""
    data = body.get("data")
    if data is not None and not isinstance(data, list):
        raise broken_answer(SERVICE, "something else than a list")
    return data or []


def _is_withheld(body: Mapping[str, JsonValue]) -> bool:
    """Whether a list is kept back: its ``data`` is there and null."""
    return "data" in body and body["data"] is None


def _next_offset(body: Mapping[str, JsonValue], offset: int) -> int | None:
    """Where the next page begins as the service says (pages may be shorter than asked for); None
    after the last one."""
    following = whole_number(body.get("next"))
    return following if following is not None and following > offset else None


def _same_arxiv_id(paper_id: str, paper: Paper | None) -> Paper | None:
    """None for a paper with another arXiv id than was asked for: a paper has one only, while DOIs
    and the service's ids may be merged."""
    asked = normalise_id(paper_id)
    if paper is None or asked is None or asked[0] != "arXiv":
        return paper
    return paper if paper.ids.get("arXiv", asked[1]) == asked[1] else None


def _in_path(form: str) -> str:
    return quote(form, safe=":/")  # the service takes the slashes of a DOI unescaped
