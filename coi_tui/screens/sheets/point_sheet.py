"""A review point of one's own, in one line."""

from __future__ import annotations

from coi_tui.screens.actions import bindings
from coi_tui.screens.sheets.line_sheet import LineSheet


class PointSheet(LineSheet):
    """Gives the point (empty for none), or None when nothing is to be added."""

    PLACE = "point"
    BINDINGS = bindings("point")
    HINT = "what is to be changed in the plan"

    def __init__(self, name: str) -> None:
        super().__init__(
            f"Your own point on {name}",
            "It counts like the reviewer's and is sent when it is ticked. “metrics: ...” says which part it is about.",
        )
