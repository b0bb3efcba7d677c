"""Connections to addresses that others name (the PDFs of papers): to the open network only, never into the reader's own machine or network.

A name is resolved once, every address that it has is checked, and the connection goes to an address that was checked: a name that points
elsewhere a moment later leads nowhere. The name itself stays the one that the certificate must show.
"""

from __future__ import annotations

import asyncio
import ipaddress
import re
import socket
import urllib.request
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import httpcore
import httpx

from coi_tui.network.addresses import origin_of

if TYPE_CHECKING:
    import ssl

IpAddress = ipaddress.IPv4Address | ipaddress.IPv6Address
Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
"""Gives the IP addresses of a name, as texts. Raises OSError where it has none."""

PORTS = frozenset({80, 443, 8080, 8443})
"""Where web servers listen. Behind other ports are services that a web request may disturb."""

_NAT64 = (ipaddress.ip_network("64:ff9b::/96"), ipaddress.ip_network("64:ff9b:1::/48"))
_COMPATIBLE = ipaddress.ip_network("::/96")
_CLOSED = tuple(
    map(
        ipaddress.ip_network,
        ("192.88.99.0/24", "fec0::/10", "100::/64", "5f00::/16", "2001::/23", "3fff::/20"),
    )
)
"""Not for the open network, whatever the Python version in use knows of them."""
_NUMBER = re.compile(r"0x[0-9a-f]*|[0-9]+")
_OWN_NAMES = (
    "localhost",
    "localdomain",
    "local",
    "internal",
    "intranet",
    "lan",
    "home",
    "corp",
    "private",
    "home.arpa",
)


class AddressRefused(Exception):
    """Nothing is fetched from an address. The text goes on from "the address of the PDF"."""


