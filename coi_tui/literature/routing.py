"""Which service a URL belongs to, and one ``Fetch`` for several services that sends each request to its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeVar
from urllib.parse import urlsplit

from coi_tui.literature.types import Fetch, HttpAnswer, HttpRequest, PdfText
from coi_tui.model.errors import ServiceError
from coi_tui.network.addresses import origin_of

T = TypeVar("T")


class UrlLookup(Generic[T]):
    """Values by service, found by the URL of a request: that of the longest base URL above it."""

    def __init__(self, by_base_url: Sequence[tuple[str, T]]) -> None:
        self._values = sorted(
            ((_parts(base), value) for base, value in by_base_url), key=lambda row: -len(row[0][1])
        )

    def find(self, url: str) -> T | None:
        """The value of the service that a URL belongs to; None where it belongs to none."""
        origin, path = _parts(url)
        for (home, base), value in self._values:
            if (
                origin is not None
                and origin == home
                and (path == base or path.startswith(f"{base}/"))
            ):
                return value
        return None


def _parts(url: str) -> tuple[tuple[str, str, int] | None, str]:
    try:
        return origin_of(url), urlsplit(url).path.rstrip("/")
    except ValueError:
        return None, ""


class RoutedFetch:
    """A ``Fetch`` of several services, each with its own limits, key and rules, so that no key can reach another's host.

    PDFs go through the first, which thereby limits the rate for all other hosts; those at a service's own address go through its own.
    """

    def __init__(self, fetches: Sequence[tuple[str, Fetch]]) -> None:
        self._by_url = UrlLookup(fetches)
        self._first = fetches[0][1]

    async def json(self, request: HttpRequest) -> HttpAnswer:
        fetch = self._by_url.find(request.url)
        if fetch is None:
            raise ServiceError(
                "papers",
                "bad_request",
                "A request was not sent, because its address belongs to no source of papers.",
            )
        return await fetch.json(request)

    async def pdf_text(self, url: str) -> PdfText:
        return await (self._by_url.find(url) or self._first).pdf_text(url)
