"""Copies of a row: its text, or Markdown with its citation."""

from __future__ import annotations

import asyncio

from coi_tui.screens.bench.surface import Part
from coi_tui.widgets.panes import StatusLines


class Copying(Part):
    """Copies. What is selected with the mouse goes before the paths just written, and those before the row."""

    async def do_copy(self) -> None:
        from coi_tui.screens.clipboard import copy

        chosen = self.get_selected_text()
        if not chosen and self.written and self.query_one(StatusLines).said == self.said_written:
            self.say(await copy(self.app, self.written, "the path" if "\n" not in self.written else "the paths"))
            return
        what = "what is selected" if chosen else f"the text of {self.named(self.chain.address)}"
        self.say(await copy(self.app, chosen or self.detail.text, what))

    async def do_copy_cited(self) -> None:
        from coi_tui.screens.clipboard import copy

        address = self.chain.address
        text = await asyncio.to_thread(self.session.exports.cited, address)
        self.say(await copy(self.app, text, f"{self.named(address)} as Markdown with its citation"))
