"""Addresses of services: what is sent there, which certificates are trusted, and which of those that
others name (the PDFs of papers) lead to the open network, never into the reader's own machine or
network."""

from __future__ import annotations

import asyncio
import ipaddress
import os
import re
import socket
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from coi_tui.model.errors import ServiceError, UsageError

if TYPE_CHECKING:
    import ssl

Origin = tuple[str, str, int]
"""Scheme, host and port: what a key and a prompt belong to."""


def origin_of(url: str) -> Origin | None:
    """Scheme, host and port; None for anything that is not plain http or https."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return None
    return parts.scheme, parts.hostname.lower(), port or (443 if parts.scheme == "https" else 80)


def same_service(asked: Origin | None, other: Origin | None) -> bool:
    """Whether a redirect from ``asked`` to ``other`` stays with the service: the same origin, or
    the same host with encryption added."""
    if asked is None or other is None:
        return False
    return asked == other or (asked == ("http", asked[1], 80) and other == ("https", asked[1], 443))


def is_loopback(host: str) -> bool:
    """Whether a host name or IP address is this machine itself."""
    address = ip_of(host)
    return address.is_loopback if address else host == "localhost" or host.endswith(".localhost")


def on_this_machine(url: str) -> bool:
    """Whether the server at an address runs on this machine."""
    origin = origin_of(url)
    return origin is not None and is_loopback(origin[1])


def shown_host(url: str) -> str:
    """Host and port of an address, without user, password and path."""
    parts = urlsplit(url)
    return f"{parts.hostname}:{parts.port}" if parts.port else str(parts.hostname)


HIDDEN = "***"
_USER = re.compile(r"(?<=://)[^/?#\s]*@")


def without_user(url: str) -> str:
    """An address without the user and password that may stand in it."""
    return _USER.sub("", url)


def hidden_user(text: str) -> str:
    """A text to be shown: where an address in it has a user and password, ``***`` is in
    their place."""
    return _USER.sub(f"{HIDDEN}@", text)


def sendable(key: str, service: str) -> str:
    """A key with blanks around it cut off. Raises UsageError for what HTTP cannot carry."""
    if not (key.strip().isascii() and key.strip().isprintable()):
        raise UsageError(
            f"The API key for {service} contains characters that no key has.", "Copy it again."
        )
    return key.strip()


@lru_cache(maxsize=1)
def ssl_context() -> ssl.SSLContext:
    """What openai's HTTP stack trusts, so that a company proxy breaks models and papers or neither.
    Read from the machine once: that takes longer than a frame."""
    import httpx2

    return httpx2.create_ssl_context()


def client_options(base_url: str) -> dict[str, Any]:
    """How a client of the service at an address is built: one on this machine is never asked through
    a proxy, whatever the environment says, and needs no certificates without TLS."""
    local = on_this_machine(base_url)
    with_tls = not local or base_url.startswith("https")
    return {"trust_env": not local, "verify": with_tls and ssl_context()}


_CERTIFICATES = re.compile(r"(?:SSL_CERT_FILE|SSLKEYLOGFILE)=.")
_PROXIES = re.compile(
    r"(?:all|https?)_proxy=(?!$|(?:https?://)?(?:[^/@]*@)?(?:[^/:@]+|\[[^]]*])(?::\d+)?/?$)"
    r"|no_proxy=.*(?:\[|:[^,]*/)",
    re.IGNORECASE,
)
"""Variables of the environment and what may be wrong with them: no http(s) address of a proxy, and an
exception that httpx cannot read."""


@contextmanager
def building(service: str) -> Iterator[None]:
    """For the time in which a client is built. Raises ServiceError naming the variable with which
    none can be."""
    import httpx
    import httpx2

    try:
        yield
        return
    except OSError:
        odd, hint = _CERTIFICATES, "Correct it, or unset it."
    except (ImportError, ValueError, httpx.InvalidURL, httpx2.InvalidURL):
        odd, hint = _PROXIES, "Name an http:// proxy, or for socks5:// run: pip install socksio."
    found = [name for name, value in os.environ.items() if odd.match(f"{name}={value}")]
    why = f"No connection can be made with {' and '.join(found)} as it is set here ({service})."
    raise ServiceError(service, "unreachable", why, hint)


# addresses that others name

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
    """Raises AddressRefused for an address from which nothing is fetched, as far as that is known
    without resolving its name."""
    import httpx

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
    host = host.rstrip(".").lower()
    literal = ip_of(host)
    if literal is not None:
        _check_open([literal])
    elif _NUMBER.fullmatch(host.rpartition(".")[2]) or "%" in host:
        raise AddressRefused("has a number in place of a name")
    elif "." not in host or host.endswith(tuple(f".{name}" for name in _OWN_NAMES)):
        raise AddressRefused("is not one on the open network")


def _check_open(addresses: Iterable[IpAddress]) -> None:
    if not all(map(is_open, addresses)):
        raise AddressRefused("is not one on the open network")


def ip_of(text: str) -> IpAddress | None:
    """The IP address that a text is; None for a name."""
    try:
        return ipaddress.ip_address(text)
    except ValueError:
        return None


async def system_addresses(host: str, port: int) -> Iterable[str]:
    """The IP addresses of a name as this machine resolves it. Raises OSError where it has none."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return dict.fromkeys(str(info[4][0]) for info in found)


async def open_addresses(host: str, port: int) -> list[str]:
    """The IP addresses of a host, which are all of the open network. Raises AddressRefused where one
    is not, OSError where there is none."""
    try:
        found = [host] if ip_of(host) else [*await system_addresses(host, port)]
    except UnicodeError:
        raise OSError("a name that cannot be resolved") from None
    _check_open(map(ipaddress.ip_address, found))
    return found


async def check_connection(url: str) -> None:
    """``check_url``, and the same for every IP address of the name. A name that this machine cannot
    resolve passes: a proxy may."""
    check_url(url)
    _, host, port = origin_of(url) or ("", "", 0)
    with suppress(OSError):
        await open_addresses(host, port)
