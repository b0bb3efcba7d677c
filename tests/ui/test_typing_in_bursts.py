"""Keys that come all at once, as over a slow line, mean the same as keys that come one by one."""

from __future__ import annotations

import pytest
from textual import events
from textual.app import App, ComposeResult
from textual.widgets import Input, TextArea

from coi_tui.widgets.fields import LineField, TextField


class Fields(App[None]):
    def compose(self) -> ComposeResult:
        yield LineField(id="line")
        yield TextField(id="text")


BURSTS = [
    (["a", "b", "backspace", "c"], "ac"),
    (["x", "y", "z", "ctrl+u", "n", "o"], "no"),
    (["a", "b", "left", "left", "Z"], "Zab"),
    (["a", "b", "home", "Y", "end", "Z"], "YabZ"),
    (["a", " ", "b", "ctrl+w", "c"], "a c"),
]


@pytest.mark.parametrize("field", ["line", "text"])
@pytest.mark.parametrize(("keys", "text"), BURSTS, ids=["-".join(keys) for keys, _ in BURSTS])
async def test_a_burst_of_keys_is_taken_in_its_order(
    field: str, keys: list[str], text: str
) -> None:
    app = Fields()
    async with app.run_test() as pilot:
        widget = app.query_one(f"#{field}", Input | TextArea)  # type: ignore[arg-type]
        widget.focus()
        await pilot.pause()
        for key in keys:
            app.post_message(events.Key(key, key if len(key) == 1 else None))
        await pilot.pause()
        assert (widget.value if isinstance(widget, Input) else widget.text) == text
