"""Which panes show at which width, and where the person was: kept in the file and taken up at the next opening."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

from textual.screen import Screen
from textual.widget import Widget

from coi_tui.model.errors import CoiError
from coi_tui.screens.workbench.commands import Command, Commands, WorkbenchView
from coi_tui.session.session import Session
from coi_tui.widgets.chain_tree import ChainTree
from coi_tui.widgets.panes import DetailPane, Inspector, JobStrip

THIRD = 100
"""Columns from which the inspector can stand beside the text."""
PANES = ("chain", "detail", "inspector")


class PaneLayout:
    """Sets the classes of the screen that its style sheet goes by."""

    def __init__(
        self,
        view: WorkbenchView,
        screen: Screen[None],
        chain: ChainTree,
        detail: DetailPane,
        inspector: Inspector,
        jobs: JobStrip,
        show_inspector: Callable[[], None],
    ) -> None:
        """``show_inspector`` is called when the inspector may have come into sight."""
        self._view, self._screen = view, screen
        self._chain, self._detail, self._inspector, self._jobs = chain, detail, inspector, jobs
        self._show_inspector = show_inspector

    def commands(self) -> Commands:
        """The keys of panes."""
        return {
            "pane_1": Command(lambda: self.go("chain")),
            "pane_2": Command(lambda: self.go("detail")),
            "pane_3": Command(lambda: self.go("inspector")),
            "pane_4": Command(self.go_to_jobs, self._off_jobs),
            "inspector": Command(self.toggle_inspector),
            "zoom": Command(self.zoom),
        }

    def _has(self, name: str) -> bool:
        return self._screen.has_class(name)

    @property
    def inspects(self) -> bool:
        """True when the inspector is on the screen."""
        return self._inspector.is_mounted and self._inspector.display

    @property
    def focused(self) -> str:
        """The pane that has the focus; empty where none has."""
        focused = self._screen.focused
        return focused.id if focused is not None and focused.id in PANES else ""

    @property
    def reading(self) -> DetailPane | Inspector | None:
        """The pane of text that has the focus."""
        return next(
            (pane for pane in (self._detail, self._inspector) if self._screen.focused is pane), None
        )

    # -- panes ----------------------------------------------------------------------------------------------------

    def go(self, name: str, *, focus: bool = True) -> None:
        """Go to a pane; where there is no room for it beside the others, it takes the place of one."""
        pane = self.pane(name)
        if self._has("-zoom") and not pane.has_class("-alone"):
            self.unzoom()
        self._screen.set_class(name == "detail", "-detail")
        if name == "inspector":
            self._screen.add_class("-inspector")
            self._screen.remove_class("-no-inspector")
        elif self._has("-one") or (name == "detail" and not self._has("-mid")):
            self._screen.remove_class("-inspector")
        if focus or self._has("-one"):
            pane.focus()
        self._screen.call_after_refresh(self._show_inspector)

    def pane(self, name: str) -> Widget:
        """A pane by its id."""
        return {
            "chain": self._chain,
            "detail": self._detail,
            "inspector": self._inspector,
            "jobs": self._jobs,
        }[name]

    @property
    def in_sight(self) -> dict[str, Widget]:
        """The panes on the screen, by their ids."""
        panes = {name: self.pane(name) for name in (*PANES, "jobs")}
        return {
            name: pane
            for name, pane in panes.items()
            if pane.is_mounted and pane.display and pane.region
        }

    def _off_jobs(self) -> str:
        return "" if self._jobs.display else "nothing runs"

    def go_to_jobs(self) -> None:
        """Go to the strip of jobs."""
        self._jobs.can_focus = True
        self._jobs.focus()

    def toggle_inspector(self) -> None:
        """Show the inspector, or take it away."""
        self.unzoom()
        if self._has("-wide"):
            self._screen.toggle_class("-no-inspector")
        elif self._has("-one") and not self._has("-inspector"):
            self.go("inspector")
            return
        else:
            self._screen.toggle_class("-inspector")
        self._keep_focus()
        self._screen.call_after_refresh(self._show_inspector)

    def zoom(self) -> None:
        """Show the pane with the focus alone, or all of them again."""
        if self._has("-zoom"):
            self.unzoom()
            return
        self.pane(self.focused or "chain").add_class("-alone")
        self._screen.add_class("-zoom")
        self._screen.call_after_refresh(self._show_inspector)
        self._view.say("z or Esc: back to all panes.")

    def unzoom(self) -> None:
        """Show all panes again."""
        if self._has("-zoom"):
            self._screen.remove_class("-zoom")
            for pane in (self._chain, self._detail, self._inspector):
                pane.remove_class("-alone")
            self._view.say("")

    def escape_pane(self) -> bool:
        """Leave a pane that stands alone or in the place of another, the inspector or the jobs; False where there is none."""
        at = self._screen.focused
        if self._has("-zoom"):
            self.unzoom()
        elif at is self._inspector and self._has("-inspector") and not self._has("-wide"):
            self._screen.remove_class("-inspector")
            self.go("chain")
        elif at is self._inspector or at is self._jobs:
            self.go("chain")
        else:
            return False
        return True

    def escape_text(self) -> bool:
        """Go from the text back to the chain; False where the chain has the focus."""
        if self._screen.focused is not self._detail and not self._has("-detail"):
            return False
        self.go("chain")
        return True

    # -- sizes ----------------------------------------------------------------------------------------------------

    def take_width(self, width: int) -> None:
        """The class of a width with room for the inspector beside the text."""
        self._screen.set_class(width >= THIRD and self._has("-two"), "-mid")

    def resized(self) -> None:
        """Cursor, focus and scroll stay, unless the pane with the focus has no room any more."""
        if self._has("-one") and not self._has("-zoom"):
            name = self.focused or "chain"
            self._screen.set_class(name == "detail", "-detail")
            self._screen.set_class(name == "inspector", "-inspector")
        self._screen.call_after_refresh(self._settle)

    def _settle(self) -> None:
        self._keep_focus()
        self._show_inspector()

    def _keep_focus(self) -> None:
        """Give the focus to the chain, or to the text, when its pane is not on the screen."""
        if not self._screen.is_active or self._has("-tiny"):
            return
        focused = self._screen.focused
        if focused is None or not focused.display:
            (self._chain if self._chain.display else self._detail).focus()


PLACE, EDITING = "place", "editing"
KEEP_EVERY = 0.8
"""Seconds between looks whether the place has changed; a lost process costs no more than that."""
LAYOUTS = 8
"""Frames that panes get to be laid out in before their scroll is taken up as far as it goes."""


class Place:
    """Takes up the place of the last time and keeps that of now. Nothing here changes the session's log."""

    def __init__(
        self,
        session: Session,
        screen: Screen[None],
        chain: ChainTree,
        detail: DetailPane,
        panes: PaneLayout,
        go_to: Callable[[str], None],
        edit: Callable[[], None],
        at: str,
    ) -> None:
        """``go_to`` goes to the row of a typed address, or says that there is none; ``edit`` opens the editor on the row under the cursor.

        ``at``: an address to begin at; empty where the last time ended.
        """
        self._session, self._screen, self._chain, self._detail = session, screen, chain, detail
        self._panes, self._go_to, self._edit, self._at = panes, go_to, edit, at
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
        self._screen.set_interval(KEEP_EVERY, self.keep_quietly)
        if self._at:
            self._begin()
        else:
            self._go_on_writing()

    def _scroll_back(self) -> bool:
        """Scroll the panes to where they were, as far as they go. True when they went all the way."""
        panes = (("top", self._chain), ("read", self._detail))
        wanted = [
            (pane, line) for name, pane in panes if isinstance(line := self._kept.get(name), int)
        ]
        for pane, line in wanted:
            pane.scroll_to(y=line, animate=False, immediate=True)
        return all(line <= pane.max_scroll_y for pane, line in wanted)

    def _begin(self) -> None:
        """Unfold what hides the row that was asked for, or say that there is none."""
        row = self._asked_for()
        if row not in self._chain.nodes or self._chain.nodes[row].line < 0:
            self._go_to(self._at)

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
            "at": chain.address,
            "folds": {a: folded for a, folded in chain.folds.items() if a in chain.rows},
            "pane": self._panes.focused or self._kept.get("pane", "chain"),
            "zoom": screen.has_class("-zoom"),
            "inspector": screen.has_class("-inspector"),
            "no inspector": screen.has_class("-no-inspector"),
            "top": int(chain.scroll_offset.y),
            "read": int(self._detail.scroll_offset.y),
        }

    def keep_quietly(self) -> None:
        """Keep the place every so often. A full disk is told where work is written, not here."""
        with contextlib.suppress(CoiError):
            self.keep()

    def keep(self) -> None:
        """Write the place into the file when it has changed."""
        if not self.recalled or self._screen.has_class("-tiny"):
            return
        now = self.now()
        if now != self._kept and now["at"]:
            self._kept = now
            self._session.core.remember(PLACE, now)
