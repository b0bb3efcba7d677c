"""arXiv, asked for papers by their arXiv ids alone."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from coi_tui.literature.ids import normalise_id
from coi_tui.literature.title_match import show_title
from coi_tui.model.errors import ServiceError
from coi_tui.model.papers import Paper
from coi_tui.model.text import clean_line
from coi_tui.services.sources.paper_source import (
    ServiceSource,
    chunks,
    dig,
    ids_from,
    lines,
    service_record,
    whole_number,
)
from coi_tui.services.sources.types import HttpRequest, SourceSpec

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element


SERVICE = "arXiv"
PAGE = 100
"""Papers a request: long lists of ids were answered 429."""
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


class Arxiv(ServiceSource):
    """The client."""

    name = scheme = SERVICE

    async def papers(self, ids: Sequence[str]) -> list[Paper | None]:
        """Papers by arXiv id, in order; None for unknown ones and for other ids. Versions are
        dropped: the newest counts."""
        pairs = [normalise_id(paper_id) or ("", "") for paper_id in ids]
        wanted = list(dict.fromkeys(value for scheme, value in pairs if scheme == SERVICE))
        found: dict[tuple[str, str], Paper] = {}
        for part in chunks(wanted, PAGE):
            for entry in await self._entries(part):
                if paper := to_paper(entry, self._today()):
                    found[SERVICE, paper.ids[SERVICE]] = paper
        return [found.get(pair) for pair in pairs]

    async def _entries(self, ids: Sequence[str]) -> list[Any]:
        params = (("id_list", ",".join(ids)), ("max_results", str(len(ids))), ("start", "0"))
        answer = await self._fetch.json(HttpRequest(url=self._base, params=params))
        body = answer.payload if answer.status == 200 else None
        if message := dig(body, "error"):
            why = f"{SERVICE} did not take the request: {clean_line(message)[:200]}."
            raise ServiceError(SERVICE, "bad_request", why, "Is the id right?")
        entries = self._rows(dig(body, "entries"))
        if not entries and whole_number(dig(body, "total")):  # now and then
            raise self._broken("an empty page where there should be papers")
        return entries


def to_paper(entry: Mapping[str, Any], today: str = "") -> Paper | None:
    """The paper of one entry, or None for one without an arXiv id or without a title (an unknown id
    may give such)."""
    scheme, arxiv_id = normalise_id(entry["id"]) or ("", "")
    title = show_title(entry["title"])
    if scheme != SERVICE or not title:
        return None
    day = _DAY.match(entry["published"])
    # there may be several DOIs, of which the first counts
    dois = ids_from(f"doi:{doi}" for doi in entry["doi"].split())
    return service_record(
        SERVICE,
        {**dois, SERVICE: arxiv_id},
        today,
        title=title,
        year=int(day[0][:4]) if day else None,
        published=day[0] if day else None,
        authors=tuple(entry["authors"]),
        venue=entry["journal_ref"] or None,
        abstract=entry["summary"] or None,
        open_pdf=f"https://arxiv.org/pdf/{arxiv_id}",
    )


# Atom

_ATOM = "{http://www.w3.org/2005/Atom}"
_OPEN = "{http://a9.com/-/spec/opensearch/1.1/}"
_ARXIV = "{http://arxiv.org/schemas/atom}"


def parse_atom(body: bytes) -> dict[str, Any]:
    """``{"total", "entries": [...]}``, texts cleaned; ``error`` holds what the service answered in
    an error entry, which may come with status 400 or 200.

    Raises ValueError for anything but a feed. Whoever fetched ``body`` has limited its size.
    """
    feed = _feed(body)
    entries = [_entry(node) for node in feed.iter(f"{_ATOM}entry")]
    errors = [entry for entry in entries if _is_error(entry)]
    return {
        "total": clean_line(feed.findtext(f"{_OPEN}totalResults")),
        "entries": [entry for entry in entries if entry not in errors],
        "error": (errors[0]["summary"] or "no reason given") if errors else "",
    }


def _feed(body: bytes) -> Element:
    """The root of a feed. A document type is refused, since its entities could grow without end."""
    from xml.etree import ElementTree

    if b"<!doctype" in body[:4096].lower() or b"<!entity" in body:
        raise ValueError("no plain feed")
    try:
        feed = ElementTree.fromstring(body)
    except (ElementTree.ParseError, RecursionError, LookupError):
        raise ValueError("not XML") from None
    if feed.tag != f"{_ATOM}feed":
        raise ValueError("not a feed")
    return feed


def _entry(node: Element) -> dict[str, Any]:
    names = (_ATOM + "id", _ATOM + "title", _ATOM + "published", _ATOM + "summary")
    texts = {
        name.rpartition("}")[2]: clean_line(node.findtext(name))
        for name in (*names, _ARXIV + "doi", _ARXIV + "journal_ref")
    }
    authors = lines(author.findtext(_ATOM + "name") for author in node.findall(_ATOM + "author"))
    return {**texts, "authors": list(authors)}


def _is_error(entry: dict[str, Any]) -> bool:
    return "/api/errors" in entry["id"] or (
        entry["title"] == "Error" and "/abs/" not in entry["id"]
    )


SOURCE = SourceSpec(
    "arxiv",
    SERVICE,
    Arxiv,
    url="https://export.arxiv.org/api/query",
    ids=(SERVICE,),
    probe="arXiv:1706.03762",
    searches=False,
    pace_s=(3.0, 3.0),
    sends="arXiv ids",
    plain_404=True,
    parse=parse_atom,
)
