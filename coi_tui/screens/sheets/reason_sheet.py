"""One line for the reason of a decision; Enter without a word goes on without one."""

from __future__ import annotations

from coi_tui.screens.actions import bindings
from coi_tui.screens.sheets.line_sheet import LineSheet


class ReasonSheet(LineSheet):
    """Gives the reason (perhaps empty), or None when nothing is to be done."""

    PLACE = "reason"
    BINDINGS = bindings("reason")
    HINT = "reason (optional): why not?"
