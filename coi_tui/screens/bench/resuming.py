"""Where the person was: cursor, folds, pane, scroll and the text being edited, kept in the file and taken up at the next opening."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from coi_tui.model.errors import CoiError
from coi_tui.screens.bench.layout import PANES, Layout

if TYPE_CHECKING:
    from coi_tui.screens.desk import Desk

PLACE, EDITING = "place", "editing"
KEEP_EVERY = 0.8
"""Seconds between looks whether the place has changed; a lost process costs no more than that."""
LAYOUTS = 8
"""Frames that panes get to be laid out in before their scroll is taken up as far as it goes."""


class Resuming(Layout):
    """Nothing here changes the session's log."""

    def __init__(self, desk: Desk, at: str = "") -> None:
        super().__init__(desk, at)
        self._kept: dict[str, Any] = {}
        self._recalled = False

    def recall_rows(self) -> None:
        """Take up folds and cursor, before the rows are shown for the first time."""
        kept = self.session.core.remembered(PLACE, {})
        self._kept = kept if isinstance(kept, dict) else {}
        self.chain.begin = (self._asked_for(), str(self._kept.get("at", "")))
        folds = self._kept.get("folds")
        if isinstance(folds, dict):
            self.chain.folds = {str(address): folded is True for address, folded in folds.items()}

    def _asked_for(self) -> str:
        """The address that the app was told to begin at; empty where it was told none, or one that is none."""
        try:
            return self.session.queries.resolve(self.begin_at) if self.begin_at else ""
        except CoiError:
            return ""  # said when the rows are there

    def recall_place(self) -> None:
        """Panes as they were, once the rows are laid out; then scroll, and the text that was being written."""
        kept = self._kept
        self.set_class(kept.get("inspector") is True, "-inspector")
        self.set_class(kept.get("no inspector") is True, "-no-inspector")
        pane = kept.get("pane")
        if pane in PANES:
            self._pane(pane)
        if kept.get("zoom") is True:
            self.do_zoom()
        self.call_after_refresh(self._recall_scroll)

    def _recall_scroll(self, tries: int = LAYOUTS) -> None:
        """A pane that came into view by this has its text laid out a few frames later; until then there is nowhere to scroll to."""
        if not self._scroll_back() and tries:
            self.call_after_refresh(self._recall_scroll, tries - 1)
            return
        self._recalled = True
        self.set_interval(KEEP_EVERY, self.keep_place)
        if self.begin_at:
            self._begin()
        else:
            self._go_on_writing()

    def _scroll_back(self) -> bool:
        """Scroll the panes to where they were, as far as they go. True when they went all the way."""
        wanted = [(p, line) for name, p in (("top", self.chain), ("read", self.detail)) if isinstance(line := self._kept.get(name), int)]
        for pane, line in wanted:
            pane.scroll_to(y=line, animate=False, immediate=True)
        return all(line <= pane.max_scroll_y for pane, line in wanted)

    def _begin(self) -> None:
        """Unfold what hides the row that was asked for, or say that there is none."""
        try:
            if self.chain.nodes[self.row_of(self.begin_at)].line < 0:
                self.go_to(self.begin_at)
        except CoiError as error:
            self.trouble(error)

    def _go_on_writing(self) -> None:
        """Open the editor on the draft that was open when the app went away."""
        address = str(self.session.core.remembered(EDITING, "") or "")
        if not address or self.session.read_only_reason or self.app.screen is not self:
            return
        if address in self.chain.rows and self.session.edits.draft(address) is not None:
            self.chain.go(address)
            self.do_edit()
        else:
            self.session.core.remember(EDITING, "")

    def place(self) -> dict[str, Any]:
        """Where the person is now."""
        focused = self.focused.id if self.focused is not None and self.focused.id in PANES else self._kept.get("pane", "chain")
        folds = {address: folded for address, folded in self.chain.folds.items() if address in self.chain.rows}
        return {
            "at": self.chain.address, "folds": folds, "pane": focused, "zoom": self.has_class("-zoom"),
            "inspector": self.has_class("-inspector"), "no inspector": self.has_class("-no-inspector"),
            "top": int(self.chain.scroll_offset.y), "read": int(self.detail.scroll_offset.y),
        }  # fmt: skip

    def keep_open_work(self) -> None:
        """The app is leaving."""
        self.keep_place()

    def keep_place(self) -> None:
        """Write the place into the file when it has changed."""
        if not self._recalled or self.tiny or not self.composed:
            return
        now = self.place()
        if now != self._kept and now["at"]:
            self._kept = now
            self.session.core.remember(PLACE, now)
