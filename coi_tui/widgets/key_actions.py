"""Key actions: what a key does on one screen, the actions that many screens share, and the footer
that lists them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import Static


@dataclass(frozen=True)
class KeyAction:
    """What a key does in one place. ``keys`` are Textual's names, ``show`` is what a person reads.

    ``footer`` orders the footer, 0 keeps an action out of it. Without ``keys`` it is reached by the
    list of commands alone.
    """

    id: str
    keys: str
    show: str
    label: str
    help: str
    group: str
    footer: int = 0


DECIDE, MAKE, LOOK, MOVE, RUN = "DECIDE", "MAKE", "LOOK", "MOVE", "RUN AND SAVE"

HELP = KeyAction(
    "help",
    "question_mark,f1,colon",
    "?",
    "commands",
    "every key and command, and why some are off (also : and ^p)",
    RUN,
)

HELP_BY_F1 = KeyAction("help", "f1", "F1", "help", "the keys that work here", RUN, 3)
"""For sheets in which ``?`` is typed as text."""


TICK = KeyAction("tick", "space", "Space", "tick", "tick or untick this row", DECIDE, 2)

CANCEL = KeyAction("cancel", "escape,q", "Esc", "cancel", "close; nothing is changed", DECIDE, 9)

CANCEL_TYPING = KeyAction(
    "cancel", "escape", "Esc", "cancel", "close; nothing is changed", DECIDE, 2
)
"""For sheets in which ``q`` is typed as text."""

BACK = KeyAction("cancel", "escape,q", "Esc", "back", "back; nothing is changed", DECIDE, 10)

LIST_ACTIONS = (
    KeyAction("pane_1", "1", "1", "list", "go to the list", MOVE),
    KeyAction("pane_2", "2", "2", "text", "go to the text (also Tab)", MOVE),
    HELP,
    BACK,
)
"""The keys of every list with a text."""

VIEW_ACTIONS = (
    KeyAction("undo", "u", "u", "undo", "undo the last decision", DECIDE, 7),
    *LIST_ACTIONS,
)
"""The keys of every view of a row."""


def bindings(actions: Iterable[KeyAction]) -> list[BindingType]:
    """Bindings of a screen for its actions."""
    return [
        Binding(a.keys, f"act('{a.id}')", a.label, show=False, tooltip=a.help)
        for a in actions
        if a.keys
    ]


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


def lay_out(
    items: Sequence[Item], tail: Sequence[Item], width: int
) -> tuple[list[Item], list[Item]]:
    """The items that fit before the ``tail``, in order, and the tail."""
    body: list[Item] = []
    for item in items:
        if _length([*body, item, *tail]) > width:
            break
        body.append(item)
    return body, list(tail)


def _length(items: Sequence[Item]) -> int:
    return sum(i.width for i in items) + GAP * max(0, len(items) - 1)


class ActionFooter(Static):
    """Shows items on a line; a click on one asks for its action."""

    DEFAULT_CSS = """
    ActionFooter { height: 1; width: 100%; padding: 0 1; background: $panel; color: $foreground; }
    """

    class Chosen(Message):
        """A footer key was clicked."""

        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

    def __init__(self, id: str | None = None) -> None:
        super().__init__("", id=id, markup=False)
        self.items: tuple[Item, ...] = ()
        self.tail: tuple[Item, ...] = ()

    def show(self, items: Sequence[Item], tail: Sequence[Item]) -> None:
        """Show other items; nothing is drawn when they are the same."""
        if (tuple(items), tuple(tail)) != (self.items, self.tail):
            self.items, self.tail = tuple(items), tuple(tail)
            self.refresh()

    @property
    def room(self) -> int:
        return max(1, self.size.width)

    @property
    def shown(self) -> list[Item]:
        """The items that fit."""
        body, tail = lay_out(self.items, self.tail, self.room)
        return [*body, *tail]

    def render(self) -> Content:
        """Laid out when it is painted, so that the first frame has it."""
        body, tail = lay_out(self.items, self.tail, self.room)
        blanks = self.room - _length(body) - _length(tail)
        return Content.assemble(_spell(body), " " * max(0, blanks), _spell(tail))

    def on_click(self, event: events.Click) -> None:
        """Run the action under the pointer."""
        offset = event.get_content_offset(self)
        line = self.render().plain
        for item in self.shown:
            start = line.find(f"{item.key} {item.label}")
            if (
                offset is not None
                and start >= 0
                and cell_len(line[:start]) <= offset.x < cell_len(line[:start]) + item.width
            ):
                self.post_message(self.Chosen(item.id))
                return


def _spell(items: Sequence[Item]) -> Content:
    return Content(" " * GAP).join(
        Content.assemble((item.key, KEY), " ", item.label) for item in items
    )
