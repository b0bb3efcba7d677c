"""``coi demo`` and ``o``: the example session comes up, says what it is, and is the person's own from then on."""

from __future__ import annotations

from pathlib import Path

from coi_tui.screens.home.home_screen import HomeScreen
from coi_tui.screens.workbench.workbench import WorkbenchScreen
from coi_tui.session.watch import EXAMPLE, example_path

from .helpers import Trip, trip


async def comes_up(t: Trip) -> WorkbenchScreen:
    """Wait for the example, which is built at its first opening."""
    await t.until(lambda: example_path(t.app.paths).exists(), "the example to be built")
    bench = await t.on(WorkbenchScreen)
    await t.idle()
    return bench


async def test_the_demo_opens_the_example_and_again_the_same_one(tmp_path: Path) -> None:
    async with trip(tmp_path, demo=True) as t:
        bench = await comes_up(t)
        assert bench.session.name == EXAMPLE
        await t.go("topic")
        said = " ".join(t.bench.detail.text.split())
        assert "An example written to show what a finished session looks like; not made by a run" in said
        await t.go("1/idea")
        assert "written as an example" in t.text
        await t.go("2/+2")
        await t.press("x", *"no", "enter")
        await t.until(lambda: bench.session.state.slot("2/+2").paper is None, "the reject")
    async with trip(tmp_path, demo=True) as t:
        bench = await comes_up(t)
        assert bench.session.state.slot("2/+2").paper is None


async def test_o_on_the_list_opens_the_example(tmp_path: Path) -> None:
    async with trip(tmp_path) as t:
        await t.on(HomeScreen)
        await t.press("o")
        await t.until(lambda: "example session is being made" in t.text, "a word while it is made")
        bench = await comes_up(t)
        assert bench.session.name == EXAMPLE
        await t.press("q")
        await t.until(lambda: isinstance(t.app.screen, HomeScreen) and t.app.screen.loaded, "the list")
        await t.press("o")
        await t.until(lambda: t.app.screen is bench or isinstance(t.app.screen, WorkbenchScreen), "the same session")
        assert len(t.app.sessions.controllers) == 1
