"""The sessions of a suite on a Dask cluster of two workers, of which one is killed."""

import os
import signal
import time
from pathlib import Path

import pytest

from tests.support.coi_process import coi, environment, start
from tests.support.standins import Latency, Settings, StandInProcess, repeated
from tests.support.suite_files import suite_file

distributed = pytest.importorskip(
    "distributed", reason="needs Dask: pip install 'coi-tui[cluster]'"
)

LATENCY = Latency(chat=0.2, search=0.01, embeddings=0.01, pdf=0.01, other=0.01)
KILLED_AFTER = 6
"""Requests after which a worker is killed."""


def suite_in(home: Path) -> Path:
    home.mkdir()
    return suite_file(home, topics=3)


def contents(file: Path) -> tuple[dict[str, str], set[str]]:
    """The texts of a suite by name, and its judgements."""
    folder = file.with_suffix("")
    texts = {one.name: one.read_text("utf-8") for one in (folder / "texts").iterdir()}
    return texts, set((folder / "judgements.jsonl").read_text("utf-8").splitlines())


@pytest.mark.long
def test_a_killed_worker_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = suite_in(tmp_path / "cluster"), suite_in(tmp_path / "alone")
    with StandInProcess(Settings(latency=LATENCY), tmp_path / "server.jsonl") as pair:
        env = environment(tmp_path / "home", pair)
        for name in ("COI_HOME", "OPENAI_BASE_URL", "COI_SEMANTIC_SCHOLAR_URL", "PYTHONPATH"):
            monkeypatch.setenv(name, env[name])
        with (
            distributed.LocalCluster(
                n_workers=2, threads_per_worker=1, dashboard_address=None
            ) as cluster,
            distributed.Client(cluster) as client,
        ):
            workers = list(client.run(os.getpid).values())
            address = cluster.scheduler_address
            # the process that gives the tasks has no part in making sessions
            process = start(env, "arena", "run", str(one), "--yes", "--dask", address)
            while process.poll() is None and len(pair.entries()) < KILLED_AFTER:
                time.sleep(0.02)
            os.kill(workers[0], signal.SIGKILL)
            killed = time.time()
            _, err = process.communicate(timeout=100)
        assert process.returncode == 0, err
        chats = [entry for entry in pair.entries() if entry.kind == "chat"]
        in_flight = sum(entry.in_flight(killed, slack=1.0) for entry in chats)
        assert len(repeated(chats)) <= in_flight, "only what the kill cut off is asked again"
        texts, judgements = contents(one)
        assert len(texts) == 6
        done = coi(env, "arena", "run", str(other), "--yes")
        assert done.code == 0, done.err
        assert contents(other) == (texts, judgements)


NOBODY = {
    "OPENAI_BASE_URL": "http://127.0.0.1:9/v1",
    "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "1s",
}


def test_a_scheduler_that_does_not_answer_is_named(tmp_path: Path) -> None:
    file = suite_in(tmp_path / "suite")
    env = environment(tmp_path / "home", extra=NOBODY)
    found = coi(env, "arena", "run", str(file), "--yes", "--dask", "tcp://127.0.0.1:9")
    assert found.code == 2
    assert "tcp://127.0.0.1:9" in found.err
    assert "Traceback" not in found.err
