"""The settings: what the program is made of, the check that is free, and the one question that is not."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.widgets import Input

from benchmarks.standins import StandIn
from coi_tui.app import CoiApp
from coi_tui.config import Keys, LlmSettings, Price, RoleSettings, Settings, SourceSettings
from coi_tui.model.papers import Paper
from coi_tui.screens.settings.setting_sheets import ModelCheckSheet, SettingSheet
from coi_tui.screens.settings.settings_screen import SettingsScreen
from coi_tui.session.admin.about import about_library, about_program, packages
from coi_tui.session.admin.model_check import asking_of
from coi_tui.session.papers.library import remember
from coi_tui.widgets.panes import DetailPane
from tests.standins.kinds import Kind
from tests.ui.helpers import Trip, places, trip

PRICES = {"big": Price(input=2.5, output=10.0)}


def with_model(url: str, prices: dict[str, Price] | None = None) -> Settings:
    """One model at the address; papers are searched there as well, so that nothing leaves this machine."""
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


def questions(kind: Kind) -> int:
    return sum(request.path.endswith("/chat/completions") for request in kind.seen)


async def free_check(t: Trip, screen: SettingsScreen) -> None:
    await t.press("c")
    await t.until(lambda: screen.check.found and not screen.check.running, "the free check")


@pytest.mark.parametrize("size", [(120, 36), (80, 24), (60, 16)])
async def test_the_check_is_free_and_asks_only_after_enter_on_the_price(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    kind = Kind()
    async with (
        StandIn(kind) as server,
        at_settings(tmp_path, with_model(server.url), size) as (t, screen),
    ):
        await free_check(t, screen)
        assert kind.seen
        assert questions(kind) == 0
        assert screen.check.offer is not None
        await t.press("c")
        sheet = await t.on(ModelCheckSheet)
        assert "at most $0.00" in t.text
        assert "big" in t.text
        assert sheet.asking.price in t.text
        assert questions(kind) == 0
        await t.press("escape")
        await t.on(SettingsScreen)
        assert questions(kind) == 0
        assert "nothing was spent" in t.text
        await free_check(t, screen)
        await t.press("c")
        await t.on(ModelCheckSheet)
        await t.press("enter")
        await t.on(SettingsScreen)
        await t.until(
            lambda: "main model big" in screen.check.findings and not screen.check.running,
            "the answer",
        )
        assert questions(kind) == 1
        assert "takes JSON by schema" in screen.check.findings
        assert screen.check.findings.count("language model:") == 1
        await free_check(t, screen)
        assert questions(kind) == 1


async def test_an_enter_that_comes_before_the_price_is_drawn_asks_nothing(tmp_path: Path) -> None:
    kind = Kind()
    async with (
        StandIn(kind) as server,
        at_settings(tmp_path, with_model(server.url)) as (t, screen),
    ):
        await free_check(t, screen)
        await t.press("c", "enter")
        await t.on(ModelCheckSheet)
        assert questions(kind) == 0


async def test_nothing_is_offered_where_no_model_answers(tmp_path: Path) -> None:
    kind = Kind(key="right")
    async with (
        StandIn(kind) as server,
        at_settings(tmp_path, with_model(server.url)) as (t, screen),
    ):
        await free_check(t, screen)
        assert "FAILED" in screen.check.findings
        assert screen.check.offer is None
        await t.press("c")
        await t.until(lambda: not screen.check.running, "another free check")
        assert isinstance(t.app.screen, SettingsScreen)
        assert questions(kind) == 0


async def test_another_setting_takes_the_offer_back(tmp_path: Path) -> None:
    kind = Kind()
    async with (
        StandIn(kind) as server,
        at_settings(tmp_path, with_model(server.url)) as (t, screen),
    ):
        await free_check(t, screen)
        await t.press("enter", "enter")
        sheet = await t.on(SettingSheet)
        sheet.query_one(Input).value = server.url
        await t.press("enter")
        await t.on(SettingsScreen)
        assert screen.check.offer is None


def test_the_price_is_told_of_every_model_and_none_is_made_up() -> None:
    far = LlmSettings(
        base_url="https://models.example/v1",
        main=RoleSettings(model="big"),
        reader=RoleSettings(model="small-unheard-of"),
        prices=PRICES,
    )
    asking = asking_of(Settings(llm=far), Keys())
    assert asking is not None
    big, small = asking.models
    assert big.usd == pytest.approx((big.tokens[0] * 2.5 + 200 * 10) / 1_000_000)
    assert small.usd is None
    assert "no price is known for small-unheard-of" in asking.price
    assert "models.example" in asking.told()
    local = asking_of(with_model("http://127.0.0.1:9/v1", {}), Keys())
    assert local is not None
    assert local.price == "cost unknown: no price is known for big; the server is on this machine"
    longer = far.model_copy(update={"main": RoleSettings(model="big", max_tokens=4000)})
    asked = asking_of(Settings(llm=longer), Keys())
    assert asked is not None
    assert asked.models[0].tokens[1] == 4000
    assert asking_of(Settings(), Keys()) is None
    assert asking_of(Settings(llm=far, offline=True), Keys()) is None


def test_every_package_that_is_needed_is_named_with_its_licence() -> None:
    found = packages()
    assert found["textual"][1] == "MIT"
    assert found["httpx"][1].startswith("BSD")
    assert {"rich", "pydantic_core"} <= set(found), "what the packages need themselves"
    assert not {"pytest", "ruff", "keyring"} & set(found), "extras are not part of it"
    assert all(licence and "\n" not in licence for _, licence in found.values())
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


@pytest.mark.parametrize("size", [(120, 36), (80, 24), (60, 16)])
async def test_files_and_about_are_shown(tmp_path: Path, size: tuple[int, int]) -> None:
    async with trip(tmp_path, size) as t:
        await t.press("comma")
        screen = await t.on(SettingsScreen)
        await t.until(lambda: screen.all and screen.told, "the settings")
        await section(t, screen, "Files")
        about = screen.query_one("#about", DetailPane)
        await t.until(lambda: "The shared library" in about.text, "the library")
        await section(t, screen, "About")
        await t.until(lambda: "textual 8" in about.text, "the packages")
        assert "coi-tui 0." in t.text
