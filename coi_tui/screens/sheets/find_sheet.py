"""A line at the bottom: the words to find."""

from __future__ import annotations

from coi_tui.screens.sheets.line_sheet import LineSheet
from coi_tui.widgets.actions import bindings


class FindSheet(LineSheet):
    """Gives the words (none ends the search), or None."""

    PLACE = "find"
    BINDINGS = bindings("find")
    HINT = "words of a title, text, card or note"
    CSS_PATH = "find_sheet.tcss"

    def __init__(self, words: str) -> None:
        super().__init__("Find", "Enter goes to the first row that says it; then n and N go on, and Esc ends the search.", value=words)
        self.add_class("-line")


class GoSheet(LineSheet):
    """Gives the address that was typed, or None."""

    PLACE = "go"
    BINDINGS = bindings("go")
    HINT = "1/+1   1/t0   2/idea   Q3   topic"
    CSS_PATH = "find_sheet.tcss"

    def __init__(self) -> None:
        super().__init__("Go to an address", "Every row has one: branch, slash, place or part.")
        self.add_class("-line")
