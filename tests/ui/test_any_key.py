"""Seeded keys over every screen, none of which confirms a plan on its sheet or strip: nothing runs,
nothing breaks, and the session stays sound.

A language model is set up, at an address where none answers, and so are the services of papers: a
search that a key asks for runs at once.
"""

import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, TextArea

from coi_tui.app import CoiApp
from coi_tui.config import Keys, Settings
from coi_tui.screens.base import CoiScreen
from coi_tui.screens.home import HomeScreen
from coi_tui.screens.run_sheets import PlanSheet
from coi_tui.screens.sheets import MessageSheet
from coi_tui.screens.workbench import WorkbenchScreen
from coi_tui.session.environment import Environment
from coi_tui.session.session import Session
from tests.support.desk import paths_in

COUNT = 250
OFTEN: tuple[str, ...] = (
    *"jkaxuU",
    "down",
    "up",
    "enter",
    "escape",
    "right_square_bracket",
    "space",
    "tab",
)
TEXT: tuple[str, ...] = (
    *"aZ5é漢",
    "space",
    "right_square_bracket",
    "backspace",
    "slash",
    "left",
    "delete",
    "end",
)
BARRED = {"back"}
"""Actions by which the app itself is left; they have tests of their own."""
NOWHERE = "http://127.0.0.1:9"
STUCK = 12
"""Keys on one sheet after which Escape is pressed, so that one text field does not take them
all."""


def choose(app: CoiApp, dice: random.Random, since: int) -> str:
    """A key for what is on the screen; never one that confirms a plan."""
    screen = app.screen
    if isinstance(screen, PlanSheet):
        return dice.choice(("space", "down", "up", "question_mark", "escape", "escape"))
    if since > STUCK and not isinstance(screen, WorkbenchScreen):
        return "escape"
    place = screen.ACTIONS if isinstance(screen, CoiScreen) else ()
    own: list[str] = [key for a in place if a.id not in BARRED for key in a.keys.split(",") if key]
    if isinstance(app.focused, Input | TextArea):
        return dice.choice([*TEXT, *TEXT, "tab", "enter", "escape", *own])
    return dice.choice([*OFTEN, *(own or [*TEXT, "escape", "escape"])])


def asked(session: Session) -> tuple[int, int]:
    """How many calls of a model there were, and how many tasks failed that would have called
    one."""
    failed = [f for f in session.journal.failures if not f.address.endswith((".cands", "reading"))]
    return len([c for c in session.calls.values() if c.kind == "chat"]), len(failed)


async def back(app: CoiApp, pilot: Pilot[Any]) -> Session:
    """From the list, which may be on its way, back into the session."""
    while not isinstance(app.screen, HomeScreen):
        await pilot.pause(0.01)
    app.sessions.open("demo")
    while not isinstance(app.screen, WorkbenchScreen):
        await pilot.pause(0.01)
    await pilot.pause()
    return app.screen.session


async def test_keys_that_confirm_no_plan_run_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # an export is written where the program was started
    screens, dice, places = Counter[str](), random.Random(3), paths_in(tmp_path)
    with Session.create(
        "demo",
        "chain of thought reasoning in large language models",
        Environment(places, Settings(), Keys()),
    ) as session:
        await session.runs.run(session.planner.to_stage("novelty"))
    nowhere = {"base_url": NOWHERE, "retries": 0, "pace_s": 0.0}
    services = ("semantic_scholar", "openalex", "arxiv")
    llm = {"base_url": f"{NOWHERE}/v1", "main": {"model": "nobody"}, "retries": 0}
    unreachable = Settings.model_validate({"llm": llm, **dict.fromkeys(services, nowhere)})
    app = CoiApp(places, unreachable, Keys(), session="demo")
    async with app.run_test(size=(80, 24)) as pilot:
        while not isinstance(app.screen, WorkbenchScreen):
            await pilot.pause(0.01)
        live = app.screen.session
        calls, log = asked(live), list(live.journal.entries)
        last, since = "", 0
        for n in range(COUNT):
            if isinstance(app.screen, HomeScreen):
                live = await back(app, pilot)
            name = type(app.screen).__name__
            since = since + 1 if name == last else 0
            last = name
            screens[name] += 1
            key = choose(app, dice, since)
            await pilot.press(key)
            now = live.journal.entries
            assert now[: len(log)] == log, f"key {n} ({key}) on {name}: entries of the log are gone"
            log = list(now)
            if isinstance(app.screen, MessageSheet):
                assert "unexpected" not in app.screen.heading, (n, key, name, app.screen.parts)
        if not app.sessions.controllers:  # the last key left the session
            live = await back(app, pilot)
        while any(held.busy for held in app.sessions.controllers.values()):
            live.runs.stop(now=True)
            await pilot.pause(0.01)
        assert asked(live) == calls, "something was asked of a model without a confirmed plan"
        assert live.verify() == []
    app.sessions.close_all()
    assert len(screens) > 5, f"the keys should reach several screens, not only {screens}"
