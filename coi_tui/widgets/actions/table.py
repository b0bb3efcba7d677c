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
