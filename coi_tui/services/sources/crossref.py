"""Crossref, asked for works by their titles, where the sources searched have none, and by DOIs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import quote

from coi_tui.literature.paper_records import short_name
from coi_tui.literature.title_match import show_title
from coi_tui.model.papers import Paper
from coi_tui.services.http.answers import as_list, dig, whole_number
from coi_tui.services.sources.paper_source import ServiceSource, ids_from, service_record
from coi_tui.services.sources.types import SourceSpec

SERVICE = "Crossref"
MOST_NOTICES = 20
"""Notices taken of a work."""


class Crossref(ServiceSource):
    """The client of the Crossref REST API."""

    name = SERVICE
    forms = (("DOI", "{}"),)

    async def _search(self, words: str, most: int) -> tuple[list[Paper], int | None]:
        params = {"query.bibliographic": words, "rows": str(most)}
        found = dig(self._object(await self._get("/works", **params)), "message")
        works = (to_paper(row, self._today()) for row in self._rows(dig(found, "items")))
        return [*filter(None, works)], whole_number(dig(found, "total-results"))

    async def _records(self, forms: Sequence[str]) -> dict[str, Paper | None]:
        answers = {doi: await self._get(f"/works/{quote(doi, safe='/')}") for doi in forms}
        return {
            doi: to_paper(dig(self._object(answer), "message"), self._today())
            for doi, answer in answers.items()
            if answer.status != 404
        }


def to_paper(row: object, today: str) -> Paper | None:
    """The paper of one work, or None for one without a DOI or a title. Most have no abstract."""
    ids = ids_from([f"doi:{dig(row, 'DOI')}"])
    titles = [_first(row, name) for name in ("title", "subtitle")]
    if not ids or not titles[0]:
        return None
    return service_record(
        SERVICE,
        ids,
        today,
        title=": ".join(filter(None, titles)),
        published=_date(dig(row, "issued")),
        authors=(
            dig(one, "name") or f"{dig(one, 'given') or ''} {dig(one, 'family') or ''}"
            for one in as_list(dig(row, "author"))
        ),
        venue=_first(row, "container-title"),
        abstract=show_title(dig(row, "abstract") or ""),
        citations=dig(row, "is-referenced-by-count"),
        notices=_notices(row, ids),
    )


def _date(value: object) -> str:
    """A date of any precision; empty for none."""
    parts = as_list(next(iter(as_list(dig(value, "date-parts"))), None))
    return "-".join(f"{part:02}" for part in map(whole_number, parts) if part)


def _notices(row: object, ids: Mapping[str, str]) -> tuple[str, ...]:
    """What was published about a work, a notice once however many registered it, and what the work
    is about where it is such a notice itself. One that replaces its own record is both."""
    found: dict[tuple[str, str], str] = {}
    for side in ("updated-by", "update-to"):
        for one in as_list(dig(row, side))[:MOST_NOTICES]:
            other = ids_from([f"doi:{dig(one, 'DOI')}"])
            about = "a notice of " if side == "update-to" and other != ids else ""
            at = "".join(f" DOI:{doi}" for doi in other.values())
            if kind := short_name(dig(one, "type")).replace("_", " "):
                notice = f"{about}{kind} {_date(dig(one, 'updated'))}{at}"
                found.setdefault((kind, at), " ".join(notice.split()))
    return tuple(found.values())


def _first(row: object, name: str) -> str:
    """The first of a list of texts that may be missing or empty."""
    return show_title(next(iter(as_list(dig(row, name))), ""))


SOURCE = SourceSpec(
    "crossref",
    SERVICE,
    Crossref,
    url="https://api.crossref.org",
    ids=("DOI",),
    probe="DOI:10.1371/journal.pone.0033693",
    searches=False,
    pace_s=(1.0, 1.0),
    sends="DOIs",
    plain_404=True,
)
