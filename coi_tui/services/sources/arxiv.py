"""Papers by arXiv id: the client of arXiv's feed, and its entries turned into papers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from coi_tui.config import ARXIV_URL
from coi_tui.literature.ids import normalise_id
from coi_tui.literature.title_match import show_title
from coi_tui.model.errors import ServiceError
from coi_tui.model.papers import Paper
from coi_tui.model.text import clean, clean_line
from coi_tui.services.http.limits import MOST_GROUPS
from coi_tui.services.sources.service_answers import (
    as_dict,
    as_list,
    broken_answer,
    ids_from,
    record,
    web_url,
    whole_number,
)
from coi_tui.services.sources.types import Fetch, HttpRequest, Today

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

    from pydantic import JsonValue


SERVICE = "arXiv"
PAGE = 100
"""Papers a request: long lists of ids were answered 429."""
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


class Arxiv:
    """The client. Raises ServiceError wherever it cannot tell."""

    def __init__(self, fetch: Fetch, base_url: str = ARXIV_URL, *, today: Today) -> None:
        self._fetch = fetch
        self._base = base_url.rstrip("/")
        self._today = today

    async def papers(self, ids: Sequence[str]) -> list[Paper | None]:
        """Papers by arXiv id, in order; None for unknown ones and for other ids. Versions are
        dropped: the newest counts."""
        pairs = [normalise_id(paper_id) for paper_id in ids]
        wanted = list(dict.fromkeys(pair[1] for pair in pairs if pair and pair[0] == "arXiv"))
        found: dict[str, Paper] = {}
        for start in range(0, len(wanted), PAGE):
            for entry in await self._entries(wanted[start : start + PAGE]):
                if paper := to_paper(entry, self._today()):
                    found[paper.ids["arXiv"]] = paper
        return [found.get(pair[1]) if pair and pair[0] == "arXiv" else None for pair in pairs]

    async def _entries(self, ids: Sequence[str]) -> list[JsonValue]:
        params = (("id_list", ",".join(ids)), ("max_results", str(len(ids))), ("start", "0"))
        answer = await self._fetch.json(HttpRequest(url=self._base, params=params))
        body = answer.payload if answer.status == 200 else None
        if not isinstance(body, dict) or not isinstance(body.get("entries"), list):
            raise broken_answer(SERVICE, "something else than a feed")
        if said := body.get("error"):
            why = f"{SERVICE} did not take the request: {clean_line(said)[:200]}."
            raise ServiceError(SERVICE, "bad_request", why, "Is the id right?")
        entries: list[JsonValue] = body["entries"]
        if not entries and whole_number(body.get("total")):  # now and then
            raise broken_answer(SERVICE, "an empty page where there should be papers")
        return entries


def to_paper(row: object, today: str = "") -> Paper | None:
    """The paper of one entry, or None for one without an arXiv id or without a title (an unknown id
    may give such)."""
    entry = as_dict(row)
    scheme, arxiv_id = normalise_id(clean_line(entry.get("id"))) or ("", "")
    title = show_title(entry.get("title"))
    if scheme != "arXiv" or not title:
        return None
    ids = {"arXiv": arxiv_id, **_doi(entry.get("doi"))}
    day = _DAY.match(clean_line(entry.get("published")))
    published = day[0] if day else None
    return record(
        SERVICE,
        ids,
        today,
        title=title,
        year=int(published[:4]) if published else None,
        published=published,
        authors=tuple(filter(None, map(clean_line, as_list(entry.get("authors"))))),
        venue=clean_line(entry.get("journal_ref")) or None,
        abstract=clean_line(entry.get("summary")) or None,
        open_pdf=web_url(entry.get("pdf")) or f"https://arxiv.org/pdf/{arxiv_id}",
    )


def _doi(value: object) -> dict[str, str]:
    """The DOI of an entry, by its scheme; there may be several, of which the first counts, or
    none."""
    ids = ids_from(f"doi:{doi}" for doi in clean_line(value).split())
    return {"DOI": ids["DOI"]} if "DOI" in ids else {}


# Atom

_ATOM = "{http://www.w3.org/2005/Atom}"
_OPEN = "{http://a9.com/-/spec/opensearch/1.1/}"
_ARXIV = "{http://arxiv.org/schemas/atom}"


def parse_atom(body: bytes) -> JsonValue:
    """``{"total", "entries": [...]}``, texts cleaned; ``error`` holds what the service
    said in an error entry.

    Raises ValueError for anything but a feed. Whoever fetched ``body`` has limited its size.
    """
    feed = _feed(body)
    entries = [_entry(node) for node in feed.iter(f"{_ATOM}entry")]
    found: dict[str, JsonValue] = {
        "total": _text(feed, f"{_OPEN}totalResults"),
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
    return {
        "id": _text(node, f"{_ATOM}id"),
        "title": _text(node, f"{_ATOM}title"),
        "summary": " ".join(clean(node.findtext(f"{_ATOM}summary")).split()),
        "published": _text(node, f"{_ATOM}published"),
        "authors": [name for name in names if name],
        "doi": _text(node, f"{_ARXIV}doi"),
        "journal_ref": _text(node, f"{_ARXIV}journal_ref"),
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
