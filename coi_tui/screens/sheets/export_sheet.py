"""Export: what to write and where, the proposal with or without its appendix, and its warnings.
Existing files are overwritten only after a yes."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Input, Static

from coi_tui.model.errors import UsageError
from coi_tui.screens.sheets.choice_sheet import ListSheet
from coi_tui.screens.sheets.confirm_sheet import ConfirmSheet
from coi_tui.session.exports import ProposalOptions, titles_of_formats
from coi_tui.session.session import Session
from coi_tui.widgets.fields import LineField
from coi_tui.widgets.key_actions import CANCEL_TYPING, DECIDE, HELP, TICK, KeyAction

EXPORT_ACTIONS = (
    KeyAction(
        "write",
        "enter",
        "Enter",
        "write",
        "write what is ticked; existing files are overwritten only after a yes",
        DECIDE,
        1,
    ),
    TICK,
    HELP,
    CANCEL_TYPING,
)
APPENDIX, EVERY, NOTES = "appendix", "every", "notes"
CHOICES = {
    APPENDIX: "the proposal with its appendix",
    EVERY: "the appendix with every idea in full, of every method",
    NOTES: "the appendix with my notes, which are private",
}
"""The rows after the formats."""


class ExportSheet(ListSheet[list[str], str]):
    """Gives the paths written, or None."""

    PLACE = "export"
    CSS_PATH = "export_sheet.tcss"
    ACTIONS = EXPORT_ACTIONS
    GUARDED = True

    def __init__(self, session: Session) -> None:
        aside = "the session itself is already saved"
        self.formats = titles_of_formats()
        super().__init__(f"Export {session.name}", aside, (*self.formats, *CHOICES))
        self.session = session
        self.ticked = {"md"}

    @property
    def options(self) -> ProposalOptions:
        """How the proposal is to be written."""
        appendix = bool(self.ticked & CHOICES.keys())
        return ProposalOptions(appendix, EVERY in self.ticked, NOTES in self.ticked)

    def body(self) -> ComposeResult:
        yield from super().body()
        yield LineField(
            f"./{self.session.exports.stem}",
            placeholder="where to write; the extension is added",
            id="where",
            compact=True,
        )
        with VerticalScroll(id="warnings"):
            yield Static("", markup=False)

    def on_mount(self) -> None:
        self.query_one("#warnings").border_title = Content("Warnings of the proposal")
        self._show_warnings()

    def _show_warnings(self) -> None:
        """Find the warnings again in a thread: a long session takes a moment."""
        self.replace_worker(self._find_warnings, "warnings")

    async def _find_warnings(self) -> None:
        found = await asyncio.to_thread(self.session.exports.warnings, self.options)
        lines = [f"{warning.kind}: {warning.text}" for warning in found]
        none = "No warnings: every part is there, fresh and decided."
        self.query_one("#warnings Static", Static).update(Content("\n".join(lines) or none))

    def row_text(self, row: str, width: int) -> Content:
        box = f"[{'x' if row in self.ticked else ' '}]"
        name, text = (row, self.formats[row]) if row in self.formats else ("", CHOICES[row])
        return Content(f"{box} {name:5} {text}")

    def off_write(self) -> str:
        return "" if self.ticked.intersection(self.formats) else "nothing is ticked; Space ticks"

    def do_tick(self) -> None:
        row = self.here
        assert row is not None  # there are always rows
        self.ticked ^= {row}
        self.fill()
        if row in CHOICES:
            self._show_warnings()

    async def on_input_submitted(self, event: Input.Submitted) -> None:
        await self.action_act("write")

    def targets(self) -> dict[str, Path]:
        """The file of each ticked kind. Raises UsageError where no place is named."""
        typed = self.query_one("#where", Input).value.strip()
        if not typed:
            raise UsageError("No path is given.", "Enter a path; the extension is added.")
        base = Path(typed).expanduser()
        for name in self.formats:
            base = base.with_name(base.name.removesuffix(f".{name}") or base.name)
        return {
            name: base.with_name(f"{base.name}.{name}")
            for name in self.formats
            if name in self.ticked
        }

    async def do_write(self) -> None:
        targets = self.targets()
        there = await asyncio.to_thread(_there, targets)
        if there:
            folder = next(iter(targets.values())).absolute().parent
            text = f"{', '.join(there)} {'exists' if len(there) == 1 else 'exist'} already in {folder}."
            sheet = ConfirmSheet("Overwrite?", text, "overwrite")
            self.ask(sheet, lambda _: self._write(targets, overwrite=True))
        else:
            await self._write(targets, overwrite=False)

    async def _write(self, targets: dict[str, Path], *, overwrite: bool) -> None:
        paths = await asyncio.to_thread(
            self.session.exports.write_all, targets, overwrite=overwrite, options=self.options
        )
        self.dismiss(paths)


def _there(targets: dict[str, Path]) -> list[str]:
    """The names of the files that are there already. A name that no disk takes is not, and is told
    of when it is written."""
    return [path.name for path in targets.values() if os.path.exists(path)]
