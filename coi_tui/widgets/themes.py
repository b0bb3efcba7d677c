"""Themes and filters of painted lines: colours, no control characters, and plain ASCII where it is wanted."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter
from textual.theme import Theme

PREFIX = "coi-"


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
    "safe": RowColours("bold #ffb000", "#8fb2ff", "#a8b0ba"),
}
"""By theme. The dark and the light one keep to orange and blue too."""

TEXT_ON = ("background", "surface", "panel")
"""The grounds that text stands on; on each of them it has a contrast of at least 4.5 to 1."""

_SHARED = {"block-cursor-text-style": "bold", "footer-key-foreground": "#e6e9ee"}


def themes() -> list[Theme]:
    """The themes to register; their names begin with ``PREFIX``."""
    dark = Theme(
        "coi-dark",
        primary="#7aa2f7",
        secondary="#7f9dbf",
        accent="#e69f00",
        warning="#e69f00",
        error="#ff8f70",
        success="#56b4e9",
        foreground="#e6e9ee",
        background="#11151a",
        surface="#161b22",
        panel="#232b36",
        boost="#2a3441",
        variables=_SHARED,
    )
    light = Theme(
        "coi-light",
        primary="#1f4e9c",
        secondary="#4c6079",
        accent="#8a4b00",
        warning="#8a4b00",
        error="#a02c10",
        success="#005a9c",
        foreground="#171c22",
        background="#f4f6f8",
        surface="#ffffff",
        panel="#e2e8ef",
        boost="#d9e2ec",
        dark=False,
        variables={"block-cursor-text-style": "bold", "footer-key-foreground": "#171c22"},
    )
    safe = Theme(
        "coi-safe",
        primary="#648fff",
        secondary="#8ea3c4",
        accent="#ffb000",
        warning="#ffb000",
        error="#ffb000",
        success="#648fff",
        foreground="#f2f4f7",
        background="#0b0f14",
        surface="#11161d",
        panel="#1e2733",
        boost="#26313f",
        variables=_SHARED,
    )
    sixteen = Theme(
        "coi-16",
        ansi=True,
        primary="ansi_blue",
        secondary="ansi_cyan",
        accent="ansi_yellow",
        warning="ansi_yellow",
        error="ansi_red",
        success="ansi_green",
        foreground="ansi_default",
        background="ansi_default",
        surface="ansi_default",
        panel="ansi_default",
        boost="ansi_default",
        variables={
            "ansi-background": "ansi_black",
            "ansi-foreground": "ansi_white",
            "border-blurred": "ansi_black",
            "block-cursor-foreground": "ansi_black",
            "block-cursor-background": "ansi_white",
            "block-cursor-text-style": "bold",
            "input-cursor-background": "ansi_white",
            "input-cursor-foreground": "ansi_black",
            "input-selection-background": "ansi_blue",
            "input-selection-foreground": "ansi_white",
            "screen-selection-background": "ansi_blue",
            "screen-selection-foreground": "ansi_white",
        },
    )
    return [dark, light, sixteen, safe]


def short(name: str) -> str:
    """``dark`` for ``coi-dark``; other themes stay what they are called."""
    return name.removeprefix(PREFIX)


def row_colours(theme: str) -> RowColours:
    """The styles of rows under a theme, whatever else is registered: those of Textual's own themes go by the dark one."""
    return ROWS.get(short(theme), ROWS["dark"])


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
"""Signs, each one cell wide, so that nothing shifts. Letters of any script stay. A typographic quote or dash in somebody's text is painted
as its plain fellow too: a painted line does not say where a sign came from, and copies and exports take the text itself."""


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
