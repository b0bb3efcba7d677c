"""The wall of sketches in the app: from an empty list of sessions to the first idea that is worked
out, and every key of the wall."""

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Input

from coi_tui.config import Keys, LlmSettings, RoleSettings, Settings, SourceSettings
from coi_tui.methods.coi import CoiSettings
from coi_tui.methods.ideas.sketches import picked, sketches
from coi_tui.screens.content_screen import ContentScreen
from coi_tui.screens.edit_screen import EditScreen
from coi_tui.screens.forms import TopicSheet
from coi_tui.screens.home import HomeScreen
from coi_tui.screens.run_sheets import PlanSheet
from coi_tui.screens.sheets import AskChoice, AskText
from coi_tui.screens.wall_screen import WallScreen
from coi_tui.screens.workbench import WorkbenchScreen
from coi_tui.session.environment import Environment
from coi_tui.session.session import Session
from tests.support import shared
from tests.support.standins import StandIns, make_corpus

from .helpers import Trip, places, trip

TOPIC = make_corpus().topics[0]
TO_THE_WALL, TO_A_TEXT = 12, 3
"""Keys at most, a text that is typed counted as one."""
SMALL = CoiSettings(branches=2, length=3, forward=1, backward=1, novelty_queries=1, novelty_hits=2)


def settings_at(pair: StandIns, **more: Any) -> Settings:
    return Settings(
        llm=LlmSettings(base_url=pair.chat_url, main=RoleSettings(model="standin-main")),
        semantic_scholar=SourceSettings(base_url=pair.s2_url, pace_s=0, retries=0),
        **more,
    )


async def sketched(folder: Path, pair: StandIns) -> None:
    """Put a session that was run to its sketches into a folder."""
    with shared.to_make("wall") as making:
        if making is not None:
            with Session.create(
                "demo", TOPIC, Environment(places(making), settings_at(pair), Keys()), bounds=SMALL
            ) as session:
                await session.runs.run(session.planner.to_stage("sketches"))
    shutil.copytree(shared.kept("wall"), folder, dirs_exist_ok=True)


@asynccontextmanager
async def at_the_wall(folder: Path, size: tuple[int, int] = (120, 36)) -> AsyncIterator[Trip]:
    """The wall of a session, opened by Enter on its row."""
    async with StandIns() as pair:
        await sketched(folder, pair)
        settings = settings_at(pair, show_plans=True)
        async with trip(folder, size, settings=settings, session="demo") as t:
            await t.on(WorkbenchScreen)
            await t.idle()
            await t.to(WallScreen, "enter", at="W1/wall")
            yield t


def wall(t: Trip) -> WallScreen:
    return next(s for s in reversed(t.app.screen_stack) if isinstance(s, WallScreen))


def value(session: Session, name: str) -> str:
    return str(session.state.value(name))


async def at(t: Trip, address: str) -> None:
    """Put the cursor on a sketch."""
    screen = wall(t)
    place = screen.place_of(address)
    assert place is not None, address
    screen.lines.highlighted = place
    await t.until(lambda: screen.about_pane.key == address, f"the text of {address}")


