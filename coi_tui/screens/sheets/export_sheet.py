"""Export: what to write and where, the proposal with or without its appendix, and its warnings.
Existing files are overwritten only after a yes."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from coi_tui.model.errors import UsageError
from coi_tui.screens.sheets.confirm_sheet import ConfirmSheet
from coi_tui.screens.sheets.form_sheet import Field, FormSheet
from coi_tui.session.exports import ProposalOptions, titles_of_formats
from coi_tui.session.session import Session
from coi_tui.widgets.key_actions import CANCEL_TYPING, DECIDE, HELP_BY_F1, KeyAction

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
    HELP_BY_F1,
    CANCEL_TYPING,
)
APPENDIX, EVERY, NOTES = "appendix", "every", "notes"
CHOICES = {
    APPENDIX: "the proposal with its appendix",
    EVERY: "the appendix with every idea in full, of every method",
    NOTES: "the appendix with my notes, which are private",
}
"""The boxes after the formats."""


class ExportSheet(FormSheet[list[str]]):
    """Gives the paths written, or None."""

    PLACE = "export"
    CSS_PATH = "export_sheet.tcss"
    ACTIONS = EXPORT_ACTIONS
    SEND = "write"
    GUARDED = True

    def __init__(self, session: Session) -> None:
        self.formats, self.session = titles_of_formats(), session
        formats = [
            Field(name, f"{name:5} {title}", name == "md") for name, title in self.formats.items()
        ]
        choices = [Field(name, text, False) for name, text in CHOICES.items()]
        hint = "where to write; the extension is added"
        where = Field("where", "Path", f"./{session.exports.stem}", hint)
        aside = "the session itself is already saved"
        super().__init__(f"Export {session.name}", aside, (*formats, *choices, where))
        self._warned_for: ProposalOptions | None = None

    @property
    def options(self) -> ProposalOptions:
        """How the proposal is to be written."""
        values = self.values
        appendix = any(values[name] for name in CHOICES)
        return ProposalOptions(appendix, bool(values[EVERY]), bool(values[NOTES]))

    def body(self) -> ComposeResult:
        yield from super().body()
        with VerticalScroll(id="warnings"):
            yield Static("", markup=False)

    def on_mount(self) -> None:
        self.query_one("#warnings").border_title = Content("Warnings of the proposal")

    def changed(self) -> None:
        """Find the warnings again in a thread: a long session takes a moment."""
        super().changed()
        if self.composed and self.options != self._warned_for:
            self._warned_for = self.options
            self.replace_worker(self._find_warnings, "warnings")

    async def _find_warnings(self) -> None:
        found = await asyncio.to_thread(self.session.exports.warnings, self.options)
        lines = [f"{warning.kind}: {warning.text}" for warning in found]
        none = "No warnings: every part is there, fresh and decided."
        self.query_one("#warnings Static", Static).update(Content("\n".join(lines) or none))

    def off_write(self) -> str:
        ticked = self.composed and any(self.values[name] for name in self.formats)
        return "" if ticked else "nothing is ticked; Space ticks"

    def targets(self) -> dict[str, Path]:
        """The file of each ticked kind. Raises UsageError where no place is named."""
        typed = self.text("where").strip()
        if not typed:
            raise UsageError("No path is given.", "Enter a path; the extension is added.")
        base = Path(typed).expanduser()
        for name in self.formats:
            base = base.with_name(base.name.removesuffix(f".{name}") or base.name)
        return {
            name: base.with_name(f"{base.name}.{name}")
            for name in self.formats
            if self.values[name]
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
