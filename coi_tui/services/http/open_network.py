"""Connections to addresses that others name (the PDFs of papers): to the open network only, never
into the reader's own machine or network.

Every address that a name has is checked before the request.
"""

from __future__ import annotations

import asyncio
import ipaddress
import re
import socket
from collections.abc import Iterable

import httpx

from coi_tui.services.http.addresses import origin_of

IpAddress = ipaddress.IPv4Address | ipaddress.IPv6Address

PORTS = frozenset({80, 443, 8080, 8443})
"""Where web servers listen. Behind other ports are services that a web request may disturb."""

_NAT64 = ipaddress.ip_network("64:ff9b::/96")
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
    """Whether an IP address is one of the open network; a mapped or translated one is as the
    address that it means."""
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return is_open(address.ipv4_mapped)
        if address in _NAT64:
            return is_open(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
    return address.is_global and not (address.is_multicast or address.is_reserved)


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


async def system_addresses(host: str, port: int) -> Iterable[str]:
    """The IP addresses of a name as this machine resolves it. Raises OSError where it has none."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return {str(info[4][0]) for info in found}


async def check_connection(url: str) -> None:
    """``check_url``, and the same for every IP address of the name. A name that this machine cannot
    resolve passes: a proxy may."""
    check_url(url)
    parsed = httpx.URL(url)
    try:
        found = await system_addresses(parsed.host, parsed.port or 443)
    except (OSError, UnicodeError):
        return
    _check_open(map(ipaddress.ip_address, found))
