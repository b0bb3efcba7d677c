"""Finding JSON objects in a text, and repairing damaged ones without losing anything.

Repairs are those of trailing or missing commas, single quotes, bare keys, comments and raw
newlines. json_repair guesses; so after it, every letter, digit and sign of the damaged text
(comments aside) must be found again, in the same order, in what it made. Where it dropped, doubled
or invented something, there is no repaired object.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from coi_tui.services.llm.types import join_surrogates

MAX_DEPTH = 100
"""Deeper nesting is no reply to any prompt, and would exhaust the stack of the parsers."""

# What matters to nesting: whole strings, whole comments (damaged JSON), brackets, and quotes or
# comments that never close.
_TOKEN = re.compile(
    r"""(?P<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
      | (?P<comment>//[^\n]*|\#[^\n]*|/\*.*?\*/)
      | (?P<open>[{\[])
      | (?P<close>[}\]])
      | (?P<unclosed>["']|/\*)""",
    re.DOTALL | re.VERBOSE,
)

_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_CONTROL_ESCAPES = "bfnrt"
_NULL = re.compile(r"\b(?:null|none)\b", re.IGNORECASE)
_PUNCTUATION = re.compile("[\\s\\x00-\\x1f\\x7f\"'\u2018\u2019\u201c\u201d,:{}\\[\\]\\\\]+")


@dataclass(frozen=True)
class Span:
    """``text[start:end]`` is one object; ``end`` is -1 where it never closes, -2 where it nests too
    deeply."""

    start: int
    end: int

    @property
    def closed(self) -> bool:
        return self.end >= 0

    @property
    def too_deep(self) -> bool:
        return self.end == -2


def _tokens(text: str, start: int = 0) -> Iterator[re.Match[str]]:
    """Strings, comments, brackets and unclosed quotes of ``text`` from ``start`` on."""
    return _TOKEN.finditer(text, start)


def object_span(text: str, start: int) -> Span:
    """The object that opens with the brace at ``start``."""
    depth = 0
    for token in _tokens(text, start):
        if token.lastgroup == "unclosed":
            break
        if token.lastgroup == "open":
            depth += 1
            if depth > MAX_DEPTH:
                return Span(start, -2)
        elif token.lastgroup == "close":
            depth -= 1
            if depth == 0:
                return Span(start, token.end())
    return Span(start, -1)


def objects(text: str) -> list[Span]:
    """The outermost brace groups in order; quotes between them are prose. An unclosed group is the
    last one."""
    found: list[Span] = []
    at = text.find("{")
    while at >= 0:
        span = object_span(text, at)
        found.append(span)
        if not span.closed:
            break
        at = text.find("{", span.end)
    return found


def repaired(text: str) -> dict[str, object] | None:
    """The object that the damaged ``text`` (one brace group) stands for, or None where it cannot be
    had without loss."""
    import json_repair  # only needed for a damaged reply

    try:
        value = json_repair.repair_json(
            text, return_objects=True, skip_json_loads=True, strict=True
        )
    except Exception:  # noqa: BLE001 - a guessing parser on hostile text: however it fails, the reply is unreadable
        return None
    if not isinstance(value, dict) or _skeleton(text) != _characters(" ".join(_leaves(value))):
        return None
    # json_repair leaves an escaped pair of surrogates in two pieces
    whole: dict[str, object] = json.loads(json.dumps(value))
    return whole


def _skeleton(text: str) -> str:
    """The characters of the source, without comments and with escapes read."""
    parts: list[str] = []
    at = 0
    for token in _tokens(text):
        if token.lastgroup == "comment":
            parts.append(text[at : token.start()])
            at = token.end()
    parts.append(text[at:])
    return _characters(_ESCAPE.sub(_unescape, "".join(parts)))


def _unescape(match: re.Match[str]) -> str:
    what = match[1]
    if len(what) == 5:
        return chr(int(what[1:], 16))
    return "" if what in _CONTROL_ESCAPES else what


def _characters(text: str) -> str:
    # Pairs of escaped surrogates become one character; True and None are Python's words for true
    # and null.
    return _PUNCTUATION.sub("", _NULL.sub("null", join_surrogates(text))).casefold()


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
