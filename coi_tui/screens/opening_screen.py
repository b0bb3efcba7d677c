"""What stands on the screen while a session that was named at the start is opened."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.screen import Screen
from textual.widgets import LoadingIndicator, Static

from coi_tui.screens.base import CoiScreen
from coi_tui.screens.workbench.actions import WORKBENCH_ACTIONS
from coi_tui.widgets.key_actions import bindings


def home_screen() -> CoiScreen[None]:
    """The list of sessions."""
    from coi_tui.screens.home.home_screen import HomeScreen

    return HomeScreen()


class OpeningScreen(Screen[None]):
    """The lowest screen where a session was named. Whoever comes back to it sees the list of sessions over it."""

    BINDINGS = bindings("workbench", WORKBENCH_ACTIONS, "back", "escape")

    def __init__(self, name: str) -> None:
        super().__init__()
        self.wanted = name.rpartition("/")[2].removesuffix(".coi.db")
        self.waits = True
        """False once the session was shown, or was not wanted any more."""

    def compose(self) -> ComposeResult:
        yield Static(f"Opening {self.wanted}.   Esc: the list of sessions", markup=False)
        yield LoadingIndicator()

    def action_act(self, name: str) -> None:
        """The person leaves before the session is there: it is closed when it comes."""
        self.give_way()

    def on_screen_suspend(self) -> None:
        """Take the indicator away: it moves also where it is covered, and all of the screen is painted with it."""
        if not self.waits:
            self.query(LoadingIndicator).remove()

    def on_screen_resume(self) -> None:
        if not self.waits:
            self.give_way()

    def give_way(self) -> None:
        """Show the list of sessions."""
        self.waits = False
        if self.app.screen is self:
            self.app.push_screen(home_screen())
