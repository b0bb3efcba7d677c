"""Fields to type in that keep the order of keys, also when many come at once, as they do over a slow line.

Textual inserts a letter as soon as the field hears of it, but sends backspace, arrows and ``^u`` up to the app and back first: in a
burst the letters after them overtake them, and the text is not what was typed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from textual import events
from textual.binding import Binding, BindingType
from textual.widgets import Input, TextArea


def own_keys(bindings: Iterable[BindingType]) -> Mapping[str, str]:
    """The actions of a field by its keys, without those that are letters."""
    return {binding.key: binding.action for binding in Binding.make_bindings(bindings) if not binding.priority}


async def act_at_once(field: Input | TextArea, event: events.Key, actions: Mapping[str, str]) -> None:
    """Run a key of the field itself when it hears of it, so that no letter overtakes it. Other keys go the usual way."""
    action = actions.get(event.key)
    if action is not None and not event.is_printable and await field.app.run_action(action, field):
        event.stop()
        event.prevent_default()


INPUT_KEYS, TEXT_KEYS = own_keys(Input.BINDINGS), own_keys(TextArea.BINDINGS)


class LineField(Input):
    """One line to type in."""

    async def on_key(self, event: events.Key) -> None:
        await act_at_once(self, event, INPUT_KEYS)


class TextField(TextArea):
    """A text to type in."""

    async def on_key(self, event: events.Key) -> None:
        await act_at_once(self, event, TEXT_KEYS)
