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
        if self._has("-zoom") and not pane.has_class("-alone"):
            self.unzoom()
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
        self.unzoom()
        self.bench.set_class(self._has("-wide"), "-no-inspector")
        self.bench.remove_class("-inspector")
        self.go("chain")

    def do_zoom(self) -> None:
        """Show the pane with the focus alone, or all of them again."""
        if self._has("-zoom"):
            self.unzoom()
            return
        self.bench.query_one(f"#{self.focused or 'chain'}").add_class("-alone")
        self.bench.add_class("-zoom")
        self.bench.call_after_refresh(self.bench.show_inspector)
        self.bench.say("Esc: back to all panes.")

    def unzoom(self) -> None:
        """Show all panes again."""
        if self._has("-zoom"):
            self.bench.remove_class("-zoom")
            for pane in (self.bench.chain, self.bench.detail, self.bench.inspector):
                pane.remove_class("-alone")
            self.bench.say("")

    def escape_pane(self) -> bool:
        """Leave a pane that stands alone or in the place of another or the inspector;
        False where there is none."""
        at = self.bench.focused
        if self._has("-zoom"):
            self.unzoom()
        elif at is self.bench.inspector and self._has("-inspector") and not self._has("-wide"):
            self.bench.remove_class("-inspector")
            self.go("chain")
        elif at is self.bench.inspector:
            self.go("chain")
        else:
            return False
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
        if self._has("-one") and not self._has("-zoom"):
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
KEEP_EVERY = 0.8
"""Seconds between looks whether the place has changed; a lost process costs no more than that."""
LAYOUTS = 8
"""Frames that panes get to be laid out in before their scroll is taken up as far as it goes."""


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

    def recall_panes(self) -> None:
        """Panes as they were, once the rows are laid out; then scroll, and the text that was being
        written."""
        kept = self._kept
        self.bench.set_class(kept.get("inspector") is True, "-inspector")
        self.bench.set_class(kept.get("no inspector") is True, "-no-inspector")
        pane = kept.get("pane")
        if pane in ("chain", "detail", "inspector"):
            self.bench.panes.go(pane)
        if kept.get("zoom") is True:
            self.bench.panes.do_zoom()
        self.bench.call_after_refresh(self._recall_scroll)

    def _recall_scroll(self, tries: int = LAYOUTS) -> None:
        """A pane that came into view by this has its text laid out a few frames later; until then
        there is nowhere to scroll to."""
        if not self._scroll_back() and tries:
            self.bench.call_after_refresh(self._recall_scroll, tries - 1)
            return
        self.recalled = True
        self.bench.set_interval(KEEP_EVERY, self.keep_quietly)
        if self._at:
            self._begin()
        else:
            self._go_on_writing()

    def _scroll_back(self) -> bool:
        """Scroll the panes to where they were, as far as they go. True when they went all the
        way."""
        panes = (("top", self.bench.chain), ("read", self.bench.detail))
        wanted = [
            (pane, line) for name, pane in panes if isinstance(line := self._kept.get(name), int)
        ]
        for pane, line in wanted:
            pane.scroll_to(y=line, animate=False, immediate=True)
        return all(line <= pane.max_scroll_y for pane, line in wanted)

    def _begin(self) -> None:
        """Unfold what hides the row that was asked for, or say that there is none."""
        row = self._asked_for()
        if row not in self.bench.chain.nodes or self.bench.chain.nodes[row].line < 0:
            self.bench.navigation.try_to_go(self._at)

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
        screen, chain = self.bench, self.bench.chain
        return {
            "at": chain.address,
            "folds": {a: folded for a, folded in chain.folds.items() if a in chain.rows},
            "pane": self.bench.panes.focused or self._kept.get("pane", "chain"),
            "zoom": screen.has_class("-zoom"),
            "inspector": screen.has_class("-inspector"),
            "no inspector": screen.has_class("-no-inspector"),
            "top": int(chain.scroll_offset.y),
            "read": int(self.bench.detail.scroll_offset.y),
        }

    def keep_quietly(self) -> None:
        """Keep the place every so often. A full disk is told where work is written, not here."""
        with contextlib.suppress(CoiError):
            self.keep()

    def keep(self) -> None:
        """Write the place into the file when it has changed."""
        if not self.recalled or self.bench.has_class("-tiny"):
            return
        now = self.now()
        if now != self._kept and now["at"]:
            self._kept = now
            self.session.core.remember(PLACE, now)
