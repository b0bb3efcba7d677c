"""A suite by its commands against the stand-ins: killed, gone on with, reported."""

import json
import time
from pathlib import Path

import pytest

from coi_tui.arena.ratings import CRITERIA
from tests.support.coi_process import coi, environment, start
from tests.support.standins import (
    QUICK,
    ChatOptions,
    Settings,
    StandInProcess,
    repeated,
)
from tests.support.suite_files import suite_file

KILLED_AFTER = (4, 14, 24)
"""Requests after which the program is killed."""
AT_ONCE, IN_FLIGHT = "at_once = 2", 2 * 3
"""Calls whose answer may be on its way when the program is killed: each of two sessions grades twelve
candidates for an anchor in three calls side by side."""


@pytest.mark.long
def test_a_suite_goes_on_after_kills_and_a_last_start_asks_nothing(tmp_path: Path) -> None:
    file, log = suite_file(tmp_path, 2, AT_ONCE), tmp_path / "server.jsonl"
    run = ("arena", "run", str(file), "--yes")
    with StandInProcess(Settings(latency=QUICK), log) as pair:
        env = environment(tmp_path / "home", pair)
        for requests in KILLED_AFTER:
            process = start(env, *run)
            while process.poll() is None and len(pair.entries()) < requests:
                time.sleep(0.02)
            process.kill()
            process.communicate()
        done = coi(env, *run)
        assert done.code == 0, done.err
        again = repeated(entry for entry in pair.entries() if entry.kind == "chat")
        assert len(again) <= IN_FLIGHT * len(KILLED_AFTER), (
            "only what a kill cut off is asked again"
        )
        once = len(pair.entries())
        assert coi(env, *run).code == 0
        assert len(pair.entries()) == once
    found = json.loads(coi(env, "arena", "report", str(file), "--format", "json").out)
    assert found["judges"]["stand-in"]["judgements"] == 2 * 2 * len(CRITERIA)
    assert found["missing"] == []
    sessions = [row for row in found["costs"] if row["name"] in ("one chain", "one call")]
    assert all(row["calls"] for row in sessions)


@pytest.mark.long
def test_a_batch_is_collected_by_the_start_after_a_kill(tmp_path: Path) -> None:
    file, log = suite_file(tmp_path, 2, AT_ONCE), tmp_path / "server.jsonl"
    run = ("arena", "run", str(file), "--yes")
    with StandInProcess(Settings(latency=QUICK, chat=ChatOptions(looks=1)), log) as pair:
        env = environment(tmp_path / "home", pair)

        def submitted() -> int:
            return sum(e.method == "POST" and e.path == "/v1/batches" for e in pair.entries())

        process = start(env, *run, "--batch")
        while process.poll() is None and not submitted():
            time.sleep(0.02)
        process.kill()
        process.communicate()
        refused = coi(env, *run)
        assert refused.code == 2
        assert "--batch" in refused.err
        done = coi(env, *run, "--batch")
        assert done.code == 0, done.err
        assert submitted() == 1
        asked = [e for e in pair.entries() if e.note.get("schema") == "MatchReply"]
        assert not asked, "judges are asked in the batch alone"
    found = json.loads(coi(env, "arena", "report", str(file), "--format", "json").out)
    assert found["judges"]["stand-in"]["judgements"] == 2 * 2 * len(CRITERIA)
