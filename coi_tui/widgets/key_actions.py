"""Key actions: what a key does in one place, the actions that many places share, a person's own keys
from a file, and the footer that lists them."""

from __future__ import annotations

import string
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rich.cells import cell_len
from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.keys import KEY_NAME_REPLACEMENTS, Keys
from textual.message import Message
from textual.widgets import Static

from coi_tui.model.errors import CoiError
from coi_tui.model.text import nearest
from coi_tui.outside_files import MOST_SETTINGS, parse_toml, read_file


@dataclass(frozen=True)
class KeyAction:
    """What a key does in one place. ``keys`` are Textual's names, ``show`` is what a person reads.

    ``footer`` orders the footer, 0 keeps an action out of it. Without ``keys`` it is reached by the
    palette alone.
    """

    id: str
    keys: str
    show: str
    label: str
    help: str
    group: str
    footer: int = 0


DECIDE, MAKE, LOOK, MOVE, RUN = "DECIDE", "MAKE", "LOOK", "MOVE", "RUN AND SAVE"

PALETTE = KeyAction("palette", "colon", ": ^p", "commands", "all commands by name", RUN)

HELP = KeyAction(
    "help", "question_mark,f1", "?", "help", "the keys that work here, and why others do not", RUN
)

HELP_BY_F1 = KeyAction("help", "f1", "F1", "help", "the keys that work here", RUN, 3)
"""For sheets in which ``?`` is typed as text."""


LIST_ACTIONS = (
    KeyAction("pane_1", "1", "1", "list", "go to the list", MOVE),
    KeyAction("pane_2", "2", "2", "text", "go to the text (also Tab)", MOVE),
    HELP,
)
"""The keys of every list beside a text."""

VIEW_ACTIONS = (
    KeyAction("undo", "u", "u", "undo", "undo the last decision", DECIDE, 7),
    *LIST_ACTIONS,
    KeyAction("cancel", "escape,q", "Esc", "back", "back to the row", DECIDE, 10),
)
"""The keys of every view of a row."""


def bindings(place: str, actions: Iterable[KeyAction], *names: str) -> list[BindingType]:
    """Bindings for the screen of a place; with ``names`` only those of these actions."""
    return [
        Binding(
            a.keys,
            f"act('{a.id}')",
            a.label,
            show=False,
            key_display=a.show,
            tooltip=a.help,
            id=f"{place}.{a.id}",
        )
        for a in actions
        if a.keys and (not names or a.id in names)
    ]


RESERVED = (
    "ctrl+q",
    "ctrl+c",
    "ctrl+z",
    "ctrl+p",
    "tab",
    "shift+tab",
    "ctrl+i",
    "ctrl+m",
    "ctrl+j",
    "ctrl+h",
)
"""Keys that leave, copy, sleep, open the palette and go round; the last four are Tab, Enter and
Backspace to a terminal."""

_NAMED = frozenset(key.value for key in Keys)

_SHOWN = {
    "space": "Space",
    "enter": "Enter",
    "escape": "Esc",
    "left": "Left",
    "right": "Right",
    "up": "Up",
    "down": "Down",
}


@dataclass(frozen=True)
class Keymap:
    """``changed``: keys by action (``place.id``); ``problems``: sentences about what was not
    taken."""

    changed: Mapping[str, str]
    problems: tuple[str, ...] = ()

    @property
    def keys(self) -> dict[str, str]:
        """What Textual is told: key names by the ids of bindings."""
        return {name: key_name(said) for name, said in self.changed.items()}

    def applied(self, place: str, actions: Iterable[KeyAction]) -> tuple[KeyAction, ...]:
        """The actions of a place with the changed keys, for footer, help and palette."""

        def one(action: KeyAction) -> KeyAction:
            said = self.changed.get(f"{place}.{action.id}")
            return (
                action if said is None else replace(action, keys=key_name(said), show=shown(said))
            )

        return tuple(one(action) for action in actions)


def key_name(said: str) -> str:
    """Textual's name for what a person wrote: ``?`` is ``question_mark``, ``^n`` is ``ctrl+n``,
    ``F5`` is ``f5``."""
    text = said.strip()
    if len(text) == 2 and text[0] == "^":
        return f"ctrl+{text[1].lower()}"
    if len(text) == 1:
        if text.isalnum():
            return text
        name = (
            unicodedata.name(text, "").lower().replace("-", "_").replace(" ", "_")
            if text != " "
            else "space"
        )
        return KEY_NAME_REPLACEMENTS.get(name, name)
    return text.lower()


