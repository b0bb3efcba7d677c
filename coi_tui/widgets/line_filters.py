"""Filters of painted lines: no control characters, and plain characters where only ASCII is wanted."""

from __future__ import annotations

import re

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f]")


class NoControls(LineFilter):
    """Drops control characters from every painted line, wherever its text came from.

    Texts are cleaned where they come in; a session file made elsewhere may still hold some, and one that reached the terminal could
    drive it. They have no width, so nothing shifts when they go.
    """

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        if not any(CONTROLS.search(s.text) for s in segments if not s.control):
            return segments
        return [s if s.control else Segment(CONTROLS.sub("", s.text), s.style) for s in segments]


_SIGNS = {
    "-": "─━┄┅┈┉╌╍╴╶╸╺⎯—–‒−", "|": "│┃┆┇┊┋╎╏╵╷╹╻▏▕▎▍▌▐▊▋▉", "+": "┌┍┎┏┐┑┒┓└┕┖┗┘┙┚┛├┝┞┟┠┡┢┣┤┥┦┧┨┩┪┫┬┭┮┯┰┱┲┳┴┵┶┷┸┹┺┻┼╭╮╯╰",
    "=": "═", "#": "║╔╗╚╝╠╣╦╩╬█▓■▆▇", ":": "▒░", "_": "▁▂", ".": "…·∙‥▃", "*": "•●◆★▪▄▅", "o": "○◦◇", ">": "→›▶►▸⟶", "<": "←‹◀◄◂",
    "^": "↑▲△", "v": "↓▼▽", '"': "“”„«»", "'": "‘’‚`", "~": "≈", "x": "×✗✕", "!": "⚠",
}  # fmt: skip
TABLE = str.maketrans({sign: plain for plain, signs in _SIGNS.items() for sign in signs})
"""Signs, each one cell wide, so that nothing shifts. Letters of any script stay. A typographic quote or dash in somebody's text is painted
as its plain fellow too: a painted line does not say where a sign came from, and copies and exports take the text itself."""


class AsciiOnly(LineFilter):
    """Swaps the signs in every painted line, while ``enabled``."""

    def __init__(self) -> None:
        super().__init__(enabled=False)

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        if all(s.text.isascii() for s in segments):
            return segments
        return [s if s.control or s.text.isascii() else Segment(s.text.translate(TABLE), s.style) for s in segments]
