"""``python -m benchmarks.long_use --hours 8``: a day at the app in fast time; memory, tasks, threads and file handles must stay level.

One process drives the app by a pilot: it opens sessions, moves, reads, decides, edits, takes back, runs jobs of the built-in drafter,
searches, looks at the views, changes sizes and closes, drawn with a seed (``--seed``). Six actions are a minute: after each one both clocks
are put ten seconds on, so that notifications go and timers of ten minutes and half an hour fire. Every half hour of that time the person
goes back to the list of sessions, which closes what is open, and it is counted what the process holds. What grows with the sessions
themselves is then not in memory; what is left over from screens, jobs and files is.

The table has a line for each count; below it stands, after the warm-up (the first two hours), the slope of each figure by the hour with its
bound. The exit code is 1 where one is above. Eight hours are 2,880 actions and take about ten minutes on two quiet cores.
"""

from __future__ import annotations

import argparse
import asyncio
import ctypes
import gc
import os
import random
import sys
import tempfile
import threading
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import astuple, dataclass
from datetime import datetime, timedelta, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from textual.pilot import Pilot

    from coi_tui.app import CoiApp

ACTION_S = 10.0
ACTIONS_AN_HOUR = int(3600 / ACTION_S)
COUNT_EVERY = ACTIONS_AN_HOUR // 2
WARM_UP_H = 2.0
WAIT_S = 120.0
SIZES = ((120, 36), (80, 24), (160, 50), (60, 16))


class FastClock:
    """Puts the clocks of this process on. To be used before anything keeps ``time.monotonic`` under a name of its own."""

    def __init__(self) -> None:
        self.ahead = 0.0
        monotonic = time.monotonic
        time.monotonic = lambda: monotonic() + self.ahead

    def put_on_dates(self) -> None:
        """Let the store's date go with it: copies of sessions are due every half hour."""
        from coi_tui.store import connection

        clock = self

        class Fast(datetime):
            @classmethod
            def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
                return datetime.now(tz) + timedelta(seconds=clock.ahead)

        connection.datetime = Fast  # type: ignore[attr-defined]


@dataclass(frozen=True)
class Held:
    """What the process holds, with nothing open but the list of sessions."""

    hour: float
    actions: int
    memory_mb: float
    tasks: int
    threads: int
    handles: int
    widgets: int
    sessions: int


NAMES = ("hour", "actions", "memory MB", "tasks", "threads", "handles", "widgets", "sessions")
BOUNDS = {
    "memory_mb": 4.0,
    "tasks": 0.5,
    "threads": 0.5,
    "handles": 0.5,
    "widgets": 2.0,
    "sessions": 0.2,
}
"""The most that each may grow in an hour. The app's own caches (styles, cut texts, keys) are bounded, and fill for some hours."""


def held(actions: int) -> Held:
    """Count after everything that can go has gone."""
    from textual.dom import DOMNode

    from coi_tui.session.session import Session

    for _ in range(3):
        gc.collect()
    if sys.platform == "linux":
        ctypes.CDLL(None).malloc_trim(
            0
        )  # what was freed goes back to the system, or the figure would say how it was at the worst moment
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    alive = gc.get_objects()
    return Held(
        actions / ACTIONS_AN_HOUR,
        actions,
        pages * os.sysconf("SC_PAGE_SIZE") / 1e6,
        len(asyncio.all_tasks()),
        threading.active_count(),
        len(os.listdir("/proc/self/fd")),
        sum(isinstance(o, DOMNode) for o in alive),
        sum(isinstance(o, Session) for o in alive),
    )


def slope(points: Sequence[tuple[float, float]]) -> float:
    """How much a figure grows in an hour: the line of least squares."""
    if len(points) < 2:
        return 0.0
    middle_x, middle_y = (sum(p[n] for p in points) / len(points) for n in (0, 1))
    spread = sum((x - middle_x) ** 2 for x, _ in points)
    return sum((x - middle_x) * (y - middle_y) for x, y in points) / spread