def shown(said: str) -> str:
    """How a key is shown in footer and help."""
    text = said.strip()
    if len(text) == 1:
        return "Space" if said == " " else text
    low = text.lower()
    if low.startswith("ctrl+"):
        return f"^{low[5:]}"
    return _SHOWN.get(low, low.upper() if low[:1] == "f" and low[1:].isdigit() else text)


def _entries(data: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in data.items():
        if isinstance(value, dict):
            yield from _entries(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


def read_keymap(file: Path, table: Mapping[str, tuple[KeyAction, ...]]) -> Keymap:
    """The file, held against the table. A change that clashes, or names no action, is left out and
    told. A missing file changes nothing."""
    try:
        data = parse_toml(read_file(file, MOST_SETTINGS).decode("utf-8"))
    except FileNotFoundError:
        return Keymap({})
    except (OSError, ValueError, CoiError) as error:
        return Keymap(
            {}, (f"The key file {file} cannot be read ({error}); the default keys apply.",)
        )
    changed: dict[str, str] = {}
    problems: list[str] = []
    for name, said in _entries(data):
        fault = _fault(name, said, table)
        if fault:
            problems.append(fault)
        else:
            changed[name] = said
    while found := next(
        ((name, other) for name in changed if (other := _clash(name, changed, table))), None
    ):
        # one at a time: a change that is refused gives its usual key back, which another one may
        # have taken
        name, other = found
        problems.append(
            f"{name} and {other} are both on {changed[name]!r}; {name} keeps its default key."
        )
        del changed[name]
    return Keymap(changed, tuple(problems))


def _fault(name: str, said: Any, table: Mapping[str, tuple[KeyAction, ...]]) -> str:
    """What is wrong with a line of the file by itself; empty when nothing is."""
    place, _, own = name.rpartition(".")
    if place not in table or own not in {a.id for a in table[place]}:
        return _unknown(name, table)
    if not isinstance(said, str) or (not said.strip(" ") and said != " "):
        return f"{name} in the key file has no key; write it in quotes."
    key = key_name(said)
    if key in RESERVED:
        return f"{name} cannot be on {said!r}, which the app needs for itself."
    if not _is_key(key.rpartition("+")[2]):
        return f'{name} cannot be on {said[:40]!r}, which is not a key; write one key such as "a", "^n" or "f5".'
    return ""


def _unknown(name: str, table: Mapping[str, tuple[KeyAction, ...]]) -> str:
    """What is said of a name that is not an action, with the action that is nearest."""
    near = nearest(name, (f"{place}.{a.id}" for place, actions in table.items() for a in actions))
    return f"{name[:60]!r} in the key file is not an action{f'; did you mean {near}?' if near else '.'}"


def _is_key(name: str) -> bool:
    """Whether a terminal has a key of that name: a character, or a name of the toolkit."""
    return len(name) == 1 or name in _NAMED or name in map(key_name, string.punctuation)


def _clash(
    name: str, changed: Mapping[str, str], table: Mapping[str, tuple[KeyAction, ...]]
) -> str:
    """Another action of the same place on the same key, as things would be; empty where there is
    none."""
    place, _, own = name.rpartition(".")
    key = key_name(changed[name])
    for other in table[place]:
        full = f"{place}.{other.id}"
        keys = [key_name(changed[full])] if full in changed else other.keys.split(",")
        if other.id != own and key in keys:
            return full
    return ""


def template(table: Mapping[str, tuple[KeyAction, ...]]) -> str:
    """A key file in which every line is a comment: take the sign away and change the key."""
    lines = [
        "# Keys of coi-tui. Remove the # in front of a line and change the key; `coi keys` reports conflicts.",
        "",
    ]
    for place, actions in table.items():
        lines += [
            f'# "{place}.{a.id}" = "{a.keys.split(",")[0]}"    # {a.help}'
            for a in actions
            if a.keys
        ]
        lines.append("")
    return "\n".join(lines)


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
    """The items that fit before the ``tail``, in order, and the tail, which loses its first entries
    where it must."""
    ending = list(tail)
    while len(ending) > 1 and _length(ending) > width:
        ending.pop(0)
    body: list[Item] = []
    for item in items:
        if _length([*body, item, *ending]) > width:
            break
        body.append(item)
    return body, ending


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
