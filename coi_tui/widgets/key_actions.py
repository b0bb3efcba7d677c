"""Key actions: what a key does in one place, and the actions that many places share. A screen has a tuple of them beside it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from textual.binding import Binding, BindingType


@dataclass(frozen=True)
class KeyAction:
    """What a key does in one place. ``keys`` are Textual's names, ``show`` is what a person reads.

    ``footer`` orders the footer, 0 keeps an action out of it. Without ``keys`` it is reached by the palette alone.
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
HELP = KeyAction("help", "question_mark,f1", "?", "help", "the keys that work here, and why others do not", RUN)
HELP_BY_F1 = KeyAction("help", "f1", "F1", "help", "the keys that work here", RUN, 3)
"""For sheets in which ``?`` is typed as text."""

DISPLAY_ACTIONS = (
    KeyAction("theme", "", ":", "theme", "the next theme: dark, light, the terminal's 16 colours, safe for the colour-blind", RUN),
    KeyAction("ascii", "", ":", "ASCII only", "draw frames and signs with plain characters, or not", RUN),
    KeyAction("motion", "", ":", "reduced motion", "stop all movement and blinking, or allow it again", RUN),
)
"""Palette entries of the places that one stays on."""

LIST_ACTIONS = (
    KeyAction("down", "j", "j", "down", "a row or a line down (also the arrows)", MOVE),
    KeyAction("up", "k", "k", "up", "a row or a line up (also the arrows)", MOVE),
    KeyAction("pane_1", "1", "1", "list", "go to the list", MOVE),
    KeyAction("pane_2", "2", "2", "text", "go to the text (also Tab)", MOVE),
    HELP,
)
"""The keys of every list beside a text."""


def bindings(place: str, actions: Iterable[KeyAction], *names: str) -> list[BindingType]:
    """Bindings for the screen of a place; with ``names`` only those of these actions."""
    return [
        Binding(a.keys, f"act('{a.id}')", a.label, show=False, key_display=a.show, tooltip=a.help, id=f"{place}.{a.id}")
        for a in actions
        if a.keys and (not names or a.id in names)
    ]
