"""The network as sources of papers see it: data and the texts of PDFs, with every failure as one
sentence. A key goes to its service's own host only, and every call is paced, retried, and bounded
in time and size."""

from __future__ import annotations

import asyncio
import json
import math
import zlib
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import quote, quote_plus

from coi_tui.config import SourceSettings
from coi_tui.model.errors import QuotaSpent, ServiceError
from coi_tui.model.text import clean_line, clean_tree
from coi_tui.services.http.addresses import (
    AddressRefused,
    building,
    check_connection,
    check_url,
    client_options,
    is_loopback,
    origin_of,
    same_service,
    sendable,
)
from coi_tui.services.http.answers import codes_of, is_error, leaves, no_constant, words_of
from coi_tui.services.http.retry import (
    RETRY_WAIT_S,
    WORTH_TELLING_S,
    Failed,
    as_number,
    asked_s,
    retried,
)
from coi_tui.services.pdf.full_text import extract_pdf
from coi_tui.services.sources.types import Fetch, HttpAnswer, HttpRequest, PdfText, SourceSpec

if TYPE_CHECKING:
    import httpx

PARALLEL = 8
"""Calls to one host at a time."""
CONNECT_S = 10.0
TOTAL_TIMEOUTS = 2
"""A whole exchange may take this many times the set timeout, which itself bounds each wait for the
next bytes."""
MAX_REDIRECTS = 5
PDF_READERS = 2
PDF_RETRIES = 2
"""A PDF that does not come is not worth a long wait: there is the abstract."""
PDF_MB, PDF_READ_S = 40, 20.0
JSON_MB = 12
"""Most megabytes (10**6 bytes) of an answer, and seconds to read a PDF."""
MOST_LISTS = 300_000
"""Lists and objects of an answer: once read they take far more than their bytes."""
_PASSING = (429, 500, 502, 503, 504)
"""Statuses that may be gone at the next attempt."""
_LONG_S = 3600.0
"""A pause that a service wants for longer than this is the end of its budget, not of its
patience."""


def parse_json(body: bytes) -> Any:
    """JSON that is an object or a list, texts cleaned. Raises ValueError for anything else, NaN,
    bottomless nesting and more than MOST_LISTS included."""
    if body.count(b"[") + body.count(b"{") > MOST_LISTS:
        raise ValueError("too many lists")

    try:
        payload = json.loads(body, parse_constant=no_constant)
        if not isinstance(payload, dict | list):
            raise ValueError("neither an object nor a list")
        return clean_tree(payload)
    except RecursionError:
        raise ValueError("nested too deeply") from None


class Pace:
    """Every call to one host passes here: so many at once, so far apart, and none while the host
    asked for a pause. ``on_wait`` gets a sentence about such a pause."""

    def __init__(self, pace_s: float, on_wait: Callable[[str], None]) -> None:
        self._pace_s, self._on_wait = pace_s, on_wait
        self._room = asyncio.Semaphore(PARALLEL)
        self._next = self._paused_until = 0.0

    def pause(self, seconds: float) -> None:
        """Nobody calls the host for so long."""
        until = asyncio.get_running_loop().time() + seconds
        self._next = self._paused_until = max(self._next, until)

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Room for one call, when its turn has come."""
        now = asyncio.get_running_loop().time
        async with self._room:
            while (wait_s := self._next - now()) > 0:
                if self._paused_until - now() >= WORTH_TELLING_S:
                    self._on_wait(f"it asked for a pause; next call in {wait_s:.0f} s")
                await asyncio.sleep(wait_s)
            self._next = now() + self._pace_s
            yield


@dataclass(frozen=True)
class HttpReply:
    """What a host answered, whatever the status."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    host: str


