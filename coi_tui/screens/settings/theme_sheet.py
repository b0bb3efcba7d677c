"""The themes in a list: the one under the cursor is shown at once on the screen behind, and is kept
by Enter alone."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import OptionList

from coi_tui.display import THEMES
from coi_tui.screens.base import Sheet
from coi_tui.widgets.fields import MarkedList
from coi_tui.widgets.key_actions import DECIDE, HELP, KeyAction
from coi_tui.widgets.panes import Line
from coi_tui.widgets.themes import TOOLKIT, short

THEME_ACTIONS = (
    KeyAction(
        "choose",
        "enter",
        "Enter",
        "keep",
        "keep the theme that is shown; it is saved in the settings",
        DECIDE,
        1,
    ),
    HELP,
    KeyAction("cancel", "escape,q", "Esc", "back", "close; the theme stays as it was", DECIDE, 2),
)
WORDS = {
    "dark": "light on dark",
    "light": "dark on light",
    "16": "the terminal's own 16 colours",
}


class ThemeSheet(Sheet[str]):
    """Gives the name of the theme to keep, or None, with the old one back on the screen."""

    PLACE = "theme"
    ACTIONS = THEME_ACTIONS
    TAIL = ("cancel", "help")

    def __init__(self) -> None:
        super().__init__()
        self._before = self.app.theme

    def body(self) -> ComposeResult:
        yield Line("Theme", "shown at once", id="title")
        yield MarkedList(id="lines")

    def on_mount(self) -> None:
        here = short(self._before)
        lines = self.query_one(MarkedList)
        lines.focus()
        lines.show(
            [Content(f"{name:5}  {WORDS[name]}") for name in THEMES],
            THEMES.index(here) if here in THEMES else None,
        )
        self.refresh_footer()

    @property
    def chosen(self) -> str:
        """The theme under the cursor; empty before the cursor stands anywhere."""
        at = self.query_one(MarkedList).highlighted
        return THEMES[at] if at is not None else ""

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        if self.chosen:
            self.app.theme = TOOLKIT[self.chosen]

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.do_choose()

    def off_choose(self) -> str:
        return "" if self.composed and self.chosen else "no theme is chosen"

    def do_choose(self) -> None:
        self.dismiss(self.chosen)

    def do_cancel(self) -> None:
        self.app.theme = self._before
        self.dismiss(None)