async def made(t: Trip, address: str) -> None:
    """Enter on the plan that is shown, and wait until a sketch is on the wall."""
    await t.on(PlanSheet)
    await t.to(WallScreen, "enter")
    await t.until(lambda: wall(t).place_of(address) is not None, f"{address} on the wall")
    await t.ended()


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
async def test_from_an_empty_list_to_the_wall_and_to_a_text(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async with StandIns() as pair, trip(tmp_path, size, settings=settings_at(pair)) as t:
        await t.on(HomeScreen)
        pressed: list[str] = []

        async def key(name: str) -> None:
            pressed.append(name)
            await t.press(name)

        await key("n")
        sheet = await t.on(TopicSheet)
        for field, number in (("branches", "1"), ("length", "3")):  # else only slower
            sheet.query_one(f"#{field}", Input).value = number
        pressed.append("the topic")
        await t.write(TOPIC)
        await key("enter")
        await t.on(PlanSheet)
        await key("enter")
        await t.on(ContentScreen)  # the questions
        await key("escape")
        await t.ended()
        await key("g")
        await t.on(AskChoice)
        await key("a")
        await t.until(
            lambda: isinstance(t.app.screen, AskChoice) and "sketches" in t.app.screen.names,
            "the stages",
        )
        await t.on(AskChoice)
        await key("enter")
        await t.on(PlanSheet)
        await key("enter")
        await t.until(lambda: isinstance(t.app.screen, WallScreen), "the wall to open")
        assert len(pressed) <= TO_THE_WALL, pressed
        screen, session = await t.on(WallScreen), t.bench.session
        assert len(screen.items) == len(sketches(session.state)) == 15
        assert not session.state.ideas()
        first = screen.here
        assert first.sketch.sentence[:30] in t.text
        pressed.clear()
        await key("space")
        await t.until(lambda: picked(session.state) == [first.address], "the pick")
        await key("w")
        await t.on(PlanSheet)
        await key("enter")
        await t.until(lambda: session.state.ideas(), "an idea")
        assert len(pressed) <= TO_A_TEXT, pressed
        await t.ended()
        (branch,) = session.state.ideas()
        await t.until(lambda: wall(t).here.made, "the wall to say so")
        await t.to(WorkbenchScreen, "enter")
        await t.until(lambda: t.bench.detail.key == f"{branch}/idea", "the idea")
        assert value(session, f"{branch}/idea#title") in t.bench.detail.text


async def test_pick_reject_and_undo(tmp_path: Path) -> None:
    async with at_the_wall(tmp_path) as t:
        session = t.bench.session
        await at(t, "W1/free1")
        await t.press("space")
        await t.until(lambda: picked(session.state) == ["W1/free1"], "the pick")
        assert wall(t).here.standing == "picked"
        await t.press("space")
        await t.until(lambda: not picked(session.state), "the pick to go")
        await t.press("space", "u")
        await t.until(lambda: not picked(session.state), "the undo")
        await t.to(AskText, "x")
        await t.write("nobody would use it")
        await t.to(WallScreen, "enter")
        await t.until(lambda: wall(t).here.standing == "rejected", "the rejection")
        assert wall(t).here.reason == "nobody would use it"
        assert "nobody would use it" in t.text
        await t.press("u")
        await t.until(lambda: wall(t).here.standing == "open", "the undo")


async def test_a_sketch_is_edited_and_ones_own_is_written(tmp_path: Path) -> None:
    async with at_the_wall(tmp_path) as t:
        await at(t, "1/sketch2")
        await t.to(EditScreen, "e")
        await t.press("home", *"Mine: ")
        await t.to(WallScreen, "ctrl+s")
        await t.until(lambda: wall(t).here.sketch.title.startswith("Mine: "), "the edit")
        assert wall(t).here.address == "1/sketch2"
        await t.to(EditScreen, "N")
        await t.press(*"Plain thought", "tab", *"Just do it.")
        await t.to(WallScreen, "ctrl+s")
        await t.until(lambda: wall(t).place_of("W1/own1") is not None, "my sketch")
        assert wall(t).here.address == "W1/own1", "the cursor goes to what was written"
        await t.press("u")
        await t.until(lambda: wall(t).place_of("W1/own1") is None, "the undo")


async def test_more_like_one_others_and_a_new_one_of_two(tmp_path: Path) -> None:
    async with at_the_wall(tmp_path) as t:
        session = t.bench.session
        await at(t, "W1/free2")
        await t.to(PlanSheet, "plus")
        await made(t, "W1/more1.4")
        await t.to(PlanSheet, "minus")
        await made(t, "W1/more2.1")
        await at(t, "1/sketch1")
        sheet = await t.to(AskChoice, "D")
        await t.press(*["down"] * next(n for n, one in enumerate(sheet.names) if "W1/free2" in one))
        await t.to(PlanSheet, "enter")
        await made(t, "W1/made1")
        assert "W1/free2" in value(session, "W1/made1#origin")
        assert wall(t).here.address == "W1/made1", "the cursor goes to what was made"


async def test_the_judges_order_is_hidden_before_a_pick(tmp_path: Path) -> None:
    async with at_the_wall(tmp_path) as t:
        session = t.bench.session
        await t.to(PlanSheet, "M")
        await t.to(WallScreen, "enter")
        await t.until(lambda: wall(t).wall.ranked, "the ranking")
        await t.ended()
        await t.until(lambda: all(row.place for row in wall(t).items), "the order, asked for")
        await t.press("M")
        assert not any(row.place for row in wall(t).items)
        await t.press("s")
        assert wall(t).sorted_by == "title", "by an order that is hidden nothing is sorted"
        await t.press("s", "s", "M", "s")
        assert wall(t).sorted_by == "judge"
        assert [row.place for row in wall(t).items] == [*range(1, len(wall(t).items) + 1)]
        assert f"The judge: place {wall(t).here.place}" in wall(t).about_pane.text
        await t.press("M", "space")
        await t.until(lambda: picked(session.state), "the pick")
        assert all(row.place for row in wall(t).items), "shown once one is picked"


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
async def test_v_on_the_better_and_on_the_other_sketch_is_a_vote(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async with at_the_wall(tmp_path, size) as t:
        session = t.bench.session
        await at(t, "W1/free2")
        await t.press("v")
        await t.until(lambda: "W1/free2 is better than" in t.text, "what the next v means")
        assert not session.state.votes, "one sketch alone is no vote"
        await at(t, "1/sketch1")
        await t.press("v")
        await t.until(lambda: "W1/free2 is better than 1/sketch1" in t.text, "the vote")
        points = {row.address: row.votes for row in wall(t).items if row.votes}
        assert points["W1/free2"] > 1000 > points["1/sketch1"]
        assert f"your votes: {points['1/sketch1']}" in t.text
        await t.press("s", "s")
        assert wall(t).sorted_by == "votes"
        assert wall(t).items[0].address == "W1/free2"
        assert f"your votes: {points['W1/free2']}" in t.text
        await t.press("v", "v")
        await t.until(lambda: "two sketches" in t.text, "that one is not compared with itself")
        await t.press("u")
        await t.until(lambda: not session.state.votes, "the undo")


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
async def test_the_map_names_sketches_and_no_two_names_meet(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async with at_the_wall(tmp_path, size) as t:
        screen = wall(t)
        await t.until(lambda: screen.places, "the map")
        assert screen.places.keys() == {row.address for row in screen.wall.rows}
        for address in screen.places:
            await at(t, address)
            drawn = screen.about_pane.text.partition("the nearer\n")[2].splitlines()
            assert len(drawn) == 9
            assert all(len(line) == 40 for line in drawn)
            names = [name for line in drawn for name in line.replace("·", " ").split()]
            assert f"◆{address}" in names
            assert {*names} - {f"◆{address}"} <= screen.places.keys(), "names are whole"
            assert len(names) <= len(screen.places)
