"""``python -m benchmarks.keys``: thousands of seeded keys over every screen, none of which confirms
a plan on its sheet or strip.

A language model is set up, at an address where none answers, and so are the services of papers: a
search that a key asks for runs at once. Held to: no request to a model, no error, a log that only
grows, a state that the file folds to again, a file that verifies.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import repeat
from pathlib import Path

from textual.widgets import Input, TextArea

from coi_tui.app import CoiApp
from coi_tui.config import Keys, Settings
from coi_tui.paths import Paths
from coi_tui.screens.home.home_screen import HomeScreen
from coi_tui.screens.places import EveryAction
from coi_tui.screens.runs.plan_screens import PlanSheet
from coi_tui.screens.sheets.confirm_sheet import MessageSheet
from coi_tui.screens.workbench.workbench import WorkbenchScreen
from coi_tui.session.session import Session
from tests.support.coi_process import table
from tests.support.pilots import look_often

OFTEN = (
    "j",
    "k",
    "down",
    "up",
    "enter",
    "escape",
    "right_square_bracket",
    "a",
    "x",
    "u",
    "U",
    "space",
    "tab",
)
TEXT = (
    "a",
    "Z",
    "5",
    "space",
    "left_square_bracket",
    "right_square_bracket",
    "backspace",
    "slash",
    "é",
    "漢",
    "left",
    "delete",
    "home",
    "end",
)
BARRED = {"quit", "back", "home"}
"""Actions by which the app itself is left; they have tests of their own."""
NOWHERE = "http://127.0.0.1:9"
STUCK = 12
"""Keys on one sheet after which Escape is pressed, so that one text field does not take them
all."""


@dataclass
class Found:
    """What came of a run of keys."""

    seed: int
    pressed: int = 0
    entries: int = 0
    seconds: float = 0.0
    screens: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


def keys_of(place: str) -> tuple[str, ...]:
    """Every key of a place, but those that leave the app."""
    return tuple(
        key
        for a in EveryAction().get(place, ())
        if a.id not in BARRED
        for key in a.keys.split(",")
        if key
    )


def choose(app: CoiApp, dice: random.Random, since: int) -> str:
    """A key for what is on the screen; never one that confirms a plan."""
    screen = app.screen
    if isinstance(screen, PlanSheet):
        return dice.choice(("space", "down", "up", "question_mark", "escape", "escape"))
    if since > STUCK and not isinstance(screen, WorkbenchScreen):
        return "escape"
    place = getattr(screen, "PLACE", "")
    if isinstance(app.focused, Input | TextArea):
        return dice.choice((*TEXT, *TEXT, "tab", "enter", "escape", *keys_of(place)))
    own = keys_of(place)
    return dice.choice((*OFTEN, *own)) if own else dice.choice((*OFTEN, *TEXT, "escape", "escape"))


def unreachable() -> Settings:
    """A model of this machine and services of papers, at addresses where nobody answers."""
    nowhere = {"base_url": NOWHERE, "retries": 0, "pace_s": 0.0}
    services = ("semantic_scholar", "openalex", "arxiv")
    return Settings.model_validate(
        {
            "llm": {"base_url": f"{NOWHERE}/v1", "main": {"model": "nobody"}, "retries": 0},
            **dict.fromkeys(services, nowhere),
        }
    )


def asked(session: Session) -> tuple[int, int]:
    """How many calls of a model there were, and how many steps failed that would have called
    one."""
    failed = [
        f for f in session.core.journal.failures if not f.address.endswith((".cands", "reading"))
    ]
    return len([c for c in session.core.calls.values() if c.kind == "chat"]), len(failed)


async def press_keys(
    folder: Path, count: int, seed: int, size: tuple[int, int] = (80, 24)
) -> Found:
    """Press ``count`` keys on the demo session, which has been run to its first novelty reports."""
    found, dice, started = Found(seed), random.Random(seed), time.perf_counter()
    places = Paths(data=folder / "data", config=folder / "config", cache=folder / "cache")
    with Session.create(
        "demo",
        "chain of thought reasoning in large language models",
        paths=places,
        settings=Settings(),
        keys=Keys(),
    ) as session:
        await session.runs.run(session.planner.to_stage("novelty"))
    app = CoiApp(places, unreachable(), Keys(), session="demo")
    async with app.run_test(size=size) as pilot:
        while not isinstance(app.screen, WorkbenchScreen):
            await pilot.pause(0.01)
        live = app.screen.session
        calls, log = asked(live), list(live.core.journal.entries)
        last, since = "", 0
        while found.pressed < count and not found.faults:
            if isinstance(app.screen, HomeScreen):
                live = await _return(app, pilot)
            name = type(app.screen).__name__
            since = since + 1 if name == last else 0
            last = name
            found.screens[name] += 1
            key = choose(app, dice, since)
            try:
                await pilot.press(key)
            except BaseException as error:  # noqa: BLE001  whatever it is, it is the finding
                found.faults.append(
                    f"key {found.pressed} ({key}) on {name}: {type(error).__name__}: {error}"
                )
                break
            found.pressed += 1
            now = live.core.journal.entries
            if now[: len(log)] != log:
                found.faults.append(
                    f"key {found.pressed} ({key}) on {name}: entries of the log are gone"
                )
            log = list(now)
            if isinstance(app.screen, MessageSheet) and "unexpected" in app.screen.heading:
                found.faults.append(f"key {found.pressed} ({key}) on {name}: {app.screen.parts}")
        if not app.sessions.controllers:  # the last key left the session
            live = await _return(app, pilot)
        while any(held.busy for held in app.sessions.controllers.values()):
            live.runs.stop(now=True)
            await pilot.pause(0.01)
        if not found.faults:
            if asked(live) != calls:
                found.faults.append("something was asked of a model without a confirmed plan")
            found.faults += live.verify()
        found.entries = len(log)
    app.sessions.close_all()
    found.seconds = time.perf_counter() - started
    return found


async def _return(app: CoiApp, pilot: object) -> Session:
    """From the list, which may be on its way, back into the session."""
    while not isinstance(app.screen, HomeScreen):
        await pilot.pause(0.01)  # type: ignore[attr-defined]
    app.sessions.open("demo")
    while not isinstance(app.screen, WorkbenchScreen):
        await pilot.pause(0.01)  # type: ignore[attr-defined]
    await pilot.pause()
    return app.screen.session


def one_seed(seed: int, count: int) -> Found:
    """All keys of a seed, on a session of its own."""
    look_often()
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(press_keys(Path(folder), count, seed))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.keys", description=__doc__)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seeds", type=int, nargs="*", default=[1, 2, 3, 4, 5])
    parser.add_argument("--parallel", type=int, default=2, help="processes")
    args = parser.parse_args()
    rows = []
    with ProcessPoolExecutor(args.parallel) as pool:
        for seed, found in zip(
            args.seeds, pool.map(one_seed, args.seeds, repeat(args.count)), strict=True
        ):
            faults = "; ".join(found.faults)[:200] or "none"
            rows.append(
                (
                    seed,
                    found.pressed,
                    len(found.screens),
                    found.entries,
                    f"{found.seconds:.0f}",
                    faults,
                )
            )
            print(f"seed {seed}: {dict(found.screens)}", *found.faults, sep="\n  ", flush=True)
    print(table(rows, ("seed", "keys", "screens", "log entries", "s", "faults")))


if __name__ == "__main__":
    main()
