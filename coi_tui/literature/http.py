"""The one module that talks HTTP: paced, bounded, retried, and closed about keys. Nothing else here imports httpx (libraries.md, 3)."""

from __future__ import annotations

import asyncio
import ipaddress
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, NoReturn, Self, TypeVar
from urllib.parse import quote, quote_plus, urljoin

from coi_tui.config import SourceSettings
from coi_tui.literature.quota import budget_spent, limits_told, with_query
from coi_tui.literature.types import HttpAnswer, HttpRequest, PdfText
from coi_tui.model.errors import QuotaSpent, ServiceError
from coi_tui.model.text import clean_line, clean_tree
from coi_tui.network.addresses import is_loopback, origin_of, sendable
from coi_tui.network.limits import TRIP_AFTER, Backoff, HostGate, Told, retry_after_s
from coi_tui.network.tls import ssl_context

if TYPE_CHECKING:
    import httpx
    from pydantic import JsonValue

T = TypeVar("T")

S2_HOST = "api.semanticscholar.org"
S2_PACE_WITH_KEY_S = 1.1
S2_PACE_WITHOUT_KEY_S = 3.0
ARXIV_HOST = "export.arxiv.org"
ARXIV_PACE_S = 3.0
MAX_REDIRECTS = 5
TOTAL_TIMEOUTS = 4
"""A whole exchange may take this many times ``timeout_s``, which itself bounds each wait for the next bytes."""
CONNECT_TIMEOUT_S = 10.0
PDF_READERS = 2
PDF_RETRIES = 2
"""A PDF that does not come is not worth a long wait: there is the abstract."""
_AGAIN = (429, 500, 502, 503, 504)
_REDIRECTS = (301, 302, 303, 307, 308)


def parse_json(body: bytes) -> JsonValue:
    """JSON that is an object or a list, texts cleaned. Raises ValueError for anything else, NaN and bottomless nesting included."""

    def no_constant(name: str) -> NoReturn:
        raise ValueError(f"{name} is not JSON")

    try:
        payload = json.loads(body, parse_constant=no_constant)
        if not isinstance(payload, dict | list):
            raise ValueError("neither an object nor a list")
        return clean_tree(payload)  # type: ignore[return-value]
    except RecursionError:
        raise ValueError("nested too deeply") from None


class _Failure(Exception):
    """One try that failed: the error to end with, and how often (None: as often as allowed) it may be tried again."""

    def __init__(self, error: ServiceError, tries: int | None = 0, *, waited: bool = False) -> None:
        super().__init__(error.message)
        self.error = error
        self.tries = tries
        self.waited = waited


class _NoPdf(Exception):
    """A definite answer that there is no PDF to read; its text is the reason."""


@dataclass(frozen=True)
class _Reply:
    status: int
    headers: Mapping[str, str]
    body: bytes
    host: str


