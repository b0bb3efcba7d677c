"""The answer that is coming in for the row under the cursor: to be read, not to be used."""

from __future__ import annotations

from textual.content import Content

from coi_tui.screens.bench.surface import Part
from coi_tui.session.queries.streaming import readable, sentences


class Streaming(Part):
    """Shows a running call's text in its own row's detail, and nowhere else."""

    _streamed = ""

    def coming(self, address: str) -> str:
        """What has come for a row so far; empty where nothing is coming."""
        job = self.desk.job
        return job.texts.get(address, "") if job is not None and self.desk.busy else ""

    def streams(self, address: str) -> bool:
        """Show what is coming in for this row; False where nothing is."""
        raw = self.coming(address)
        if not raw:
            self._streamed = ""
            return False
        text = readable(raw)
        if self.app.animation_level == "none":
            text = sentences(text)
        used = (
            "the version in use stays until it is complete"
            if self.session.state.in_use(address)
            else "it is no version until it is complete"
        )
        self.detail.border_title = Content("[2] Detail   streaming")
        self.detail.show(f"streaming {address}", self.named(address), [("", text), ("", f"(streaming; {used})")])
        self._streamed = address
        return True

    def show_streaming(self) -> None:
        """Called at most twenty times a second. Draws only when the row under the cursor has something new."""
        if self.why_for or self.looking is not None:
            return
        address = self.chain.address
        if self.coming(address) or self._streamed == address:
            self.show_detail()
