"""Which panes show at which width: the inspector, one pane alone, and where the focus goes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from textual.widget import Widget

from coi_tui.screens.workbench.view import Command, Commands

if TYPE_CHECKING:
    from textual.screen import Screen

    from coi_tui.screens.session_controller import SessionController
    from coi_tui.screens.workbench.view import WorkbenchView
    from coi_tui.widgets.chain_tree import ChainTree
    from coi_tui.widgets.inspector import Inspector
    from coi_tui.widgets.panes import DetailPane, JobStrip, PaneRow

THIRD = 100
"""Columns from which the inspector can stand beside the text."""
PANES = ("chain", "detail", "inspector")
WIDTH, LEGEND = "chain width", "legend"


class PaneLayout:
    """Sets the classes of the screen that its style sheet goes by. Widths and the legend are remembered with the session."""

    def __init__(
        self, view: WorkbenchView, controller: SessionController, screen: Screen[None], row: PaneRow, chain: ChainTree, detail: DetailPane,
        inspector: Inspector, jobs: JobStrip, show_inspector: Callable[[], None],
    ) -> None:  # fmt: skip
        """``show_inspector`` is called when the inspector may have come into sight."""
        self._view, self._session, self._screen, self._row = view, controller.session, screen, row
        self._chain, self._detail, self._inspector, self._jobs = chain, detail, inspector, jobs
        self._show_inspector = show_inspector

    def commands(self) -> Commands:
        """The keys of panes."""
        return {
            "pane_1": Command(lambda: self.go("chain")), "pane_2": Command(lambda: self.go("detail")),
            "pane_3": Command(lambda: self.go("inspector")), "pane_4": Command(self._go_to_jobs, self._off_jobs),
            "inspector": Command(self.toggle_inspector), "zoom": Command(self.zoom), "legend": Command(self.toggle_legend),
        }  # fmt: skip

    def _has(self, name: str) -> bool:
        return self._screen.has_class(name)

    def recall(self) -> None:
        """Take up what was remembered of the last time."""
        width = self._session.core.remembered(WIDTH, 0)
        self._row.dragged = width if isinstance(width, int) else 0
        self._screen.set_class(self._session.core.remembered(LEGEND) is False, "-no-legend")

    def keep_width(self, width: int) -> None:
        """Remember the width that the chain was dragged to."""
        self._session.core.remember(WIDTH, width)

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
        return next((pane for pane in (self._detail, self._inspector) if self._screen.focused is pane), None)

    # -- panes ----------------------------------------------------------------------------------------------------

    def go(self, name: str, *, focus: bool = True) -> None:
        """Go to a pane; where there is no room for it beside the others, it takes the place of one."""
        pane = self._pane(name)
        if self._has("-zoom") and not pane.has_class("-alone"):
            self.unzoom()
        self._screen.set_class(name == "detail", "-detail")
        if name == "inspector":
            self._screen.add_class("-inspector")
            self._screen.remove_class("-no-inspector")
        elif self._has("-one") or (name == "detail" and not self._has("-mid")):
            self._screen.remove_class("-inspector")
        self.fit()
        if focus or self._has("-one"):
            pane.focus()
        self._screen.call_after_refresh(self._show_inspector)

    def _pane(self, name: str) -> Widget:
        return {"chain": self._chain, "detail": self._detail, "inspector": self._inspector}[name]

    def _off_jobs(self) -> str:
        return "" if self._jobs.display else "nothing runs"

    def _go_to_jobs(self) -> None:
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
        self._pane(self.focused or "chain").add_class("-alone")
        self._screen.add_class("-zoom")
        self.fit()
        self._screen.call_after_refresh(self._show_inspector)
        self._view.say("z or Esc: back to all panes.")

    def unzoom(self) -> None:
        """Show all panes again."""
        if self._has("-zoom"):
            self._screen.remove_class("-zoom")
            for pane in (self._chain, self._detail, self._inspector):
                pane.remove_class("-alone")
            self.fit()
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

    def toggle_legend(self) -> None:
        """Show the legend of the marks, or take it away."""
        self._screen.toggle_class("-no-legend")
        on = not self._has("-no-legend")
        self._session.core.remember(LEGEND, on)
        where = "" if self._screen.query_one("#legend").display or not on else " It shows where there is room for it."
        self._view.say(f"The legend of the marks is {'on' if on else 'off'}.{where}")

    # -- sizes ----------------------------------------------------------------------------------------------------

    def take_width(self, width: int) -> None:
        """The class of a width with room for the inspector beside the text."""
        self._screen.set_class(width >= THIRD and self._has("-two"), "-mid")

    def resized(self) -> None:
        """Cursor, focus and scroll stay, unless the pane with the focus has no room any more."""
        self.fit()
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

    def fit(self) -> None:
        """Give the chain the width that it was dragged to, where it stands beside other panes."""
        self._row.fit(beside=not self._has("-one") and not self._has("-zoom"))
