"""The versions of a text: who made each, when, from which, which one is in use; any can be read and adopted."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from coi_tui.screens.actions import bindings
from coi_tui.screens.listing import Listing
from coi_tui.screens.session_controller import SessionController
from coi_tui.session.queries.history import VersionLine, versions
from coi_tui.widgets.marked_list import MarkedList
from coi_tui.widgets.words import cut, dollars


class VersionList(MarkedList):
    """The rows; Enter belongs to the screen."""

    BINDINGS = bindings("history", "choose")


class HistoryScreen(Listing[str, VersionLine]):
    """Gives a sentence about what was adopted, or None."""

    PLACE = "history"
    BINDINGS = bindings("history")
    LIST = VersionList
    NAMES = ("[1] Versions   newest first", "[2] Text")
    EMPTY = "Nothing has been made here yet."

    def __init__(self, controller: SessionController, address: str) -> None:
        super().__init__(controller)
        self.address = address

    def keys(self) -> Sequence[str]:
        return [str(v.seq) for v in self.items]

    def take(self) -> None:
        self.items = versions(self.session.state, self.address)

    def first(self) -> int:
        return next((n for n, v in enumerate(self.items) if v.in_use), 0)

    def heading(self) -> tuple[str, str]:
        return f"History of {self.address}", f"{self.count} versions"

    def row_texts(self, width: int) -> Sequence[Content]:
        return [_row(v, width) for v in self.items]

    def told(self, at: int) -> tuple[str, str, Sequence[tuple[str, str]]]:
        version = self.items[at]
        about = self.session.queries.detail(self.address, version.seq)
        return f"{self.address} {version.seq}", f"{about.title}   {version.standing}", about.parts

    def off(self, name: str) -> str:
        if name not in ("choose", "adopt"):
            return ""
        if self.at is None:
            return "there is no version"
        if name == "adopt" and self.session.read_only_reason:
            return f"this session is read-only ({self.session.read_only_reason})"
        return "it is in use already" if name == "adopt" and self.items[self.at].in_use else ""

    def do_choose(self) -> None:
        self.about_pane.focus()

    async def do_adopt(self) -> None:
        if self.at is None:
            return
        version = self.items[self.at]
        await self.controller.decide(lambda: self.session.decisions.adopt(self.address, version.seq))
        self.dismiss(f"Version {version.number} of {self.address} is in use and stays so; u undoes it.")


def _row(v: VersionLine, width: int) -> Content:
    cost = dollars(v.cost_usd) if v.cost_usd else ""
    parents = f"from v{' + v'.join(map(str, v.parents))}" if v.parents else ""
    wording = "wording only" if v.wording_only else ""
    first = f"v{v.number:<5} {v.origin:8} {v.time[:16].replace('T', ' '):16}  {v.standing}"
    rest = "  ".join(part for part in (v.maker, cost, parents, wording) if part)
    return Content.styled(cut(f"{first}  {rest}", width), "bold" if v.in_use else "")
