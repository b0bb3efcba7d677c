"""What screens need of the application that shows them: sessions, jobs, places. The app is on the floor above."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from coi_tui.config import Keys, Settings
from coi_tui.display import Display
from coi_tui.model.errors import CoiError
from coi_tui.paths import Paths
from coi_tui.screens.session_controller import Job, SessionController
from coi_tui.session.decisions.new_session_draft import NewSessionDraft
from coi_tui.widgets.keymap import Keymap

if TYPE_CHECKING:
    from coi_tui.session.runs.plans import Plan


class Sessions(Protocol):
    """The sessions that are open."""

    controllers: dict[Path, SessionController]
    """By the files of the sessions."""

    def open(self, name: str | Path) -> None:
        """Open a session, or go back to one that is open, and show it."""

    def create(self, draft: NewSessionDraft) -> None:
        """Make a session and show it."""

    def open_demo(self) -> None:
        """Show the demo session."""

    def leave(self, controller: SessionController) -> None:
        """A screen lets go of a session."""

    def start_job(self, controller: SessionController, plan: Plan) -> Job:
        """Run an approved plan of a session."""


class Host(Protocol):
    """The application, as its screens see it."""

    paths: Paths
    appearance: Display
    keymap: Keymap
    key_at: float
    """When the last key came, by the monotonic clock."""

    @property
    def settings(self) -> Settings:
        """The settings of the person."""

    @property
    def keys(self) -> Keys:
        """The keys of services; none until ``load_keys``."""

    @property
    def sessions(self) -> Sessions:
        """The sessions that are open."""

    async def load_keys(self) -> None:
        """Bring ``keys`` in, wherever they are kept."""

    def show_problem(self, title: str, error: CoiError) -> None:
        """Show an error that a person is meant to read."""

    async def settings_changed(self) -> None:
        """Read the settings file again; open sessions go by it from their next plan on."""

    async def set_display(self, **change: object) -> str:
        """Change theme, ASCII only or motion, now and in the settings file; a sentence about it."""

    def next_theme(self) -> str:
        """The theme after this one."""

    def calm(self) -> None:
        """Let no cursor blink where nothing is to move."""

    def leave(self) -> None:
        """Stop what runs, close every session, leave."""