class HttpFetch:
    """A ``Fetch`` over the network for one scholarly service. Use it in one event loop, and close it.

    ``headers`` (a key among them) go to the host of ``settings.base_url`` only, never to a PDF's host or along a redirect elsewhere; so do
    the parameters of ``query``, for a service that takes its key there. ``plain_404``: the service says "no such paper" without JSON.
    ``parse`` turns a body into data, where the service sends something else than JSON.
    ``told`` hears a sentence about every wait of some length.
    ``base_wait_s`` and ``max_wait_s`` bound the waits between tries, in seconds; the caps are in megabytes (10**6 bytes).
    """

    def __init__(
        self,
        settings: SourceSettings,
        service: str,
        headers: Mapping[str, str] | None = None,
        *,
        query: Mapping[str, str] | None = None,
        plain_404: bool = False,
        parse: Callable[[bytes], JsonValue] = parse_json,
        transport: httpx.AsyncBaseTransport | None = None,
        base_wait_s: float = 2.0,
        max_wait_s: float = 60.0,
        max_json_mb: float = 12,
        max_pdf_mb: float = 40,
        pdf_timeout_s: float = 20,
        told: Callable[[str], None] | None = None,
    ) -> None:
        self._settings = settings
        self._service = service
        self._headers = sendable(headers or {}, service)
        self._query = sendable(query or {}, service)
        self._plain_404 = plain_404
        self._parse = parse
        self.quota: dict[str, str] = {}
        """What the service last said about limits and budget, by lower-case header name."""
        self.on_wait: Callable[[str, float], None] | None = None
        """Hears of a host that said 429, and for how many seconds it is left alone."""
        self._transport = transport
        self._backoff = Backoff(base_wait_s, max_wait_s)
        self._max_json_mb = max_json_mb
        self._max_pdf_mb = max_pdf_mb
        self._pdf_timeout_s = pdf_timeout_s
        self._home = origin_of(settings.base_url)
        self._gates: dict[str, HostGate] = {}
        self._client: httpx.AsyncClient | None = None
        self._readers: asyncio.Semaphore | None = None
        self._lost: dict[str, ServiceError] = {}  # hosts of PDFs that could not be reached, asked no more
        self._told = told or (lambda _text: None)
        self._local = self._home is not None and is_loopback(self._home[1])

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the connections. The object must not be used afterwards."""
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()

    async def warm(self) -> None:
        """Import what the first call needs while something else is waited for.

        To be called after a model's client is made, if there is one: openai looks at ``sys.modules["httpx"]`` at every call and must not
        find half a module there.
        """
        await asyncio.to_thread(_imports)
        self._open()

    async def json(self, request: HttpRequest) -> HttpAnswer:
        """The answer to ``request``, its texts cleaned so that it can be stored. Raises ServiceError for all but 200 and 404."""

        async def once() -> HttpAnswer:
            accept = "application/json" if self._parse is parse_json else "*/*"
            return self._read_json(await self._exchange(request, self._max_json_mb, accept))

        return await self._tries(once)

    async def pdf_text(self, url: str) -> PdfText:
        """The text of the PDF at ``url``. No PDF there is an answer; a host that cannot be reached raises ServiceError."""
        from coi_tui.literature.full_text import pdf_to_text

        async def once() -> bytes:
            if refused := self._pdf_refused(url):
                raise _NoPdf(f"the address of the PDF {refused}")
            request = HttpRequest(url=url)
            return self._read_pdf(await self._exchange(request, self._max_pdf_mb, "application/pdf", pdf=True))

        origin = origin_of(url)
        host = origin[1] if origin else ""
        if host in self._lost:
            raise self._lost[host]
        try:
            data = await self._tries(once, min(PDF_RETRIES, self._settings.retries))
        except _NoPdf as reason:
            return PdfText(kind="none", note=str(reason))
        except ServiceError as error:
            if error.kind == "unreachable" and not self._at_home(host):
                self._lost[host] = error
            raise
        self._readers = self._readers or asyncio.Semaphore(PDF_READERS)
        async with self._readers:
            return await pdf_to_text(data, self._pdf_timeout_s, self._max_pdf_mb)

    # Trying and trying again

    async def _tries(self, once: Callable[[], Awaitable[T]], retries: int | None = None) -> T:
        import stamina

        retries = self._settings.retries if retries is None else retries
        failures = 0

        def again(error: Exception) -> bool | float:
            nonlocal failures
            if not isinstance(error, _Failure) or (error.tries is not None and failures >= error.tries):
                return False
            failures += 1
            return 0.0 if error.waited else self._backoff.wait(failures - 1)

        try:
            async for attempt in stamina.retry_context(on=again, attempts=retries + 1, timeout=None):
                with attempt:
                    return await once()
        except _Failure as failure:
            raise failure.error from None
        raise AssertionError("the retry loop ended without an answer")

    async def _exchange(self, request: HttpRequest, cap_mb: float, accept: str, *, pdf: bool = False) -> _Reply:
        """Send ``request`` and follow its redirects by hand: each address is checked and gets only the headers meant for it."""
        for _ in range(MAX_REDIRECTS + 1):
            reply = await self._send(request, cap_mb, accept)
            target = reply.headers.get("location", "")
            if reply.status not in _REDIRECTS or not target:
                return reply
            try:
                url = urljoin(request.url, target)
            except ValueError:
                raise self._bad_request("it was sent on to an address that cannot be read") from None
            if pdf and (refused := self._pdf_refused(url)):
                raise _NoPdf(f"the PDF's address leads to one that {refused}")
            keep = reply.status in (307, 308)
            request = HttpRequest(method=request.method if keep else "GET", url=url, body=request.body if keep else None)
        raise self._bad_request("it was sent on from address to address without end")

    async def _send(self, request: HttpRequest, cap_mb: float, accept: str) -> _Reply:
        import httpx

        origin = origin_of(request.url)
        if origin is None:
            raise self._bad_request("the address is not one of the web")
        headers = {"Accept": accept} | (self._headers if origin == self._home else {})
        request = with_query(request, self._query, mine=origin == self._home)
        limit = self._settings.timeout_s * TOTAL_TIMEOUTS
        gate = self._gate(origin)
        if (shut := gate.shut_s) > 0:
            hint = "Go on with something else, choose another source, or work offline."
            why = f"{origin[1]} failed {TRIP_AFTER} times in a row and more; it is tried again in {shut:.0f} s."
            raise _Failure(self._error("unreachable", why, hint))
        try:
            async with gate.slot(), asyncio.timeout(limit):
                return await self._stream(request, headers, cap_mb, origin[1])
        except TimeoutError:
            raise self._unreachable(origin[1], f"no full answer within {limit:g} s") from None
        except httpx.TimeoutException:
            raise self._unreachable(origin[1], f"no answer within {self._settings.timeout_s:g} s") from None
        except httpx.RequestError as error:
            raise self._unreachable(origin[1], self._hide(str(error)) or type(error).__name__) from None
        except (httpx.InvalidURL, UnicodeError):
            raise self._bad_request("the address cannot be read") from None

    async def _stream(self, request: HttpRequest, headers: Mapping[str, str], cap_mb: float, host: str) -> _Reply:
        cap = cap_mb * 1_000_000
        call = self._open().stream(
            request.method,
            request.url,
            params=request.params or None,  # an empty list would wipe the query out of the address
            json=request.body if request.method == "POST" else None,
            headers=headers,
        )
        async with call as response:
            stated = response.headers.get("content-length", "")
            body = bytearray()
            if not (stated.isdigit() and int(stated) > cap):
                async for chunk in response.aiter_bytes():
                    body += chunk
                    if len(body) > cap:
                        break
                else:
                    if self._at_home(host):
                        self.quota = limits_told(response.headers) or self.quota
                    return _Reply(response.status_code, response.headers, bytes(body), host)
        error = self._error("broken", f"{host} sent more than {cap_mb:g} MB.", "Ask for fewer papers.")
        raise _Failure(error)

    def _open(self) -> httpx.AsyncClient:
        """The client, made at the first call: the SSL context alone takes longer than a frame."""
        import httpx
        import stamina.instrumentation

        if self._client is None:
            stamina.instrumentation.set_on_retry_hooks([])  # their log line would land on the screen (libraries.md, 3)
            self._client = httpx.AsyncClient(
                timeout=httpx.Timeout(self._settings.timeout_s, connect=min(CONNECT_TIMEOUT_S, self._settings.timeout_s)),
                follow_redirects=False,
                transport=self._transport,
                verify=ssl_context() if self._transport is None else False,
                headers={"User-Agent": "coi-tui"},
            )
        return self._client

    def _gate(self, origin: tuple[str, str, int]) -> HostGate:
        host = origin[1]
        if host not in self._gates:
            home = self._home is not None and host == self._home[1]
            stated = self._settings.pace_s if home else None
            pace = stated if stated is not None else self._own_rule(host)
            self._gates[host] = HostGate(pace, self._settings.parallel, self._backoff, learns=stated is None, told=self._waits(host))
        return self._gates[host]

    def _waits(self, host: str) -> Told:
        def told(seconds: float, calls: int, refused: bool) -> None:
            why = f"too many requests (429), next call in {seconds:.0f} s" if refused else f"kept to its pace, about {seconds:.0f} s in all"
            self._told(f"{self._service}: {calls} {'call waits' if calls == 1 else 'calls wait'}; {why}")

        return told

    def _own_rule(self, host: str) -> float:
        if host == ARXIV_HOST:
            return ARXIV_PACE_S
        if host != S2_HOST:
            return 0.0
        return S2_PACE_WITH_KEY_S if self._headers else S2_PACE_WITHOUT_KEY_S

    # Reading answers

    def _read_json(self, reply: _Reply) -> HttpAnswer:
        if reply.status == 200:
            answer = HttpAnswer(status=200, payload=self._payload(reply))
            self._gates[reply.host].answered()
            return answer
        if reply.status == 404:
            self._gates[reply.host].answered()
            try:
                payload = self._parse(reply.body)
            except ValueError:  # not the service's own "no such paper": a wrong base address must not look like an empty answer
                if self._plain_404:
                    return HttpAnswer(status=404)
                hint = "Is the address of the service right?"
                raise _Failure(self._error("not_found", f"{reply.host} has nothing at this address.", hint)) from None
            return HttpAnswer(status=404, payload=payload)
        return self._refuse(reply)

    def _payload(self, reply: _Reply) -> JsonValue:
        kind = reply.headers.get("content-type", "").lower()
        try:
            if "html" in kind:
                raise ValueError("a web page")
            return self._parse(reply.body)
        except ValueError:
            what = "a web page" if "html" in kind or reply.body.lstrip()[:1] == b"<" else "an answer that cannot be read"
            raise _Failure(self._error("broken", f"{reply.host} sent {what} in place of data.", "Try again later."), None) from None

    def _read_pdf(self, reply: _Reply) -> bytes:
        if reply.status == 200:
            self._gates[reply.host].answered()
            if not reply.body.startswith(b"%PDF"):
                raise _NoPdf(f"{reply.host} sent something that is not a PDF")
            return reply.body
        if reply.status in _AGAIN:
            self._refuse(reply)
        raise _NoPdf(f"{reply.host} did not hand out the PDF (status {reply.status})")

    def _refuse(self, reply: _Reply) -> NoReturn:
        """Turn any other status into the failure it is (reference, "Errors")."""
        host, status = reply.host, reply.status
        said = self._said(reply.body)
        if status == 429 and (spent := budget_spent(reply.headers)):
            hint = "" if self._keyed else "A key of your own has a larger one."
            raise _Failure(QuotaSpent(self._service, "refused", f"{self._service}: {host}: {spent} (429).", hint))
        if status == 429:
            self._gates[host].close(retry_after_s(reply.headers.get("retry-after")))
            if self.on_wait is not None:
                self.on_wait(host, self._gates[host].closed_for)
            hint = "Wait a minute; a key of your own gets a steadier share." if not self._keyed else "Wait a minute and try again."
            raise _Failure(self._error("limited", f"{host} is answering too many requests just now (429).", hint), None, waited=True)
        if status in _AGAIN:
            self._gates[host].failed()
            raise _Failure(self._error("server", f"{host} has a fault of its own ({status}){said}.", "Try again later."), None)
        if status == 403:  # seen as a flake on /citations, so it gets one more try
            raise _Failure(self._error("refused", f"{host} refused the call (403){said}.", self._key_hint()), 1)
        if status == 401:
            raise _Failure(self._error("refused", f"{host} wants other credentials (401){said}.", self._key_hint()))
        if status >= 500:
            raise _Failure(self._error("server", f"{host} has a fault of its own ({status}){said}.", "Try again later."))
        raise self._bad_request(f"{host} answered {status}{said}")

    # Words for errors

    def _said(self, body: bytes) -> str:
        """What the service said about its error, from ``error`` or ``message``; HTML says nothing."""
        try:
            payload = self._parse(body)
        except ValueError:
            return ""
        text = (payload.get("error") or payload.get("message")) if isinstance(payload, dict) else ""
        return f": {self._hide(text)}" if isinstance(text, str) and text else ""

    def _hide(self, text: str) -> str:
        for secret in (*self._headers.values(), *self._query.values()):
            text = text.replace(secret, "***").replace(quote(secret, safe=""), "***").replace(quote_plus(secret), "***")
        return clean_line(text)[:200].rstrip(".")

    @property
    def _keyed(self) -> bool:
        return bool(self._headers or self._query)

    def _key_hint(self) -> str:
        return "Is the key right?" if self._keyed else "A key may be needed."

    def _error(self, kind: str, message: str, hint: str = "") -> ServiceError:
        return ServiceError(self._service, kind, f"{self._service}: {message}", hint)

    def _unreachable(self, host: str, why: str) -> _Failure:
        if host in self._gates:
            self._gates[host].failed()
        return _Failure(self._error("unreachable", f"{host} cannot be reached ({why}).", "Check the network, or work offline."), None)

    def _bad_request(self, why: str) -> _Failure:
        return _Failure(self._error("bad_request", f"the request was not taken: {why}."))

    def _at_home(self, host: str) -> bool:
        return self._home is not None and host == self._home[1]

    def _pdf_refused(self, url: str) -> str:
        """Why no PDF is fetched from there; empty where one may be. With a service on this machine nothing else is reached."""
        if self._off_limits(url):
            return "is not one on the open network"
        origin = origin_of(url)
        if self._local and origin is not None and not self._at_home(origin[1]):
            return f"is elsewhere, while {self._service} is on this machine"
        return ""

    def _off_limits(self, url: str) -> bool:
        """Whether a paper's record points into the reader's own machine or network, other than at the configured service."""
        origin = origin_of(url)
        if origin is None:
            return True
        host = origin[1]
        if self._at_home(host):
            return False
        try:
            return not ipaddress.ip_address(host).is_global
        except ValueError:
            return host == "localhost" or host.endswith((".localhost", ".local", ".internal"))


BACKEND = "anyio._backends._asyncio"
"""What the first connection would import on the loop."""


def _imports() -> None:
    for name in ("httpx", "stamina.instrumentation", BACKEND):
        import_module(name)
    ssl_context()
