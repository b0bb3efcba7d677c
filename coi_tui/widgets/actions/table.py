"""What an action is, and the actions that every place has."""

from __future__ import annotations

from dataclasses import dataclass


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