class HttpFetch:
    """A ``Fetch`` over the network for one scholarly service. Use it in one event loop, and close
    it.

    The key goes to the origin of ``settings.base_url`` only. ``on_wait`` gets a sentence about
    every wait of some length. ``transport`` takes the place of the network in tests.
    """

    def __init__(
        self,
        spec: SourceSpec,
        settings: SourceSettings,
        key: str = "",
        *,
        transport: httpx.AsyncBaseTransport | None = None,
        retry_wait_s: float = RETRY_WAIT_S,
        on_wait: Callable[[str], None] | None = None,
    ) -> None:
        self._spec, self._settings, self._service = spec, settings, spec.title
        self._home = origin_of(settings.base_url)
        self._key = sendable(key, spec.title)
        self._parse = spec.parse or parse_json
        self._transport, self._retry_wait_s = transport, retry_wait_s
        self._on_wait = on_wait or (lambda _text: None)
        self._client: httpx.AsyncClient | None = None
        self._paces: dict[str, Pace] = {}
        self._readers = asyncio.Semaphore(PDF_READERS)
        self._lost: dict[str, ServiceError] = {}
        """Hosts of PDFs that could not be reached, asked no more."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._client is not None:
            await self._client.aclose()

    async def warm(self) -> None:
        """Load what the first call needs, in a thread."""
        await asyncio.to_thread(self._open)

    # -- data

    async def json(self, request: HttpRequest) -> HttpAnswer:
        """The answer to ``request``, its texts cleaned so that it can be stored. Raises
        ServiceError for all but 200 and 404.

        A redirect to another server is refused, as nothing that is asked of this service is meant
        for another.
        """
        accept = "application/json" if self._parse is parse_json else "*/*"
        asked = origin_of(request.url)

        def check(url: str) -> None:
            if not same_service(asked, origin_of(url)):
                why = "it redirects to another server, and requests are not sent there."
                hint = "Check the address of the service in the settings."
                raise self._failed("bad_request", why, hint)

        async def attempt() -> HttpAnswer:
            return self._answer(await self._send(request, accept, JSON_MB, check))

        return await retried(attempt, self._settings.retries, self._retry_wait_s)

    def _answer(self, reply: HttpReply) -> HttpAnswer:
        if reply.status not in (200, 404):
            raise self._refusal(reply)
        web_page = "html" in reply.headers.get("content-type", "").lower()
        if reply.status == 404 or not web_page:
            with suppress(ValueError):
                payload = self._parse(reply.body)
                if reply.status == 200 and isinstance(payload, dict) and is_error(payload):
                    raise self._refusal(replace(reply, status=502))
                return HttpAnswer(status=reply.status, payload=payload)
        if reply.status == 200:
            what = "a web page" if web_page else "an answer that cannot be read"
            why = f"{reply.host} sent {what} in place of data."
            raise self._failed("broken", why, "Try again later.", again=True)
        if self._spec.plain_404:
            return HttpAnswer(status=404)
        # not the service's own "no such paper": a wrong address must not look like an empty answer
        why = f"{reply.host} has nothing at this address."
        raise self._failed("not_found", why, "Check the address of the service in the settings.")

    # -- PDFs

    async def pdf_text(self, url: str) -> PdfText:
        """The text of the PDF at ``url``. No PDF there is an answer; a host that cannot be reached
        raises ServiceError."""
        host = (origin_of(url) or ("", "", 0))[1]
        if host in self._lost:
            raise self._lost[host]

        async def attempt() -> HttpReply:
            self._check_pdf(url)
            asked = HttpRequest(url=url)
            reply = await self._send(asked, "application/pdf", PDF_MB, self._check_pdf)
            if reply.status in _PASSING:
                raise self._refusal(reply)
            return reply

        retries = min(PDF_RETRIES, self._settings.retries)
        try:
            reply = await retried(attempt, retries, self._retry_wait_s)
        except AddressRefused as refused:
            return PdfText(kind="none", note=f"the address of the PDF {refused}")
        except ServiceError as error:
            if error.kind == "unreachable" and not self._at_home(host):
                self._lost[host] = error
            raise
        if reply.status != 200:
            note = f"{reply.host} did not hand out the PDF (status {reply.status})"
            return PdfText(kind="none", note=note)
        async with self._readers:
            return (await extract_pdf(reply.body, PDF_READ_S, PDF_MB)).text

    def _check_pdf(self, url: str) -> None:
        """Raises AddressRefused where no PDF is fetched from. With a service on this machine
        nothing else is reached."""
        if same_service(self._home, origin_of(url)):
            return
        check_url(url)
        if self._home is not None and is_loopback(self._home[1]):
            raise AddressRefused(f"is elsewhere, while {self._service} is on this machine")

    # -- requests

    def _at_home(self, host: str) -> bool:
        """Whether a host is the service's own."""
        return self._home is not None and host == self._home[1]

    def _pace(self, host: str) -> Pace:
        """The pace of a host: the service's own as set; others are not spaced."""
        if host not in self._paces:
            pace_s = self._settings.pace_s if self._at_home(host) else None
            self._paces[host] = Pace(
                pace_s or 0.0, lambda text: self._on_wait(f"{self._service}: {text}")
            )
        return self._paces[host]

    def _open(self) -> httpx.AsyncClient:
        """The connections, made at the first call: the certificates alone take longer than a
        frame."""
        if self._client is None:
            import httpx

            from coi_tui.services.http.open_network import open_client

            timeout_s = self._settings.timeout_s
            options: dict[str, Any] = {
                "timeout": httpx.Timeout(timeout_s, connect=min(CONNECT_S, timeout_s)),
                "headers": {"User-Agent": "coi-tui", "Accept-Encoding": "gzip, deflate"},
            }
            if self._transport is not None:
                self._client = httpx.AsyncClient(transport=self._transport, **options)
                return self._client
            with building(self._service):
                options |= client_options(self._settings.base_url)
                self._client = open_client(self._home, **options)
        return self._client

    async def _send(
        self, asked: HttpRequest, accept: str, most_mb: float, check: Callable[[str], None]
    ) -> HttpReply:
        """The reply to a request after its redirects. ``check`` raises for an address that none may
        lead to."""
        import httpx

        client = self._open()
        try:
            request: httpx.Request | None = client.build_request(
                asked.method,
                asked.url,
                params=asked.params or None,  # an empty list would wipe the query of the address
                json=asked.body if asked.method == "POST" else None,
                headers={"Accept": accept},
            )
            for _ in range(MAX_REDIRECTS + 1):
                assert request is not None
                reply, request = await self._exchange(request, most_mb)
                if request is None:
                    return reply
                check(str(request.url))
        except (httpx.InvalidURL, UnicodeError):
            raise self._bad_request("its address cannot be read") from None
        raise self._bad_request("it was redirected without end")

    async def _exchange(
        self, request: httpx.Request, most_mb: float
    ) -> tuple[HttpReply, httpx.Request | None]:
        """The reply to one request, and the request that a redirect asks for. The body is read, and
        unpacked, no further than the limit: httpx would unpack a whole piece before it is counted."""
        import httpx

        url = str(request.url)
        if (origin := origin_of(url)) is None:
            raise self._bad_request("its address is not a web address")
        host, timeout_s = origin[1], self._settings.timeout_s
        most_s = timeout_s * TOTAL_TIMEOUTS
        self._set_key(request, home=origin == self._home)
        try:
            async with self._pace(host).turn(), asyncio.timeout(most_s):
                if self._transport is None and not same_service(self._home, origin):
                    await check_connection(url)
                response = await self._open().send(request, stream=True)
                async with aclosing(response):
                    most, packed = int(most_mb * 1_000_000), "content-encoding" in response.headers
                    unpack = zlib.decompressobj(47) if packed else None  # gzip or deflate
                    body = bytearray()
                    assert isinstance(response.stream, httpx.AsyncByteStream)
                    async for piece in response.stream:
                        body += unpack.decompress(piece, most + 1) if unpack else piece
                        if len(body) > most:
                            larger = f"{host} sent more than {most_mb:g} MB."
                            raise self._failed("broken", larger, "Ask for fewer papers.")
                    reply = HttpReply(response.status_code, response.headers, bytes(body), host)
                    return reply, response.next_request
        except zlib.error:
            broken = f"{host} sent an answer that cannot be unpacked."
            raise self._failed("broken", broken, "Try again later.", again=True) from None
        except TimeoutError:
            why = f"no full answer within {most_s:g} s"
        except httpx.TimeoutException:
            why = f"no answer within {timeout_s:g} s"
        except httpx.RequestError as error:
            why = self._hide(str(error)) or type(error).__name__
        hint = "Check the network, or work offline."
        raise self._failed("unreachable", f"{host} cannot be reached ({why}).", hint, again=True)

    def _set_key(self, request: httpx.Request, *, home: bool) -> None:
        """Put the key into a request to the service itself, and take it out of one that a redirect
        leads elsewhere: its address may repeat the key."""
        header, parameter = self._spec.key_header, self._spec.key_parameter
        if header:
            request.headers.pop(header, None)
        if parameter and parameter in request.url.params:
            request.url = request.url.copy_remove_param(parameter)
        if home and self._key and header:
            request.headers[header] = self._key
        if home and self._key and parameter:
            request.url = request.url.copy_set_param(parameter, self._key)

    # -- failures

    def _failed(
        self,
        kind: str,
        message: str,
        hint: str = "",
        *,
        again: bool = False,
        wait_s: float | None = None,
    ) -> Failed:
        """A failure with an error that names the service; ``again`` and ``wait_s`` as in Failed."""
        error = ServiceError(self._service, kind, f"{self._service}: {message}", hint)
        return Failed(error, again=again, wait_s=wait_s, on_wait=self._on_wait)

    def _bad_request(self, why: str) -> Failed:
        return self._failed("bad_request", f"the request was rejected: {why}.")

    def _refusal(self, reply: HttpReply) -> Failed:
        """The failure that a status means."""
        host, status, keyed = reply.host, reply.status, bool(self._key)
        told = leaves(reply.body.decode(errors="replace"))
        words = self._hide(words_of(told))
        message = f": {words}" if words else ""
        wait_s = asked_s(reply.headers, f"{codes_of(told)} {words}")
        if status == 429:
            if spent := budget_spent(reply.headers):
                hint = "" if keyed else "A key of your own has a larger one."
                why = f"{self._service}: {host}: {spent} (429)."
                return Failed(QuotaSpent(self._service, "refused", why, hint))
            if wait_s is not None and wait_s < math.inf:
                self._pace(host).pause(wait_s)
            kind, why = "limited", f"{host} is getting too many requests just now (429)."
            steadier = "" if keyed else "; a key of your own gets a steadier share"
            hint = f"Wait a minute and try again{steadier}."
        elif status in (401, 403):
            kind, why = "refused", f"{host} refused the call ({status}){message}."
            hint = "Check the key." if keyed else "It may need a key."
        elif status >= 500:
            kind, why = "server", f"{host} failed on its side ({status}){message}."
            hint = "Try again later."
        else:
            return self._bad_request(f"{host} answered {status}{message}")
        return self._failed(kind, why, hint, again=status in _PASSING, wait_s=wait_s)

    def _hide(self, text: str) -> str:
        """A text from outside on one line, cut short, and without any key that it may echo."""
        for form in {self._key, quote(self._key, safe=""), quote_plus(self._key)} - {""}:
            text = text.replace(form, "***")
        return clean_line(text)[:200].rstrip(".")


