"""The part of the app that knows settings and keys and looks after themes, ASCII only and
motion."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.app import App
from textual.css.query import NoMatches
from textual.filter import LineFilter
from textual.notifications import Notification, Notify, SeverityLevel
from textual.widgets import Input, TextArea

from coi_tui.display import Display, read_display
from coi_tui.model.errors import CoiError
from coi_tui.paths import Paths
from coi_tui.screens.places import EveryAction
from coi_tui.widgets.key_actions import read_keymap
from coi_tui.widgets.themes import TOOLKIT, AsciiOnly, NoControls

if TYPE_CHECKING:
    from coi_tui.config import Keys, Settings
    from coi_tui.screens.open_sessions import OpenSessions


NO_CONTROLS = NoControls()


class LateNotification(Notification):
    """One whose time may end while its toast is made: a busy machine is enough.

    Textual 8.2 would then set a timer below zero, which never comes to rest and holds the whole
    app.
    """

    LEAST = 0.1
    """Seconds that a toast stands at least."""

    @property
    def time_left(self) -> float:
        return max(super().time_left, self.LEAST)

    @property
    def has_expired(self) -> bool:
        return super().time_left <= 0


class ConfiguredApp(App[None]):
    """Shows everything as ``appearance`` says. Of the settings only the appearance is read before
    the first frame."""

    sessions: OpenSessions
    last_key = 0.0
    """When the last key came, by the monotonic clock."""
    fault: CoiError | None = None
    """Why the settings could not be read; the app leaves, and whoever ran it says so."""

    def __init__(self, places: Paths, settings: Settings | None, keys: Keys | None) -> None:
        super().__init__()
        self.paths = places
        self._settings, self._keys = settings, keys
        self.appearance = read_display(places.config_file)
        self._plain = AsciiOnly()
        self._take(self.appearance)
        self.keymap = read_keymap(places.keys_file, EveryAction())
        self.set_keymap(self.keymap.keys)

    def on_mount(self) -> None:
        for problem in self.keymap.problems:
            self.notify(problem, title="Keys", severity="warning", markup=False, timeout=12)

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        timeout: float | None = None,
        markup: bool = True,
    ) -> None:
        """Show a notification for ``timeout`` seconds."""
        lasts = self.NOTIFICATION_TIMEOUT if timeout is None else timeout
        self.post_message(Notify(LateNotification(message, title, severity, lasts, markup=markup)))

    def get_line_filters(self) -> Sequence[LineFilter]:
        ours = [NO_CONTROLS, self._plain] if self._plain.enabled else [NO_CONTROLS]
        return [*super().get_line_filters(), *ours]

    def _take(self, now: Display) -> None:
        self.appearance = now
        self._plain.enabled = now.ascii
        self.animation_level = "full" if now.motion else "none"
        self.theme = TOOLKIT[now.theme]

    def calm(self) -> None:
        """Let no cursor blink on the screen on top where nothing is to move."""
        try:
            fields = [*self.screen.query(Input), *self.screen.query(TextArea)]
        except NoMatches:
            return
        for field in fields:
            field.cursor_blink = self.appearance.motion

    def show_problem(self, title: str, error: CoiError) -> None:
        """An error that a person is meant to read."""
        from coi_tui.screens.sheets.confirm_sheet import MessageSheet

        told = [("What happened", error.message), ("What you can do", error.hint)]
        self.push_screen(MessageSheet(title, told))

    def leave(self) -> None:
        """As ``quit``, from a key of the home screen."""
        self.run_worker(
            self.action_quit(), name="quit", group="quit", exclusive=True, exit_on_error=False
        )

    # -- settings and keys of services

    @property
    def settings(self) -> Settings:
        """The settings; read when they are first asked for, after the first frame (their models
        take long to import)."""
        if self._settings is None:
            from coi_tui.session.settings import load_settings

            self._settings = load_settings(self.paths.config_file)
        return self._settings

    @property
    def keys(self) -> Keys:
        """The keys of services; none until ``load_keys``."""
        from coi_tui.config import Keys

        return self._keys or Keys()

    async def load_keys(self) -> None:
        """Settings and keys, once and in a thread: keys may come from the system keyring, which can
        be slow.

        The app leaves with ``fault`` set where the settings cannot be read.
        """
        try:
            await asyncio.to_thread(self._load_keys)
        except CoiError as error:
            self.fault = error
            self.exit(return_code=1)
            raise

    def _load_keys(self) -> None:
        from coi_tui.config import load_keys

        if self.settings and self._keys is None:
            self._keys = load_keys()

    async def settings_changed(self) -> None:
        """Read the settings file again."""
        from coi_tui.session.settings import load_settings

        self._settings = await asyncio.to_thread(load_settings, self.paths.config_file)
        self._take(read_display(self.paths.config_file))
        self.calm()
        for screen in self.screen_stack:
            for widget in screen.walk_children(with_self=True):
                widget.notify_style_update()
                widget.refresh()
