"""HTTP for one scholarly service: its key goes to its own host only, and every call is paced,
retried, and bounded in time and size."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal
from urllib.parse import parse_qsl, quote, quote_plus, urljoin, urlsplit, urlunsplit

from coi_tui.config import SourceSettings
from coi_tui.model.errors import ServiceError
from coi_tui.model.text import clean_line
from coi_tui.services.http.addresses import Origin, origin_of, same_service, sendable
from coi_tui.services.http.retry import WORTH_TELLING_S, Failed
from coi_tui.services.http.tls import ssl_context

if TYPE_CHECKING:
    import httpx

    from coi_tui.services.http.open_network import Resolve

PARALLEL = 8
"""Calls to one host at a time."""
CONNECT_S = 10.0
TOTAL_TIMEOUTS = 2
"""A whole exchange may take this many times the set timeout, which itself bounds each wait for the
next bytes."""
MAX_REDIRECTS = 5
_REDIRECTS = (301, 302, 303, 307, 308)


@dataclass(frozen=True)
class Request:
    """What is asked of a service. ``headers`` are those of this request alone, without any key."""

    url: str
    method: Literal["GET", "POST"] = "GET"
    params: tuple[tuple[str, str], ...] = ()
    body: object = None
    headers: Mapping[str, str] | None = None


@dataclass(frozen=True)
class Reply:
    """What a host answered, whatever the status."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    host: str


