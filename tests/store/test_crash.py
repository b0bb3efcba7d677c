"""A real process is killed while it writes: what it was told is committed is there, and the file is whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from coi_tui.store.session_file import SessionFile

from .making import new_session, script

WRITE = """
import sys
from pathlib import Path
from coi_tui.store.session_file import SessionFile
from tests.store.making import call, version
file = SessionFile.open(Path(sys.argv[1]))
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
        with SessionFile.open(path) as file:
            entries = file.load().entries
            assert not file.read_only
            assert done <= len(entries) <= done + 1  # at most one was committed and not yet told
            assert [c.key for c in file.calls()] == [f"k{n}" for n in range(1, len(entries) + 1)]
            assert file.verify() == []


def test_kill_while_making(tmp_path: Path) -> None:
    code = """
import os, sys
from pathlib import Path
import coi_tui.store.creating as creating
from coi_tui.store.session_file import SessionFile
creating._publish = lambda fresh, path: os.kill(os.getpid(), 9)
SessionFile.create(Path(sys.argv[1]), {"name": "x"})
"""
    process = script(code, tmp_path / "one.coi.db")
    process.communicate(timeout=60)
    assert process.returncode == -9
    assert not (tmp_path / "one.coi.db").exists()
    new_session(tmp_path).close()
