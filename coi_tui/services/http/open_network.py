"""Connections to addresses that others name (the PDFs of papers): to the open network only, never
into the reader's own machine or network.

A name is resolved once, every address that it has is checked, and the connection goes to an address
that was checked: a name that points elsewhere a moment later leads nowhere. The name itself stays
the one that the certificate must show.
"""

from __future__ import annotations

import asyncio
import ipaddress
import re
import socket
import urllib.request
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import TYPE_CHECKING

import httpx

from coi_tui.services.http.addresses import origin_of

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
    """Whether an IP address is one of the open network; what stands for another address (mapped,
    translated, tunnelled) is as that is."""
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
    """Raises AddressRefused for an address from which nothing is fetched, as far as that can be
    told without resolving its name."""
    try:
        # reads the host as the connection will: full-width signs and the like are plain afterwards
        parsed = httpx.URL(url)
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
    """Every address of a name. Raises AddressRefused where one of them is not of the open network,
    OSError where it has none."""
    literal = _ip(host)
    found = [str(literal)] if literal is not None else list(await resolve(host, port))
    parsed = [_ip(address) for address in found]
    if not found or None in parsed:
        raise OSError("the name has no address")
    _check_open(address for address in parsed if address is not None)
    return found


class OpenNetworkTransport(httpx.AsyncBaseTransport):
    """What httpx sends requests over where only the open network may be reached: to an address that
    was resolved and checked here, while TLS is told the name and holds the certificate to it.

    Connections are not kept: one that was made for another name at the same address showed that
    name's certificate. Proxies are ``proxy_for``'s business.
    """

    def __init__(self, context: ssl.SSLContext, resolve: Resolve = system_addresses) -> None:
        limits = httpx.Limits(max_keepalive_connections=0)
        self._inner = httpx.AsyncHTTPTransport(verify=context, trust_env=False, limits=limits)
        self._resolve = resolve

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        url, name = request.url, request.url.raw_host.decode("ascii")
        port = url.port or (443 if url.scheme == "https" else 80)
        try:
            async with asyncio.timeout(request.extensions.get("timeout", {}).get("connect")):
                addresses = await checked_addresses(name, port, self._resolve)
        except TimeoutError:
            raise httpx.ConnectTimeout("its name was not resolved in time") from None
        except (OSError, UnicodeError):
            raise httpx.ConnectError("its name has no address") from None
        last: httpx.TransportError | None = None
        for address in addresses[:4]:
            pinned = httpx.Request(
                request.method,
                url.copy_with(host=address),
                headers=request.headers,  # the name among them, as the host
                stream=request.stream,
                extensions={**request.extensions, "sni_hostname": name},
            )
            try:
                return await self._inner.handle_async_request(pinned)
            except (httpx.ConnectError, httpx.ConnectTimeout) as error:
                last = error
        assert last is not None
        raise last

    async def aclose(self) -> None:
        await self._inner.aclose()


def proxy_for(url: str) -> str | None:
    """The proxy that the environment names for an address; None where there is none, or where it is
    to be gone round."""
    parts = httpx.URL(url)
    proxies = urllib.request.getproxies()
    if not proxies or urllib.request.proxy_bypass(parts.host):
        return None
    found = proxies.get(parts.scheme) or proxies.get("all")
    return found if not found or "://" in found else f"http://{found}"
