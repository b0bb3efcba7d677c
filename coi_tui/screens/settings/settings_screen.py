"""Settings: sections, each with its settings; a change is checked, written to the settings file and
holds from the next plan on."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import OptionList

from coi_tui.config import PRICE_EXAMPLE
from coi_tui.display import THEMES
from coi_tui.model.errors import CoiError
from coi_tui.screens.base import CoiScreen
from coi_tui.screens.sheets.choice_sheet import AskChoice
from coi_tui.screens.sheets.text_sheets import AskText
from coi_tui.session.admin.configuration import (
    SECTIONS,
    Setting,
    about_library,
    about_program,
    facts,
    section_of,
    settings_now,
)
from coi_tui.widgets.fields import MarkedList
from coi_tui.widgets.key_actions import DECIDE, HELP, RUN, KeyAction
from coi_tui.widgets.panes import DetailPane, Line, cut, fit

if TYPE_CHECKING:
    from coi_tui.session.admin.doctor import Checked


CHECKED = ("Providers", "Search")
"""The sections that services belong to."""


SETTINGS_ACTIONS = (
    KeyAction(
        "change",
        "enter",
        "Enter",
        "change",
        "go to the settings of this section; there, change one",
        DECIDE,
        1,
    ),
    KeyAction("toggle", "space", "Space", "switch", "switch a yes/no setting", DECIDE, 2),
    KeyAction(
        "check",
        "c",
        "c",
        "check",
        "check the services for free; `coi doctor --ask` asks each model one short question as well",
        RUN,
        3,
    ),
    HELP,
    KeyAction("cancel", "escape,q", "Esc", "back", "back to the sections, then close", DECIDE, 9),
)


class SettingsScreen(CoiScreen[None]):
    """Nothing here costs anything."""

    PLACE = "settings"
    CSS_PATH = "settings_screen.tcss"
    ACTIONS = SETTINGS_ACTIONS
    TAIL: ClassVar[tuple[str, ...]] = ("cancel", "help")

    def __init__(self) -> None:
        super().__init__()
        self.found: tuple[Checked, ...] = ()
        """What the check of the services found, what failed before the rest."""
        self.checking = False
        self.all: list[Setting] = []
        self.told: dict[str, str] = {}
        """What takes a moment to find out, by section."""

    def body(self) -> ComposeResult:
        yield Line(id="header")
        with Horizontal(id="panes"):
            yield MarkedList(id="sections")
            yield MarkedList(id="settings")
        yield DetailPane(id="about")
        yield Line(id="said")

    def on_mount(self) -> None:
        self.query_one("#sections").border_title = Content("Sections")
        self._list.border_title = Content("Settings")
        self._sections.focus()
        self.replace_worker(self._load, "settings")

    async def _load(self) -> None:
        try:
            await self.coi.load_keys()
            self.all = await asyncio.to_thread(settings_now, self.coi.paths)
        except CoiError as error:
            self.trouble(error)
        self._fill()
        self.told = {
            "Files": await asyncio.to_thread(about_library, self.coi.paths),
            "About": await asyncio.to_thread(about_program),
        }
        self._tell()

    # -- showing

    @property
    def _sections(self) -> MarkedList:
        return self.query_one("#sections", MarkedList)

    @property
    def _list(self) -> MarkedList:
        return self.query_one("#settings", MarkedList)

    @property
    def section(self) -> str:
        """The section under the cursor of the first pane."""
        return SECTIONS[self._sections.highlighted or 0]

    @property
    def shown(self) -> list[Setting]:
        """The settings of the section."""
        return [s for s in self.all if section_of(s) == self.section]

    @property
    def setting(self) -> Setting | None:
        """The setting under the cursor."""
        at = self._list.highlighted
        return self.shown[at] if at is not None and at < len(self.shown) else None

    def on_resize(self, event: events.Resize) -> None:
        self.call_after_refresh(self._fill)

    def _fill(self) -> None:
        self.query_one("#header", Line).say("Settings", f"saved in {self.coi.paths.config_file}")
        here = self._sections.highlighted or 0
        self._sections.show([Content(name) for name in SECTIONS], here)
        self._fill_settings()

    def _fill_settings(self) -> None:
        rows, here = self._list, self._list.highlighted or 0
        labels = [s.key for s in self.shown]
        width = min(max(map(cell_len, labels), default=18), max(18, rows.room * 3 // 5))
        values = [cut(s.shown, max(8, rows.room - width - 4)) for s in self.shown]
        texts = [
            f"{fit(label, width)}  {value}" for label, value in zip(labels, values, strict=True)
        ]
        rows.show(
            [
                Content(text)
                for text in texts or ["Nothing to change here; Tab goes to the text below."]
            ],
            here if texts else 0,
        )
        rows.border_title = Content(self.section)
        self.set_class(not texts and bool(self.all), "-facts")
        self._tell()

    def _tell(self) -> None:
        parts: list[tuple[str, str]] = []
        setting = self.setting if self.focused is self._list else None
        if setting is not None:
            said = f"{setting.help}\nvalue: {setting.shown}   from: {setting.origin}"
            parts.append((setting.key, said))
            if setting.origin.startswith("environment"):
                parts.append(
                    (
                        "",
                        "An environment variable overrides the file: a change here takes effect once the variable is unset.",
                    )
                )
        if self.section in CHECKED and self.found:
            lines = (f"{c.state:7} {c.what}: {c.says}" for c in self.found)
            parts.append(("The services", "\n".join(lines)))
        if told := facts(self.section, self.coi.paths, self.coi.keys):
            parts.append(("", told))
        if slow := self.told.get(self.section):
            parts.append(("The shared library" if self.section == "Files" else "", slow))
        self.query_one("#about", DetailPane).show(self.section, self.section, parts)
        self.refresh_footer()

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        if event.option_list is self._sections:
            self._fill_settings()
        else:
            self._tell()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()

    def on_descendant_focus(self) -> None:
        if self.all:
            self._tell()

    def say(self, text: str) -> None:
        self.query_one("#said", Line).say(text)

    # -- actions

    def off(self, name: str) -> str:
        if name == "toggle" and (
            not self.composed or self.setting is None or not isinstance(self.setting.value, bool)
        ):
            return "this is not a yes/no setting"
        if name == "change" and (not self.composed or not self.shown):
            return "there is nothing to change in this section"
        if name == "check" and self.composed and self.section not in CHECKED:
            return f"services are checked under {' and '.join(CHECKED)}"
        return "the check is still running" if name == "check" and self.checking else ""

    def do_change(self) -> None:
        if self.focused is not self._list:
            self._list.focus()
            return
        setting = self.setting
        if setting is None:
            return
        if setting.key == "llm.prices":
            self.say(f"Input and output, in dollars per million tokens: {PRICE_EXAMPLE}")
            return
        if setting.key == "display.theme":
            sheet = AskChoice("Theme", "", THEMES, "keep", setting.value)
            self.app.push_screen(sheet, self._keep_theme)
            return
        value = "" if setting.value in (None, "") else setting.shown.strip('"')
        self._ask(setting, value, setting.help)

    def _ask(self, setting: Setting, value: str, said: str) -> None:
        async def taken(text: str | None) -> None:
            if text is None:
                return
            try:
                await self._keep(setting.key, text)
            except CoiError as error:
                self._ask(setting, text, f"Not saved: {error}")

        self.app.push_screen(
            AskText(
                setting.key,
                said,
                "set",
                hint="leave empty for the default",
                aside=f"from: {setting.origin}",
                value=value,
            ),
            taken,
        )

    async def _keep_theme(self, name: str | None) -> None:
        if name:
            await self._keep("display.theme", name)

    def do_check(self) -> None:
        self.checking = True
        self.say("Checking with free calls ...")
        self.replace_worker(self._check, "check")

    async def _check(self) -> None:
        from coi_tui.session.admin.doctor import examine

        try:
            found = await examine(self.coi.paths, self.coi.settings, self.coi.keys)
            self.found = tuple(sorted(found, key=lambda c: c.state != "FAILED"))
            fine = sum(c.state == "ok" for c in found)
            self.say(f"{fine} of {len(found)} are fine.")
        except CoiError as error:
            self.trouble(error)
        finally:
            self.checking = False
        self._tell()

    async def do_toggle(self) -> None:
        setting = self.setting
        assert setting is not None
        await self._keep(setting.key, "false" if setting.value else "true")

    async def _keep(self, key: str, text: str) -> None:
        """Check a value as it was typed, keep it and say so. Raises CoiError where it is refused,
        with nothing changed."""
        from coi_tui.session.settings import set_typed, unset_value

        file = self.coi.paths.config_file
        if text.strip():
            await asyncio.to_thread(set_typed, file, key, text.strip())
        else:
            await asyncio.to_thread(unset_value, file, key)
        await self.coi.settings_changed()
        self.all = await asyncio.to_thread(settings_now, self.coi.paths)
        self._fill_settings()
        shown = next((s.shown for s in self.all if s.key == key), "")
        self.say(f"{key} is {shown}; this takes effect with the next plan.")

    def do_cancel(self) -> None:
        if self.focused is not self._sections:
            self._sections.focus()
        else:
            self.dismiss(None)
