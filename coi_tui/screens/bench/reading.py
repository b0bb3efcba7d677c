"""Reading a paper from its row."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from coi_tui.model.address import parse_address, slot_of
from coi_tui.screens.bench.surface import Part

if TYPE_CHECKING:
    from coi_tui.model.papers import Paper


class Reading(Part):
    """The reader, and the paper's page."""

    def _paper(self) -> Paper | None:
        row = self.chain.row if self.composed else None
        if row is None or parse_address(row.address).part not in ("slot", "card"):
            return None
        held = self.session.state.slot(slot_of(row.address)).paper
        return self.session.state.papers.get(held) if held else None

    def off_read(self) -> str:
        return "" if self._paper() is not None else "this row holds no paper"

    def do_read(self) -> None:
        from coi_tui.screens.papers.reader import ReaderScreen

        paper, address = self._paper(), slot_of(self.chain.address)
        assert paper is not None
        self.app.push_screen(ReaderScreen(self.desk, paper, address), lambda text: self._was_read(address, text))

    def _was_read(self, address: str, text: str | None) -> None:
        self.refresh_rows()  # a PDF may have been attached there
        self.pin_reference(address, text)

    def pin_reference(self, address: str, text: str | None) -> None:
        """A reference of the paper goes to the next place before it, where that is free."""
        if text is None:
            return
        from coi_tui.screens.papers.pin_sheet import PinSheet

        at = parse_address(address)
        before = f"{at.branch}/{at.pos - 1:+d}"
        if at.pos > 0 or self.session.state.slot(before).paper is not None:
            self.say(f"There is no free place before {self.named(address)}: reject or replace what stands there first.")
            return
        self.app.push_screen(PinSheet(self.desk, before, text), self._pinned)

    def _pinned(self, said: str | None) -> None:
        self.did(said or "Nothing was changed.")

    def off_browser(self) -> str:
        paper = self._paper()
        return "" if paper is not None and paper.url else "no page is known for this row"

    def do_browser(self) -> None:
        import webbrowser

        paper = self._paper()
        url = str(paper.url) if paper else ""
        if os.environ.get("SSH_CONNECTION"):
            self.app.copy_to_clipboard(url)
            self.say(f"Over ssh no browser is opened; the address is copied: {url}")
        else:
            self.say(f"Opened {url}" if webbrowser.open(url) else f"No browser could be opened; the address is {url}")
