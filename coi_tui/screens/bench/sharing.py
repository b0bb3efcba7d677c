"""What leaves the workbench: exports, and the session as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coi_tui.screens.bench.surface import Part
from coi_tui.widgets.actions import action

if TYPE_CHECKING:
    from coi_tui.screens.pictures.timeline_screen import Way


class Sharing(Part):
    """Exports and the timeline."""

    def do_export(self) -> None:
        from coi_tui.screens.sheets.export_sheet import ExportSheet

        self.app.push_screen(ExportSheet(self.session), self._exported)

    def _exported(self, paths: list[str] | None) -> None:
        from coi_tui.session.exports import written

        self.written = "\n".join(paths or ())
        self.said_written = written(paths or (), action("workbench", "copy").show)
        self.did(self.said_written)

    def do_timeline(self) -> None:
        from coi_tui.screens.pictures.timeline_screen import TimelineScreen

        self.app.push_screen(TimelineScreen(self.desk, self.chain.address), self._from_timeline)

    def _from_timeline(self, way: Way | None) -> None:
        self.refresh_rows()
        if way is not None and way.address in self.chain.rows:
            self.chain.go(way.address)
            self.pin_reference(way.address, way.pin)
