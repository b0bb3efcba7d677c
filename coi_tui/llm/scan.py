"""Finding JSON objects in a text, aware of strings and comments. No parsing happens here."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

MAX_DEPTH = 100
"""Deeper nesting is no reply to any prompt, and would exhaust the stack of the parsers."""

# What matters to nesting: whole strings, whole comments (damaged JSON), brackets, and quotes or comments that never close.
_TOKEN = re.compile(
    r"""(?P<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
      | (?P<comment>//[^\n]*|\#[^\n]*|/\*.*?\*/)
      | (?P<open>[{\[])
      | (?P<close>[}\]])
      | (?P<unclosed>["']|/\*)""",
    re.DOTALL | re.VERBOSE,
)


@dataclass(frozen=True)
class Span:
    """``text[start:end]`` is one object; ``end`` is -1 where it never closes, -2 where it nests too deeply."""

    start: int
    end: int

    @property
    def closed(self) -> bool:
        return self.end >= 0

    @property
    def too_deep(self) -> bool:
        return self.end == -2


def tokens(text: str, start: int = 0) -> Iterator[re.Match[str]]:
    """Strings, comments, brackets and unclosed quotes of ``text`` from ``start`` on."""
    return _TOKEN.finditer(text, start)


def object_span(text: str, start: int) -> Span:
    """The object that opens with the brace at ``start``."""
    depth = 0
    for token in tokens(text, start):
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
    """The outermost brace groups in order; quotes between them are prose. An unclosed group is the last one."""
    found: list[Span] = []
    at = text.find("{")
    while at >= 0:
        span = object_span(text, at)
        found.append(span)
        if not span.closed:
            break
        at = text.find("{", span.end)
    return found