def is_open(address: IpAddress) -> bool:
    """Whether an IP address is one of the open network; what stands for another address (mapped, translated, tunnelled) is as that is."""
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return is_open(address.ipv4_mapped)
        if address in _NAT64[0]:
            return is_open(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
        if (
            address.sixtofour is not None
            or address.teredo is not None
            or address in _COMPATIBLE
            or address in _NAT64[1]
        ):
            return False
    if any(address in network for network in _CLOSED if network.version == address.version):
        return False
    return address.is_global and not (
        address.is_multicast or address.is_reserved or address.is_unspecified or address.is_loopback
    )


def check_url(url: str) -> None:
    """Raises AddressRefused for an address from which nothing is fetched, as far as that can be told without resolving its name."""
    try:
        parsed = httpx.URL(
            url
        )  # reads the host as the connection will: full-width signs and the like are plain ones afterwards
        host, port, user = parsed.raw_host.decode("ascii"), parsed.port, parsed.userinfo
    except (httpx.InvalidURL, UnicodeError, ValueError, TypeError):
        raise AddressRefused("cannot be read") from None
    if parsed.scheme not in ("http", "https") or not host or origin_of(url) is None:
        raise AddressRefused("is not a web address")
    if user or "@" in parsed.netloc.decode("ascii", "replace"):
        raise AddressRefused("holds a user or password")
    if port is not None and port not in PORTS:
        raise AddressRefused(f"has an unusual port ({port})")
    _check_host(host.rstrip(".").lower())


def _check_host(host: str) -> None:
    literal = _ip(host)
    if literal is not None:
        _check_open([literal])
    elif _NUMBER.fullmatch(host.rpartition(".")[2]) or "%" in host:
        raise AddressRefused("has a number in place of a name")
    elif "." not in host or host.endswith(tuple(f".{name}" for name in _OWN_NAMES)):
        raise AddressRefused("is not one on the open network")


def _check_open(addresses: Iterable[IpAddress]) -> None:
    if not all(map(is_open, addresses)):
        raise AddressRefused("is not one on the open network")


def _ip(text: str) -> IpAddress | None:
    try:
        return ipaddress.ip_address(text)
    except ValueError:
        return None


async def system_addresses(host: str, port: int) -> Sequence[str]:
    """The IP addresses of a name as this machine resolves it."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(info[4][0]) for info in found))


async def checked_addresses(host: str, port: int, resolve: Resolve) -> list[str]:
    """Every address of a name. Raises AddressRefused where one of them is not of the open network, OSError where it has none."""
    literal = _ip(host)
    found = [str(literal)] if literal is not None else list(await resolve(host, port))
    parsed = [_ip(address) for address in found]
    if not found or None in parsed:
        raise OSError("the name has no address")
    _check_open(address for address in parsed if address is not None)
    return found


class OpenNetworkBackend(httpcore.AsyncNetworkBackend):
    """Connects to addresses that were resolved and checked here. TLS is told the name by httpcore, so certificates are held to it."""

    def __init__(
        self, resolve: Resolve = system_addresses, inner: httpcore.AsyncNetworkBackend | None = None
    ) -> None:
        self._resolve = resolve
        self._inner = inner or httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Any = None,
    ) -> httpcore.AsyncNetworkStream:
        try:
            async with asyncio.timeout(timeout):
                addresses = await checked_addresses(host, port, self._resolve)
        except TimeoutError:
            raise httpcore.ConnectTimeout("its name was not resolved in time") from None
        except (OSError, UnicodeError):
            raise httpcore.ConnectError("its name has no address") from None
        last: Exception = httpcore.ConnectError("its name has no address")
        for address in addresses[:4]:
            try:
                return await self._inner.connect_tcp(
                    address, port, timeout, local_address, socket_options
                )
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                last = error
        raise last

    async def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: Any = None
    ) -> httpcore.AsyncNetworkStream:
        raise AddressRefused("is not a web address")

    async def sleep(self, seconds: float) -> None:
        await self._inner.sleep(seconds)


class OpenNetworkTransport(httpx.AsyncBaseTransport):
    """What httpx sends requests over where only the open network may be reached. Proxies are ``proxy_for``'s business."""

    def __init__(self, context: ssl.SSLContext, backend: httpcore.AsyncNetworkBackend) -> None:
        self._pool = httpcore.AsyncConnectionPool(
            ssl_context=context, network_backend=backend, max_keepalive_connections=4
        )

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        url = request.url
        sent = httpcore.Request(
            request.method,
            httpcore.URL(
                scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path
            ),
            headers=request.headers.raw,
            content=request.stream,
            extensions=request.extensions,
        )
        async with _httpx_errors():
            got = await self._pool.handle_async_request(sent)
        return httpx.Response(
            got.status, headers=got.headers, stream=_Body(got), extensions=got.extensions
        )

    async def aclose(self) -> None:
        await self._pool.aclose()


class _Body(httpx.AsyncByteStream):
    def __init__(self, response: httpcore.Response) -> None:
        self._response = response

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async with _httpx_errors():
            async for piece in self._response.aiter_stream():
                yield piece

    async def aclose(self) -> None:
        async with _httpx_errors():
            await self._response.aclose()


@asynccontextmanager
async def _httpx_errors() -> AsyncIterator[None]:
    """httpcore's errors as those of httpx, which have the same names."""
    try:
        yield
    except (
        httpcore.TimeoutException,
        httpcore.NetworkError,
        httpcore.ProtocolError,
        httpcore.UnsupportedProtocol,
    ) as error:
        kind = getattr(httpx, type(error).__name__, httpx.TransportError)
        text = str(error)
    else:
        return
    raise kind(text)


def proxy_for(url: str) -> str | None:
    """The proxy that the environment names for an address; None where there is none, or where it is to be gone round."""
    parts = httpx.URL(url)
    proxies = urllib.request.getproxies()
    if not proxies or urllib.request.proxy_bypass(parts.host):
        return None
    found = proxies.get(parts.scheme) or proxies.get("all")
    return found if not found or "://" in found else f"http://{found}"
