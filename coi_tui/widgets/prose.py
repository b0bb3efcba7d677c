"""Texts as they are read: headings, emphasis, code, lists and links of Markdown, each in its own
style. All else stays as it was written.

Texts come from models, from services and from people. Nothing in them acts: no link can be followed
by a click (its address is shown), no tag is obeyed, and a sign that is no Markdown (a formula, a
path, a backslash) is left where it stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from textual.content import Content

LONGEST = 10_000
"""Characters from which on a text is shown as it was written: the signs of a hostile one take time
by the square of its length."""
READ = 88
"""Cells of a line that still reads well; wider panes leave the rest empty."""
KEPT = 64
"""So many texts are kept as they were drawn, for a cursor that comes back."""
HEADING = "bold $text-primary"
CODE = "on $boost"
LEAST_ITEM = 16
"""Cells that the text of a list item gets at least, however deep it is."""
_SIGNS = re.compile(r"[*_`\[]|^\s*(?:#{1,6}\s|[-+]\s|\d+[.)]\s)", re.MULTILINE)
_HEADING = re.compile(r"#{1,6}\s+(\S.*)")
_ITEM = re.compile(r"(\s*)([-*+]|\d{1,9}[.)])\s+(.*\w.*)")
_INLINE = re.compile(
    r"`([^`]+)`"
    r"|\*\*(?=\S)(.{1,400}?)(?<=\S)\*\*"
    r"|(?<![\w\\])([*_])(?=[^\s*_])(.{1,400}?)(?<=\S)\3(?!\w)"
    r"|\[([^\[\]]+)\]\((https?://[^()\s]+)\)"
)
"""Code, strong and stressed words, links. Signs within a word are none: ``2*n*k`` is a product."""
_LABEL = re.compile(r"(?:v\d|[^a-z:])*\b(?![a-z])")
_CAPITALS = re.compile(r"\b(?!(?:PDF|DOI|URL)\b)[A-Z]{2,}\b|(?<!-)\bA\b(?= )")


def headed(title: str, parts: Sequence[tuple[str, str]], width: int, *, marked: bool) -> Content:
    """A title, then each part under its heading. ``marked``: Markdown is shown in styles, lists in
    lines of ``width`` cells."""
    pieces: list[Content | tuple[str, str]] = [(title, "bold")] if title else []
    for heading, text in parts:
        if pieces:
            pieces.append(("\n\n" if heading else "\n", ""))
        if heading:
            pieces.append((f"{as_heading(heading)}\n", HEADING))
        pieces.append(rendered(text, width) if marked else (text, ""))
    return Content.assemble(*pieces)


def as_heading(words: str) -> str:
    """``Why here`` for ``WHY HERE``. What follows, as the title of a paper with capitals of its
    own, stays."""
    label = _LABEL.match(words)
    end = label.end() if label else 0
    low = _CAPITALS.sub(lambda found: found.group().lower(), words[:end]) + words[end:]
    return low[:1].upper() + low[1:]


@lru_cache(KEPT)
def rendered(text: str, width: int) -> Content:
    """A text with its Markdown in styles."""
    if len(text) > LONGEST or not _SIGNS.search(text):
        return Content(text)
    return Content("\n").join(_lines(text, width))


def _lines(text: str, width: int) -> Iterator[Content]:
    """The lines of a text; those of a list item are wrapped here, so that they hang below its first
    word."""
    fenced = False
    for line in text.split("\n"):
        if line.startswith("```"):
            fenced = not fenced
            yield Content.styled(line, "dim")
        elif fenced:
            yield Content.styled(line, CODE)
        elif heading := _HEADING.fullmatch(line):
            yield Content.assemble(*_pieces(heading[1], HEADING))
        elif item := _ITEM.fullmatch(line):
            begins = f"{item[1]}{'•' if item[2] in '-*+' else item[2]} "
            said = Content.assemble(*_pieces(item[3], ""))
            for piece in said.wrap(max(LEAST_ITEM, width - len(begins))):
                yield Content.assemble(begins, piece.rstrip())
                begins = " " * len(begins)
        else:
            yield Content.assemble(*_pieces(line, ""))


def _pieces(text: str, style: str) -> Iterator[tuple[str, str]]:
    """Running text with its emphasis, code and links; the address of a link stands behind its
    words."""
    at = 0
    for found in _INLINE.finditer(text):
        yield text[at : found.start()], style
        code, strong, _, stressed, words, address = found.groups()
        if code:
            yield code, f"{style} {CODE}".strip()
        elif words:
            yield from _pieces(words, f"{style} underline".strip())
            yield f" ({address})" if address != words else "", "dim"
        else:
            kind = "bold" if strong else "italic"
            yield from _pieces(strong or stressed, f"{style} {kind}".strip())
        at = found.end()
    yield text[at:], style
