"""Services that fail, by seed: small sessions in the process of the tests against stand-ins in one
of their own; what must hold is counted."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.e2e.conftest import UNPACED, in_this_process
from tests.support.coi_process import Ran, environment, opened
from tests.support.standins import QUICK, Faults, Settings, StandInProcess, make_corpus
from tests.support.standins.fault_injection import NONCE

TOPICS = make_corpus().topics
RAW = "calls"
"""The one table that may hold the raw replies of a model."""


def run_one(home: Path, services: Settings, topic: str) -> tuple[Ran, list[str], int]:
    """One run, where the nonce of malformed replies turned up, and how many faults there were."""
    (home / "config").mkdir(parents=True)
    (home / "config" / "config.toml").write_text(UNPACED, encoding="utf-8")
    size = ("--branches", "2")
    with StandInProcess(services, home / "server.jsonl") as pair:
        env = environment(home, pair)
        ran = in_this_process(env, "run", topic, "--name", "run", *size, "--yes", "--json")
        exports = [
            in_this_process(env, "export", "run", "--format", kind)
            for kind in ("md", "json", "bib")
        ]
        faults = sum(bool(entry.fault) for entry in pair.entries())
    return ran, leaks(home, [ran, *exports]), faults


def leaks(home: Path, runs: list[Ran]) -> list[str]:
    """Where the nonce of the malformed replies turned up, besides the raw calls."""
    found = [f"output {n}" for n, ran in enumerate(runs) if NONCE in ran.out + ran.err]
    for file in home.rglob("*"):
        if file.suffix in (".log", ".md", ".toml", ".bib"):
            found += [file.name] if NONCE in file.read_text("utf-8", "replace") else []
        if file.suffix == ".db":
            with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as db:
                tables = db.execute(
                    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
                ).fetchall()
                found += [
                    f"{file.name} {table}"
                    for (table,) in tables
                    if table != RAW
                    and any(NONCE in str(row) for row in db.execute(f'SELECT * FROM "{table}"'))
                ]
    return found


def test_limits_and_broken_replies_that_pass_are_waited_out(tmp_path: Path) -> None:
    """A fault that comes three times in a row is no fault that passes: a call that may have been
    paid for is sent at most three times."""
    chat, s2 = (Faults(seed=n, p429=0.05, p500=0.05, truncated=0.05, at_most=1) for n in (1, 1001))
    services = Settings(latency=QUICK, chat_faults=chat, s2_faults=s2)
    ran, _, faults = run_one(tmp_path, services, TOPICS[1])
    assert faults > 0
    assert ran.code == 0, ran.err


@pytest.mark.parametrize("seed", [0, 1])
def test_malformed_replies_end_in_a_named_failure_at_worst_and_leak_nowhere(
    seed: int, tmp_path: Path
) -> None:
    services = Settings(latency=QUICK, chat_faults=Faults(seed=seed, malformed=0.1))
    ran, leaked, faults = run_one(tmp_path, services, TOPICS[seed])
    assert faults > 0
    assert leaked == []
    failed = json.loads(ran.out)["failed"]
    assert bool(failed) == (ran.code != 0)
    assert all(failed.values())
    with opened(tmp_path, "run") as session:
        whole = {str(b) for b in session.state.ideas()}
    stopped = {address.partition("/")[0].lstrip("Q") for address in failed}
    assert {"1", "2"} - stopped <= whole, "branches without a failure finished"
