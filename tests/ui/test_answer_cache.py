"""The session goes offline and back by the palette."""

from __future__ import annotations

from pathlib import Path

from coi_tui.app import CoiApp
from coi_tui.config import Keys, Settings
from coi_tui.screens.workbench.workbench import WorkbenchScreen
from coi_tui.session.session import Session

from .helpers import TOPIC, Trip, places

ONLINE = Settings(source="openalex")


async def test_the_palette_switches_the_session_and_undo_switches_back(tmp_path: Path) -> None:
    Session.create("s", TOPIC, paths=places(tmp_path), settings=ONLINE, keys=Keys()).close()
    app = CoiApp(places(tmp_path), ONLINE, Keys(), session="s")
    async with app.run_test(size=(120, 36), notifications=True) as pilot:
        t = Trip(app, pilot)
        await t.on(WorkbenchScreen)
        session = t.bench.session
        assert not session.core.is_offline
        await t.command("network")
        assert session.core.is_offline
        assert "nothing leaves this machine" in t.status
        assert "offline" in t.lines[0]
        await t.press("u")
        await t.until(lambda: not session.core.is_offline, "online again")
    app.sessions.close_all()
