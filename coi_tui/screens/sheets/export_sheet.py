"""Export: what to write and where, the proposal with or without its appendix, and its warnings.
No file is lost unasked."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from textual import events
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Input, OptionList

from coi_tui.model.document import ProposalWarning
from coi_tui.model.errors import CoiError, UsageError
from coi_tui.screens.base import Sheet
from coi_tui.screens.sheets.confirm_sheet import ConfirmSheet
from coi_tui.session.exports import ProposalOptions, titles_of_formats
from coi_tui.widgets.fields import LineField, MarkedList
from coi_tui.widgets.key_actions import DECIDE, HELP, KeyAction
from coi_tui.widgets.panes import Line

if TYPE_CHECKING:
    from coi_tui.session.session import Session


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
    KeyAction("tick", "space", "Space", "tick", "tick or untick this one", DECIDE, 2),
    HELP,
    KeyAction("cancel", "escape", "Esc", "cancel", "close; nothing is written", DECIDE, 3),
)
APPENDIX, EVERY, NOTES = "appendix", "every", "notes"
CHOICES = {
    APPENDIX: "the proposal with its appendix",
    EVERY: "the appendix with every idea in full, of every method",
    NOTES: "the appendix with my notes, which are private",
}
"""The rows after the formats."""

Go = Callable[[Sequence[str]], object]
"""Goes to the first of these addresses that has a row."""


class ExportSheet(Sheet[list[str]]):
    """Gives the paths written, or None. ``go`` leads from a warning to what it is about, where that
    can be shown."""

    PLACE = "export"
    CSS_PATH = "export_sheet.tcss"
    ACTIONS = EXPORT_ACTIONS
    TAIL = ("cancel", "help")
    GUARDED = True

    def __init__(self, session: Session, go: Go | None = None) -> None:
        super().__init__()
        self.session, self.go = session, go
        self.formats = titles_of_formats()
        self.rows = (*self.formats, *CHOICES)
        self.ticked = {"md"}
        self.found: list[ProposalWarning] = []
        self.base = f"./{session.exports.stem}"

    @property
    def options(self) -> ProposalOptions:
        """How the proposal is to be written."""
        appendix = bool(self.ticked & CHOICES.keys())
        return ProposalOptions(appendix, EVERY in self.ticked, NOTES in self.ticked)

    def body(self) -> ComposeResult:
        yield Line(f"Export {self.session.name}", "the session itself is already saved", id="title")
        yield MarkedList(id="lines")
        yield LineField(
            self.base,
            placeholder="where to write; the extension is added",
            id="where",
            compact=True,
        )
        yield MarkedList(id="warnings")
        yield Line("", id="said")

    def on_mount(self) -> None:
        self.query_one("#warnings").border_title = Content("The proposal warns of")
        self.query_one("#lines").focus()
        self._look()

    def _look(self) -> None:
        """Look again at the warnings and the text, in a thread: a long session takes a moment."""
        self.replace_worker(self._looked, "warnings")

    async def _looked(self) -> None:
        self.found = await asyncio.to_thread(self.session.exports.warnings, self.options)
        none = "No warnings: every part is there, fresh and decided."
        rows = [Content(f"{warning.kind}: {warning.text}") for warning in self.found] or [
            Content(none)
        ]
        warnings = self.query_one("#warnings", MarkedList)
        warnings.show(rows, warnings.highlighted or 0)

    def on_resize(self, event: events.Resize) -> None:
        self.call_after_refresh(self._fill)

    def _fill(self, at: int | None = None) -> None:
        lines = self.query_one("#lines", MarkedList)
        texts = {name: f"{name:5} {text}" for name, text in self.formats.items()}
        texts |= {name: f"{'':5} {text}" for name, text in CHOICES.items()}
        rows = [Content(f"[{'x' if name in self.ticked else ' '}] {texts[name]}") for name in texts]
        lines.show(rows, at if at is not None else lines.highlighted or 0)
        self.refresh_footer()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        self.refresh_footer()

    @property
    def at_warning(self) -> ProposalWarning | None:
        """The warning under the cursor, where the cursor is among the warnings."""
        warnings = self.query_one("#warnings", MarkedList)
        at = warnings.highlighted
        return (
            self.found[at]
            if warnings.has_focus and at is not None and at < len(self.found)
            else None
        )

    def label(self, item: KeyAction) -> str:
        if item.id == "write" and self.composed and self.at_warning is not None:
            return "go there"
        return item.label

    def off(self, name: str) -> str:
        if name == "write" and (warning := self.at_warning) is not None:
            if self.go is None:
                return "open the session to go there"
            return "" if warning.addresses else "this is about the session as a whole"
        if name == "write" and not self.ticked.intersection(self.formats):
            return "nothing is ticked; Space ticks"
        return ""

    def say(self, text: str) -> None:
        self.query_one("#said", Line).say(text)

    def do_tick(self) -> None:
        at = self.query_one("#lines", MarkedList).highlighted
        if at is not None:
            name = self.rows[at]
            self.ticked ^= {name}
            self._fill()
            if name in CHOICES:
                self._look()

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        self.refresh_footer()

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
        for name in self.formats:
            base = base.with_name(base.name.removesuffix(f".{name}") or base.name)
        return {
            name: base.with_name(f"{base.name}.{name}")
            for name in self.formats
            if name in self.ticked
        }

    async def do_write(self) -> None:
        """Write what is ticked; on a warning, go to what it is about."""
        if (warning := self.at_warning) is not None and self.go is not None:
            self.dismiss(None)
            self.go(warning.addresses)
            return
        targets = self.targets()
        there = await asyncio.to_thread(_there, targets)
        if there:
            folder = next(iter(targets.values())).absolute().parent
            text = f"{', '.join(there)} {'exists' if len(there) == 1 else 'exist'} already in {folder}."
            self.app.push_screen(
                ConfirmSheet("Overwrite?", text, "overwrite"),
                partial(self._overwrite, targets),
            )
        else:
            await self._write(targets, overwrite=False)

    async def _overwrite(self, targets: dict[str, Path], yes: bool | None) -> None:
        if yes:
            await self._write(targets, overwrite=True)

    async def _write(self, targets: dict[str, Path], *, overwrite: bool) -> None:
        try:
            paths = await asyncio.to_thread(
                self.session.exports.write_all, targets, overwrite=overwrite, options=self.options
            )
        except CoiError as error:
            self.trouble(error)
            return
        self.dismiss(paths)


def _there(targets: dict[str, Path]) -> list[str]:
    """The names of the files that are there already. A name that no disk takes is not, and is told
    of when it is written."""
    return [path.name for path in targets.values() if os.path.exists(path)]