class Pace:
    """Every call to one host passes here: so many at once, so far apart, and none while the host
    wants to be left alone. Belongs to the event loop in which it was made."""

    def __init__(self, pace_s: float, told: Callable[[str], None]) -> None:
        """``told`` hears of waits of some length."""
        from aiolimiter import AsyncLimiter

        self.pace_s = pace_s
        self._room = asyncio.Semaphore(PARALLEL)
        self._limiter = AsyncLimiter(1, pace_s) if pace_s > 0 else None
        self._left_until = 0.0
        self._told = told

    def leave_alone(self, seconds: float) -> None:
        """Nobody calls the host for so long."""
        until = asyncio.get_running_loop().time() + seconds
        self._left_until = max(self._left_until, until)

    async def _next(self) -> None:
        if self._limiter is not None:
            await self._limiter.acquire()

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Room for one call, when its turn has come."""
        loop = asyncio.get_running_loop()
        async with self._room:
            await self._next()
            while (left := self._left_until - loop.time()) > 0:
                if left >= WORTH_TELLING_S:
                    self._told(f"it asked to be left alone; next call in {left:.0f} s")
                await asyncio.sleep(left)
                await self._next()
            yield


class ServiceClient:
    """Sends requests for one service. Use it in one event loop, and close it.

    ``headers`` and ``query`` (a key among them) go to the origin of ``settings.base_url`` only.
    ``told`` hears a sentence about every wait of some length. Failures are raised as Failed, for
    ``retried``.
    """

    def __init__(
        self,
        settings: SourceSettings,
        service: str,
        headers: Mapping[str, str],
        query: Mapping[str, str],
        *,
        transport: httpx.AsyncBaseTransport | None = None,
        resolve: Resolve | None = None,
        told: Callable[[str], None] | None = None,
    ) -> None:
        """``transport`` takes the place of the network in tests, ``resolve`` that of the machine's
        own way to find a name's addresses."""
        self.service = service
        self.home = origin_of(settings.base_url)
        self._settings = settings
        self._headers = sendable(headers, service)
        self._query = sendable(query, service)
        self._transport = transport
        self._resolve = resolve
        self._client: httpx.AsyncClient | None = None
        self._paces: dict[str, Pace] = {}
        self._told = told or (lambda _text: None)

    @property
    def keyed(self) -> bool:
        """Whether anything is sent that only this service may see."""
        return bool(self._headers or self._query)

    def at_home(self, host: str) -> bool:
        """Whether a host is the service's own."""
        return self.home is not None and host == self.home[1]

    def open(self) -> httpx.AsyncClient:
        """The connections, made at the first call: the certificates alone take longer than a
        frame."""
        if self._client is None:
            import httpx

            timeout_s = self._settings.timeout_s
            self._client = httpx.AsyncClient(
                transport=self._transport,
                verify=ssl_context() if self._transport is None else False,
                timeout=httpx.Timeout(timeout_s, connect=min(CONNECT_S, timeout_s)),
                headers={"User-Agent": "coi-tui", "Accept-Encoding": "gzip, deflate"},
            )
        return self._client

    async def _check_open(self, url: str, origin: Origin) -> None:
        """Raises AddressRefused for an address inside this machine or its network, unless it is the
        service's own."""
        if self._transport is None and not same_service(self.home, origin):
            from coi_tui.services.http import open_network

            open_network.check_url(url)
            resolve = self._resolve or open_network.system_addresses
            await open_network.check_name(origin[1], origin[2], resolve)

    async def aclose(self) -> None:
        """Close the connections. The object must not be used afterwards."""
        if self._client is not None:
            await self._client.aclose()

    async def send(
        self,
        request: Request,
        most_mb: float,
        *,
        check_redirect: Callable[[str], None] | None = None,
    ) -> Reply:
        """The answer to ``request``. Redirects are followed by hand, and each gets only the keys
        that are meant for it.

        They may lead to another server only where ``check_redirect`` is given; it may refuse an
        address by raising.
        """
        for _ in range(MAX_REDIRECTS + 1):
            reply = await self._send(request, most_mb)
            target = reply.headers.get("location", "")
            if reply.status not in _REDIRECTS or not target:
                return reply
            try:
                url = urljoin(request.url, target)
            except ValueError:
                raise self.bad_request("it was sent on to an address that cannot be read") from None
            if check_redirect is not None:
                check_redirect(url)
            elif not same_service(origin_of(request.url), origin_of(url)):
                raise self.failed(
                    "bad_request",
                    f"{reply.host} redirects to another server, and requests are not sent there.",
                    "Check the address of the service in the settings.",
                )
            request = (
                Request(url, request.method, body=request.body, headers=request.headers)
                if reply.status in (307, 308)
                else Request(url, headers=request.headers)
            )
        raise self.bad_request("it was sent on from address to address without end")

    async def _send(self, request: Request, most_mb: float) -> Reply:
        import httpx

        origin = origin_of(request.url)
        if origin is None:
            raise self.bad_request("its address is not a web address")
        host, timeout_s = origin[1], self._settings.timeout_s
        most_s = timeout_s * TOTAL_TIMEOUTS
        try:
            async with self.pace(host).turn(), asyncio.timeout(most_s):
                return await self._read(request, most_mb, origin)
        except (httpx.InvalidURL, UnicodeError):
            raise self.bad_request("its address cannot be read") from None
        except TimeoutError:
            why = f"no full answer within {most_s:g} s"
        except httpx.TimeoutException:
            why = f"no answer within {timeout_s:g} s"
        except httpx.RequestError as error:
            why = self.hide(str(error)) or type(error).__name__
        hint = "Check the network, or work offline."
        raise self.failed("unreachable", f"{host} cannot be reached ({why}).", hint, again=True)

    async def _read(self, request: Request, most_mb: float, origin: Origin) -> Reply:
        """One exchange; the body is read no further than the limit."""
        mine, host = origin == self.home, origin[1]
        request = self._with_query(request, mine=mine)
        await self._check_open(request.url, origin)
        call = self.open().stream(
            request.method,
            request.url,
            params=request.params or None,  # an empty list would wipe the query out of the address
            json=request.body if request.method == "POST" else None,
            headers={**(request.headers or {}), **(self._headers if mine else {})},
        )
        body = bytearray()
        async with call as response:
            async for piece in response.aiter_bytes():
                body += piece
                if len(body) > most_mb * 1_000_000:
                    larger = f"{host} sent more than {most_mb:g} MB."
                    raise self.failed("broken", larger, "Ask for fewer papers.")
            return Reply(response.status_code, response.headers, bytes(body), host)

    def _with_query(self, request: Request, *, mine: bool) -> Request:
        """``request`` with the keys that belong into its address where the host is the service's
        own, and surely without them elsewhere.

        A redirect may repeat a key in its address, so what goes by the name of one is taken out
        there first.
        """
        if not self._query:
            return request
        parts = urlsplit(request.url)
        pairs = [*parse_qsl(parts.query, keep_blank_values=True), *request.params]
        pairs = [pair for pair in pairs if pair[0] not in self._query]
        if mine:
            pairs += self._query.items()
        return replace(request, url=urlunsplit(parts._replace(query="")), params=tuple(pairs))

    def pace(self, host: str) -> Pace:
        """The pace of a host: the service's own as set; others are not spaced."""
        if host not in self._paces:
            pace_s = self._settings.pace_s if self.at_home(host) else None
            self._paces[host] = Pace(pace_s or 0.0, self._tell)
        return self._paces[host]

    def _tell(self, text: str) -> None:
        self._told(f"{self.service}: {text}")

    # -- failures

    def failed(
        self,
        kind: str,
        message: str,
        hint: str = "",
        *,
        again: bool = False,
        wait_s: float | None = None,
    ) -> Failed:
        """A failure with an error that names the service; ``again`` and ``wait_s`` as in Failed."""
        error = ServiceError(self.service, kind, f"{self.service}: {message}", hint)
        return Failed(error, again=again, wait_s=wait_s, told=self._told)

    def bad_request(self, why: str) -> Failed:
        """The request itself is at fault: trying again is no use."""
        return self.failed("bad_request", f"the request was rejected: {why}.")

    def hide(self, text: str) -> str:
        """A text from outside on one line, cut short, and without any key that it may echo."""
        for secret in (*self._headers.values(), *self._query.values()):
            for form in (secret, quote(secret, safe=""), quote_plus(secret)):
                text = text.replace(form, "***")
        return clean_line(text)[:200].rstrip(".")
