"""Which certificates are trusted: one answer for models and papers, so that a company proxy breaks
both halves of the app or none."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ssl


@lru_cache(maxsize=1)
def ssl_context() -> ssl.SSLContext:
    """What openai's HTTP stack trusts, read from the machine once: that takes longer than a
    frame."""
    import httpx2

    return httpx2.create_ssl_context()
