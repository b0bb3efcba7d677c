"""Where the person was: cursor, folds, panes, scroll and the text being edited, kept in the file and taken up at the next opening."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from coi_tui.model.errors import CoiError

if TYPE_CHECKING:
    from textual.screen import Screen

    from coi_tui.screens.workbench.navigation import Navigation
    from coi_tui.screens.workbench.pane_layout import PaneLayout
    from coi_tui.session.session import Session
    from coi_tui.widgets.chain_tree import ChainTree
    from coi_tui.widgets.panes import DetailPane

PLACE, EDITING = "place", "editing"
KEEP_EVERY = 0.8
"""Seconds between looks whether the place has changed; a lost process costs no more than that."""
LAYOUTS = 8
"""Frames that panes get to be laid out in before their scroll is taken up as far as it goes."""


class Place:
    """Takes up the place of the last time and keeps that of now. Nothing here changes the session's log."""

    def __init__(
        self, session: Session, screen: Screen[None], chain: ChainTree, detail: DetailPane, panes: PaneLayout, navigation: Navigation,
        edit: Callable[[], None], at: str,
    ) -> None:  # fmt: skip
        """``edit`` opens the editor on the row under the cursor. ``at``: an address to begin at; empty where the last time ended."""
        self._session, self._screen, self._chain, self._detail = session, screen, chain, detail
        self._panes, self._navigation, self._edit, self._at = panes, navigation, edit, at
        self._kept: dict[str, Any] = {}
        self.recalled = False
        """True once the place of the last time was taken up; from then on that of now is kept."""

    def recall_rows(self) -> None:
        """Take up folds and cursor, before the rows are shown for the first time."""
        kept = self._session.core.remembered(PLACE, {})
        self._kept = kept if isinstance(kept, dict) else {}
        self._chain.begin = (self._asked_for(), str(self._kept.get("at", "")))
        folds = self._kept.get("folds")
        if isinstance(folds, dict):
            self._chain.folds = {str(address): folded is True for address, folded in folds.items()}

    def _asked_for(self) -> str:
        """The address that the app was told to begin at; empty where it was told none, or one that is none."""
        try:
            return self._session.queries.resolve(self._at) if self._at else ""
        except CoiError:
            return ""  # said when the rows are there

    def recall_panes(self) -> None:
        """Panes as they were, once the rows are laid out; then scroll, and the text that was being written."""
        kept = self._kept
        self._screen.set_class(kept.get("inspector") is True, "-inspector")
        self._screen.set_class(kept.get("no inspector") is True, "-no-inspector")
        pane = kept.get("pane")
        if pane in ("chain", "detail", "inspector"):
            self._panes.go(pane)
        if kept.get("zoom") is True:
            self._panes.zoom()
        self._screen.call_after_refresh(self._recall_scroll)

    def _recall_scroll(self, tries: int = LAYOUTS) -> None:
        """A pane that came into view by this has its text laid out a few frames later; until then there is nowhere to scroll to."""
        if not self._scroll_back() and tries:
            self._screen.call_after_refresh(self._recall_scroll, tries - 1)
            return
        self.recalled = True
        self._screen.set_interval(KEEP_EVERY, self.keep)
        if self._at:
            self._begin()
        else:
            self._go_on_writing()

    def _scroll_back(self) -> bool:
        """Scroll the panes to where they were, as far as they go. True when they went all the way."""
        panes = (("top", self._chain), ("read", self._detail))
        wanted = [(pane, line) for name, pane in panes if isinstance(line := self._kept.get(name), int)]
        for pane, line in wanted:
            pane.scroll_to(y=line, animate=False, immediate=True)
        return all(line <= pane.max_scroll_y for pane, line in wanted)

    def _begin(self) -> None:
        """Unfold what hides the row that was asked for, or say that there is none."""
        row = self._asked_for()
        if row not in self._chain.nodes or self._chain.nodes[row].line < 0:
            self._navigation.try_to_go(self._at)

    def _go_on_writing(self) -> None:
        """Open the editor on the draft that was open when the app went away."""
        core = self._session.core
        address = str(core.remembered(EDITING, "") or "")
        if not address or self._session.read_only_reason or not self._screen.is_active:
            return
        if address in self._chain.rows and self._session.edits.draft(address) is not None:
            self._chain.go(address)
            self._edit()
        else:
            core.remember(EDITING, "")

    def now(self) -> dict[str, Any]:
        """Where the person is now."""
        screen, chain = self._screen, self._chain
        return {
            "at": chain.address, "folds": {a: folded for a, folded in chain.folds.items() if a in chain.rows},
            "pane": self._panes.focused or self._kept.get("pane", "chain"), "zoom": screen.has_class("-zoom"),
            "inspector": screen.has_class("-inspector"), "no inspector": screen.has_class("-no-inspector"),
            "top": int(chain.scroll_offset.y), "read": int(self._detail.scroll_offset.y),
        }  # fmt: skip

    def keep(self) -> None:
        """Write the place into the file when it has changed."""
        if not self.recalled or self._screen.has_class("-tiny"):
            return
        now = self.now()
        if now != self._kept and now["at"]:
            self._kept = now
            self._session.core.remember(PLACE, now)
