"""Settings, by sections; a change is checked, written to the settings file and used from the next
plan on."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial

from coi_tui.config import PRICE_EXAMPLE
from coi_tui.config_file import AUTO, TOOLKIT
from coi_tui.model.document import Table, plain_table
from coi_tui.model.errors import CoiError
from coi_tui.model.text import has_words
from coi_tui.screens.lists import About, ListScreen
from coi_tui.screens.sheets import AskChoice, AskText, named
from coi_tui.session.settings import (
    Setting,
    set_typed,
    settings_now,
    unset_value,
)
from coi_tui.widgets.key_actions import LIST_ACTIONS, KeyAction

ABOUT = (
    "Keys of services come from the environment or the system keyring, and are never stored here.\n"
    "`coi doctor` shows which are found, where the files are, and checks the services for free."
)


class SettingsScreen(ListScreen[None, Setting]):
    """Nothing here costs anything."""

    PLACE = "settings"
    ACTIONS = (
        KeyAction("change", "enter", "change", "change this setting", 1),
        KeyAction("toggle", "space", "switch", "switch a yes/no setting", 2),
        KeyAction("find", "slash", "filter", "filter the settings", 4),
        *LIST_ACTIONS,
    )
    NAMES = ("[1] Settings", "[2] About")
    MARKED = False
    ON_ROW = frozenset({"change", "toggle"})
    EMPTY = "No setting contains all of these words."

    all: Sequence[Setting] = ()

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

    def take(self) -> None:
        self.items = [s for s in self.all if has_words(f"{s.key} {s.help}", self.words)]

    def heading(self) -> tuple[str, str]:
        return "Settings", f"saved in {self.coi.paths.config_file}"

    def columns(self, width: int) -> Table:
        return plain_table(("", ""), ((s.key, s.shown) for s in self.items))

    def about(self, at: int) -> About:
        setting = self.items[at]
        now = f"value: {setting.shown}   from: {setting.origin}"
        if setting.origin.startswith("environment"):
            now += "\nThe environment variable overrides the settings file."
        return setting.key, setting.key, [("", f"{setting.help}\n{now}"), ("", ABOUT)]

    # -- actions

    def off_toggle(self) -> str:
        return "" if isinstance(self.here.value, bool) else "this is not a yes/no setting"

    def do_change(self) -> None:
        setting = self.here
        if setting.key == "llm.prices":
            self.say(f"Input and output, in dollars per million tokens: {PRICE_EXAMPLE}")
        elif setting.key == "keys":
            self.say(
                "`coi config keys` lists them; coi config set keys.workbench.accept y sets one."
            )
        elif setting.key == "display.theme":
            themes = named(dict.fromkeys((AUTO, *TOOLKIT, *sorted(self.app.available_themes)), ""))
            sheet = AskChoice("Theme", themes, "use", begin=setting.value)
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
        setting = self.here
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
