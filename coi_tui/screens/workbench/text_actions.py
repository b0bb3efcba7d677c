"""Texts and their versions: edit, compare, copy, and what is written to files."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from textual.screen import Screen

from coi_tui.model.address import match_of, parse_address, slot_of
from coi_tui.screens.session_controller import SessionController
from coi_tui.screens.terminal import copy
from coi_tui.screens.workbench.commands import Command, Commands, WorkbenchView
from coi_tui.screens.workbench.row_texts import ONE_VERSION, DetailTexts, no_versions
from coi_tui.session.availability import Action
from coi_tui.widgets.chain_tree import ChainTree
from coi_tui.widgets.panes import DetailPane, StatusLines

TAGS, MOST = "tags", 2
NO_ROW = ("session", "pick")
"""Addresses of decisions that are about no row."""


class TextActions:
    """What the keys do that are about the text of a row, and about texts that leave the program."""

    def __init__(
        self, view: WorkbenchView, controller: SessionController, texts: DetailTexts
    ) -> None:
        self._view, self._controller, self._session, self._texts = (
            view,
            controller,
            controller.session,
            texts,
        )

    def commands(self) -> Commands:
        """The keys about texts."""
        return {
            "edit": Command(self.edit, asks=Action.EDIT),
            "edit_outside": Command(self.edit_outside, asks=Action.EDIT),
            "history": Command(self.history, self._off_history, on_row=True),
            "diff": Command(self.diff, self._off_diff, on_row=True),
            "log": Command(self.log),
        }

    def edit(self) -> None:
        """Edit the text of the row."""
        from coi_tui.screens.texts.edit_screen import (
            EditScreen,
        )  # the text area is loaded when it is needed

        self._view.open(EditScreen(self._controller, self._view.address), self._edited)

    def edit_outside(self) -> None:
        """Edit the text of the row in the person's own editor."""
        from coi_tui.screens.texts.edit_screen import EditScreen
        from coi_tui.session.admin.external_editor import editor_command

        editor_command()  # says what is missing before anything opens
        self._view.open(
            EditScreen(self._controller, self._view.address, outside=True), self._edited
        )

    def _edited(self, said: str | None) -> None:
        self._view.done(said or "Nothing was changed.")

    def _off_history(self) -> str:
        address = self._view.address
        return "" if self._session.state.cell(address).versions else no_versions(address)

    def history(self) -> None:
        """The versions of the text of the row."""
        from coi_tui.screens.texts.history_screen import HistoryScreen

        self._texts.version = None
        self._view.open(
            HistoryScreen(self._controller, self._view.address),
            lambda said: self._view.done(said or ""),
        )

    def _other_version(self) -> int | None:
        """The newest version of the text that is not in use."""
        state, address = self._session.state, self._view.address
        used = state.in_use(address)
        others = [s for s in state.cell(address).versions if used is not None and s != used.seq]
        return others[-1] if others else None

    def _off_diff(self) -> str:
        if not self._session.edits.editable(self._view.address):
            return "this row has no text with versions"
        return "" if self._other_version() is not None else ONE_VERSION

    def diff(self) -> None:
        """The version in use against the one looked at, else against the newest other one."""
        from coi_tui.screens.texts.diff_screen import DiffScreen

        address, shown = self._view.address, self._texts.version
        other = shown if shown is not None else self._other_version()
        assert other is not None  # the key is off where there is none
        self._view.open(
            DiffScreen(self._controller, address, other), lambda said: self._view.done(said or "")
        )

    def log(self) -> None:
        """The decisions, newest first; one of them leads to its row."""
        from coi_tui.screens.texts.history_screen import LogScreen

        self._view.open(LogScreen(self._controller), self._go_from_log)

    def _go_from_log(self, address: str | None) -> None:
        self._view.refresh_rows()
        if address is None:
            return
        row = next(
            (
                a
                for a in (address, slot_of(address) if address not in NO_ROW else "")
                if a in self._view.rows
            ),
            "",
        )
        if row:
            self._view.go_to_row(row)
        else:
            self._view.say(f"{address} has no row now.")