def budget_spent(headers: Mapping[str, str]) -> str:
    """Why trying again is useless before the budget renews; empty where a 429 only means too many
    calls in a second."""
    values = {name.lower(): as_number(value) for name, value in headers.items()}
    left, cost = values.get("x-ratelimit-remaining-usd"), values.get("x-ratelimit-cost-usd")
    pause = values.get("retry-after")
    renews = values.get("x-ratelimit-reset") or pause
    if not (left is not None and (left <= 0 or left < (cost or 0))) and (pause or 0) <= _LONG_S:
        return ""
    when = "at midnight UTC" if renews is None else f"in {renews / 3600:.1f} h"
    return f"today's budget is spent; it renews {when}"


class RoutedFetch:
    """A ``Fetch`` of several services by their base addresses, each with its own limits, key and
    rules, so that no key can reach another's host: a request goes to the longest address above its
    own.

    PDFs go through the first, which thereby limits the rate for all other hosts; those at a
    service's own address go through its own.
    """

    def __init__(self, fetches: Sequence[tuple[str, Fetch]]) -> None:
        self._first = fetches[0][1]
        by_base = {base.rstrip("/"): fetch for base, fetch in fetches}
        self._by_base = {base: by_base[base] for base in sorted(by_base, key=len, reverse=True)}

    def _find(self, url: str) -> Fetch | None:
        under = (base for base in self._by_base if f"{url}/".startswith(f"{base}/"))
        return self._by_base.get(next(under, ""))

    async def json(self, request: HttpRequest) -> HttpAnswer:
        fetch = self._find(request.url)
        if fetch is None:
            why = "A request was not sent, because its address belongs to no source of papers."
            raise ServiceError("papers", "bad_request", why)
        return await fetch.json(request)

    async def pdf_text(self, url: str) -> PdfText:
        return await (self._find(url) or self._first).pdf_text(url)
