"""arXiv as a source of papers and texts. It knows no citations: those lists come from other services.

arXiv answers in Atom. ``parse_atom`` turns that into plain data, so that it passes the same ``Fetch`` as JSON. The fetch keeps calls three
seconds apart, one at a time, as arXiv's terms ask.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pydantic import JsonValue

from coi_tui.config import ARXIV_URL
from coi_tui.literature.deduplication import merge_papers
from coi_tui.literature.full_text import read_paper
from coi_tui.literature.ids import known_ids, normalise_id, paper_key, paper_url
from coi_tui.literature.paper_limits import bounded
from coi_tui.literature.people import people_by_name
from coi_tui.literature.service_answers import (
    as_dict,
    as_list,
    broken_answer,
    ids_from,
    web_url,
    whole_number,
)
from coi_tui.literature.title_match import match_title, show_title
from coi_tui.literature.types import (
    CitationList,
    Direction,
    Fetch,
    HttpRequest,
    People,
    ReferenceLists,
    SearchResult,
    TitleMatch,
    Today,
)
from coi_tui.model.errors import ServiceError
from coi_tui.model.papers import Paper, PaperText
from coi_tui.model.text import clean, clean_line
from coi_tui.network.limits import MOST_GROUPS

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

    from pydantic import JsonValue


SERVICE = "arXiv"
PAGE = 100
"""Papers a request: long lists of ids were answered 429."""
EMPTY_TRIES = 3
"""Now and then a page that should hold papers comes back empty; it is asked for this often at most."""
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


class Arxiv:
    """The client. The same answers and ``today`` give the same results. Raises ServiceError wherever it cannot tell."""

    def __init__(self, fetch: Fetch, base_url: str = ARXIV_URL, *, today: Today) -> None:
        self._fetch = fetch
        self._base = base_url.rstrip("/")
        self._today = today

    @property
    def name(self) -> str:
        return SERVICE

    async def search(self, query: str, limit: int) -> SearchResult:
        """Papers that hold every word of ``query``, best first."""
        words = re.findall(r"[^\W_]+", query)
        if not words:
            return SearchResult(
                query=query, source=SERVICE, note="no words to search for; nothing was asked"
            )
        asked = max(1, min(limit, PAGE))
        body = await self._query(
            search_query=" AND ".join(f"all:{word}" for word in words),
            max_results=str(asked),
            sortBy="relevance",
        )
        papers = merge_papers(self._papers(body))[:asked]
        total = whole_number(body.get("total"))
        note = f"{len(papers)} of about {total}" if papers else "nothing found"
        return SearchResult(
            query=query,
            source=SERVICE,
            asked_at=self._today(),
            total=total,
            papers=tuple(papers),
            note=note,
        )

    async def match(self, title: str, year: int | None, authors: Sequence[str] = ()) -> TitleMatch:
        """The paper whose title is similar enough, if year or author agree."""
        words = re.findall(r"[^\W_]+", show_title(title))
        if not words:
            return TitleMatch(note="no title to look for")
        papers = self._papers(
            await self._query(search_query=f'ti:"{" ".join(words)}"', max_results="10")
        )
        return (
            match_title(title, papers, year, authors)
            if papers
            else TitleMatch(note=f"{SERVICE} knows no paper of this title")
        )

    async def papers(self, ids: Sequence[str]) -> list[Paper | None]:
        """Papers by arXiv id, in order; None for unknown ones and for other ids. Versions are dropped: the newest counts."""
        pairs = [normalise_id(paper_id) for paper_id in ids]
        wanted = list(dict.fromkeys(pair[1] for pair in pairs if pair and pair[0] == "arXiv"))
        found: dict[str, Paper] = {}
        for start in range(0, len(wanted), PAGE):
            part = wanted[start : start + PAGE]
            body = await self._query(id_list=",".join(part), max_results=str(len(part)))
            found |= {paper.ids["arXiv"]: paper for paper in self._papers(body)}
        return [found.get(pair[1]) if pair and pair[0] == "arXiv" else None for pair in pairs]

    async def citations(self, paper: Paper, limit: int) -> CitationList:
        """None: arXiv does not know who cites a paper."""
        return self._no_list(paper, "citing")

    async def references(self, paper: Paper, limit: int) -> CitationList:
        """None: arXiv does not know what a paper cites."""
        return self._no_list(paper, "cited")

    async def reference_lists(self, papers: Sequence[Paper]) -> ReferenceLists:
        """None: arXiv does not know what a paper cites."""
        return ReferenceLists(note=f"{SERVICE} has no lists of references")

    async def people(self, papers: Sequence[Paper], most: int, each: int) -> People:
        """By name alone, from the papers themselves: arXiv has no records of people, so nothing is asked."""
        return people_by_name(papers, (), most, each, source=SERVICE, asked_at=None)

    async def text(self, paper: Paper) -> PaperText:
        """The PDF's text, else the abstract, asked for once more by id if need be."""
        return await read_paper(self._fetch, paper, self._abstract)

    async def _abstract(self, paper: Paper) -> tuple[str | None, str]:
        arxiv_id = known_ids(paper).get("arXiv")
        if arxiv_id is None:
            return None, f"{SERVICE} has no id for this paper"
        record = (await self.papers([f"arXiv:{arxiv_id}"]))[0]
        if record is None:
            return None, f"{SERVICE} does not know this paper"
        return record.abstract, "" if record.abstract else f"{SERVICE} has no abstract"

    def _no_list(self, paper: Paper, direction: Direction) -> CitationList:
        return CitationList(
            paper=paper.id,
            direction=direction,
            note=f"{SERVICE} lists no citations, so nothing was asked",
        )

    async def _query(self, **params: str) -> dict[str, JsonValue]:
        """One page. An empty one that should hold papers is asked for again, at the pace that the fetch keeps."""
        request = HttpRequest(url=self._base, params=(*params.items(), ("start", "0")))
        for _ in range(EMPTY_TRIES):
            answer = await self._fetch.json(request)
            body = answer.payload
            if (
                answer.status != 200
                or not isinstance(body, dict)
                or not isinstance(body.get("entries"), list)
            ):
                raise broken_answer(SERVICE, "something else than a feed")
            if said := body.get("error"):
                hint = "Is the id right?" if "id_list" in params else ""
                raise ServiceError(
                    SERVICE,
                    "bad_request",
                    f"{SERVICE} did not take the request: {clean_line(said)[:200]}.",
                    hint,
                )
            if body["entries"] or not whole_number(body.get("total")):
                return body
        raise broken_answer(SERVICE, "empty pages where there should be papers")

    def _papers(self, body: dict[str, JsonValue]) -> list[Paper]:
        entries = body["entries"]
        assert isinstance(entries, list)
        return [paper for entry in entries if (paper := to_paper(entry, self._today()))]


