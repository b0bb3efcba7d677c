"""The network as sources of papers see it: data and the texts of PDFs, with every failure as one
sentence."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn, Self
from urllib.parse import urlsplit

from coi_tui.config import SourceSettings
from coi_tui.model.errors import QuotaSpent, ServiceError
from coi_tui.model.text import clean_tree
from coi_tui.services.http.addresses import Origin, is_loopback, origin_of, same_service
from coi_tui.services.http.client import Reply, Request, ServiceClient
from coi_tui.services.http.retry import (
    RETRY_WAIT_S,
    Failed,
    asked_s,
    retried,
)
from coi_tui.services.http.tls import ssl_context
from coi_tui.services.sources.types import Fetch, HttpAnswer, HttpRequest, PdfText

if TYPE_CHECKING:
    import httpx

    from coi_tui.services.http.open_network import Resolve

PDF_READERS = 2
PDF_RETRIES = 2
"""A PDF that does not come is not worth a long wait: there is the abstract."""
PDF_MB, PDF_READ_S = 40, 20.0
JSON_MB = 12
"""Most megabytes (10**6 bytes) of an answer, and seconds to read a PDF."""
_PASSING = (429, 500, 502, 503, 504)
"""Statuses that may be gone at the next attempt."""
_LONG_S = 3600.0
"""A pause that a service wants for longer than this is the end of its budget, not of its
patience."""


def parse_json(body: bytes) -> Any:
    """JSON that is an object or a list, texts cleaned. Raises ValueError for anything else, NaN and
    bottomless nesting included."""

    def no_constant(name: str) -> NoReturn:
        raise ValueError(f"{name} is not JSON")

    try:
        payload = json.loads(body, parse_constant=no_constant)
        if not isinstance(payload, dict | list):
            raise ValueError("neither an object nor a list")
        return clean_tree(payload)
    except RecursionError:
        raise ValueError("nested too deeply") from None


class _NoPdf(Exception):
    """A definite answer that there is no PDF to read; its text is the reason."""


class HttpFetch:
    """A ``Fetch`` over the network for one scholarly service. Use it in one event loop, and close
    it.

    ``headers`` (a key among them) go to the host of ``settings.base_url`` only, never to a PDF's
    host; so do the parameters of ``query``, for a service that takes its key there. ``plain_404``:
    the service says "no such paper" without JSON.
    ``parse`` turns a body into data, where the service sends something else than JSON.
    ``told`` hears a sentence about every wait of some length.
    """

    def __init__(
        self,
        settings: SourceSettings,
        service: str,
        headers: Mapping[str, str] | None = None,
        *,
        query: Mapping[str, str] | None = None,
        plain_404: bool = False,
        parse: Callable[[bytes], Any] = parse_json,
        transport: httpx.AsyncBaseTransport | None = None,
        resolve: Resolve | None = None,
        retry_wait_s: float = RETRY_WAIT_S,
        told: Callable[[str], None] | None = None,
    ) -> None:
        self._client = ServiceClient(
            settings,
            service,
            headers or {},
            query or {},
            transport=transport,
            resolve=resolve,
            told=told,
        )
        self._service, self._plain_404, self._parse = service, plain_404, parse
        self._retries, self._retry_wait_s = settings.retries, retry_wait_s
        self._readers: asyncio.Semaphore | None = None
        self._lost: dict[str, ServiceError] = {}
        """Hosts of PDFs that could not be reached, asked no more."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._client.aclose()

    async def warm(self) -> None:
        """Import what the first call needs, in a thread."""
        await asyncio.to_thread(_imports)
        self._client.open()

    # -- data

    async def json(self, request: HttpRequest) -> HttpAnswer:
        """The answer to ``request``, its texts cleaned so that it can be stored. Raises
        ServiceError for all but 200 and 404.

        A redirect to another server is refused, as nothing that is asked of this service is meant
        for another.
        """
        accept = "application/json" if self._parse is parse_json else "*/*"
        sent = Request(
            request.url, request.method, tuple(request.params), request.body, {"Accept": accept}
        )

        async def attempt() -> HttpAnswer:
            return self._read_json(await self._client.send(sent, JSON_MB))

        return await retried(attempt, self._retries, self._retry_wait_s)

    def _read_json(self, reply: Reply) -> HttpAnswer:
        if reply.status == 200:
            return HttpAnswer(status=200, payload=self._payload(reply))
        if reply.status != 404:
            self._refuse(reply)
        with suppress(ValueError):
            return HttpAnswer(status=404, payload=self._parse(reply.body))
        if self._plain_404:
            return HttpAnswer(status=404)
        # not the service's own "no such paper": a wrong base address must not look like an empty
        # answer
        why = f"{reply.host} has nothing at this address."
        raise self._client.failed(
            "not_found", why, "Check the address of the service in the settings."
        )

    def _payload(self, reply: Reply) -> Any:
        what = "an answer that cannot be read"
        if "html" in reply.headers.get("content-type", "").lower():
            what = "a web page"
        else:
            with suppress(ValueError):
                return self._parse(reply.body)
        why = f"{reply.host} sent {what} in place of data."
        raise self._client.failed("broken", why, "Try again later.", again=True)

    # -- PDFs

    async def pdf_text(self, url: str) -> PdfText:
        """The text of the PDF at ``url``. No PDF there is an answer; a host that cannot be reached
        raises ServiceError."""
        from coi_tui.services.http.open_network import AddressRefused
        from coi_tui.services.pdf.full_text import extract_pdf

        origin = origin_of(url)
        host = origin[1] if origin else ""
        if host in self._lost:
            raise self._lost[host]

        def checked(target: str, what: str = "the PDF's address leads to one that") -> None:
            if refused := self._pdf_refused(target):
                raise _NoPdf(f"{what} {refused}")

        async def attempt() -> bytes:
            checked(url, "the address of the PDF")
            request = Request(url, headers={"Accept": "application/pdf"})
            try:
                reply = await self._client.send(request, PDF_MB, check_redirect=checked)
            except AddressRefused as refused:  # known only now, as its name was resolved
                raise _NoPdf(f"the address of the PDF {refused}") from None
            if reply.status in _PASSING:
                self._refuse(reply)
            if reply.status != 200:
                raise _NoPdf(f"{reply.host} did not hand out the PDF (status {reply.status})")
            if not reply.body.startswith(b"%PDF"):
                raise _NoPdf(f"{reply.host} sent something that is not a PDF")
            return reply.body

        try:
            data = await retried(attempt, min(PDF_RETRIES, self._retries), self._retry_wait_s)
        except _NoPdf as reason:
            return PdfText(kind="none", note=str(reason))
        except ServiceError as error:
            if error.kind == "unreachable" and not self._client.at_home(host):
                self._lost[host] = error
            raise
        self._readers = self._readers or asyncio.Semaphore(PDF_READERS)
        async with self._readers:
            return (await extract_pdf(data, PDF_READ_S, PDF_MB)).text

    def _pdf_refused(self, url: str) -> str:
        """Why no PDF is fetched from there; empty where one may be. With a service on this machine
        nothing else is reached."""
        from coi_tui.services.http.open_network import AddressRefused, check_url

        home = self._client.home
        if same_service(home, origin_of(url)):
            return ""
        try:
            check_url(url)
        except AddressRefused as refused:
            return str(refused)
        local = home is not None and is_loopback(home[1])
        return f"is elsewhere, while {self._service} is on this machine" if local else ""

    # -- refusals

    def _refuse(self, reply: Reply) -> NoReturn:
        """Turn any other status into the failure it is."""
        host, status, client = reply.host, reply.status, self._client
        message = self._message(reply.body)
        if status == 429:
            self._too_many(reply)
        if status in (401, 403):
            hint = "Check the key." if client.keyed else "It may need a key."
            raise client.failed("refused", f"{host} refused the call ({status}){message}.", hint)
        if status >= 500:
            raise client.failed(
                "server",
                f"{host} failed on its side ({status}){message}.",
                "Try again later.",
                again=status in _PASSING,
                wait_s=asked_s(reply.headers),
            )
        raise client.bad_request(f"{host} answered {status}{message}")

    def _too_many(self, reply: Reply) -> NoReturn:
        """A 429 is either the end of the day's budget, or a reason to leave the host alone for a
        while."""
        host, client = reply.host, self._client
        if spent := budget_spent(reply.headers):
            hint = "" if client.keyed else "A key of your own has a larger one."
            why = f"{self._service}: {host}: {spent} (429)."
            raise Failed(QuotaSpent(self._service, "refused", why, hint))
        wait_s = asked_s(reply.headers)
        if wait_s is not None and wait_s < math.inf:
            client.pace(host).leave_alone(wait_s)
        why = f"{host} is getting too many requests just now (429)."
        steadier = "" if client.keyed else "; a key of your own gets a steadier share"
        hint = f"Wait a minute and try again{steadier}."
        raise client.failed("limited", why, hint, again=True, wait_s=wait_s)

    def _message(self, body: bytes) -> str:
        """What the service says about its error, in ``error`` or ``message``."""
        try:
            payload = self._parse(body)
        except ValueError:
            return ""
        text = (payload.get("error") or payload.get("message")) if isinstance(payload, dict) else ""
        return f": {self._client.hide(text)}" if isinstance(text, str) and text else ""


