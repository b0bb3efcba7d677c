"""VirSci steered by the keys of the workbench: a discussion is read, a reply struck, words spoken
between turns, a vote decided."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import TextArea

from coi_tui.config import Keys, Settings
from coi_tui.methods.virsci.settings import VirSciSettings
from coi_tui.screens.texts.edit_screen import EditScreen
from coi_tui.screens.views.content_screen import ContentScreen
from coi_tui.screens.workbench.workbench import WorkbenchScreen
from coi_tui.session.session import Session
from tests.methods.virsci.support import TOPIC, crowded
from tests.support.desk import Desk, ticking
from tests.support.script import HashModel
from tests.support.world import MemorySource
from tests.ui.helpers import Trip, places, trip

BOUNDS = VirSciSettings(
    team=3, turns=2, adaptive=False, references=2, related=2, nearest=2, basis=8, scientists=12
)


@pytest.mark.parametrize("size", [(80, 24)])
async def test_a_person_watches_speaks_strikes_and_casts_the_deciding_vote(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    session = Session.create(
        "frogs",
        TOPIC,
        paths=places(tmp_path),
        settings=Settings(),
        keys=Keys(),
        clock=ticking(),
        method="VirSci",
        bounds=BOUNDS,
    )
    desk = Desk(
        session,
        HashModel({"virsci_vote": lambda _: "I cannot say"}),
        MemorySource(crowded(), lists=True),
    )
    assert (await desk.go(desk.session.planner.to_stage("vote"))).state == "done"
    desk.session.close()
    async with trip(tmp_path, size, session="frogs") as t:
        await t.on(WorkbenchScreen)
        await t.go("V1/said1.2")
        await t.press("enter")
        screen: ContentScreen = await t.on(ContentScreen)
        await t.until(
            lambda: screen.lines.option_count == screen.count == 10 and screen.at == 1,
            "three replies a turn, summaries, places",
        )
        await t.change("x", lambda: screen.turns[1].mark == "struck", "the struck reply")
        state = t.bench.session.core
        assert {a for a, f in state.fresh.items() if f.status == "stale"} == {
            "V1/said1.3",
            "V1/sum1",
        }
        await put(t, screen, "V1/mine1")
        await t.press("e")
        await t.on(EditScreen)
        t.app.screen.query_one(TextArea).text = "What of moss?"
        await t.press("ctrl+s")
        await t.on(ContentScreen)
        await t.until(lambda: screen.turns[4].text == "What of moss?", "the person's words")
        assert state.freshness("V1/said2.1").status == "stale"
        await t.press("escape")
        await decide(t)


async def put(t: Trip, screen: ContentScreen, address: str) -> None:
    row = next(n for n, turn in enumerate(screen.turns) if turn.address == address)
    screen.lines.highlighted = row
    await t.until(
        lambda: screen.at == row and address in screen.about_pane.title_line,
        f"the cursor on {address}",
    )


async def decide(t: Trip) -> None:
    """Nobody voted for an idea; the person lets the second one win."""
    await t.on(WorkbenchScreen)
    await t.go("V1/poll")
    await t.press("enter")
    table: ContentScreen = await t.on(ContentScreen)
    await t.until(
        lambda: table.lines.option_count == table.count == 3 and table.at == 0, "the ideas"
    )
    await t.press("down")
    await t.change(
        "a", lambda: t.bench.session.state.value("V1/poll#winner") == 2, "the deciding vote"
    )
    await t.press("u")
    await t.until(lambda: t.bench.session.state.value("V1/poll#winner") == 0, "the tie again")
