"""Themes and filters of painted lines: colours, no control characters, and plain ASCII where it is
wanted."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

TOOLKIT = {"dark": "textual-dark", "light": "textual-light", "16": "ansi-dark"}
"""Textual's themes by our names for them."""


@dataclass(frozen=True)
class RowColours:
    """Styles of the parts of a row: what needs a person, what is settled, what is quiet."""

    attention: str
    settled: str
    quiet: str


ROWS = {
    "dark": RowColours("bold #e69f00", "#56b4e9", "#9aa5b1"),
    "light": RowColours("bold #8a4b00", "#005a9c", "#55606b"),
    "16": RowColours("bold yellow", "cyan", ""),
}
"""By theme. The dark and the light one keep to orange and blue, which the colour-blind tell apart
too."""


def short(name: str) -> str:
    """``dark`` for ``textual-dark``; other themes stay what they are called."""
    return next((own for own, theirs in TOOLKIT.items() if theirs == name), name)


def row_colours(theme: str) -> RowColours:
    """The styles of rows under a theme, whatever else is registered: those of Textual's own themes
    go by the dark one."""
    return ROWS.get(short(theme), ROWS["dark"])


CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f]")


class NoControls(LineFilter):
    """Drops control characters from every painted line, wherever its text came from.

    Texts are cleaned where they come in; a session file made elsewhere may still hold some, and one
    that reached the terminal could drive it. They have no width, so nothing shifts when they go.
    """

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        if not any(CONTROLS.search(s.text) for s in segments if not s.control):
            return segments
        return [s if s.control else Segment(CONTROLS.sub("", s.text), s.style) for s in segments]


_SIGNS = {
    "-": "─━┄┅┈┉╌╍╴╶╸╺⎯—–‒−",
    "|": "│┃┆┇┊┋╎╏╵╷╹╻▏▕▎▍▌▐▊▋▉",
    "+": "✓┌┍┎┏┐┑┒┓└┕┖┗┘┙┚┛├┝┞┟┠┡┢┣┤┥┦┧┨┩┪┫┬┭┮┯┰┱┲┳┴┵┶┷┸┹┺┻┼╭╮╯╰",
    "=": "═",
    "#": "║╔╗╚╝╠╣╦╩╬█▓■▆▇◆",
    ":": "▒░",
    "_": "▁▂",
    ".": "…·∙‥▃",
    "*": "•●★▪▄▅",
    "o": "○◦◇",
    ">": "→›▶►▸⟶",
    "<": "←‹◀◄◂",
    "^": "↑▲△",
    "v": "↓▼▽▾",
    "e": "✎",
    '"': "“”„«»",
    "'": "‘’‚`",
    "~": "≈",
    "x": "×✗✕",
    "!": "⚠",
}
TABLE = str.maketrans({sign: plain for plain, signs in _SIGNS.items() for sign in signs})
"""Signs, each one cell wide, so that nothing shifts. Letters of any script stay. A typographic
quote or dash in somebody's text is painted as its plain fellow too: a painted line does not say
where a sign came from, and copies and exports take the text itself."""


class AsciiOnly(LineFilter):
    """Swaps the signs in every painted line, while ``enabled``."""

    def __init__(self) -> None:
        super().__init__(enabled=False)

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        if all(s.text.isascii() for s in segments):
            return segments
        return [
            s if s.control or s.text.isascii() else Segment(s.text.translate(TABLE), s.style)
            for s in segments
        ]
