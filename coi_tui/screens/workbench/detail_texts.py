"""What the detail pane shows: the text of a row, why it is so, another of its versions, or the answer that is coming in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.content import Content

from coi_tui.model.address import parse_address
from coi_tui.screens.workbench.view import Command, Commands
from coi_tui.session.queries.streaming import readable, sentences

if TYPE_CHECKING:
    from coi_tui.screens.session_controller import SessionController
    from coi_tui.screens.workbench.pane_layout import PaneLayout
    from coi_tui.screens.workbench.row_screens import RowScreens
    from coi_tui.screens.workbench.view import WorkbenchView
    from coi_tui.session.queries.row import Row
    from coi_tui.widgets.panes import DetailPane

ONE_VERSION = "there is only one version"
BEGIN = "Nothing has been made yet. Press g to choose how far to go; a plan is shown before anything runs."


class DetailTexts:
    """Fills the detail pane for the row under the cursor."""

    def __init__(
        self, view: WorkbenchView, controller: SessionController, pane: DetailPane, panes: PaneLayout, screens: RowScreens
    ) -> None:
        self._view, self._controller, self._session = view, controller, controller.session
        self._pane, self._panes, self._screens = pane, panes, screens
        self.why_for = ""
        """The address whose reasons are shown in place of its text; empty for none."""
        self.version: int | None = None
        """The version shown in place of the one in use, or None."""
        self._streamed = ""
        """The address whose answer was coming in when it was last shown."""

    def commands(self) -> Commands:
        """The keys that show something else of the same row."""
        return {
            "why": Command(self.toggle_why, self._off_why, on_row=True),
            "older": Command(lambda: self._flip(-1), self._off_flip, on_row=True),
            "newer": Command(lambda: self._flip(1), self._off_flip, on_row=True),
        }

    # -- showing --------------------------------------------------------------------------------------------------

    def show(self) -> None:
        """Bring the pane in line with the row under the cursor."""
        row = self._view.row
        if row is None:
            return
        if self.version is not None and self.version not in self._session.state.cell(row.address).versions:
            self.version = None
        if self.why_for == row.address:
            self._show_why(row)
        elif self.version is not None:
            self._show_version(row, self.version)
        elif not self._show_stream(row):
            self._show_text(row)

    def reset(self) -> None:
        """The cursor is on another row: its text comes first."""
        self.why_for, self.version = "", None

    def _show_why(self, row: Row) -> None:
        self._pane.border_title = Content("[2] Why   w or Esc: back to the text")
        parts = [("", sentence) for sentence in self._session.queries.why(row.address)]
        self._pane.show(f"why {row.address}", f"Why {row.address}", parts)

    def _show_version(self, row: Row, version: int) -> None:
        versions = self._session.state.cell(row.address).versions
        place = f"{versions.index(version) + 1} of {len(versions)}"
        self._pane.border_title = Content(f"[2] Version {place}, not in use   < > flip  a adopt  Esc back")
        other = self._session.queries.detail(row.address, version)
        self._pane.show(f"v{version} {row.address}", other.title, other.parts)

    def _show_text(self, row: Row) -> None:
        self._pane.border_title = Content("[2] Detail")
        about = self._session.queries.detail(row.address)
        hint = [("NEXT", BEGIN)] if row.address == "topic" and len(self._session.state.cells) <= 1 else []
        self._pane.show(row.address, about.title, [*self._with_failure(row, about.parts), *hint])

    def _with_failure(self, row: Row, parts: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
        """A row's text below what failed there; a text from before under a heading of its own, so that it is not read as the reason."""
        failure = self._screens.failure_here()
        if failure is None:
            return list(parts)
        held = failure.address == row.address and self._session.state.in_use(row.address) is not None
        ways = "r tries it again" if self._screens.has_view(row.address) else "Enter shows what was tried and the ways on"
        intact = [failure.intact] if held else []
        told = ("FAILED", "\n".join([failure.happened, *intact, f"{ways}; finished calls are not paid twice."]))
        return [told, *((heading or ("IN USE" if held and n == 0 else ""), text) for n, (heading, text) in enumerate(parts))]

    # -- reasons and versions ---------------------------------------------------------------------------------------

    def _off_why(self) -> str:
        return "the text says all there is" if self._view.address in ("A", "X") else ""

    def toggle_why(self) -> None:
        """Show why the row is as it is, or its text again."""
        self.why_for = "" if self.why_for else self._view.address
        self.show()
        if self.why_for:
            self._panes.go("detail", focus=False)

    def _off_flip(self) -> str:
        versions = self._session.state.cell(self._view.address).versions
        return no_versions(self._view.address) if not versions else "" if len(versions) > 1 else ONE_VERSION

    def _flip(self, step: int) -> None:
        """Look at another version of the text; nothing is changed."""
        state, address = self._session.state, self._view.address
        versions, used = state.cell(address).versions, state.in_use(address)
        here = self.version if self.version in versions else used.seq if used else versions[-1]
        at = versions.index(here) + step
        if not 0 <= at < len(versions):
            self._view.say(f"This is the {'oldest' if step < 0 else 'newest'} of {len(versions)} versions.")
            return
        self.version = None if used is not None and versions[at] == used.seq else versions[at]
        self.why_for = ""
        self._view.refresh_rows()
        self._panes.go("detail", focus=False)
        self._view.say("")

    def escape(self) -> bool:
        """Go back to the text in use; False where it is shown already."""
        if self.why_for:
            self.toggle_why()
        elif self.version is not None:
            self.version = None
            self._view.refresh_rows()
        else:
            return False
        return True

    # -- answers that come in -----------------------------------------------------------------------------------------

    def show_stream(self) -> None:
        """Called at most twenty times a second. Draws only when the row under the cursor has something new."""
        if self.why_for or self.version is not None:
            return
        address = self._view.address
        if self._controller.incoming(address) or (address and self._streamed == address):
            self.show()

    def _show_stream(self, row: Row) -> bool:
        """Show the answer that is coming in for this row, to be read and not to be used; False where nothing is."""
        raw = self._controller.incoming(row.address)
        if not raw:
            self._streamed = ""
            return False
        text = readable(raw) if self._view.moves else sentences(readable(raw))
        made = self._session.state.in_use(row.address) is not None
        used = "the version in use stays until it is complete" if made else "it is no version until it is complete"
        self._pane.border_title = Content("[2] Detail   streaming")
        self._pane.show(f"streaming {row.address}", row.address, [("", text), ("", f"(streaming; {used})")])
        self._streamed = row.address
        return True


def no_versions(address: str) -> str:
    """Why a row without versions has none."""
    slot = parse_address(address).part == "slot"
    return "this is no text; a paper's card has versions" if slot else "nothing has been made here yet"
