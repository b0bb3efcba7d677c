"""Export: what to write and where, and what the proposal would warn of. Nothing that exists is overwritten without a yes."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import TYPE_CHECKING

from textual import events
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Input, OptionList

from coi_tui.model.errors import CoiError, UsageError
from coi_tui.screens.base import Sheet
from coi_tui.screens.sheets.confirm_sheet import ConfirmSheet
from coi_tui.session.exports import EXTENSIONS, KINDS
from coi_tui.widgets.fields import LineField, MarkedList
from coi_tui.widgets.formatting import counted
from coi_tui.widgets.key_actions import DECIDE, HELP, MOVE, KeyAction, bindings
from coi_tui.widgets.panes import DetailPane, Line

if TYPE_CHECKING:
    from coi_tui.session.session import Session


EXPORT_ACTIONS = (
    KeyAction("write", "enter", "Enter", "write", "write what is ticked; existing files are overwritten only after a yes", DECIDE, 1),
    KeyAction("tick", "space", "Space", "tick", "tick or untick this one", DECIDE, 2),
    KeyAction("down", "j", "j", "down", "a line down (also the arrows)", MOVE),
    KeyAction("up", "k", "k", "up", "a line up (also the arrows)", MOVE),
    HELP,
    KeyAction("cancel", "escape", "Esc", "cancel", "close; nothing is written", DECIDE, 3),
)


class ExportSheet(Sheet[list[str]]):
    """Gives the paths written, or None."""

    PLACE = "export"
    CSS_PATH = "export_sheet.tcss"
    ACTIONS = EXPORT_ACTIONS
    BINDINGS = bindings(PLACE, ACTIONS)
    TAIL = ("cancel", "help")
    GUARDED = True

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.kinds = list(KINDS)
        self.ticked = {"md"}
        path = session.core.file.path
        self.base = str(path.with_name(path.name.removesuffix(".coi.db")))

    def body(self) -> ComposeResult:
        yield Line(f"Export {self.session.name}", "the session itself is already saved", id="title")
        yield MarkedList(id="lines")
        yield LineField(self.base, placeholder="where to write; the extension is added", id="where", compact=True)
        yield DetailPane(id="warnings")
        yield Line("", id="said")

    def on_mount(self) -> None:
        self.query_one("#warnings", DetailPane).border_title = Content("The proposal warns of")
        self.query_one(MarkedList).focus()
        self.run_worker(self._look(), name="warnings", group="warnings", exit_on_error=False)

    async def _look(self) -> None:
        """In a thread: a long session takes a moment to look through."""
        found = await asyncio.to_thread(self.session.exports.warnings)
        count = counted(len(found), "warning") if found else "No warnings: every part is there, fresh and decided."
        self.query_one("#warnings", DetailPane).show("warnings", count, [("", f"{kind}: {text}") for kind, text in found])

    def on_resize(self, event: events.Resize) -> None:
        super().on_resize(event)
        self.call_after_refresh(self._fill)

    def _fill(self) -> None:
        lines = self.query_one(MarkedList)
        rows = [f"[{'x' if kind in self.ticked else ' '}] {kind:5} {said}" for kind, said in KINDS.items()]
        lines.show([Content(row) for row in rows], lines.highlighted or 0)
        self.refresh_footer()

    def off(self, name: str) -> str:
        return "nothing is ticked; Space ticks" if name == "write" and not self.ticked else ""

    def say(self, text: str) -> None:
        self.query_one("#said", Line).say(text)

    def do_tick(self) -> None:
        at = self.query_one(MarkedList).highlighted
        if at is not None:
            self.ticked ^= {self.kinds[at]}
            self._fill()

    def do_down(self) -> None:
        self.query_one(MarkedList).action_cursor_down()

    def do_up(self) -> None:
        self.query_one(MarkedList).action_cursor_up()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()

    async def on_input_submitted(self, event: Input.Submitted) -> None:
        await self.action_act("write")

    def targets(self) -> dict[str, Path]:
        """The file of each ticked kind. Raises UsageError where no place is named."""
        said = self.query_one("#where", Input).value.strip()
        if not said:
            raise UsageError("No path is given.", "Enter a path; the extension is added.")
        base = Path(said).expanduser()
        ends = sorted((f".{ending}" for ending in EXTENSIONS.values() if base.name.endswith(f".{ending}")), key=len)
        base = base.with_name(base.name.removesuffix(ends[-1])) if ends and base.name != ends[-1] else base
        return {kind: base.with_name(f"{base.name}.{EXTENSIONS[kind]}") for kind in self.kinds if kind in self.ticked}

    async def do_write(self) -> None:
        targets = self.targets()
        there = await asyncio.to_thread(_there, targets)
        if there:
            text = f"{', '.join(there)} {'exists' if len(there) == 1 else 'exist'} already in {next(iter(targets.values())).parent}."
            self.app.push_screen(ConfirmSheet("Overwrite?", text, "overwrite"), lambda yes: self._go_on(targets, bool(yes)))
        else:
            await self._write(targets, overwrite=False)

    async def _go_on(self, targets: dict[str, Path], yes: bool) -> None:
        if yes:
            await self._write(targets, overwrite=True)
        else:
            self.say("Nothing was written. Change the path.")

    async def _write(self, targets: dict[str, Path], *, overwrite: bool) -> None:
        try:
            paths = await asyncio.to_thread(self.session.exports.write_all, targets, overwrite=overwrite)
        except CoiError as error:
            self.trouble(error)
            return
        self.dismiss(paths)


def _there(targets: dict[str, Path]) -> list[str]:
    """The names of the files that are there already. A name that no disk takes is not, and is told of when it is written."""
    return [path.name for path in targets.values() if os.path.exists(path)]
