"""One fetch in front of those of several services: each request goes to the service at whose address it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeVar
from urllib.parse import urlsplit

from coi_tui.literature.types import Fetch, HttpAnswer, HttpRequest, PdfText
from coi_tui.model.errors import ServiceError
from coi_tui.network.addresses import origin_of

T = TypeVar("T")


class UrlLookup(Generic[T]):
    """Things that belong to services, found by the address of a request: the longest base address that it lies under."""

    def __init__(self, places: Sequence[tuple[str, T]]) -> None:
        self._places = sorted(((_parts(base), thing) for base, thing in places), key=lambda place: -len(place[0][1]))

    def find(self, url: str) -> T | None:
        """What belongs to the service at an address; None at no service's."""
        origin, path = _parts(url)
        for (home, base), thing in self._places:
            if origin is not None and origin == home and (path == base or path.startswith(f"{base}/")):
                return thing
        return None


def _parts(url: str) -> tuple[tuple[str, str, int] | None, str]:
    try:
        return origin_of(url), urlsplit(url).path.rstrip("/")
    except ValueError:
        return None, ""


class RoutedFetch:
    """A ``Fetch`` of several services, each with its own limits, key and rules, so that no key can reach another's host.

    PDFs go through the first, which thereby keeps the pace of every other host; those at a service's own address go through its own.
    """

    def __init__(self, fetches: Sequence[tuple[str, Fetch]]) -> None:
        self._by_address = UrlLookup(fetches)
        self._first = fetches[0][1]

    async def json(self, request: HttpRequest) -> HttpAnswer:
        fetch = self._by_address.find(request.url)
        if fetch is None:
            raise ServiceError("papers", "bad_request", "A request to an address of no source of papers was not sent.")
        return await fetch.json(request)

    async def pdf_text(self, url: str) -> PdfText:
        return await (self._by_address.find(url) or self._first).pdf_text(url)
