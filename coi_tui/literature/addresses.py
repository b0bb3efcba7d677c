"""Small questions about addresses, headers and bodies that the HTTP client asks."""

from __future__ import annotations

import ipaddress
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, NoReturn
from urllib.parse import urlsplit

from coi_tui.model.errors import UsageError
from coi_tui.model.text import clean_tree

if TYPE_CHECKING:
    from pydantic import JsonValue


def checked_headers(headers: Mapping[str, str], service: str) -> dict[str, str]:
    """Headers with blanks around their values cut off, empty ones left out. Raises UsageError for what HTTP cannot carry."""
    stripped = {name: value.strip() for name, value in headers.items() if value.strip()}
    for value in stripped.values():
        if not (value.isascii() and value.isprintable()):
            raise UsageError(f"The key for {service} holds characters that a key cannot have.", "Copy it again.")
    return stripped


def origin_of(url: str) -> tuple[str, str, int] | None:
    """Scheme, host and port; None for anything that is not plain http or https."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return None
    return parts.scheme, parts.hostname.lower(), port or (443 if parts.scheme == "https" else 80)


def on_this_machine(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


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
