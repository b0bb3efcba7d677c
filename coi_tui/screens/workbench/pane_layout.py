"""Which panes show at which width, and where the person was: kept in the file and taken up at the
next opening."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from coi_tui.model.errors import CoiError

if TYPE_CHECKING:
    from coi_tui.screens.workbench.workbench import WorkbenchScreen

THIRD = 100
"""Columns from which the inspector can stand beside the text."""
PANES = ("chain", "detail", "inspector")


class PaneLayout:
    """Sets the classes of the screen that its style sheet goes by."""

    def __init__(self, bench: WorkbenchScreen) -> None:
        self.bench = bench

    def do_pane_1(self) -> None:
        self.go("chain")

    def do_pane_2(self) -> None:
        self.go("detail")

    def _has(self, name: str) -> bool:
        return self.bench.has_class(name)

    @property
    def inspects(self) -> bool:
        """True when the inspector is on the screen."""
        return self.bench.inspector.is_mounted and self.bench.inspector.display

    @property
    def focused(self) -> str:
        """The pane that has the focus; empty where none has."""
        focused = self.bench.focused
        return focused.id if focused is not None and focused.id in PANES else ""

    # -- panes

    def go(self, name: str, *, focus: bool = True) -> None:
        """Go to a pane; where there is no room for it beside the others, it takes the place of
        one."""
        pane = self.bench.query_one(f"#{name}")

        self.bench.set_class(name == "detail", "-detail")
        if name == "inspector":
            self.bench.add_class("-inspector")
            self.bench.remove_class("-no-inspector")
        elif self._has("-one") or (name == "detail" and not self._has("-mid")):
            self.bench.remove_class("-inspector")
        if focus or self._has("-one"):
            pane.focus()
        self.bench.call_after_refresh(self.bench.show_inspector)

    def do_inspector(self) -> None:
        """Go to the inspector; from there back to the chain, with the inspector out of sight."""
        if self.bench.focused is not self.bench.inspector:
            self.go("inspector")
            return
        self.bench.set_class(self._has("-wide"), "-no-inspector")
        self.bench.remove_class("-inspector")
        self.go("chain")

    def escape_pane(self) -> bool:
        """Leave the inspector; False where the focus is elsewhere."""
        if self.bench.focused is not self.bench.inspector:
            return False
        if not self._has("-wide"):
            self.bench.remove_class("-inspector")
        self.go("chain")
        return True

    def escape_text(self) -> bool:
        """Go from the text back to the chain; False where the chain has the focus."""
        if self.bench.focused is not self.bench.detail and not self._has("-detail"):
            return False
        self.go("chain")
        return True

    # -- sizes

    def take_width(self, width: int) -> None:
        """The class of a width with room for the inspector beside the text."""
        self.bench.set_class(width >= THIRD and self._has("-two"), "-mid")

    def resized(self) -> None:
        """Cursor, focus and scroll stay, unless the pane with the focus has no room any more."""
        if self._has("-one"):
            name = self.focused or "chain"
            self.bench.set_class(name == "detail", "-detail")
            self.bench.set_class(name == "inspector", "-inspector")
        self.bench.call_after_refresh(self._settle)

    def _settle(self) -> None:
        self._keep_focus()
        self.bench.show_inspector()

    def _keep_focus(self) -> None:
        """Give the focus to the chain, or to the text, when its pane is not on the screen."""
        if not self.bench.is_active or self._has("-tiny"):
            return
        focused = self.bench.focused
        if focused is None or not focused.display:
            (self.bench.chain if self.bench.chain.display else self.bench.detail).focus()


PLACE, EDITING = "place", "editing"


class Place:
    """Takes up the place of the last time and keeps that of now. Nothing here changes the session's
    log."""

    def __init__(self, bench: WorkbenchScreen, at: str) -> None:
        """``at``: an address to begin at; empty where the last time ended."""
        self.bench, self.session, self._at = bench, bench.session, at
        self._kept: dict[str, Any] = {}
        self.recalled = False
        """True once the place of the last time was taken up; from then on that of now is kept."""

    def recall_rows(self) -> None:
        """Take up folds and cursor, before the rows are shown for the first time."""
        kept = self.session.core.remembered(PLACE, {})
        self._kept = kept if isinstance(kept, dict) else {}
        self.bench.chain.begin = (self._asked_for(), str(self._kept.get("at", "")))
        folds = self._kept.get("folds")
        if isinstance(folds, dict):
            self.bench.chain.folds = {
                str(address): folded is True for address, folded in folds.items()
            }

    def _asked_for(self) -> str:
        """The address that the app was told to begin at; empty where it was told none, or one that
        is none."""
        try:
            return self.session.queries.resolve(self._at) if self._at else ""
        except CoiError:
            return ""  # said when the rows are there

    def begin(self) -> None:
        """Go to the row that was asked for, or say that there is none; else go on writing."""
        self.recalled = True
        if not self._at:
            self._go_on_writing()
        elif self.bench.chain.address != self._asked_for():
            try:
                self.bench.navigation.go_to(self._at)
            except CoiError as error:
                self.bench.trouble(error)

    def _go_on_writing(self) -> None:
        """Open the editor on the draft that was open when the app went away."""
        core = self.session.core
        address = str(core.remembered(EDITING, "") or "")
        if not address or self.session.read_only_reason or not self.bench.is_active:
            return
        if address in self.bench.chain.rows and self.session.edits.draft(address) is not None:
            self.bench.chain.go(address)
            self.bench.text_actions.do_edit()
        else:
            core.remember(EDITING, "")

    def now(self) -> dict[str, Any]:
        """Where the person is now."""
        chain = self.bench.chain
        folds = {a: folded for a, folded in chain.folds.items() if a in chain.rows}
        return {"at": chain.address, "folds": folds}

    def keep(self) -> None:
        """Write the place into the file when it has changed."""
        if not self.recalled or self.bench.has_class("-tiny"):
            return
        now = self.now()
        if now != self._kept and now["at"]:
            self._kept = now
            with contextlib.suppress(CoiError):  # a full disk must not hold the leaving up
                self.session.core.remember(PLACE, now)
