"""A real process is killed while it writes: what it was told is committed is there, and the file is
whole."""

import signal
import time
from pathlib import Path

import pytest

from coi_tui.config import Keys, Settings
from coi_tui.methods.wall import Wall
from coi_tui.model.text import digest
from coi_tui.paths import Paths
from coi_tui.session.environment import Environment
from coi_tui.session.session import Session
from coi_tui.store.session_file import SessionFile
from tests.support.desk import SMALL, Desk, run

from .making import new_session, script

WRITE = """
import sys
from pathlib import Path
from coi_tui.store.session_file import SessionFile
from tests.store.making import call, version
file = SessionFile(Path(sys.argv[1]))
n = len(file.load().entries)
while True:
    n += 1
    ids = file.commit(entries=[version(n, "x" * 3000)], calls=[call(f"k{n}")])
    print(n, ids[0], flush=True)
"""


@pytest.mark.parametrize("after", [1, 7, 40])
def test_kill_while_writing(tmp_path: Path, after: int) -> None:
    new_session(tmp_path).close()
    path, done = tmp_path / "one.coi.db", 0
    for _ in range(2):
        process = script(WRITE, path)
        assert process.stdout is not None
        for _ in range(after):
            done = int(process.stdout.readline().split()[0])
        process.kill()
        rest = process.stdout.read().splitlines()
        process.communicate()
        done = max([done, *(int(line.split()[0]) for line in rest if len(line.split()) == 2)])
        with SessionFile(path) as file:
            entries = file.load().entries
            assert not file.read_only
            assert done <= len(entries) <= done + 1  # at most one was committed and not yet told
            assert [c.key for c in file.calls()] == [f"k{n}" for n in range(1, len(entries) + 1)]
            assert file.verify() == []


def test_kill_at_any_moment_of_making_sessions(tmp_path: Path) -> None:
    """One session after the other until the process is killed: each that has a name can be run."""
    code = """
import sys
from pathlib import Path
from coi_tui.config import Keys, Settings
from coi_tui.paths import Paths
from coi_tui.session.environment import Environment
from coi_tui.session.session import Session
folder = Path(sys.argv[1])
for n in range(1000):
    Session.create(f"s{n}", "a topic", Environment(Paths(folder, folder, folder), Settings(), Keys())).close()
    print(n, flush=True)
"""
    rounds = 4
    for n in range(rounds):
        folder = tmp_path / str(n)
        process = script(code, folder)
        assert process.stdout is not None
        for _ in range(3):
            process.stdout.readline()
        time.sleep(0.004 * n)
        process.kill()
        process.communicate(timeout=60)
        found = sorted((folder / "sessions").glob("*.coi.db"))
        assert len(found) >= 3
        for path in found:
            with Session.open(
                str(path), Environment(Paths(folder, folder, folder), Settings(), Keys())
            ) as session:
                assert session.planner.to_stage("questions").lines, path


WALL = """
import asyncio, os, signal, sys
from pathlib import Path
from coi_tui.engine.budget import Budget
from coi_tui.model.text import digest
from tests.support.desk import Desk
from tests.support.script import HashModel

path, after = Path(sys.argv[1]), int(sys.argv[2])
events = 0

class Telling(HashModel):
    async def complete(self, request):
        print(digest(request.user), flush=True)
        return await super().complete(request)

def kill(event):
    global events
    events += event.kind in ("call", "task done", "decided")
    if events == after:
        os.kill(os.getpid(), signal.SIGKILL)

async def go(desk):
    plan = desk.planner.to_stage("ideas")
    await desk.session.runs.run_with(
        desk.methods, plan, await desk.session.runs.approve(plan), Budget(), kill
    )

desk = Desk.at(path, Telling())
asyncio.run(go(desk))
desk.session.close()
"""
"""Runs a session to its ideas, tells what the model is asked, and dies when so many calls, texts and
decisions are committed."""


def walled(folder: Path) -> Desk:
    desk = Desk.new(folder, SMALL.model_copy(update={"one_call": False}))
    desk.session.add_method(Wall.name)
    run(desk, "directions")
    return desk


@pytest.mark.timeout(600)
@pytest.mark.parametrize("after", [4, 9, 15])
def test_kill_again_and_again_while_a_wall_is_made_and_ranked(tmp_path: Path, after: int) -> None:
    """What was answered and committed is asked by none of the processes that go on, and the wall,
    its ranking and the ideas are those of a run that nobody killed."""
    desk = walled(tmp_path / "killed")
    path, kills = desk.closed(), 0
    while True:
        with SessionFile(path, read_only=True) as file:
            known = {digest(str(call.request.get("user"))) for call in file.calls()}
        process = script(WALL, path, after)
        asked = process.communicate(timeout=100)[0].split()
        assert not known & {*asked}
        if process.returncode == 0:
            break
        assert process.returncode == -signal.SIGKILL
        kills += 1
    assert kills > 1
    killed, undisturbed = Desk.at(path), walled(tmp_path / "undisturbed")
    run(undisturbed, "ideas")
    assert killed.contents() == undisturbed.contents()
    assert "W1/ranking" in killed.contents()
    assert killed.session.file.verify() == []
