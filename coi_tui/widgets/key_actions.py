"""Key actions: what a key does on one screen, the actions that many screens share, and the footer
that lists them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.style import Style
from textual.widgets import Static

KEY_NAMES = {
    "": ":",
    "escape": "Esc",
    "question_mark": "?",
    "slash": "/",
    "comma": ",",
    "plus": "+",
    "minus": "-",
    "equals_sign": "=",
    "right_square_bracket": "]",
}
"""Keys as a person reads them, where Textual's name for one says something else."""


@dataclass(frozen=True)
class KeyAction:
    """What a key does in one place. ``keys`` are Textual's names, the first one is shown.

    ``footer`` orders the footer, 0 keeps an action out of it. Without ``keys`` it is reached by the
    list of commands alone.
    """

    id: str
    keys: str
    label: str
    help: str
    footer: int = 0

    @property
    def show(self) -> str:
        """The key as a person reads it."""
        key = self.keys.partition(",")[0].replace("ctrl+", "^")
        return KEY_NAMES.get(key) or (key if len(key) == 1 or key[0] == "^" else key.capitalize())


HELP = KeyAction(
    "help",
    "question_mark,f1,colon",
    "commands",
    "every key and command, and why some are off (also : and ^p)",
)
HELP_BY_F1 = KeyAction("help", "f1", "help", "the keys that work here", 3)
"""For sheets in which ``?`` is typed as text."""
TICK = KeyAction("tick", "space", "tick", "tick or untick this row", 2)
CANCEL = KeyAction("cancel", "escape,q", "cancel", "close; nothing is changed", 9)
CANCEL_TYPING = KeyAction("cancel", "escape", "cancel", "close; nothing is changed", 2)
"""For sheets in which ``q`` is typed as text."""
BACK = KeyAction("cancel", "escape,q", "back", "back; nothing is changed", 10)
UNDO = KeyAction("undo", "u", "undo", "undo the last decision", 7)
OWN_PAPERS = KeyAction(
    "own_papers",
    "m",
    "my papers",
    "your own papers: where from, links known, PDFs, used where; Zotero",
    5,
)
FIND_NEXT = KeyAction("find_next", "n", "next match", "the next place with the word", 6)
FIND_PREVIOUS = KeyAction("find_previous", "N", "match before", "the place with the word before")
QUIT = KeyAction(
    "quit",
    "",
    "quit",
    "quit coi-tui (also ^q); a running job is stopped, and what it has finished is saved",
)
LIST_ACTIONS = (
    KeyAction("pane_1", "1", "list", "go to the list"),
    KeyAction("pane_2", "2", "text", "go to the text (also Tab)"),
    HELP,
    BACK,
)
"""The keys of every list with a text."""


def bindings(actions: Iterable[KeyAction], place: str) -> list[BindingType]:
    """Bindings of a screen for its actions; by their ids a person may give them other keys."""
    verb = "move" if place == MOVE else "act"
    return [
        Binding(
            a.keys, f"screen.{verb}('{a.id}')", show=False, tooltip=a.help, id=f"{place}.{a.id}"
        )
        for a in actions
        if a.keys
    ]


MOVE = "move"
MOVES = (
    KeyAction("scroll_down", "j,down", "down", "the next row or line"),
    KeyAction("scroll_up", "k,up", "up", "the row or line before"),
    KeyAction("scroll_home", "g,home", "top", "the first row or line; on the workbench g g"),
    KeyAction("scroll_end", "G,end", "bottom", "the last row or line"),
    KeyAction("half_down", "ctrl+d", "half down", "half a page down"),
    KeyAction("half_up", "ctrl+u", "half up", "half a page up"),
    KeyAction("page_down", "ctrl+f,pagedown", "page down", "a page down"),
    KeyAction("page_up", "ctrl+b,pageup", "page up", "a page up"),
    KeyAction("zoom", "z", "zoom", "give the pane with the focus all the room, or take it back"),
)
"""Keys that move in the pane with the focus, on every screen where they mean nothing else."""
MOVE_KEYS = bindings(MOVES, MOVE)


GAP = 2

KEY = "bold $text-primary"


@dataclass(frozen=True)
class Item:
    """One key of the footer."""

    id: str
    key: str
    label: str

    @property
    def width(self) -> int:
        return cell_len(self.key) + 1 + cell_len(self.label)


def lay_out(items: Sequence[Item], tail: Sequence[Item], width: int) -> list[Item]:
    """The items that fit before the ``tail``, in order."""
    body: list[Item] = []
    for item in items:
        if _length([*body, item, *tail]) > width:
            break
        body.append(item)
    return body


def _length(items: Sequence[Item]) -> int:
    return sum(i.width for i in items) + GAP * max(0, len(items) - 1)


class ActionFooter(Static):
    """Shows items on a line; a click on one runs its action."""

    DEFAULT_CSS = """
    ActionFooter { height: 1; width: 100%; padding: 0 1; background: $panel; color: $foreground; }
    """
    auto_links = False
    items: tuple[Item, ...] = ()
    tail: tuple[Item, ...] = ()

    def show(self, items: Sequence[Item], tail: Sequence[Item]) -> None:
        """Show other items; nothing is drawn when they are the same."""
        if (tuple(items), tuple(tail)) != (self.items, self.tail):
            self.items, self.tail = tuple(items), tuple(tail)
            self.refresh()

    @property
    def shown(self) -> list[Item]:
        """The items that fit."""
        return [*lay_out(self.items, self.tail, max(1, self.size.width)), *self.tail]

    def render(self) -> Content:
        """Laid out when it is painted, so that the first frame has it."""
        shown = self.shown
        blanks = " " * max(0, self.size.width - _length(shown))
        at = len(shown) - len(self.tail)
        gap = " " * GAP if at and self.tail else ""
        return Content.assemble(_spell(shown[:at]), gap, blanks, _spell(self.tail))


def _spell(items: Iterable[Item]) -> Content:
    return Content(" " * GAP).join(
        Content.assemble((item.key, KEY), " ", item.label).stylize(
            Style.from_meta({"@click": f"screen.act('{item.id}')"})
        )
        for item in items
    )
