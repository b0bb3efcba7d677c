"""A line at the bottom: the words to find."""

from __future__ import annotations

from coi_tui.model.address import Branch
from coi_tui.screens.actions import bindings
from coi_tui.screens.sheets.line_sheet import LineSheet


class FindSheet(LineSheet):
    """Gives the words (none ends the search), or None."""

    PLACE = "find"
    BINDINGS = bindings("find")
    HINT = "words of a title, text, card or note"
    CSS_PATH = "find_sheet.tcss"

    def __init__(self, words: str) -> None:
        super().__init__("Find", "Enter goes to the first row that says it; then n and N go on, and Esc ends the search.", value=words)
        self.add_class("-line")


class WordsSheet(LineSheet):
    """Gives the words to search the anchor of a branch with, or None."""

    PLACE = "words"
    BINDINGS = bindings("words")
    HINT = "what the papers should be about"
    CSS_PATH = "find_sheet.tcss"

    def __init__(self, branch: Branch, words: str) -> None:
        effect = f"They become question {branch}; accepted and pinned papers stay. A plan is shown before anything is searched."
        super().__init__(f"Search the anchor of branch {branch} with these words", effect, value=words)
        self.add_class("-line")


class FilterSheet(LineSheet):
    """Gives the words of a filter (none shows all), or None."""

    PLACE = "filter"
    BINDINGS = bindings("filter")
    HINT = "words of a title, a year, a flag"
    CSS_PATH = "find_sheet.tcss"

    def __init__(self, words: str) -> None:
        super().__init__("Filter", "Only what says all of these words is shown; nothing is changed by it.", value=words)
        self.add_class("-line")


class GoSheet(LineSheet):
    """Gives the address that was typed, or None."""

    PLACE = "go"
    BINDINGS = bindings("go")
    HINT = "1/+1   1/-1..0   2/idea   Q3   topic"
    CSS_PATH = "find_sheet.tcss"

    def __init__(self) -> None:
        super().__init__("Go to an address", "Every row has one: branch, slash, place or part.")
        self.add_class("-line")
