"""A sheet with a few names to choose from."""

from __future__ import annotations

from collections.abc import Mapping

from textual import events
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import OptionList

from coi_tui.screens.base import Sheet
from coi_tui.widgets.fields import MarkedList
from coi_tui.widgets.key_actions import DECIDE, HELP, MOVE, KeyAction
from coi_tui.widgets.panes import Line, column, fit

MOVES = (
    KeyAction("down", "j", "j", "down", "a line down (also the arrows)", MOVE),
    KeyAction("up", "k", "k", "up", "a line up (also the arrows)", MOVE),
    HELP,
    KeyAction("cancel", "escape,q", "Esc", "cancel", "close; nothing is changed", DECIDE, 2),
)
CHOICE_ACTIONS = (
    KeyAction("choose", "enter", "Enter", "choose", "take the one under the cursor", DECIDE, 1),
    *MOVES,
)


class AskChoice(Sheet[str]):
    """Gives one of some names, or None. ``about``: what is said of each; ``verb``: what Enter is
    called; ``begin``: the name that the cursor stands on at first."""

    PLACE = "choice"
    ACTIONS = CHOICE_ACTIONS
    TAIL = ("cancel", "help")

    def __init__(
        self, title: str, aside: str, about: Mapping[str, str], verb: str, begin: str = ""
    ) -> None:
        super().__init__()
        self.heading, self.aside, self.about, self.verb = title, aside, about, verb
        self.names = tuple(about)
        self._begin = self.names.index(begin) if begin in about else 0

    def body(self) -> ComposeResult:
        yield Line(self.heading, self.aside, id="title")
        yield MarkedList(id="lines")

    def on_mount(self) -> None:
        self.query_one(MarkedList).focus()

    def on_resize(self, event: events.Resize) -> None:
        self.call_after_refresh(self._fill)

    def _fill(self) -> None:
        lines, width = self.query_one(MarkedList), column(self.names, 8, 24)
        here = self._begin if lines.highlighted is None else lines.highlighted
        lines.show(
            [Content(f"{fit(name, width)} {self.about[name]}".rstrip()) for name in self.names],
            here,
        )

    def label(self, item: KeyAction) -> str:
        return self.verb if item.id == "choose" else super().label(item)

    def do_choose(self) -> None:
        at = self.query_one(MarkedList).highlighted
        if at is not None:
            self.dismiss(self.names[at])

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self.names[event.option_index])
