"""Mending of damaged JSON that loses nothing: trailing or missing commas, single quotes, bare keys, comments, raw newlines.

json_repair guesses; so after it, every letter, digit and sign of the damaged text (comments aside) must be found again, in the
same order, in what it made. Where it dropped, doubled or invented something, there is no mended object.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from coi_tui.llm import scan
from coi_tui.llm.surrogates import whole

_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_CONTROL_ESCAPES = "bfnrt"
_NULL = re.compile(r"\b(?:null|none)\b", re.IGNORECASE)
_PUNCTUATION = re.compile("[\\s\\x00-\\x1f\\x7f\"'\u2018\u2019\u201c\u201d,:{}\\[\\]\\\\]+")


def mended(text: str) -> dict[str, object] | None:
    """The object that the damaged ``text`` (one brace group) stands for, or None where it cannot be had without loss."""
    import json_repair  # only needed for a damaged reply

    try:
        value = json_repair.repair_json(text, return_objects=True, skip_json_loads=True, strict=True)
    except Exception:  # noqa: BLE001 - a guessing parser on hostile text: however it fails, the reply is unreadable
        return None
    if not isinstance(value, dict) or _skeleton(text) != _signs(" ".join(_leaves(value))):
        return None
    joined = _joined(value)
    return joined if isinstance(joined, dict) else None


def _joined(value: object) -> object:
    """``value`` with whole characters: json_repair leaves an escaped pair of surrogates in two pieces."""
    if isinstance(value, str):
        return whole(value)
    if isinstance(value, dict):
        return {whole(str(key)): _joined(inner) for key, inner in value.items()}
    return [_joined(inner) for inner in value] if isinstance(value, list) else value


def _skeleton(text: str) -> str:
    """The signs of the source, without comments and with escapes read."""
    parts: list[str] = []
    at = 0
    for token in scan.tokens(text):
        if token.lastgroup == "comment":
            parts.append(text[at : token.start()])
            at = token.end()
    parts.append(text[at:])
    return _signs(_ESCAPE.sub(_unescape, "".join(parts)))


def _unescape(match: re.Match[str]) -> str:
    what = match[1]
    if len(what) == 5:
        return chr(int(what[1:], 16))
    return "" if what in _CONTROL_ESCAPES else what


def _signs(text: str) -> str:
    # Pairs of escaped surrogates become one character; True and None are Python's words for true and null.
    return _PUNCTUATION.sub("", _NULL.sub("null", whole(text))).casefold()


def _leaves(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield str(key)
            yield from _leaves(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _leaves(inner)
    else:
        yield "null" if value is None else str(value)