def to_paper(row: object, today: str = "") -> Paper | None:
    """The paper of one entry, or None for one without an arXiv id or without a title (an unknown id may give such)."""
    entry = as_dict(row)
    scheme, arxiv_id = normalise_id(clean_line(entry.get("id"))) or ("", "")
    title = show_title(entry.get("title"))
    if scheme != "arXiv" or not title:
        return None
    ids = {"arXiv": arxiv_id, **_doi(entry.get("doi"))}
    day = _DAY.match(clean_line(entry.get("published")))
    published = day[0] if day else None
    paper = Paper(
        id=paper_key(ids),
        ids=ids,
        title=title,
        year=int(published[:4]) if published else None,
        published=published,
        authors=tuple(filter(None, map(clean_line, as_list(entry.get("authors"))))),
        venue=clean_line(entry.get("journal_ref")) or None,
        abstract=clean_line(entry.get("summary")) or None,
        open_pdf=web_url(entry.get("pdf")) or f"https://arxiv.org/pdf/{arxiv_id}",
        url=paper_url(ids),
        source=SERVICE,
    )
    return bounded(paper, today)


def _doi(value: object) -> dict[str, str]:
    """The DOI of an entry, by its scheme; there may be several, of which the first counts, or none."""
    ids = ids_from(f"doi:{doi}" for doi in clean_line(value).split())
    return {"DOI": ids["DOI"]} if "DOI" in ids else {}


