"""The states of the screens, each with the way to it: one table for the snapshots and the hostile
texts.

A new screen is one more line in ``STATES``: a name, where the cursor goes first, the keys, and the
screen that must then be on top.
"""

import asyncio
import os
import re
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal
from unittest.mock import patch

from textual.message import Message
from textual.pilot import Pilot

from coi_tui.app import CoiApp
from coi_tui.config import Keys, Settings
from coi_tui.engine.declarations import Scope
from coi_tui.screens.base import CoiScreen, Sheet
from coi_tui.screens.home import HomeScreen
from coi_tui.screens.workbench import WorkbenchScreen
from coi_tui.session.papers.own_papers import import_papers
from coi_tui.session.queries.rows import in_chains
from coi_tui.session.session import Session
from coi_tui.store.session_file import SessionFile
from tests.support.desk import bare, paths_in
from tests.support.frames import lines
from tests.support.held_jobs import During, Hold, held, not_opened

CLOCK = "2026-03-01T09:00:00Z"
TOPIC = "chain of thought reasoning in large language models"
WAIT = 20.0
POINT = ("enter", "plus", *"metrics:cost", "enter")
"""A point of one's own: without a model a review has none."""


def takes_keys(screen: CoiScreen[Any]) -> bool:
    """Whether keys pressed now count on a screen."""
    return Message().time >= screen.listens_from


@dataclass(frozen=True)
class State:
    """``at``: the row the cursor is put on; ``keys``: pressed then; ``on``: the name of the screen
    that must come up."""

    name: str
    at: str = "topic"
    keys: tuple[str, ...] = ()
    on: str = "WorkbenchScreen"
    empty: bool = False
    """True for a home without sessions."""
    during: During = ""
    """What a job is held in while the state is shown."""
    opening: bool = False
    """The session is still being opened."""
    method: Literal["", "SciPIP", "Nova", "a list"] = ""
    """The method that was added and run to its papers or through a round, with some decisions of a
    person's; or a list of papers that was imported."""


STATES = (
    State("home_empty", on="HomeScreen", empty=True),
    State("home_new", keys=("n",), on="TopicSheet", empty=True),
    State("home", keys=("q",), on="HomeScreen"),
    State("workbench_topic"),
    State("workbench_paper", at="1/0"),
    State("workbench_card", at="1/0.card"),
    State("workbench_idea", at="1/idea"),
    State("workbench_novelty", at="1/nov"),
    State("workbench_arena", at="A"),
    State("workbench_shelf", at="X"),
    State("workbench_why", at="1/idea", keys=("w",)),
    State("workbench_text_pane", at="1/idea", keys=("enter",)),
    State("workbench_undecided", at="1/+1"),
    State("candidates", at="1/0", keys=("c",), on="CandidatesScreen"),
    State("pin", at="1/+1", keys=("p",), on="PinSheet"),
    State("reject", at="1/+1", keys=("x",), on="AskText"),
    State("note", at="1/0", keys=(":note",), on="AskText"),
    State("accept_all", at="1/0", keys=("A",), on="AcceptSheet"),
    State("generate", at="1/0", keys=("g",), on="AskChoice"),
    State("stages", keys=("g", "a"), on="AskChoice"),
    State("history", at="1/idea", keys=("h",), on="HistoryScreen"),
    State("criteria", keys=(":criteria",), on="CriteriaSheet"),
    State("log", keys=("l",), on="LogScreen"),
    State("edit", at="1/dir", keys=("e",), on="EditScreen"),
    State("reader", at="1/0", keys=("o",), on="ReaderScreen"),
    State("cost", keys=(":cost",), on="CostScreen"),
    State("find", keys=("slash",), on="AskText"),
    State("search_words", at="1/0", keys=("f",), on="AskText"),
    State("novelty", at="1/nov", keys=("enter",), on="NoveltyScreen"),
    State("arena", at="A", keys=("enter",), on="ArenaScreen"),
    State("arena_model", at="A", keys=("enter", "M"), on="ArenaScreen"),
    State("ideas", at="A", keys=("enter", "enter"), on="CompareScreen"),
    State("review", at="1/review", keys=POINT, on="ReviewScreen"),
    State("proposal", at="1/proposal", keys=("enter",)),
    State("refine_query", at="1/review", keys=(*POINT, "F"), on="AskText"),
    State("workbench_plan", at="1/exp"),
    State("scipip_papers", at="S1/retrieved", keys=("enter",), on="ContentScreen", method="SciPIP"),
    State("nova_plan", at="N1/plan1", keys=("enter",), on="ContentScreen", method="Nova"),
    State("own_papers", keys=("m",), on="OwnPapersScreen", method="a list"),
    State("settings", keys=(":settings",), on="SettingsScreen"),
    State("export", keys=("s",), on="ExportSheet"),
    State("shelf", at="X", keys=("enter",), on="ShelfScreen"),
    State("home_import", keys=("q", "i"), on="AskText"),
    State("workbench_running", at="1/dir", during="running"),
    State("workbench_running_elsewhere", at="1/idea", during="running"),
    State("workbench_stopping", at="1/dir", keys=("S",), during="running"),
    State("workbench_waiting", at="1/-2", during="waiting"),
    State("workbench_failed", at="1/-2", during="failed"),
    State("failed", at="1/-2", keys=("enter",), on="AskChoice", during="failed"),
    State("home_running", keys=("q",), on="HomeScreen", during="running"),
    State("opening", on="HomeScreen", opening=True),
    State("commands_filtered", at="1/0", keys=("colon", *"pin"), on="CommandSheet"),
    State("help", at="1/0", keys=("question_mark",), on="CommandSheet"),
)