class Person:
    """Somebody at the keys. Each way is one action; those that a screen refuses are told of and do no harm."""

    def __init__(
        self, app: CoiApp, pilot: Pilot[None], dice: random.Random, clock: FastClock
    ) -> None:
        self.app, self.pilot, self.dice, self.clock = app, pilot, dice, clock
        self.done: dict[str, int] = {}
        self.ways: dict[str, tuple[int, Callable[[], Awaitable[None]]]] = {
            "move": (8, self.move),
            "read": (3, self.keys_of("enter", "pagedown", "escape")),
            "decide": (5, self.decide),
            "undo": (3, self.keys_of("u")),
            "edit": (2, self.edit),
            "note": (1, self.note),
            "view": (5, self.view),
            "find": (2, self.find),
            "palette": (2, self.palette),
            "job": (2, self.job),
            "size": (1, self.size),
            "close": (1, self.close),
            "export": (1, self.export),
        }

    async def act(self) -> None:
        """One action of a person, from wherever the app stands; then ten seconds pass."""
        await self.to_workbench()
        name = self.dice.choices(list(self.ways), [weight for weight, _ in self.ways.values()])[0]
        self.done[name] = self.done.get(name, 0) + 1
        await self.ways[name][1]()
        await self.pass_time(ACTION_S)

    async def pass_time(self, seconds: float) -> None:
        self.clock.ahead += seconds
        await self.pilot.pause()

    # -- where the person is ----------------------------------------------------------------------------------------

    @property
    def on(self) -> str:
        return type(self.app.screen).__name__

    async def until(self, holds: Callable[[], object], what: str) -> None:
        """Wait for a condition in true time: the app's clock is ahead and stands between the actions."""
        end = time.perf_counter() + WAIT_S
        while not holds():
            if time.perf_counter() > end:
                raise AssertionError(f"waited in vain for {what}; on {self.on}")
            await self.pilot.pause(0.01)

    async def press(self, *keys: str) -> None:
        for key in keys:
            await self.pass_time(1.0)  # time to read a sheet: it drops keys that come before
            await self.pilot.press(key)

    async def to_workbench(self) -> None:
        """Close what stands over the workbench; from the list, open a session."""
        await self.over("WorkbenchScreen")
        if self.on == "HomeScreen":
            await self.press(self.dice.choice(("j", "k")), "enter")
            await self.until(lambda: self.on != "HomeScreen" or self.told, "a session to open")
        await self.over("WorkbenchScreen")

    @property
    def told(self) -> bool:
        return len(self.app.screen_stack) > 1

    async def over(self, wanted: str) -> None:
        for _ in range(12):
            if self.on in (wanted, "HomeScreen"):
                return
            await self.until(lambda: getattr(self.app.screen, "ready", True), "keys to count")
            await self.press("escape")
        raise AssertionError(f"{self.on} does not go away: {self.state()}")

    def state(self) -> str:
        """What may keep a key from acting."""
        top = self.app.screen
        running = [worker.name for worker in self.app.workers if not worker.is_finished]
        return f"{self.app.screen_stack}, keys count {getattr(top, 'ready', '')}, focus on {top.focused}, at work {running}"

    async def home(self) -> None:
        """Back to the list, all sessions closed."""
        await self.over("WorkbenchScreen")
        if self.on == "WorkbenchScreen":
            await self.idle()
            await self.press("q")
        await self.until(
            lambda: self.on == "HomeScreen" and not self.app.sessions.controllers,
            "the list with nothing open",
        )
        await self.until(lambda: all(w.is_finished for w in self.app.workers), "workers to end")

    async def idle(self) -> None:
        """Wait for jobs to end."""
        await self.until(
            lambda: not any(c.busy for c in self.app.sessions.controllers.values()), "jobs to end"
        )
        await self.pilot.pause()

    # -- ways -----------------------------------------------------------------------------------------------------

    def keys_of(self, *keys: str) -> Callable[[], Awaitable[None]]:
        return lambda: self.press(*keys)

    async def move(self) -> None:
        await self.press(
            *self.dice.choices(
                ("j", "j", "k", "right_square_bracket", "pagedown", "home", "tab"), k=3
            )
        )

    async def decide(self) -> None:
        await self.press(
            *self.dice.choice((("a",), ("x", "enter"), ("K",), ("L",), ("P",), ("c", "j", "enter")))
        )

    async def typed(self, text: str) -> None:
        for letter in text:
            await self.pilot.press("space" if letter == " " else letter)

    async def edit(self) -> None:
        await self.press("e")
        if self.on == "EditScreen":
            await self.typed(f"said {self.dice.randint(0, 999)} ")
            await self.press("ctrl+s")

    async def note(self) -> None:
        await self.press("m")
        if self.on == "NoteSheet":
            await self.typed(f"note {self.dice.randint(0, 999)}")
            await self.press("enter")

    async def view(self) -> None:
        await self.press(
            self.dice.choice(
                ("h", "l", "dollar_sign", "T", "question_mark", "comma", "w", "W", "o", "D", "E")
            )
        )
        await self.press("j", "pagedown", "escape")

    async def find(self) -> None:
        await self.press("slash")
        if self.on == "FindSheet":
            await self.typed(self.dice.choice(("reason", "model", "zzz")))
            await self.press("enter")

    async def palette(self) -> None:
        await self.press("ctrl+p")
        await self.typed(self.dice.choice(("go 1", "theme", "help")))
        await self.press("escape", "escape")

    async def job(self) -> None:
        await self.press(self.dice.choice(("r", "g")))
        await self.press("enter", "enter")
        await self.idle()

    async def size(self) -> None:
        await self.pilot.resize_terminal(*self.dice.choice(SIZES))
        await self.pilot.pause()

    async def close(self) -> None:
        await self.idle()
        await self.press("q")

    async def export(self) -> None:
        await self.press("s", "escape")


