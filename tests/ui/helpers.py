"""Helpers for journeys through the screens: they wait for what should happen, never for a time."""

import asyncio
import os
import shutil
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, chdir
from pathlib import Path
from typing import Any, TypeVar

from textual import events
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import OptionList

from coi_tui.app import CoiApp
from coi_tui.config import Keys, Settings
from coi_tui.screens.base import ChangeSheet, CoiScreen
from coi_tui.screens.run_sheets import PlanSheet
from coi_tui.screens.sheets import AskChoice
from coi_tui.screens.workbench import WorkbenchScreen
from coi_tui.services.llm.offline import DRAFTS, Draft
from coi_tui.session.session import Session
from coi_tui.session.wording import Row
from coi_tui.widgets.panes import StatusLines
from tests.support import shared
from tests.support.desk import bare, paths_in
from tests.support.frames import lines
from tests.support.states import takes_keys

S = TypeVar("S", bound=Screen[Any])
TOPIC = "chain of thought reasoning in large language models"
LIMIT = 60.0
places = paths_in


class Trip:
    """A pilot with waits."""

    def __init__(self, app: CoiApp, pilot: Pilot[None]) -> None:
        self.app, self.pilot = app, pilot

    async def until(self, holds: Callable[[], object], what: str = "") -> None:
        """Wait for a condition; the failure says which and shows the screen."""
        end = asyncio.get_running_loop().time() + LIMIT
        while not holds():
            if asyncio.get_running_loop().time() > end:
                raise AssertionError(f"waited in vain for {what or holds}:\n{self.text}")
            await self.pilot.pause(0.01)
        await self.pilot.pause()

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def command(self, name: str) -> None:
        """Do what the palette does for an action without a key."""
        screen = self.app.screen
        assert isinstance(screen, CoiScreen)
        await screen.action_act(name)
        await self.pilot.pause()

    async def write(self, text: str) -> None:
        """Put a text where the focus is, in one piece as a paste does: to press its letters one by
        one takes a second a line."""
        focused = self.app.screen.focused
        assert focused is not None, "nothing takes text"
        focused.post_message(events.Paste(text))
        await self.pilot.pause()

    async def resize(self, *size: int) -> None:
        """Give the terminal another size, and wait until all panes have taken it."""
        await self.pilot.resize_terminal(*size)
        await self.until(lambda: tuple(self.app.screen.outer_size) == size, f"the size {size}")
        for _ in range(
            3
        ):  # classes by size, then the layout, then the focus and the scroll that follow it
            await self.pilot.pause()

    async def on(self, kind: type[S]) -> S:
        """Wait for a screen of a kind, and for its keys to count."""
        await self.until(lambda: isinstance(self.app.screen, kind), kind.__name__)
        screen = self.app.screen
        assert isinstance(screen, kind)
        if isinstance(screen, CoiScreen):
            await self.until(lambda: takes_keys(screen), "the sheet to take keys")
        return screen

    async def to(self, kind: type[S], *keys: str, at: str = "") -> S:
        """Press keys, on a row where one is named, and wait for the screen that they lead to."""
        if at:
            await self.go(at)
        await self.press(*keys)
        return await self.on(kind)

    async def idle(self) -> None:
        """Wait for every worker that is not a job."""
        await self.until(
            lambda: all(w.is_finished or w.group.startswith("job ") for w in self.app.workers),
            "workers",
        )

    async def change(self, key: str, done: Callable[[], bool], what: str) -> None:
        """Press a key that changes something, and agree where a sheet first says what else would
        change."""
        await self.press(key)
        await self.until(
            lambda: done() or isinstance(self.app.screen, ChangeSheet),
            f"{what}, or what else would change",
        )
        if isinstance(self.app.screen, ChangeSheet):
            await self.on(ChangeSheet)
            await self.press("enter")
        await self.until(done, what)

    @property
    def bench(self) -> WorkbenchScreen:
        return next(s for s in reversed(self.app.screen_stack) if isinstance(s, WorkbenchScreen))

    def row(self, address: str) -> Row:
        return self.bench.chain.rows[address]

    async def go(self, address: str) -> None:
        """Put the cursor on a row and wait for its text."""
        self.bench.chain.go(address)
        await self.until(lambda: self.bench.detail.key == address, f"the text of {address}")

    async def plan(self, *keys: str) -> PlanSheet:
        """``g`` and keys of its menu; the plan that they open."""
        await self.to(AskChoice, "g")
        return await self.to(PlanSheet, *keys)

    async def run(self) -> None:
        """Enter on the plan that is shown, and the end of its job. Nothing runs before."""
        await self.on(PlanSheet)
        controller = self.bench.controller
        assert not controller.busy
        before = controller.job
        await self.to(WorkbenchScreen, "enter")
        await self.until(lambda: controller.job is not before, "the job to begin")
        await self.ended()

    async def run_to(self, stage: str) -> None:
        """``g`` ``a``, choose the stage, Enter on the plan, and wait for the end."""
        await self.to(AskChoice, "g")
        await self.press("a")
        await self.until(
            lambda: isinstance(self.app.screen, AskChoice) and stage in self.app.screen.names,
            "the stages",
        )
        sheet = await self.on(AskChoice)
        sheet.query_one(OptionList).highlighted = sheet.names.index(stage)
        await self.press("enter")
        await self.run()

    async def ended(self) -> None:
        """Wait until the job has ended and the screen has said so."""
        controller = self.bench.controller
        await self.until(
            lambda: (
                controller.job is not None
                and controller.job.ended
                and self.bench.watch_job.job is None
            ),
            "the job to end",
        )

    @property
    def lines(self) -> list[str]:
        """The screen as lines of text."""
        return lines(self.app.screen)

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    @property
    def status(self) -> str:
        return self.bench.query_one(StatusLines).message


