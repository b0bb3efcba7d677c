"""A private note on a row; it is never sent anywhere."""

from __future__ import annotations

from coi_tui.screens.actions import bindings
from coi_tui.screens.sheets.line_sheet import LineSheet


class NoteSheet(LineSheet):
    """Gives the note (empty to take it away), or None when nothing is to be changed."""

    PLACE = "note"
    BINDINGS = bindings("note")
    HINT = "a line for yourself"

    def __init__(self, name: str, note: str) -> None:
        super().__init__(
            f"Note on {name}",
            "Enter saves it; an empty line takes the note away.",
            aside="yours alone: never sent to a model",
            value=" ".join(note.split("\n")),
        )
