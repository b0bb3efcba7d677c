"""Copies of a row: its text, or Markdown with its citation."""

from __future__ import annotations

import asyncio

from coi_tui.screens.bench.surface import Surface


class Copying(Surface):
    """Copies. What is selected with the mouse goes before the row."""

    async def do_copy(self) -> None:
        from coi_tui.screens.clipboard import copy

        chosen = self.get_selected_text()
        what = "what is selected" if chosen else f"the text of {self.named(self.chain.address)}"
        self.say(await copy(self.app, chosen or self.detail.text, what))

    async def do_copy_cited(self) -> None:
        from coi_tui.screens.clipboard import copy

        address = self.chain.address
        text = await asyncio.to_thread(self.session.cited, address)
        self.say(await copy(self.app, text, f"{self.named(address)} as Markdown with its citation"))