async def use(
    home: Path, hours: float, seed: int, clock: FastClock, say: Callable[[str], None]
) -> list[Held]:
    """So many hours at the app over a home; what it held every half hour."""
    from benchmarks.states import paths_in
    from coi_tui.app import CoiApp
    from coi_tui.config import Keys, Settings

    app = CoiApp(paths_in(home), Settings(), Keys())
    found = list[Held]()
    async with app.run_test(size=SIZES[0], notifications=True) as pilot:
        person = Person(app, pilot, random.Random(seed), clock)
        await person.until(lambda: getattr(app.screen, "loaded", False), "the list")
        for number in range(1, int(hours * ACTIONS_AN_HOUR) + 1):
            await person.act()
            if number % COUNT_EVERY == 0:
                await person.home()
                await person.pass_time(60.0)
                await person.pilot.pause(0.3)
                found.append(held(number))
                say(
                    "  ".join(
                        f"{value:>9.1f}" if isinstance(value, float) else f"{value:>9}"
                        for value in astuple(found[-1])
                    )
                )
        say(
            f"actions: {', '.join(f'{name} {count}' for name, count in sorted(person.done.items()))}"
        )
    return found


def verdicts(found: Sequence[Held]) -> list[tuple[str, float, float]]:
    """Each figure with its slope by the hour after the warm-up, and its bound."""
    level = [one for one in found if one.hour > WARM_UP_H]
    return [
        (name, slope([(one.hour, getattr(one, name)) for one in level]), bound)
        for name, bound in BOUNDS.items()
    ]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.long_use", description=__doc__)
    parser.add_argument("--hours", type=float, default=8.0, help="of the person's time")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    clock = FastClock()  # before Textual is imported
    from benchmarks.pilots import look_often
    from benchmarks.terminal_fuzz import make_home

    look_often()
    with tempfile.TemporaryDirectory() as folder:
        home = make_home(Path(folder))
        clock.put_on_dates()
        os.chdir(folder)
        print("  ".join(f"{name:>9}" for name in NAMES), flush=True)
        started = time.perf_counter()
        found = asyncio.run(
            use(home, args.hours, args.seed, clock, lambda line: print(line, flush=True))
        )
        copies = len(list((home / "data" / "backups").rglob("*.coi.db")))
    print(
        f"{time.perf_counter() - started:.0f} s for {args.hours:g} hours; {copies} copies of sessions were made by the clock"
    )
    rows = verdicts(found)
    for name, grown, bound in rows:
        print(
            f"{name:10} {grown:+8.2f} an hour, at most {bound:g}: {'level' if grown <= bound else 'GROWS'}"
        )
    sys.exit(any(grown > bound for _, grown, bound in rows))


if __name__ == "__main__":
    main()
