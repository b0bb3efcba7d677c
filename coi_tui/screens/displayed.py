"""The part of the app that looks after looks: themes, ASCII only, motion. A choice made here is written to the settings file."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from textual.app import App
from textual.css.query import NoMatches
from textual.filter import LineFilter
from textual.widgets import Input, TextArea

from coi_tui.display import THEMES, Display, read_display
from coi_tui.model.errors import CoiError
from coi_tui.paths import Paths
from coi_tui.screens.places import EveryAction
from coi_tui.widgets.keymap import read_keymap
from coi_tui.widgets.line_filters import AsciiOnly, NoControls
from coi_tui.widgets.themes import PREFIX, short, themes

NO_CONTROLS = NoControls()


class Displayed(App[None]):
    """Shows everything as ``appearance`` says."""

    def __init__(self, places: Paths) -> None:
        super().__init__()
        self.paths = places
        self.appearance = read_display(places.config_file)
        self._plain = AsciiOnly()
        for theme in themes():
            self.register_theme(theme)
        self._take(self.appearance)
        self.keymap = read_keymap(places.keys_file, EveryAction())
        self.set_keymap(self.keymap.keys)

    def on_mount(self) -> None:
        for problem in self.keymap.problems:
            self.notify(problem, title="Keys", severity="warning", markup=False, timeout=12)

    def get_line_filters(self) -> Sequence[LineFilter]:
        ours = [NO_CONTROLS, self._plain] if self._plain.enabled else [NO_CONTROLS]
        return [*super().get_line_filters(), *ours]

    def _take(self, now: Display) -> None:
        self.appearance = now
        self._plain.enabled = now.ascii
        self.animation_level = "full" if now.motion else "none"
        if f"{PREFIX}{now.theme}" != self.theme:
            self.theme = f"{PREFIX}{now.theme}"

    def calm(self) -> None:
        """Let no cursor blink on the screen on top where nothing is to move."""
        try:
            fields = [*self.screen.query(Input), *self.screen.query(TextArea)]
        except NoMatches:
            return
        for field in fields:
            field.cursor_blink = self.appearance.motion

    async def set_display(self, **change: object) -> str:
        """Change the theme, ASCII only or motion, now and in the settings file. Gives a sentence about it."""
        self._take(replace(self.appearance, **change))  # type: ignore[arg-type]
        self.calm()
        for screen in self.screen_stack:
            screen.refresh_bindings()
            for widget in screen.walk_children(with_self=True):
                widget.notify_style_update()
                widget.refresh()
        from coi_tui.config import set_value

        try:
            for name, value in change.items():
                await asyncio.to_thread(set_value, self.paths.config_file, f"display.{name}", value)
        except CoiError as error:
            return f"It is so until you leave, but was not kept: {error}"
        return "Kept in the settings file."

    def next_theme(self) -> str:
        """The theme after this one."""
        here = short(self.theme)
        return THEMES[(THEMES.index(here) + 1) % len(THEMES)] if here in THEMES else THEMES[0]
