"""Texts and their versions."""

from __future__ import annotations

from coi_tui.model.address import slot_of
from coi_tui.screens.bench.surface import Part

NO_ROW = ("session", "pick")


class Writing(Part):
    """Texts and their versions."""

    def do_history(self) -> None:
        from coi_tui.screens.texts.history_screen import HistoryScreen

        self.looking = None
        self.app.push_screen(HistoryScreen(self.desk, self.chain.address), self._looked)

    def _looked(self, said: str | None) -> None:
        self.did(said or "")

    def do_log(self) -> None:
        from coi_tui.screens.texts.log_screen import LogScreen

        self.app.push_screen(LogScreen(self.desk), self._go)

    def _go(self, address: str | None) -> None:
        self.refresh_rows()
        if address is None:
            return
        row = next((a for a in (address, slot_of(address) if address not in NO_ROW else "") if a in self.chain.rows), "")
        if row:
            self.chain.go(row)
        else:
            self.say(f"{address} has no row now.")

    def do_older(self) -> None:
        self._flip(-1)

    def do_newer(self) -> None:
        self._flip(1)

    def _flip(self, step: int) -> None:
        """Look at another version of the text; nothing is changed."""
        state, address = self.session.state, self.chain.address
        all_of = state.cell(address).versions
        used = state.in_use(address)
        here = self.looking if self.looking in all_of else used.seq if used else all_of[-1]
        at = all_of.index(here) + step
        if not 0 <= at < len(all_of):
            self.say(f"This is the {'oldest' if step < 0 else 'newest'} of {len(all_of)} versions.")
            return
        self.looking = None if used is not None and all_of[at] == used.seq else all_of[at]
        self.why_for = ""
        self.refresh_rows()
        self.show_text()
        self.say("")

    def do_edit(self) -> None:
        from coi_tui.screens.texts.edit_screen import EditScreen  # the text area is loaded when it is needed

        self.app.push_screen(EditScreen(self.desk, self.chain.address), self._edited)

    def do_edit_outside(self) -> None:
        from coi_tui.screens.texts.edit_screen import EditScreen
        from coi_tui.session.admin.external_editor import editor_command

        editor_command()  # says what is missing before anything opens
        self.app.push_screen(EditScreen(self.desk, self.chain.address, outside=True), self._edited)

    def off_edit_outside(self) -> str:
        return self.why_off("edit")

    def do_diff(self) -> None:
        """The version in use against the one looked at, else against the newest other one."""
        from coi_tui.screens.texts.diff_screen import DiffScreen

        other = self.looking if self.looking is not None else self._other()
        assert other is not None
        self.app.push_screen(DiffScreen(self.desk, self.chain.address, other), self._looked)

    def off_diff(self) -> str:
        if not self.composed or self.chain.row is None or not self.session.edits.editable(self.chain.address):
            return "this row has no text with versions"
        return "" if self._other() is not None else "there is only one version"

    def _other(self) -> int | None:
        address = self.chain.address
        used = self.session.state.in_use(address)
        others = [s for s in self.session.state.cell(address).versions if used is not None and s != used.seq]
        return others[-1] if others else None

    def _edited(self, said: str | None) -> None:
        self.did(said or "Nothing was changed.")
