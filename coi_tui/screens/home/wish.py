"""What a new session shall be."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Wish:
    """As a person filled it in; an empty ``name`` is made from the topic."""

    topic: str
    hunch: str = ""
    name: str = ""
    offline: bool = False
    send_hunch: bool = False
    """Whether a model may see the hunch when it predicts directions."""
