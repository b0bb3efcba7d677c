"""Fields to type in that keep the order of keys, also when many come at once, as they do over a slow line.

The toolkit inserts a letter as soon as the field hears of it, but sends backspace, arrows and ``^u`` up to the app and back first: in a
burst the letters after them overtake them, and the text is not what was typed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import events
from textual.widgets import Input, TextArea

if TYPE_CHECKING:
    from textual.widget import Widget

    Base = Widget
else:
    Base = object


class InOrder(Base):
    """A field that runs its own keys when it hears of them. Keys of the table of actions (those with an id) go the usual way."""

    async def _on_key(self, event: events.Key) -> None:
        for binding in self._bindings.key_to_bindings.get(event.key, ()):
            own = not binding.id and not binding.priority
            if own and not event.is_printable and await self.app.run_action(binding.action, self):
                event.stop()
                event.prevent_default()
                return


class LineField(InOrder, Input):
    """One line to type in."""


class TextField(InOrder, TextArea):
    """A text to type in."""
