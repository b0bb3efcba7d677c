"""arXiv, asked for papers by their arXiv ids alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from coi_tui.model.papers import Paper
from coi_tui.model.text import Fields, Values, clean_line
from coi_tui.services.http.answers import dig, whole_number
from coi_tui.services.sources.paper_source import ServiceSource, chunks, ids_from, service_record
from coi_tui.services.sources.types import SourceSpec

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element


SERVICE = "arXiv"
PAGE = 100
"""Papers a request: long lists of ids were answered 429."""


class Arxiv(ServiceSource):
    """The client of the arXiv API."""

    name = SERVICE
    forms = ((SERVICE, "{}"),)

    async def _records(self, forms: Sequence[str]) -> dict[str, Paper | None]:
        """Versions are dropped: the newest counts."""
        found: dict[str, Paper | None] = {}
        for part in chunks(forms, PAGE):
            answer = await self._get("", id_list=",".join(part), max_results=str(len(part)))
            body = answer.payload if answer.status == 200 else None
            entries = self._rows(dig(body, "entries"))
            if not entries and whole_number(dig(body, "total")):  # now and then
                raise self._broken("an empty page where there should be papers")
            papers = (to_paper(entry, self._today()) for entry in entries)
            found |= {paper.ids[SERVICE]: paper for paper in papers if paper}
        return found


def to_paper(entry: Values, today: str = "") -> Paper | None:
    """The paper of one entry, or None for one without an arXiv id or without a title (an unknown id
    may give such)."""
    own = ids_from([entry["id"]]).get(SERVICE)
    if own is None or not entry["title"]:
        return None
    # there may be several DOIs, of which the first counts
    dois = ids_from(f"doi:{doi}" for doi in entry["doi"].split())
    return service_record(
        SERVICE,
        {**dois, SERVICE: own},
        today,
        title=entry["title"],
        published=entry["published"][:10],
        authors=entry["authors"],
        venue=entry["journal_ref"],
        abstract=entry["summary"],
        open_pdf=f"https://arxiv.org/pdf/{own}",
    )


# Atom

_ATOM = "{http://www.w3.org/2005/Atom}"
_OPEN = "{http://a9.com/-/spec/opensearch/1.1/}"
_ARXIV = "{http://arxiv.org/schemas/atom}"


def parse_atom(body: bytes) -> Fields:
    """``{"total", "entries": [...]}``, texts cleaned. Raises ValueError for anything but a feed, and
    for one with a document type, since its entities could grow without end. Whoever fetched
    ``body`` has limited its size."""
    from xml.etree import ElementTree

    if b"<!doctype" in body[:4096].lower() or b"<!entity" in body:
        raise ValueError("no plain feed")
    try:
        feed = ElementTree.fromstring(body)
    except (ElementTree.ParseError, RecursionError, LookupError):
        raise ValueError("not XML") from None
    if feed.tag != f"{_ATOM}feed":
        raise ValueError("not a feed")
    return {
        "total": clean_line(feed.findtext(f"{_OPEN}totalResults")),
        "entries": [_entry(node) for node in feed.iter(f"{_ATOM}entry")],
    }


def _entry(node: Element) -> Fields:
    names = (_ATOM + "id", _ATOM + "title", _ATOM + "published", _ATOM + "summary")
    texts = {
        name.rpartition("}")[2]: clean_line(node.findtext(name))
        for name in (*names, _ARXIV + "doi", _ARXIV + "journal_ref")
    }
    authors = [author.findtext(_ATOM + "name") for author in node.findall(_ATOM + "author")]
    return {**texts, "authors": list(map(clean_line, authors))}


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
