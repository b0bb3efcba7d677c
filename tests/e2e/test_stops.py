"""Stopped runs go on: an interrupt, and ``kill -9`` (Must show 4, 5); calls are never paid
twice."""

from __future__ import annotations

import json
import signal
import time
from pathlib import Path

import pytest

from benchmarks.kills import kill_when_held
from benchmarks.limits import LIMITS, measure
from benchmarks.pipeline import shape_of
from tests.support.coi_process import coi, environment, opened, start
from tests.support.standins import Latency, Settings, StandInProcess, make_corpus, repeated, select

SLOWER = Latency(chat=0.15, search=0.02, other=0.02)


def test_an_interrupt_keeps_what_is_finished_and_resume_goes_on(tmp_path: Path) -> None:
    topic = make_corpus().topics[1]
    with StandInProcess(Settings(latency=SLOWER), tmp_path / "server.jsonl") as pair:
        env = environment(tmp_path, pair)
        process = start(env, "run", topic, "--name", "run", "--branches", "2", "--yes")
        for _ in range(600):
            if len(select(pair.entries(), "chat", "chat")) > 20:
                break
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=20)
        assert process.returncode == 130, err
        assert "Stopped" in err
        with opened(tmp_path, "run") as session:
            kept = len([c for c in session.core.file.calls() if c.kind == "chat"])
        assert kept >= 10
        resumed = coi(env, "resume", "run", "--yes", "--json")
        assert resumed.code == 0, resumed.err
        assert json.loads(resumed.out)["shortfall"] == ""
        entries = pair.entries()
    assert (
        repeated(entries) == []
    )  # the calls in flight at the first interrupt were let finish, and kept
    with opened(tmp_path, "run") as session:
        assert len([c for c in session.core.file.calls() if c.kind == "chat"]) == len(
            select(entries, "chat", "chat")
        )
        assert session.verify() == []


@pytest.mark.parametrize(("number", "after"), [(1, 25)])
def test_kill_9_and_resume_pays_nothing_twice(number: int, after: int) -> None:
    found = kill_when_held(
        number, make_corpus().topics[number], after, delete_library=number % 2 == 1
    )
    assert found.words == "", found
    assert found.code == 0, found
    assert found.in_flight > 0, found
    assert found.sound, found
    assert found.wrongly_again == [], found
    assert found.lost == [], found


@pytest.mark.parametrize(
    ("corpus", "number", "shape"), [(7, 5, "1+3 1+3 2+2"), (2, 7, "0+4 2+2 0+4")]
)
def test_a_run_stays_within_its_limits_but_for_time(
    tmp_path: Path, corpus: int, number: int, shape: str
) -> None:
    """Also where a side finds nothing and the other takes its places, a wave each."""
    found = measure(
        make_corpus(corpus).topics[number],
        tmp_path,
        Latency(chat=0.02, search=0.002, other=0.002),
        corpus,
    )
    with opened(tmp_path, "run") as session:
        assert shape_of(session) == shape
    over = {
        name: found.values[name]
        for name, (_, limit) in LIMITS.items()
        if name not in ("ratio", "idle") and found.values[name] > limit
    }
    assert over == {}
