"""One ``Fetch`` for several services that sends each request to its own."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlsplit

from coi_tui.model.errors import ServiceError
from coi_tui.services.http.addresses import Origin, origin_of
from coi_tui.services.sources.types import Fetch, HttpAnswer, HttpRequest, PdfText


class RoutedFetch:
    """A ``Fetch`` of several services by their base addresses, each with its own limits, key and
    rules, so that no key can reach another's host: a request goes to the longest address above its
    own.

    PDFs go through the first, which thereby limits the rate for all other hosts; those at a
    service's own address go through its own.
    """

    def __init__(self, fetches: Sequence[tuple[str, Fetch]]) -> None:
        self._by_base = sorted(
            ((_parts(base), fetch) for base, fetch in fetches), key=lambda row: -len(row[0][1])
        )
        self._first = fetches[0][1]

    def _find(self, url: str) -> Fetch | None:
        origin, path = _parts(url)
        for (home, base), fetch in self._by_base:
            if origin is not None and origin == home and f"{path}/".startswith(f"{base}/"):
                return fetch
        return None

    async def json(self, request: HttpRequest) -> HttpAnswer:
        fetch = self._find(request.url)
        if fetch is None:
            raise ServiceError(
                "papers",
                "bad_request",
                "A request was not sent, because its address belongs to no source of papers.",
            )
        return await fetch.json(request)

    async def pdf_text(self, url: str) -> PdfText:
        return await (self._find(url) or self._first).pdf_text(url)


def _parts(url: str) -> tuple[Origin | None, str]:
    origin = origin_of(url)
    return origin, urlsplit(url).path.rstrip("/") if origin else ""