def _imports() -> None:
    """What the first call would else load on the event loop."""
    for name in ("httpx", "aiolimiter"):
        import_module(name)
    ssl_context()


# budgets of the day


def budget_spent(headers: Mapping[str, str]) -> str:
    """Why trying again is useless before the budget renews; empty where a 429 only means too many
    calls in a second."""
    values = {name.lower(): _number(value) for name, value in headers.items()}
    left, cost = values.get("x-ratelimit-remaining-usd"), values.get("x-ratelimit-cost-usd")
    renews = pause = values.get("retry-after")
    if left is None:
        limited = any(name.startswith("x-ratelimit-") for name in values)
        spent = limited and (pause or 0) > _LONG_S
    else:
        spent = left <= 0 or (cost is not None and left < cost)
        renews = values.get("x-ratelimit-reset") or pause
    if not spent:
        return ""
    when = "at midnight UTC" if renews is None else f"in {renews / 3600:.1f} h"
    return f"today's budget is spent; it renews {when}"


def _number(text: str) -> float | None:
    try:
        value = float(text.strip().lstrip("$"))
    except ValueError:
        return None
    return value if math.isfinite(value) else None


# several services


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
            why = "A request was not sent, because its address belongs to no source of papers."
            raise ServiceError("papers", "bad_request", why)
        return await fetch.json(request)

    async def pdf_text(self, url: str) -> PdfText:
        return await (self._find(url) or self._first).pdf_text(url)


def _parts(url: str) -> tuple[Origin | None, str]:
    origin = origin_of(url)
    return origin, urlsplit(url).path.rstrip("/") if origin else ""
