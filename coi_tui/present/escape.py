"""Text from outside stays text: escaping for Markdown.

Works for CommonMark, GitHub's flavour and pandoc's: no markup, link, citation, heading, list, table
cell, HTML or mathematics comes out of such a text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from coi_tui.model.text import clean, clean_line

_SPECIAL = re.compile(r"[\\`*_\[\]{}|~^$]")
_ENTITY = re.compile(r"&(?=#?\w+;)")
_LINK = re.compile(r"(?<=\w)(?=://)|(?<=\bwww)(?=\.)", re.IGNORECASE)
_ANY = re.compile(r"[\\`*_\[\]{}|~^$&<@/]|www\.", re.IGNORECASE)
"""What a text must hold to be changed at all within a line."""
_BLOCK = re.compile(r"^(?=[#>+=:-])")
_NUMBERED = re.compile(r"^(\(?(?:\d{1,9}|[A-Za-z]|[ivxlcdm]+|[IVXLCDM]+))([.)])(?=\s|$)")
"""The number of a list: for pandoc also a letter or a Roman number, and one in brackets."""
_BULLET = re.compile(r"^[-*•]\s+(?=\S)")
_ITEM = re.compile(r"^(?:[-*+•]\s|\d{1,3}[.)]\s)")
_CLAIM = re.compile(r"\b(is)\s+(novel)\b", re.IGNORECASE)


def claims_quoted(text: str) -> str:
    """Nothing is called novel by an export: where a text itself says so, the word stands in
    quotation marks."""
    return _CLAIM.sub(r"\1 “\2”", text)


def inline(text: object) -> str:
    """A text on one line, fit for any place in Markdown: a paragraph, a list item, a table cell, a
    link's label."""
    return _line(claims_quoted(clean_line(text)))


def fragment(text: str) -> str:
    """A piece of a line that is put together of several: as ``inline``, with a blank at either end
    kept; not for the start of a line."""
    said = _characters(claims_quoted(clean_line(text)))
    before, after = (" " if end.isspace() else "" for end in (text[:1], text[-1:]))
    return f"{before}{said}{after}" if said else before


def at_line_start(text: str) -> str:
    """An escaped text fit for the start of a line: nothing in it begins a heading, a list or a
    quotation."""
    return _BLOCK.sub("\\\\", _NUMBERED.sub(r"\1\\\2", text))


def _characters(text: str) -> str:
    if not _ANY.search(text):
        return text
    out = _SPECIAL.sub(lambda m: "\\" + m[0], text)
    out = _ENTITY.sub("&amp;", out).replace("<", "&lt;")
    return _LINK.sub("\\\\", out).replace("@", "&#64;")


def _line(text: str) -> str:
    return at_line_start(_characters(text))


def paragraphs(text: object) -> str:
    """A text of several paragraphs: they stay, the text's own list items keep their lines, and
    nothing becomes a heading."""
    blocks = re.split(r"\n[ \t]*\n", claims_quoted(clean(text)).strip())
    return "\n\n".join(filter(None, (_block(b) for b in blocks)))


def _block(block: str) -> str:
    lines = [line for raw in block.split("\n") if (line := clean_line(raw))]
    out = _item(lines[0]) if lines else ""
    for before, line in pairwise(lines):
        bullets = _BULLET.match(before), _BULLET.match(line)
        gap = (
            "\n"
            if all(bullets)
            else "\n\n"
            if any(bullets)
            else "  \n"
            if _ITEM.match(line) or _ITEM.match(before)
            else "\n"
        )
        out += gap + _item(line)
    return out


def _item(line: str) -> str:
    """A line of a text; one that begins with a bullet is an item of a list."""
    found = _BULLET.match(line)
    return f"- {_line(line[found.end() :])}" if found else _line(line)


def table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    """A Markdown table of texts that are escaped already."""
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
