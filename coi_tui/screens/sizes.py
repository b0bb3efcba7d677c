"""Which sizes a screen is laid out for: that of the terminal now, and none that came before it."""

from __future__ import annotations

from typing import Any

from textual import events
from textual.screen import Screen


def outdated(screen: Screen[Any], event: events.Event) -> bool:
    """Whether an event tells a size that the terminal has no more; the one that it has by now is
    told as well.

    Textual tells a screen each size that it was laid out for once more. Of two different ones in a
    queue each brings the other back, for ever, and no key is heard again.
    """
    return isinstance(event, events.Resize) and event.size != screen.app.size
