"""Texts as they are read: headings, emphasis, code, lists and links of Markdown, each in its own style. All else stays as it was written.

Texts come from models, from services and from people. Nothing in them acts: no link can be followed by a click (its address is shown), no
tag is obeyed, and a sign that is no Markdown (a formula, a path, a backslash) is left where it stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from textual.content import Content

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

LONGEST = 10_000
"""Characters from which on a text is shown as it was written: the signs of a hostile one take time by the square of its length."""
READ = 88
"""Cells of a line that still reads well; wider panes leave the rest empty."""
KEPT = 64
"""So many texts are kept as they were drawn, for a cursor that comes back."""
HEADING = "bold $text-primary"
STYLES = {"strong": "bold", "em": "italic", "link": "underline"}
CODE = "on $boost"
DRAWN = ("inline", "fence", "hr")
LEAST_ITEM = 16
"""Cells that the text of a list item gets at least, however deep it is."""
_SIGNS = re.compile(r"[*_`\[]|^\s*(?:#{1,6}\s|[-+]\s|\d+[.)]\s)", re.MULTILINE)
_LABEL = re.compile(r"(?:v\d|[^a-z:])*\b(?![a-z])")
_CAPITALS = re.compile(r"\b(?!(?:PDF|DOI|URL)\b)[A-Z]{2,}\b|(?<!-)\bA\b(?= )")


def headed(title: str, parts: Sequence[tuple[str, str]], width: int, *, marked: bool) -> Content:
    """A title, then each part under its heading. ``marked``: Markdown is shown in styles, lists in lines of ``width`` cells."""
    pieces: list[Content | tuple[str, str]] = [(title, "bold")] if title else []
    for heading, text in parts:
        if pieces:
            pieces.append(("\n\n" if heading else "\n", ""))
        if heading:
            pieces.append((f"{as_heading(heading)}\n", HEADING))
        pieces.append(rendered(text, width) if marked else (text, ""))
    return Content.assemble(*pieces)


def as_heading(words: str) -> str:
    """``Why here`` for ``WHY HERE``. What follows, as the title of a paper with capitals of its own, stays."""
    label = _LABEL.match(words)
    end = label.end() if label else 0
    low = _CAPITALS.sub(lambda found: found.group().lower(), words[:end]) + words[end:]
    return low[:1].upper() + low[1:]


@lru_cache(KEPT)
def rendered(text: str, width: int) -> Content:
    """A text with its Markdown in styles."""
    if len(text) > LONGEST or not _SIGNS.search(text):
        return Content(text)
    return Content("\n").join(_Blocks(text.split("\n"), width).lines(_parser().parse(text)))


@cache
def _parser() -> MarkdownIt:
    """Reads the Markdown that models and people write in running text, and leaves HTML, escapes, pictures and bare addresses alone."""
    from markdown_it import MarkdownIt  # not needed before the first text that has any

    class Literal(MarkdownIt):
        """Shows the address of a link as it was written."""

        def normalizeLink(self, url: str) -> str:
            return url

    parser = Literal("zero").enable(
        ["heading", "list", "fence", "hr", "emphasis", "backticks", "link"]
    )
    parser.inline.ruler.at("emphasis", _emphasis)
    return parser


def _emphasis(state: StateInline, silent: bool) -> bool:
    """As the rule that it stands for, but signs within a word are none: ``2*n*k`` is a product."""
    from markdown_it.rules_inline.state_inline import Delimiter

    sign = state.src[state.pos]
    if silent or sign not in "*_":
        return False
    found = state.scanDelims(state.pos, False)
    for _ in range(found.length):
        state.push("text", "", 0).content = sign
        at = len(state.tokens) - 1
        state.delimiters.append(
            Delimiter(ord(sign), found.length, at, -1, found.can_open, found.can_close)
        )
    state.pos += found.length
    return True


@dataclass
class _Blocks:
    """Draws the blocks of a text from the top, with the blank lines between them that the text has."""

    source: Sequence[str]
    width: int
    indents: list[int] = field(default_factory=list)
    """Cells that each list around this place moves its text in."""
    marker: str = ""
    """The sign of a list item whose text has not come yet."""
    heading: bool = False
    shown: int = 0
    """Lines of the source that are drawn."""

    def lines(self, tokens: Sequence[Token]) -> Iterator[Content]:
        for token in tokens:
            yield from self._gap(token)
            yield from self._block(token)
            if token.map is not None and token.type in DRAWN:
                self.shown = token.map[1]

    def _gap(self, token: Token) -> Iterator[Content]:
        """The blank lines before a block."""
        if token.map is None or token.type in ("inline", "bullet_list_open", "ordered_list_open"):
            return
        yield from (
            Content("") for line in self.source[self.shown : token.map[0]] if not line.strip()
        )
        self.shown = max(self.shown, token.map[0])

    def _block(self, token: Token) -> Iterator[Content]:
        match token.type:
            case "list_item_open":
                sign = "•" if token.markup in ("-", "*") else f"{token.info}{token.markup}"
                self.marker = f"{self.marker or ' ' * sum(self.indents)}{sign} "
                self.indents.append(len(sign) + 1)
            case "list_item_close":
                if self.marker:  # an item without a text
                    yield Content(self.marker.rstrip())
                self.marker = ""
                self.indents.pop()
            case "heading_open" | "heading_close":
                self.heading = token.type == "heading_open"
            case "inline":
                yield from self._text(token)
            case "fence" | "hr":
                first, past = token.map or (0, 0)
                yield from (
                    Content.styled(line, CODE if token.type == "fence" else "")
                    for line in self.source[first:past]
                )

    def _text(self, token: Token) -> Iterator[Content]:
        indent = sum(self.indents)
        begins = self.marker or (" " * indent if self.indents else _blanks(self.source, token))
        yield from _paragraph(
            _inline(token.children or ()),
            begins,
            indent,
            self.width,
            HEADING if self.heading else "",
        )
        self.marker = ""


def _blanks(source: Sequence[str], token: Token) -> str:
    """The blanks before a paragraph, which its reader takes away."""
    line = source[token.map[0]] if token.map else ""
    return line[: len(line) - len(line.lstrip())] if not line.lstrip().startswith("#") else ""


def _paragraph(
    text: Content, begins: str, indent: int, width: int, style: str
) -> Iterator[Content]:
    """The lines of a paragraph; those of a list item are wrapped here, so that they hang below its first word."""
    text = text.stylize(style) if style else text
    lines = list(text.split("\n", allow_blank=True))
    for line in lines:
        for piece in line.wrap(max(LEAST_ITEM, width - indent)) if indent else (line,):
            yield Content.assemble(begins, piece.rstrip() if indent else piece)
            begins = " " * indent


def _inline(tokens: Sequence[Token]) -> Content:
    """Running text with its emphasis, code and links; the address of a link stands behind its words."""
    pieces: list[tuple[str, str]] = []
    styles: list[str] = []
    addresses: list[str] = []
    for token in tokens:
        if token.type == "link_open":
            addresses.append(str(token.attrs.get("href", "")))
        if token.nesting == 1:
            styles.append(STYLES.get(token.type.removesuffix("_open"), ""))
        elif token.nesting == -1:
            styles.pop()
        else:
            pieces.append(
                (
                    token.content,
                    " ".join(
                        [*filter(None, styles), *([CODE] if token.type == "code_inline" else [])]
                    ),
                )
            )
        if token.type == "link_close" and (address := addresses.pop()) != (
            pieces[-1][0] if pieces else ""
        ):
            pieces.append((f" ({address})", "dim"))
    return Content.assemble(*pieces)
