"""HTTP for one service: its key goes to its own host only, and every call is paced and bounded in time and size."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import parse_qsl, quote, quote_plus, urljoin, urlsplit, urlunsplit

from coi_tui.config import SourceSettings
from coi_tui.model.errors import CoiError, ServiceError
from coi_tui.model.text import clean_line
from coi_tui.network import limits
from coi_tui.network.addresses import Origin, origin_of, same_service, sendable
from coi_tui.network.limits import HostLimiter, OnWait, TooLarge, Unpackable
from coi_tui.network.retry import AttemptFailed, Backoff
from coi_tui.network.tls import ssl_context

if TYPE_CHECKING:
    import httpx

    from coi_tui.network.open_network import Resolve

MAX_REDIRECTS = 5
_REDIRECTS = (301, 302, 303, 307, 308)
SERVICE = "the service itself"
"""The key of its connections; those of others are under the proxy that they go through (None: none)."""


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


class ServiceClient:
    """Sends requests for one service. Use it in one event loop, and close it.

    ``headers`` and ``query`` (a key among them) go to the origin of ``settings.base_url`` only. ``told`` hears a sentence about every wait
    of some length. Failures are raised as AttemptFailed, for ``with_retries``.
    """

    def __init__(
        self,
        settings: SourceSettings,
        service: str,
        headers: Mapping[str, str],
        query: Mapping[str, str],
        *,
        backoff: Backoff,
        transport: httpx.AsyncBaseTransport | None = None,
        resolve: Resolve | None = None,
        told: Callable[[str], None] | None = None,
    ) -> None:
        """``transport`` takes the place of the network in tests, ``resolve`` that of the machine's own way to find a name's addresses."""
        self.service = service
        self.settings = settings
        self.home = origin_of(settings.base_url)
        self.limiters: dict[str, HostLimiter] = {}
        self._headers = sendable(headers, service)
        self._query = sendable(query, service)
        self._transport = transport
        self._backoff = backoff
        self._resolve = resolve
        self._clients: dict[str | None, httpx.AsyncClient] = {}
        self._told = told or (lambda _text: None)

    @property
    def keyed(self) -> bool:
        """Whether anything is sent that only this service may see."""
        return bool(self._headers or self._query)

    def at_home(self, host: str) -> bool:
        """Whether a host is the service's own."""
        return self.home is not None and host == self.home[1]

    def open(self) -> httpx.AsyncClient:
        """The connections to the service, made at the first call: the certificates alone take longer than a frame."""
        import httpx

        if SERVICE not in self._clients:
            self._clients[SERVICE] = httpx.AsyncClient(
                **self._client_options(),
                transport=self._transport,
                verify=ssl_context() if self._transport is None else False,
            )
        return self._clients[SERVICE]

    def _client_options(self) -> dict[str, Any]:
        import httpx

        timeout_s = self.settings.timeout_s
        return {
            "timeout": httpx.Timeout(timeout_s, connect=limits.connect_s(timeout_s)),
            "follow_redirects": False,
            "headers": {"User-Agent": "coi-tui", "Accept-Encoding": "gzip, deflate"},
        }

    async def _client_for(self, url: str, origin: Origin) -> httpx.AsyncClient:
        """The connections for an address: those of the service for its own, and for all others those that reach the open network only.

        Where the environment names a proxy, the proxy connects; then a name that this machine resolves to an address of its own or of its
        network is refused beforehand.
        """
        if self._transport is not None or same_service(self.home, origin):
            return self.open()
        import httpx

        from coi_tui.network import open_network

        open_network.check_url(url)
        resolve = self._resolve or open_network.system_addresses
        proxy = open_network.proxy_for(url)
        if proxy is not None:
            with suppress(OSError, UnicodeError):
                await open_network.checked_addresses(origin[1], origin[2], resolve)
        if proxy not in self._clients:
            options = self._client_options() | {"trust_env": False}
            if proxy is None:
                transport = open_network.OpenNetworkTransport(
                    ssl_context(), open_network.OpenNetworkBackend(resolve)
                )
                self._clients[None] = httpx.AsyncClient(**options, transport=transport)
            else:
                self._clients[proxy] = httpx.AsyncClient(
                    **options, proxy=proxy, verify=ssl_context()
                )
        return self._clients[proxy]

    async def aclose(self) -> None:
        """Close the connections. The object must not be used afterwards."""
        clients, self._clients = self._clients, {}
        for client in clients.values():
            await client.aclose()

    async def send(
        self,
        request: Request,
        most_mb: float,
        *,
        check_redirect: Callable[[str], None] | None = None,
    ) -> Reply:
        """The answer to ``request``. Redirects are followed by hand, and each gets only the keys that are meant for it.

        They may lead to another server only where ``check_redirect`` is given; it may refuse an address by raising.
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
                hint = "Check the address of the service in the settings."
                raise AttemptFailed(
                    self.error(
                        "bad_request",
                        f"{reply.host} redirects to another server, and requests are not sent there.",
                        hint,
                    )
                )
            keep = reply.status in (307, 308)
            request = Request(
                url,
                request.method if keep else "GET",
                body=request.body if keep else None,
                headers=request.headers,
            )
        raise self.bad_request("it was sent on from address to address without end")

    async def _send(self, request: Request, most_mb: float) -> Reply:
        import httpx

        origin = origin_of(request.url)
        if origin is None:
            raise self.bad_request("its address is not a web address")
        mine, host = origin == self.home, origin[1]
        request = self._with_query(request, mine=mine)
        headers = {**(request.headers or {}), **(self._headers if mine else {})}
        timeout_s = self.settings.timeout_s
        most_s, began = limits.exchange_s(timeout_s), math.inf
        limiter = self._untripped(host)
        try:
            async with limiter.slot():
                began = asyncio.get_running_loop().time()
                async with asyncio.timeout(most_s), limits.slow_told(self._slow(host, most_s)):
                    return await self._read(request, headers, most_mb, origin)
        except TooLarge:
            raise AttemptFailed(
                self.error(
                    "broken", f"{host} sent more than {most_mb:g} MB.", "Ask for fewer papers."
                )
            ) from None
        except Unpackable:
            error = self.error(
                "broken",
                f"{host} sent an answer that is packed in a way that was not asked for.",
                "Try again later.",
            )
            raise AttemptFailed(error, None) from None
        except (httpx.InvalidURL, UnicodeError):
            raise self.bad_request("its address cannot be read") from None
        except TimeoutError:
            why = f"no full answer within {most_s:g} s"
        except httpx.TimeoutException:
            why = f"no answer within {timeout_s:g} s"
        except httpx.RequestError as error:
            why, began = self.hide(str(error)) or type(error).__name__, math.inf
        limiter.failed(why, began)
        hint = "Check the network, or work offline."
        raise AttemptFailed(
            self.error("unreachable", f"{host} cannot be reached ({why}).", hint), None
        )

    async def _read(
        self, request: Request, headers: Mapping[str, str], most_mb: float, origin: Origin
    ) -> Reply:
        most = most_mb * 1_000_000
        client = await self._client_for(request.url, origin)
        call = client.stream(
            request.method,
            request.url,
            params=request.params or None,  # an empty list would wipe the query out of the address
            json=request.body if request.method == "POST" else None,
            headers=headers,
        )
        async with call as response:
            stated = response.headers.get("content-length", "")
            if stated.isdigit() and int(stated[:18]) > most:
                raise TooLarge
            encoding = response.headers.get("content-encoding", "").strip().lower()
            pieces = (
                response.aiter_bytes()
                if encoding in ("", "identity")
                else limits.unpacked(response.aiter_raw(), encoding, most)
            )
            body = await limits.read_limited(pieces, most)
            return Reply(response.status_code, response.headers, body, origin[1])

    def _with_query(self, request: Request, *, mine: bool) -> Request:
        """``request`` with the keys that belong into its address where the host is the service's own, and surely without them elsewhere.

        A redirect may repeat a key in its address, so what goes by the name of one is taken out there first.
        """
        if not self._query:
            return request
        parts = urlsplit(request.url)
        pairs = [*parse_qsl(parts.query, keep_blank_values=True), *request.params]
        pairs = [pair for pair in pairs if pair[0] not in self._query]
        if mine:
            pairs += self._query.items()
        return replace(request, url=urlunsplit(parts._replace(query="")), params=tuple(pairs))

    # -- pace -------------------------------------------------------------------------------------------------------

    def limiter(self, host: str) -> HostLimiter:
        """The limiter of a host: the service's own as set, any other by its own rule."""
        if host not in self.limiters:
            stated = self.settings.pace_s if self.at_home(host) else None
            pace_s = (
                limits.own_pace_s(host, keyed=bool(self._headers)) if stated is None else stated
            )
            self.limiters[host] = HostLimiter(
                pace_s,
                self.settings.parallel,
                self._backoff,
                learns=stated is None,
                on_wait=self._waits_told(host),
            )
        return self.limiters[host]

    def _untripped(self, host: str) -> HostLimiter:
        """The limiter of a host that may be called; raises AttemptFailed for one that failed again and again."""
        limiter = self.limiter(host)
        if (tripped := limiter.tripped_s) > 0:
            cause = f" (at last: {limiter.last_failure})" if limiter.last_failure else ""
            why = f"{host} failed {limiter.failures} times in a row{cause}; it is tried again in {tripped:.0f} s."
            raise AttemptFailed(
                self.error(
                    "unreachable",
                    why,
                    "Go on with something else, choose another source, or work offline.",
                )
            )
        return limiter

    def _waits_told(self, host: str) -> OnWait:
        def on_wait(seconds: float, calls: int, refused: bool) -> None:
            why = (
                f"too many requests (429), next call in {seconds:.0f} s"
                if refused
                else f"calls are spaced, about {seconds:.0f} s in all"
            )
            self._told(
                f"{self.service}: {calls} {'call waits' if calls == 1 else 'calls wait'}; {why}"
            )

        return on_wait

    def _slow(self, host: str, most_s: float) -> Callable[[], None]:
        return lambda: self._told(
            f"{self.service}: {host} has not answered after {limits.SLOW_S:g} s; it has up to {most_s:g} s"
        )

    def retry_told(self, seconds: float, error: CoiError) -> None:
        """For ``with_retries``: say what failed and when it is tried again."""
        self._told(f"{error.message.rstrip('.')}; next call in {seconds:.0f} s")

    # -- errors -----------------------------------------------------------------------------------------------------

    def error(self, kind: str, message: str, hint: str = "") -> ServiceError:
        """An error that names the service."""
        return ServiceError(self.service, kind, f"{self.service}: {message}", hint)

    def bad_request(self, why: str) -> AttemptFailed:
        """The request itself is at fault: trying again is no use."""
        return AttemptFailed(self.error("bad_request", f"the request was rejected: {why}."))

    def hide(self, text: str) -> str:
        """A text from outside on one line, cut short, and without any key that it may echo."""
        for secret in (*self._headers.values(), *self._query.values()):
            text = (
                text.replace(secret, "***")
                .replace(quote(secret, safe=""), "***")
                .replace(quote_plus(secret), "***")
            )
        return clean_line(text)[:200].rstrip(".")
