"""The base address of a server, as people write it."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from coi_tui.model.errors import UsageError

OPENAI_URL = "https://api.openai.com/v1"

# A version at the end, also Google's /v1beta/openai: such an address is complete.
_VERSIONED = re.compile(r"/v\d+[a-z0-9]*(?:/openai)?$", re.IGNORECASE)


def base_address(given: str) -> str:
    """``given`` with or without /v1 and trailing slash -> the address that routes are appended to; empty is OpenAI's.

    Raises UsageError for what is not an http(s) address.
    """
    address = given.strip().rstrip("/")
    if not address:
        return OPENAI_URL
    try:
        parts = urlsplit(address)
        sound = parts.scheme in ("http", "https") and bool(parts.hostname) and not parts.query and not parts.fragment
        _ = parts.port  # raises ValueError for a port that is no number
    except ValueError:
        sound = False
    if not sound:
        # The address itself stays out of the sentence: it may hold a password.
        raise UsageError("The setting llm.base_url is not an http(s) address.", "Write it like http://localhost:11434/v1.")
    return address if _VERSIONED.search(parts.path) else f"{address}/v1"


def on_this_machine(address: str) -> bool:
    """Whether the server runs here: a loopback address or name."""
    host = urlsplit(address).hostname or ""
    return host in ("localhost", "::1") or host.endswith(".localhost") or host.startswith("127.")


def shown_host(address: str) -> str:
    """Host and port of an address, without user, password and path."""
    parts = urlsplit(address)
    return f"{parts.hostname}:{parts.port}" if parts.port else str(parts.hostname)
