"""Stopped runs go on: an interrupt, and ``kill -9``; calls are never paid twice."""

import json
import signal
import time
from pathlib import Path

import pytest

from benchmarks.kills import kill_when_held, sent_again
from tests.support.coi_process import coi, environment, opened, start
from tests.support.standins import (
    Hold,
    Latency,
    Settings,
    StandInProcess,
    make_corpus,
    repeated,
    select,
)
from tests.support.standins.small_server import serving

SLOWER = Latency(chat=0.15, search=0.02, other=0.02)
ANSWERED = 50
"""Requests that are answered before the interrupt."""


def test_an_interrupt_keeps_what_is_finished_and_resume_goes_on(tmp_path: Path) -> None:
    topic = make_corpus().topics[1]
    held = tmp_path / "held"
    held.touch()
    settings = Settings(latency=SLOWER, hold=Hold(str(held), ANSWERED))
    with StandInProcess(settings, tmp_path / "server.jsonl") as pair:
        env = environment(tmp_path, pair)
        process = start(env, "run", topic, "--name", "run", "--branches", "2", "--yes")
        while process.poll() is None and len(pair.entries()) <= ANSWERED:
            time.sleep(0.02)
        interrupted = time.time()
        process.send_signal(signal.SIGINT)
        held.unlink()
        _, err = process.communicate(timeout=60)
        assert process.returncode == 130, err
        assert "Stopped" in err
        with opened(tmp_path, "run") as session:
            kept = len([c for c in session.file.calls() if c.kind == "chat"])
        assert kept >= 10
        resumed = coi(env, "resume", "run", "--yes", "--json")
        assert resumed.code == 0, resumed.err
        assert json.loads(resumed.out)["shortfall"] == ""
        entries = pair.entries()
    # calls of a model that were in flight were let finish, and kept; what costs nothing was cut off
    again = [e for e in repeated(entries) if e.kind == "chat"]
    assert again == []
    _, _, wrongly = sent_again(entries, interrupted, slack=1.0)
    assert wrongly == []
    with opened(tmp_path, "run") as session:
        assert len([c for c in session.file.calls() if c.kind == "chat"]) == len(
            select(entries, "chat", "chat")
        )
        assert session.verify() == []


def test_kill_9_and_resume_pays_nothing_twice() -> None:
    found = kill_when_held(1, make_corpus().topics[1], 25, delete_library=True)
    assert found.words == "", found
    assert found.code == 0, found
    assert found.in_flight > 0, found
    assert found.sound, found
    assert found.wrongly_again == [], found
    assert found.lost == [], found


ENDS_S = 25
"""Far less than what any of these services would be waited for, and far more than the end of a
process takes on a busy machine."""


@pytest.mark.parametrize("kind", ["silent", "too many"])
def test_the_first_interrupt_ends_a_run_that_waits_for_papers(kind: str, tmp_path: Path) -> None:
    later = {"retry-after": "60"}
    with serving(lambda _: (429, later, b"{}"), silent=kind == "silent") as server:
        url = f"{server.url}/graph/v1"
        env = environment(tmp_path, extra={"COI_SEMANTIC_SCHOLAR_URL": url, "COI_OFFLINE": ""})
        process = start(
            env, "run", "invented topic of a test", "--name", "run", "--branches", "1", "--yes"
        )
        try:
            assert server.asked.wait(60)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=ENDS_S)
        finally:
            process.kill()
    assert process.returncode == 130, err
    assert "Stopping" in err
    assert "Traceback" not in out + err
    with opened(tmp_path, "run") as session:
        assert session.file.failures() == [], "it was stopped, nothing failed"
