"""Nova steered by the keys of a table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from textual import events

from coi_tui.config import Keys, Settings
from coi_tui.screens.content_screen import ContentScreen
from coi_tui.screens.workbench import WorkbenchScreen
from coi_tui.session.environment import Environment
from coi_tui.session.session import Session
from tests.support.desk import SMALL
from tests.ui.helpers import Trip, places, trip

NOVA = {"seeds": 2, "each": 2, "lines": 2, "papers": 2, "drafts": 6, "branches": 2}
SIZE = (80, 24)


async def table(t: Trip, address: str) -> ContentScreen:
    await t.on(WorkbenchScreen)
    await t.go(address)
    await t.press("enter")
    screen: ContentScreen = await t.on(ContentScreen)
    await t.until(
        lambda: screen.lines.option_count == len(screen.items) > 0 and screen.at is not None,
        "the rows",
    )
    return screen


async def at(t: Trip, screen: ContentScreen, key: str) -> None:
    row = next(n for n, item in enumerate(screen.items) if item.key == key)
    screen.lines.highlighted = row
    await t.until(lambda: screen.at == row, "the cursor")


def held(t: Trip, name: str) -> Any:
    return t.bench.session.state.value(f"N1/{name}") or []


async def test_quick_keys_each_meet_the_row_that_they_were_typed_for(tmp_path: Path) -> None:
    """The list is drawn anew after each decision; a cursor key that came before that was lost, and
    the next key met the row before."""
    with Session.create(
        "frogs", "sleep of frogs", Environment(places(tmp_path), Settings(), Keys()), bounds=SMALL
    ) as session:
        session.add_method("Nova", NOVA)
    async with trip(tmp_path, SIZE, session="frogs") as t:
        screen = await table(t, "N1/choice")
        for key in ("space", "j", "space", "down", "space", "k", "k", "space"):
            t.app.post_message(
                events.Key(key, " " if key == "space" else key if len(key) == 1 else None)
            )
        await t.until(
            lambda: set(held(t, "choice#off")) == {"2", "3"},
            "theories 2 and 3 left out",
        )
        await t.until(lambda: screen.at == 0, "the cursor on the first row")
