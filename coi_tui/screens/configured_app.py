"""The part of the app that knows settings and keys, looks after themes, ASCII only and motion, and
drops keys that were meant for what stood there before."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from rich.segment import Segment
from textual import events
from textual.app import App
from textual.color import Color
from textual.css.query import NoMatches
from textual.errors import NoWidget
from textual.filter import LineFilter
from textual.notifications import Notification, Notify, SeverityLevel
from textual.widgets import Input, TextArea

from coi_tui.config_file import Display, read_display
from coi_tui.model.errors import CoiError
from coi_tui.paths import Paths
from coi_tui.screens.base import CoiScreen, answering

if TYPE_CHECKING:
    from coi_tui.config import Keys, Settings
    from coi_tui.screens.open_sessions import OpenSessions


TOOLKIT = {"dark": "textual-dark", "light": "textual-light", "16": "ansi-dark"}
"""Textual's themes by our names for them."""


CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f]")


class NoControls(LineFilter):
    """Drops control characters from every painted line, wherever its text came from.

    Texts are cleaned where they come in; a session file made elsewhere may still hold some, and one
    that reached the terminal could drive it. They have no width, so nothing shifts when they go.
    """

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        if not any(CONTROLS.search(s.text) for s in segments if not s.control):
            return segments
        return [s if s.control else Segment(CONTROLS.sub("", s.text), s.style) for s in segments]


_SIGNS = {
    "-": "─━┄┅┈┉╌╍╴╶╸╺⎯—–‒−",
    "|": "│┃┆┇┊┋╎╏╵╷╹╻▏▕▎▍▌▐▊▋▉",
    "+": "✓┌┍┎┏┐┑┒┓└┕┖┗┘┙┚┛├┝┞┟┠┡┢┣┤┥┦┧┨┩┪┫┬┭┮┯┰┱┲┳┴┵┶┷┸┹┺┻┼╭╮╯╰",
    "=": "═",
    "#": "║╔╗╚╝╠╣╦╩╬█▓■▆▇◆",
    ":": "▒░",
    "_": "▁▂",
    ".": "…·∙‥▃",
    "*": "•●★▪▄▅",
    "o": "○◦◇",
    ">": "→›▶►▸⟶",
    "<": "←‹◀◄◂",
    "^": "↑▲△",
    "v": "↓▼▽▾",
    "e": "✎",
    '"': "“”„«»",
    "'": "‘’‚`",
    "~": "≈",
    "x": "×✗✕",
    "!": "⚠",
}
TABLE = str.maketrans({sign: plain for plain, signs in _SIGNS.items() for sign in signs})
"""Signs, each one cell wide, so that nothing shifts. Letters of any script stay. A typographic
quote or dash in somebody's text is painted as its plain fellow too: a painted line does not say
where a sign came from, and copies and exports take the text itself."""


class AsciiOnly(LineFilter):
    """Swaps the signs in every painted line, while ``enabled``."""

    def __init__(self) -> None:
        super().__init__(enabled=False)

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        if all(s.text.isascii() for s in segments):
            return segments
        return [
            s if s.control or s.text.isascii() else Segment(s.text.translate(TABLE), s.style)
            for s in segments
        ]


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
    fault: BaseException | None = None
    """What ended the app; whoever ran it says so."""

    def __init__(self, places: Paths, settings: Settings | None, keys: Keys | None) -> None:
        super().__init__()
        self.paths = places
        self._settings, self._keys = settings, keys
        self.appearance = read_display(places.config_file)
        self._plain = AsciiOnly()
        self._take(self.appearance)

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

    # -- what comes in, and where it goes

    async def on_event(self, event: events.Event) -> None:
        """Drop keys pressed before the sheet on top was drawn, and the mouse on what has gone; they
        meant what stood there before. No window is without room."""
        if isinstance(event, events.Resize) and not event.size.area:
            event.stop()
            return
        if isinstance(event, events.MouseDown | events.MouseMove) and self._is_gone(event):
            event.stop()
            return
        if isinstance(event, events.Key):
            self.last_key = time.monotonic()
            if self._too_early(event):
                event.stop()
                return
        await super().on_event(event)

    def _is_gone(self, event: events.MouseEvent) -> bool:
        """Whether the mouse is on something that was taken away and stands there until the next
        frame: Textual would ask what holds it."""
        if not self.screen_stack:
            return False
        try:
            widget, _ = self.get_widget_at(event.x, event.y)
        except NoWidget:
            return False
        return widget.parent is None

    def _too_early(self, event: events.Key) -> bool:
        top = self.screen_stack[-1] if self.screen_stack else None
        return isinstance(top, CoiScreen) and event.time < top.listens_from

    def push_screen(
        self,
        screen: Any,
        callback: Any = None,
        wait_for_dismiss: bool = False,
        *,
        mode: str | None = None,
    ) -> Any:
        """Show a screen; ``callback`` takes its result, also when the screen below is leaving by
        then."""
        if callback is not None and self.screen_stack and isinstance(self.screen, CoiScreen):
            callback = answering(self.screen, callback)
        push: Callable[..., Any] = super().push_screen
        return push(screen, callback, wait_for_dismiss, mode=mode)

    # -- appearance

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
        from coi_tui.session.settings import load_keys

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
