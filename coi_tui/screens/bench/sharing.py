"""What leaves the workbench: exports, and the session as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coi_tui.screens.bench.surface import Surface

if TYPE_CHECKING:
    from coi_tui.screens.pictures.timeline_screen import Way


class Sharing(Surface):
    """Exports and the timeline."""

    def do_export(self) -> None:
        from coi_tui.screens.sheets.export_sheet import ExportSheet

        self.app.push_screen(ExportSheet(self.session), self._exported)

    def _exported(self, said: str | None) -> None:
        self.did(said or "Nothing was written; the session itself is saved already.")

    def do_timeline(self) -> None:
        from coi_tui.screens.pictures.timeline_screen import TimelineScreen

        self.app.push_screen(TimelineScreen(self.desk, self.chain.address), self._from_timeline)

    def _from_timeline(self, way: Way | None) -> None:
        self.refresh_rows()
        if way is not None and way.address in self.chain.rows:
            self.chain.go(way.address)
            self.pin_reference(way.address, way.pin)
