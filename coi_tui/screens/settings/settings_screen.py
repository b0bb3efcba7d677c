"""Settings: sections, each with its settings; a change is checked, written to the settings file and
holds from the next plan on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import OptionList

from coi_tui.config import PRICE_EXAMPLE
from coi_tui.model.errors import CoiError
from coi_tui.screens.base import CoiScreen
from coi_tui.screens.settings.setting_sheets import SettingSheet
from coi_tui.session.admin.about import about_library, about_program
from coi_tui.session.admin.configuration import SECTIONS, Setting, facts, section_of, settings_now
from coi_tui.widgets.fields import MarkedList
from coi_tui.widgets.formatting import cut, fit
from coi_tui.widgets.key_actions import DECIDE, HELP, LOOK, MOVE, RUN, KeyAction
from coi_tui.widgets.panes import DetailPane, Line

if TYPE_CHECKING:
    from coi_tui.session.admin.doctor import Checked


CHECKED = ("Providers", "Search")
"""The sections that services belong to."""


class ServiceCheck:
    """``c`` checks the services with calls that are free."""

    def __init__(self, screen: CoiScreen[None], show: Callable[[], None]) -> None:
        """``show`` brings the screen in line with what was found."""
        self._screen, self._show = screen, show
        self.found: tuple[Checked, ...] = ()
        self.running = False

    @property
    def findings(self) -> str:
        """The findings, a line each, what failed before the rest."""
        troubles_first = sorted(self.found, key=lambda c: c.state != "FAILED")
        return "\n".join(f"{c.state:7} {c.what}: {c.says}" for c in troubles_first)

    def why_not(self, section: str) -> str:
        """Why ``c`` does not work in a section; empty when it does."""
        if section not in CHECKED:
            return f"services are checked under {' and '.join(CHECKED)}"
        return "the check is still running" if self.running else ""

    def do_check(self) -> None:
        self.running = True
        self._screen.say("Checking with free calls ...")
        self._screen.run_worker(self._check(), name="check", group="check", exit_on_error=False)

    async def _check(self) -> None:
        from coi_tui.session.admin.doctor import examine

        coi = self._screen.coi
        try:
            self.found = tuple(await examine(coi.paths, coi.settings, coi.keys))
            fine = sum(c.state == "ok" for c in self.found)
            self._screen.say(f"{fine} of {len(self.found)} are fine.")
        except CoiError as error:
            self._screen.trouble(error)
        finally:
            self.running = False
        self._show()


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
    KeyAction("pane_1", "1", "1", "sections", "go to the sections", MOVE),
    KeyAction("pane_2", "2", "2", "settings", "go to the settings", MOVE),
    KeyAction("pane_3", "3", "3", "text", "go to the text", LOOK),
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
        self.check = ServiceCheck(self, self._tell)
        self.delegates = (self.check,)
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
        self.query_one("#sections").border_title = Content("[1]")
        self._list.border_title = Content("[2] Settings")
        self.query_one("#about", DetailPane).border_title = Content("[3]")
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
                for text in texts or ["Nothing to change here; 3 goes to the text below."]
            ],
            here if texts else 0,
        )
        rows.border_title = Content(f"[2] {self.section}")
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
        if self.section in CHECKED:
            parts += [("The services", self.check.findings)] if self.check.found else []
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
        if name == "check" and self.composed:
            return self.check.why_not(self.section)
        return ""

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
            self._choose_theme()
            return
        value = "" if setting.value in (None, "") else setting.shown.strip('"')
        key = setting.key
        sheet = SettingSheet(
            key,
            setting.help,
            aside=f"from: {setting.origin}",
            value=value,
            keep=lambda text: self._keep(key, text),
        )
        self.app.push_screen(sheet, lambda said: self.say(said) if said else None)

    def _choose_theme(self) -> None:
        from coi_tui.screens.settings.theme_sheet import ThemeSheet

        async def chosen(name: str | None) -> None:
            self.say(await self._keep("display.theme", name) if name else "The theme is as it was.")

        self.app.push_screen(ThemeSheet(), chosen)

    async def do_toggle(self) -> None:
        setting = self.setting
        assert setting is not None
        self.say(await self._keep(setting.key, "false" if setting.value else "true"))

    async def _keep(self, key: str, text: str) -> str:
        """Check a value as it was typed and keep it; the sentence about it. Raises CoiError where
        it is refused, with nothing changed."""
        from coi_tui.session.settings import set_typed, unset_value

        file = self.coi.paths.config_file
        if text.strip():
            await asyncio.to_thread(set_typed, file, key, text.strip())
        else:
            await asyncio.to_thread(unset_value, file, key)
        await self.coi.settings_changed()
        self.all = await asyncio.to_thread(settings_now, self.coi.paths)
        self._fill_settings()
        return f"{key} is {next((s.shown for s in self.all if s.key == key), '')}; this takes effect with the next plan."

    def do_pane_1(self) -> None:
        self._sections.focus()

    def do_pane_2(self) -> None:
        self._list.focus()

    def do_pane_3(self) -> None:
        self.query_one("#about").focus()

    def do_cancel(self) -> None:
        if self.focused is not self._sections:
            self._sections.focus()
        else:
            self.dismiss(None)
