"""The settings: what the program is made of, the check that is free, and the one question that is
not."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from coi_tui.app import CoiApp
from coi_tui.config import Keys, LlmSettings, RoleSettings, Settings, SourceSettings
from coi_tui.screens.settings_screen import SettingsScreen
from tests.support.standins import StandIn
from tests.support.standins.kinds import Kind
from tests.ui.helpers import Trip, places


def with_model(url: str) -> Settings:
    """One model at the address; papers are searched there as well, so that nothing leaves this
    machine."""
    llm = LlmSettings(base_url=url, main=RoleSettings(model="big"), reader=RoleSettings())
    return Settings(llm=llm, semantic_scholar=SourceSettings(base_url=url))


@asynccontextmanager
async def at_settings(
    folder: Path, settings: Settings
) -> AsyncIterator[tuple[Trip, SettingsScreen]]:
    app = CoiApp(places(folder), settings, Keys())
    async with app.run_test(size=(120, 36), notifications=True) as pilot:
        t = Trip(app, pilot)
        await t.idle()
        await t.press("comma")
        screen = await t.on(SettingsScreen)
        await t.until(lambda: screen.all and screen.slow, "the settings")
        yield t, screen
    app.sessions.close_all()


async def test_the_check_is_free(tmp_path: Path) -> None:
    kind = Kind()
    async with (
        StandIn(kind) as server,
        at_settings(tmp_path, with_model(server.url)) as (t, screen),
    ):
        await t.press("c")
        await t.until(lambda: screen.found and not screen.checking, "the free check")
        assert kind.seen
        assert not any(request.path.endswith("/chat/completions") for request in kind.seen)
        assert any("language model" in found.what for found in screen.found)
