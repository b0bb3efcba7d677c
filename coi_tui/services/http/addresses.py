"""Addresses of services, the keys that are sent to them, and the certificates that are trusted."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from coi_tui.model.errors import UsageError

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
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


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
    """A text to be shown: where an address in it has a user and password, ``***`` stands for
    them."""
    return _USER.sub(f"{HIDDEN}@", text)


def sendable(values: Mapping[str, str], service: str) -> dict[str, str]:
    """Header or query values with blanks around them cut off, empty ones left out. Raises
    UsageError for what HTTP cannot carry."""
    stripped = {name: value.strip() for name, value in values.items() if value.strip()}
    for value in stripped.values():
        if not (value.isascii() and value.isprintable()):
            raise UsageError(
                f"The API key for {service} contains characters that no key has.", "Copy it again."
            )
    return stripped


@lru_cache(maxsize=1)
def ssl_context() -> ssl.SSLContext:
    """What openai's HTTP stack trusts, so that a company proxy breaks models and papers or neither.
    Read from the machine once: that takes longer than a frame."""
    import httpx2

    return httpx2.create_ssl_context()