@asynccontextmanager
async def trip(
    folder: Path,
    size: tuple[int, int] = (120, 36),
    *,
    show_plans: bool = True,
    settings: Settings | None = None,
    **options: Any,
) -> AsyncIterator[Trip]:
    """The app over a folder of its own and started in it, with no keys set up.

    ``show_plans``: each plan stands still on its sheet, as most tests want it, unless ``settings``
    say otherwise.
    """
    os.makedirs(folder, exist_ok=True)
    settings = settings or Settings(show_plans=show_plans)
    app = CoiApp(places(folder), settings, Keys(), **options)
    with chdir(folder):
        async with app.run_test(size=size, notifications=True) as pilot:
            there = Trip(app, pilot)
            await there.idle()
            yield there
    app.sessions.close_all()


def _review(values: Mapping[str, Any]) -> Mapping[str, Any]:
    points = {
        "design": "Say how many runs are made.",
        "baselines": "Name the strongest one.",
        "metrics": "Say what counts as a gain.",
    }
    return {"points": [{"part": part, "point": point} for part, point in points.items()]}


def _refine(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """The plan with each point in place of the part that it is about."""
    plan = {**values["experiment"], **{point["part"]: point["point"] for point in values["points"]}}
    claims = [
        {"claim": one["name"], "refuted_if": one["description"]} for one in plan.pop("claims")
    ]
    answers = [
        {"point": n, "part": p["part"], "change": p["point"]}
        for n, p in enumerate(values["points"], start=1)
    ]
    return {**plan, "claims": claims, "answers": answers}


REVIEWER: Mapping[str, Draft] = {"coi_review": _review, "coi_refine": _refine}
"""A reviewer of three points and what answers them, in place of the worksheets: the fixture
``reviewer``."""


async def seeded(folder: Path, stage: str) -> None:
    """Put a session about TOPIC into a folder, run to a stage where one is named."""
    name = f"demo-{stage or 'begun'}{'-reviewed' if REVIEWER.keys() <= DRAFTS.keys() else ''}"
    with shared.to_make(name) as making:
        if making is not None:
            with Session.create("demo", TOPIC, bare(making), offline=True) as session:
                if stage:
                    await session.runs.run(session.planner.to_stage(stage))
    shutil.copytree(shared.kept(name), folder, dirs_exist_ok=True)


@asynccontextmanager
async def demo(
    folder: Path, size: tuple[int, int] = (120, 36), stage: str = "", *, show_plans: bool = True
) -> AsyncIterator[Trip]:
    """An offline session about TOPIC on its workbench, as it is after a run to a stage if one is
    named."""
    if stage or not (folder / "data" / "sessions" / "demo.coi.db").exists():
        await seeded(folder, stage)
    async with trip(folder, size, show_plans=show_plans, session="demo") as there:
        await there.on(WorkbenchScreen)
        await there.idle()
        yield there
