"""A PDF of one's own for the paper of a row."""

from __future__ import annotations

from coi_tui.model.address import slot_of
from coi_tui.screens.bench.reading import Reading


class Attaching(Reading):
    """A row of a paper, or its card, takes a PDF."""

    def off_attach(self) -> str:
        if self.session.read_only_reason:
            return f"this session is read-only ({self.session.read_only_reason})"
        return "" if self._paper() is not None else "this row holds no paper"

    def do_attach(self) -> None:
        from coi_tui.screens.papers.attach_sheet import AttachSheet

        paper = self._paper()
        assert paper is not None
        self.app.push_screen(AttachSheet(self.desk, slot_of(self.chain.address), paper.title), self._pdf_taken)

    def _pdf_taken(self, said: str | None) -> None:
        self.did(said or "Nothing was attached.")
