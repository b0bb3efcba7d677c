"""The last guard before the terminal: no control character in a text is ever painted."""

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