# Atom

_ATOM = "{http://www.w3.org/2005/Atom}"
_OPEN = "{http://a9.com/-/spec/opensearch/1.1/}"
_ARXIV = "{http://arxiv.org/schemas/atom}"


def parse_atom(body: bytes) -> JsonValue:
    """``{"total", "start", "entries": [...]}``, texts cleaned; ``error`` holds what the service said in an error entry.

    Raises ValueError for anything but a feed. Whoever fetched ``body`` has limited its size.
    """
    feed = _feed(body)
    entries = [_entry(node) for node in feed.iter(f"{_ATOM}entry")]
    found: dict[str, JsonValue] = {
        "total": _text(feed, f"{_OPEN}totalResults"),
        "start": _text(feed, f"{_OPEN}startIndex"),
        "entries": [entry for entry in entries if not _is_error(entry)],
    }
    if errors := [
        str(entry["summary"] or "no reason given") for entry in entries if _is_error(entry)
    ]:
        found["error"] = errors[0]
    return found


def _feed(body: bytes) -> Element:
    """The root of a feed. A document type is refused, since its entities could grow without end."""
    from xml.etree import ElementTree

    if b"<!doctype" in body[:4096].lower() or b"<!entity" in body or body.count(b"<") > MOST_GROUPS:
        raise ValueError("no plain feed")
    try:
        feed = ElementTree.fromstring(body)
    except (ElementTree.ParseError, RecursionError, LookupError):
        raise ValueError("not XML") from None
    if feed.tag != f"{_ATOM}feed":
        raise ValueError("not a feed")
    return feed


def _entry(node: Element) -> dict[str, JsonValue]:
    names = [
        clean_line(author.findtext(f"{_ATOM}name")) for author in node.findall(f"{_ATOM}author")
    ]
    primary = node.find(f"{_ARXIV}primary_category")
    terms = [clean_line(part.get("term")) for part in node.findall(f"{_ATOM}category")]
    return {
        "id": _text(node, f"{_ATOM}id"),
        "title": _text(node, f"{_ATOM}title"),
        "summary": " ".join(clean(node.findtext(f"{_ATOM}summary")).split()),
        "published": _text(node, f"{_ATOM}published"),
        "updated": _text(node, f"{_ATOM}updated"),
        "authors": [name for name in names if name],
        "doi": _text(node, f"{_ARXIV}doi"),
        "comment": _text(node, f"{_ARXIV}comment"),
        "journal_ref": _text(node, f"{_ARXIV}journal_ref"),
        "primary_category": clean_line(primary.get("term")) if primary is not None else "",
        "categories": [term for term in terms if term],
        "pdf": _pdf_link(node),
    }


def _pdf_link(node: Element) -> str:
    """The address of the entry's PDF, empty where none is given."""
    links = (
        link
        for link in node.findall(f"{_ATOM}link")
        if link.get("title") == "pdf" or link.get("type") == "application/pdf"
    )
    return next((clean_line(link.get("href")) for link in links), "")


def _is_error(entry: dict[str, JsonValue]) -> bool:
    """An error may come as an entry, with status 400 or 200: only the entry tells."""
    return "/api/errors" in str(entry["id"]) or (
        entry["title"] == "Error" and "/abs/" not in str(entry["id"])
    )


def _text(node: Element, name: str) -> str:
    return clean_line(node.findtext(name))