async def _here(work: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    return work(*args, **kwargs)


async def _commit_here(
    file: SessionFile, method: Callable[..., Any], *args: Any, **kwargs: Any
) -> Any:
    return method(*args, **kwargs)


async def make_seed(folder: Path) -> Path:
    """The demo session made offline with a fixed clock; a data folder to be copied.

    Nothing is handed to a thread meanwhile, so that results are committed in the same order each
    time and versions have the same numbers.
    """
    with (
        patch("asyncio.to_thread", _here),
        patch.object(SessionFile, "run", _commit_here),
        Session.create(
            "demo",
            TOPIC,
            bare(folder, lambda: CLOCK),
            offline=True,
        ) as session,
    ):
        await session.runs.run(session.planner.to_stage("proposal"))
        session.decide("accept", "1/0")
    return folder


def _opened(folder: Path) -> Session:
    return Session.open("demo", bare(folder, lambda: CLOCK))


async def add_scipip(folder: Path) -> None:
    """Add SciPIP to the session of a folder, run it up to its papers, then untick one."""
    with _opened(folder) as session:
        instance = session.add_method("SciPIP")
        await session.runs.run(session.planner.to_stage("retrieval", Scope(instance=instance)))
        found = session.state.value(f"{instance}/retrieved#papers")
        session.edits.change_row(f"{instance}/retrieved", found[0]["paper"], "reject")
        await session.runs.run(session.planner.to_stage("problem", Scope(instance=instance)))


async def add_nova(folder: Path) -> None:
    """Add Nova to the session of a folder, leave out a theory, and run one round."""
    with _opened(folder) as session:
        scope = Scope(instance=session.add_method("Nova"))
        session.edits.change_row(f"{scope.instance}/choice", "10", "reject")
        await session.runs.run(session.planner.to_stage("plans-1", scope))
        await session.runs.run(session.planner.to_stage("diversity", scope))


async def add_list(folder: Path) -> None:
    """Import a list of two papers; one is in a chain of the session."""
    with _opened(folder) as session:
        used = session.state.papers[in_chains(session.state)[0]]
    entries = (
        f"TY  - JOUR\nTI  - {used.title}\nPY  - {used.year}\nUR  - arXiv:{used.ids['arXiv']}\nER  - ",
        "TY  - JOUR\nTI  - Gates that weigh evidence\nAU  - Bar, Ann\nDO  - 10.1234/gates\nER  - ",
    )
    (folder / "group.ris").write_text("\n".join(entries), encoding="utf-8")
    import_papers(paths_in(folder), folder / "group.ris")


ADDED = {"SciPIP": add_scipip, "Nova": add_nova, "a list": add_list}


async def wait(pilot: Pilot[None], holds: Callable[[], object], what: str) -> None:
    """Wait for a condition."""
    end = asyncio.get_running_loop().time() + WAIT
    while not holds():
        if asyncio.get_running_loop().time() > end:
            raise AssertionError(f"waited in vain for {what}; on {type(pilot.app.screen).__name__}")
        await pilot.pause(0.01)
    await pilot.pause()


@asynccontextmanager
async def shown(
    state: State, seed: Path, folder: Path, size: tuple[int, int]
) -> AsyncIterator[Pilot[None]]:
    """The app in a state, over a copy of the seed. Paths are relative to ``folder``, so that they
    read the same everywhere."""
    before = Path.cwd()
    if not state.empty and not (folder / "data").exists():
        shutil.copytree(seed / "data", folder / "data")
    if state.method:
        await ADDED[state.method](folder)
    os.chdir(folder)
    app = CoiApp(paths_in(Path()), Settings(), Keys(), session=None if state.empty else "demo")
    try:
        with held(state.during) as hold, not_opened(state.opening) as open_now:
            async with app.run_test(size=size, notifications=True) as pilot:
                try:
                    await walk(state, pilot, hold)
                    yield pilot
                finally:
                    open_now()
                    if state.opening:
                        await wait(
                            pilot, lambda: bool(app.sessions.controllers), "the session to be there"
                        )
                    for controller in list(app.sessions.controllers.values()):
                        await hold.release(controller.job, partial(wait, pilot))
    finally:
        app.sessions.close_all()
        os.chdir(before)


async def walk(state: State, pilot: Pilot[None], hold: Hold) -> None:
    app = pilot.app
    assert isinstance(app, CoiApp)

    def quiet() -> bool:
        return all(w.is_finished or w.group.startswith("job ") for w in app.workers)

    if state.empty:
        await wait(pilot, lambda: getattr(app.screen, "loaded", False), "the list")
    elif state.opening:
        await wait(pilot, lambda: isinstance(app.screen, HomeScreen), "the list of sessions")
        return
    else:
        await wait(pilot, lambda: isinstance(app.screen, WorkbenchScreen), "the workbench")
        bench = app.screen
        assert isinstance(bench, WorkbenchScreen)
        bench.chain.go(state.at)
        await wait(pilot, lambda: bench.detail.key == state.at, f"the text of {state.at}")
        if state.during:
            await hold.begin(bench, partial(wait, pilot))
    await wait(pilot, quiet, "workers")
    for key in state.keys:
        if len(key) > 1 and key.startswith(":"):  # a command of the palette
            await app.screen.action_act(key[1:])  # type: ignore[attr-defined]
        else:
            await pilot.press(key)
        await pilot.pause(
            0.05
        )  # a screen that came up by the key draws its rows after its first frame
        if isinstance(sheet := app.screen, Sheet):
            await wait(pilot, partial(takes_keys, sheet), "the sheet to take keys")
    await wait(pilot, lambda: type(app.screen).__name__ == state.on, state.on)
    top = app.screen
    if isinstance(top, Sheet):
        await wait(pilot, partial(takes_keys, top), "the sheet to take keys")
    await wait(pilot, quiet, "workers")
    await pilot.pause()


def lines_of(pilot: Pilot[None]) -> list[str]:
    return lines(pilot.app.screen)


def steady(text: str) -> str:
    """The text without what differs from one day or machine to the next."""
    text = re.sub(r"\(\d+ kB\)", "(NN kB)", text)
    text = re.sub(r"\b\d\.\d s  \$", "N.N s  $", text)
    text = re.sub(
        "[\u2581-\u2587](?= ?[│║])", " ", text
    )  # where in its cell a scrollbar ends depends on which size came before
    return "\n".join(line.rstrip() for line in text.splitlines()) + "\n"