class Comparison:
    """Tags, and two tagged rows beside each other. Tags are remembered with the session; a third lets go of the first."""

    def __init__(
        self,
        view: WorkbenchView,
        controller: SessionController,
        chain: ChainTree,
        open_match: Callable[[str], None],
    ) -> None:
        self._view, self._controller, self._session, self._chain = (
            view,
            controller,
            controller.session,
            chain,
        )
        self._open_match = open_match

    def commands(self) -> Commands:
        """The keys that tag and compare."""
        return {
            "tag": Command(self.tag, on_row=True),
            "compare": Command(self.compare, self._off_compare),
        }

    def recall(self) -> None:
        """Take up the tags of the last time."""
        kept = self._session.core.remembered(TAGS, [])
        self._chain.tag([a for a in kept if isinstance(a, str)] if isinstance(kept, list) else [])

    @property
    def tagged(self) -> list[str]:
        """The tagged rows that are still there, the first one tagged first."""
        return [a for a in self._chain.tagged if a in self._view.rows]

    def tag(self) -> None:
        """Tag the row under the cursor, or take its tag away."""
        address = self._view.address
        if address in self.tagged:
            tags = [a for a in self.tagged if a != address]
            said = f"{address} is not tagged any more."
        else:
            tags = [*self.tagged, address][-MOST:]
            ways = (
                f"= compares it with {tags[0]}."
                if len(tags) == MOST
                else "Tag another row, then = compares the two."
            )
            said = f"Tagged {address}. {ways}"
        self._chain.tag(tags)
        self._session.core.remember(TAGS, tags)
        self._view.done(said)

    def _off_compare(self) -> str:
        return "" if len(self.tagged) == MOST else "tag two rows with t first"

    def compare(self) -> None:
        """Show the two tagged rows beside each other, as they stand in the tree; two ideas meet in the arena, without the model's view."""
        from coi_tui.screens.texts.diff_screen import CompareScreen

        first, second = sorted(self.tagged, key=list(self._view.rows).index)
        ideas = [
            parse_address(a).branch for a in (first, second) if parse_address(a).part == "idea"
        ]
        if len(ideas) == MOST and set(ideas) <= set(self._session.state.ideas()):
            self._open_match(match_of(*ideas))
            return
        self._view.open(
            CompareScreen(self._controller, first, second), lambda said: self._view.done(said or "")
        )


class CopyActions:
    """Copies and exports. What is selected with the mouse goes before the paths just written, and those before the row."""

    def __init__(
        self,
        view: WorkbenchView,
        controller: SessionController,
        screen: Screen[None],
        pane: DetailPane,
        status: StatusLines,
        copy_key: str,
    ) -> None:
        """``copy_key``: the key of the copy action, which the sentence after an export names."""
        self._view, self._session, self._screen, self._pane, self._status = (
            view,
            controller.session,
            screen,
            pane,
            status,
        )
        self._copy_key = copy_key
        self._written = self._said_written = ""
        """The paths of the last export, a line each, and the sentence about it: while that stands, the copy key copies the paths."""

    def commands(self) -> Commands:
        """The keys that copy and write."""
        return {
            "copy": Command(self.copy, on_row=True),
            "copy_cited": Command(self.copy_cited, on_row=True),
            "export": Command(self.export),
        }

    async def copy(self) -> None:
        """Copy what is selected, the paths just written, or the text of the row."""
        chosen = self._screen.get_selected_text()
        if not chosen and self._written and self._status.said == self._said_written:
            self._view.say(
                await copy(
                    self._screen.app,
                    self._written,
                    "the path" if "\n" not in self._written else "the paths",
                )
            )
            return
        what = "what is selected" if chosen else f"the text of {self._view.address}"
        self._view.say(await copy(self._screen.app, chosen or self._pane.text, what))

    async def copy_cited(self) -> None:
        """Copy the row as Markdown with its citation."""
        address = self._view.address
        text = await asyncio.to_thread(self._session.exports.cited, address)
        self._view.say(
            await copy(self._screen.app, text, f"{address} as Markdown with its citation")
        )

    def export(self) -> None:
        """Write the proposal, the references or a picture."""
        from coi_tui.screens.sheets.export_sheet import ExportSheet

        self._view.open(ExportSheet(self._session, self._go_to_warning), self._exported)

    def _go_to_warning(self, addresses: Sequence[str]) -> None:
        """Put the cursor on the first row that a warning is about; that of its paper or branch where it has none of its own."""
        near = (
            row
            for address in addresses
            for row in (address, address.partition(".")[0], address.partition("/")[0])
        )
        target = next((row for row in near if row in self._view.rows), "")
        if target:
            self._view.go_to_row(target)

    def _exported(self, paths: list[str] | None) -> None:
        from coi_tui.session.exports import written

        self._written = "\n".join(paths or ())
        self._said_written = written(paths or (), self._copy_key)
        self._view.done(self._said_written)
