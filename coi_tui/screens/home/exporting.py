"""Exports from the list of sessions: the same sheet as on the workbench, over a session that is opened only to be read."""

from __future__ import annotations

import asyncio

from coi_tui.model.errors import CoiError
from coi_tui.screens.actions import action
from coi_tui.screens.home.keeping import Keeping
from coi_tui.session.watch import Peek, open_to_read

BROKEN = ("damaged", "unreadable")


class Exporting(Keeping):
    """``s`` writes an export of the session under the cursor, ``y`` copies where it went."""

    written = ""
    """The paths of the last export made here, a line each."""

    def off_export(self) -> str:
        peek = self.peek if self.composed else None
        if peek is None:
            return "there is no session yet"
        if peek.state == "damaged":
            return f"its file is damaged ({peek.reason}); Enter looks for its last whole copy"
        return f"its file cannot be read ({peek.reason})" if peek.state in BROKEN else ""

    def do_export(self) -> None:
        peek = self.peek
        assert peek is not None
        self.run_worker(self._export(peek), name="export", group="export", exclusive=True, exit_on_error=False)

    async def _export(self, peek: Peek) -> None:
        """Opened beside whoever holds it, a job of this app too: what is saved is exported, and nobody waits or closes for it."""
        from coi_tui.screens.sheets.export_sheet import ExportSheet
        from coi_tui.session.exports import written

        coi = self.coi
        try:
            session = await asyncio.to_thread(open_to_read, peek.path, coi.paths, coi.settings, coi.keys)
        except CoiError as error:
            coi.show_problem(f"{peek.name} cannot be exported", error)
            return
        try:
            if not self.is_current:  # gone on to something else meanwhile
                return
            paths = await self.app.push_screen_wait(ExportSheet(session)) or []
        finally:
            await asyncio.to_thread(session.close)
        self.written = "\n".join(paths) or self.written
        self.say(written(paths, action("home", "copy").show))
        self.refresh_footer()

    def off_copy(self) -> str:
        return "" if self.written else "nothing was exported here since the app was opened"

    async def do_copy(self) -> None:
        from coi_tui.screens.clipboard import copy

        self.say(await copy(self.app, self.written, "the paths" if "\n" in self.written else "the path"))
