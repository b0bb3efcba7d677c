"""What the engine reports to whoever watches: plain values, no widgets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

EventKind = Literal[
    "job", "step started", "step done", "step failed", "call", "decided", "note", "text"
]


@dataclass(frozen=True)
class Event:
    """``address`` and ``step`` say where; ``text`` is one sentence or less; ``cost_usd`` and
    ``seconds`` where they apply.

    Of kind ``text`` it is all of a running call's answer so far.
    """

    kind: EventKind
    address: str = ""
    step: str = ""
    text: str = ""
    cost_usd: float | None = None
    seconds: float = 0.0


Listener = Callable[[Event], None]


def silent(event: Event) -> None:
    """A listener for those who do not watch."""
