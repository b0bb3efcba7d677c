"""What an action is, and the actions that every place has."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from textual.binding import Binding, BindingType


@dataclass(frozen=True)
class Action:
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

PALETTE = Action("palette", "colon", ": ^p", "commands", "all commands by name", RUN)
HELP = Action("help", "question_mark,f1", "?", "help", "the keys that work here, and why others do not", RUN)

DISPLAY = (
    Action("theme", "", ":", "theme", "the next theme: dark, light, 16 colours of the terminal, safe for the colour-blind", RUN),
    Action("ascii", "", ":", "ASCII only", "draw frames and signs with plain characters, or not", RUN),
    Action("motion", "", ":", "reduced motion", "nothing moves or blinks by itself, or does again", RUN),
)
"""Palette entries of the places that one stays on."""


def bindings_of(place: str, actions: Iterable[Action], *, inner: bool = False) -> list[BindingType]:
    """Bindings for the screen of a place; with ``inner`` for a widget that would otherwise take the keys itself."""
    target, within = ("screen.act", "inner.") if inner else ("act", "")
    return [
        Binding(a.keys, f"{target}('{a.id}')", a.label, show=False, key_display=a.show, tooltip=a.help, id=f"{place}.{within}{a.id}")
        for a in actions
        if a.keys
    ]
