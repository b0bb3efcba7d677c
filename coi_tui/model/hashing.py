"""Canonical JSON and content hashes: equal content, equal hash, on every machine."""

from __future__ import annotations

import hashlib
import json


def canonical(value: object) -> str:
    """JSON with sorted keys and no blanks; raises TypeError for what JSON cannot hold."""
    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )


def digest(value: object) -> str:
    """SHA-256 of the canonical JSON, the first 32 hexadecimal digits."""
    return hashlib.sha256(canonical(value).encode("utf-8")).hexdigest()[:32]
