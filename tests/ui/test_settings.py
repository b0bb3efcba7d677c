"""The settings: what the program is made of, the check that is free, and the one question that is
not."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from coi_tui.app import CoiApp
from coi_tui.config import Keys, LlmSettings, Price, RoleSettings, Settings, SourceSettings
from coi_tui.model.papers import Paper
from coi_tui.screens.settings.settings_screen import SettingsScreen
from coi_tui.session.admin.about import about_library, about_program, packages
from coi_tui.session.papers.library import remember
from coi_tui.widgets.panes import DetailPane
from tests.support.standins import StandIn
from tests.support.standins.kinds import Kind
from tests.ui.helpers import Trip, places, trip

PRICES = {"big": Price(input=2.5, output=10.0)}


def with_model(url: str, prices: dict[str, Price] | None = None) -> Settings:
    """One model at the address; papers are searched there as well, so that nothing leaves this
    machine."""
    llm = LlmSettings(
        base_url=url,
        main=RoleSettings(model="big"),
        reader=RoleSettings(),
        prices=PRICES if prices is None else prices,
    )
    return Settings(llm=llm, semantic_scholar=SourceSettings(base_url=url))


@asynccontextmanager
async def at_settings(
    folder: Path, settings: Settings, size: tuple[int, int] = (120, 36)
) -> AsyncIterator[tuple[Trip, SettingsScreen]]:
    app = CoiApp(places(folder), settings, Keys())
    async with app.run_test(size=size, notifications=True) as pilot:
        t = Trip(app, pilot)
        await t.idle()
        await t.press("comma")
        screen = await t.on(SettingsScreen)
        await t.until(lambda: screen.all and screen.told, "the settings")
        yield t, screen
    app.sessions.close_all()


async def section(t: Trip, screen: SettingsScreen, name: str) -> None:
    for _ in range(9):
        if screen.section == name:
            break
        await t.press("j")
    assert screen.section == name


async def test_the_check_is_free(tmp_path: Path) -> None:
    kind = Kind()
    async with (
        StandIn(kind) as server,
        at_settings(tmp_path, with_model(server.url)) as (t, screen),
    ):
        await t.press("c")
        await t.until(lambda: screen.check.found and not screen.check.running, "the free check")
        assert kind.seen
        assert not any(request.path.endswith("/chat/completions") for request in kind.seen)
        assert "language model: " in screen.check.findings


def test_the_packages_that_it_is_built_on_are_named() -> None:
    assert {"textual", "openai", "httpx"} <= set(packages())
    assert not {"pytest", "ruff"} & set(packages())
    assert "Python 3." in about_program()


def test_the_library_tells_its_papers_and_its_size(tmp_path: Path) -> None:
    there = places(tmp_path)
    assert "does not exist yet" in about_library(there)
    papers = {
        f"s2:{n}": Paper(id=f"s2:{n}", title=f"Paper {n}", abstract="words " * 200)
        for n in range(1200)
    }
    remember(there, papers, [])
    said = about_library(there)
    size = there.library.stat().st_size
    assert "1,200 papers" in said
    assert float(said.partition(" in ")[2].split()[0]) >= size / 1_000_000 - 0.05


async def test_files_and_about_are_shown(tmp_path: Path) -> None:
    async with trip(tmp_path) as t:
        await t.press("comma")
        screen = await t.on(SettingsScreen)
        await t.until(lambda: screen.all and screen.told, "the settings")
        await section(t, screen, "Files")
        about = screen.query_one("#about", DetailPane)
        await t.until(lambda: "The shared library" in about.text, "the library")
        await section(t, screen, "About")
        await t.until(lambda: "textual 8" in about.text, "the packages")
        assert "coi-tui 0." in t.text
