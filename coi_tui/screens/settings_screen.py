"""Settings, by sections; a change is checked, written to the settings file and used from the next
plan on."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from textual.content import Content

from coi_tui.config import PRICE_EXAMPLE
from coi_tui.config_file import THEMES
from coi_tui.model.errors import CoiError
from coi_tui.screens.list_screen import About, ListScreen
from coi_tui.screens.sheets.choice_sheet import AskChoice, named
from coi_tui.screens.sheets.text_sheets import AskText
from coi_tui.session.settings import (
    SECTIONS,
    Setting,
    section_of,
    set_typed,
    settings_now,
    unset_value,
)
from coi_tui.widgets.key_actions import DECIDE, LIST_ACTIONS, LOOK, KeyAction
from coi_tui.widgets.panes import column, cut, fit

SETTINGS_ACTIONS = (
    KeyAction("change", "enter", "Enter", "change", "change this setting", DECIDE, 1),
    KeyAction("toggle", "space", "Space", "switch", "switch a yes/no setting", DECIDE, 2),
    KeyAction("find", "slash", "/", "filter", "filter the settings", LOOK, 4),
    *LIST_ACTIONS,
)


ABOUT = (
    "Keys of services come from the environment or the system keyring, and are never stored here.\n"
    "`coi doctor` shows which are found, where the files are, and checks the services for free."
)


@dataclass(frozen=True)
class SettingLine:
    """A section, or one of its settings."""

    section: str
    setting: Setting | None = None


class SettingsScreen(ListScreen[None, SettingLine]):
    """Nothing here costs anything."""

    PLACE = "settings"
    ACTIONS = SETTINGS_ACTIONS
    NAMES = ("[1] Settings", "[2] About")
    MARKED = False

    def __init__(self) -> None:
        super().__init__()
        self.all: list[Setting] = []

    def on_mount(self) -> None:
        self.replace_worker(self._load, "settings")

    async def _load(self) -> None:
        try:
            await self.coi.load_keys()
            self.all = await asyncio.to_thread(settings_now, self.coi.paths.config_file)
        except CoiError as error:
            self.trouble(error)
        self.load()

    # -- showing

    def keys(self) -> Sequence[str]:
        return [line.setting.key if line.setting else line.section for line in self.items]

    def take(self) -> None:
        words = self.words.casefold().split()
        lines: list[SettingLine] = []
        for section in SECTIONS:
            inside = [s for s in self.all if section_of(s.key) == section]
            shown = [s for s in inside if all(w in f"{s.key} {s.help}".casefold() for w in words)]
            if shown or not words:
                lines += [SettingLine(section), *(SettingLine(section, s) for s in shown)]
        self.items = lines

    def heading(self) -> tuple[str, str]:
        return "Settings", f"saved in {self.coi.paths.config_file}"

    def row_texts(self, width: int) -> Sequence[Content]:
        names = column(
            (line.setting.key for line in self.items if line.setting), 18, width * 3 // 5
        )
        return [
            Content(cut(f"  {fit(line.setting.key, names)}  {line.setting.shown}", width))
            if line.setting
            else Content.styled(line.section, "bold")
            for line in self.items
        ]

    def told(self, at: int) -> About:
        line = self.items[at]
        if line.setting is None:
            return line.section, line.section, [("", ABOUT)]
        now = f"value: {line.setting.shown}   from: {line.setting.origin}"
        if line.setting.origin.startswith("environment"):
            now += "\nThe environment variable overrides the settings file."
        return line.setting.key, line.setting.key, [("", f"{line.setting.help}\n{now}")]

    # -- actions

    @property
    def setting(self) -> Setting | None:
        """The setting under the cursor."""
        return self.chosen.setting if self.chosen is not None else None

    def off_change(self) -> str:
        return "" if self.setting is not None else "this is the name of a section"

    def off_toggle(self) -> str:
        is_switch = self.setting is not None and isinstance(self.setting.value, bool)
        return "" if is_switch else "this is not a yes/no setting"

    def do_change(self) -> None:
        setting = self.setting
        assert setting is not None
        if setting.key == "llm.prices":
            self.say(f"Input and output, in dollars per million tokens: {PRICE_EXAMPLE}")
        elif setting.key == "display.theme":
            sheet = AskChoice("Theme", named(THEMES), "use", begin=setting.value)
            self.ask(sheet, partial(self._save, "display.theme"))
        else:
            value = "" if setting.value in (None, "") else setting.shown.strip('"')
            self._ask(setting, value, setting.help)

    def _ask(self, setting: Setting, value: str, effect: str) -> None:
        async def typed(text: str) -> None:
            try:
                await self._save(setting.key, text)
            except CoiError as error:
                self._ask(setting, text, f"Not saved: {error}")

        hint, aside = "leave empty for the default", f"from: {setting.origin}"
        sheet = AskText(setting.key, effect, "set", hint=hint, aside=aside, value=value)
        self.ask(sheet, typed)

    async def do_toggle(self) -> None:
        setting = self.setting
        assert setting is not None
        await self._save(setting.key, "false" if setting.value else "true")

    async def _save(self, key: str, text: str) -> None:
        """Check a value as it was typed and save it. Raises CoiError where it is refused, with
        nothing changed."""
        file = self.coi.paths.config_file
        if text.strip():
            await asyncio.to_thread(set_typed, file, key, text.strip())
        else:
            await asyncio.to_thread(unset_value, file, key)
        await self.coi.settings_changed()
        self.all = await asyncio.to_thread(settings_now, self.coi.paths.config_file)
        shown = next((s.shown for s in self.all if s.key == key), "")
        self.done(f"{key} is {shown}; this takes effect with the next plan.")
