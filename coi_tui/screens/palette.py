"""The command palette: Textual's, made safe for keys that come before its list is drawn or after it has closed."""

from __future__ import annotations

from typing import ClassVar

from textual.await_complete import AwaitComplete
from textual.binding import Binding, BindingType
from textual.command import CommandList, CommandPalette

from coi_tui.widgets.marked_list import turn_page


class Palette(CommandPalette):
    """Leaves once, and turns pages only where there are some."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("pagedown", "page_down", "Next page", show=False), Binding("pageup", "page_up", "Previous page", show=False),
    ]  # fmt: skip

    @property
    def _list(self) -> CommandList:
        return self.query_one(CommandList)

    def action_page_down(self) -> None:
        turn_page(self._list, self._list.action_page_down)

    def action_page_up(self) -> None:
        turn_page(self._list, self._list.action_page_up)

    def dismiss(self, result: None = None) -> AwaitComplete:
        """Leave, unless another screen is on top."""
        return super().dismiss(result) if self.app.screen is self else AwaitComplete()
