"""Services that fail, by seed: small sessions in the process of the tests against stand-ins in one
of their own; what must hold is counted."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import IMPATIENT, UNPACED, in_this_process
from tests.support.coi_process import Ran, environment, opened
from tests.support.standins import QUICK, Faults, S2Options, Settings, StandInProcess, make_corpus
from tests.support.standins.fault_injection import NONCE

TOPICS = make_corpus().topics
RAW = "calls"
"""The one table that may hold the raw replies of a model."""


@dataclass(frozen=True)
class Faulty:
    """What came of one run."""

    ran: Ran
    faults: Counter[str]
    failed: dict[str, str]
    others_finished: bool
    leaks: list[str]
    verdicts: list[str]

    @property
    def honest(self) -> bool:
        """Finished, or ended with a named cause while the branches without a failure finished."""
        return self.ran.code == 0 or (
            bool(self.failed) and all(self.failed.values()) and self.others_finished
        )


def run_one(
    home: Path, services: Settings, seed: int, config: str = UNPACED, branches: int = 2
) -> Faulty:
    """One run, its exports, and what it left on disk."""
    (home / "config").mkdir(parents=True)
    (home / "config" / "config.toml").write_text(config, encoding="utf-8")
    topic = TOPICS[seed % len(TOPICS)]
    size = ("--branches", str(branches))
    with StandInProcess(services, home / "server.jsonl") as pair:
        env = environment(home, pair)
        ran = in_this_process(env, "run", topic, "--name", "run", *size, "--yes", "--json")
        exports = [
            in_this_process(env, "export", "run", "--format", kind)
            for kind in ("md", "json", "bib")
        ]
        faults = Counter(entry.fault for entry in pair.entries() if entry.fault)
    failed = json.loads(ran.out).get("failed", {}) if ran.out.strip() else {}
    with opened(home, "run") as session:
        state = session.state
        branches_failed = {address.partition("/")[0].lstrip("Q") for address in failed}
        ideas = {b: state.in_use(f"{b}/idea") for b in state.branches_of("")}
        checks = [
            [
                version
                for version in map(state.versions.__getitem__, state.cell(f"{b}/nov").versions)
                if not any(search.get("angle") for search in version.content["searches"])
            ]
            for b in ideas
        ]
        return Faulty(
            ran,
            faults,
            failed,
            all(ideas[b] is not None for b in ideas if str(b) not in branches_failed),
            leaks(home, [ran, *exports]),
            [str(versions[-1].content["verdict"]) for versions in checks if versions],
        )


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


@pytest.mark.parametrize(
    "shares",
    [{"p429": 0.05}, {"p500": 0.05, "truncated": 0.05}],
    ids=["limited", "broken"],
)
def test_passing_faults_are_waited_out(shares: dict[str, Any], tmp_path: Path) -> None:
    chat, s2 = (Faults(seed=seed, **shares) for seed in (1, 1001))
    found = run_one(tmp_path, Settings(latency=QUICK, chat_faults=chat, s2_faults=s2), 1)
    assert found.faults.total() > 0, found
    assert found.ran.code == 0, found


def test_malformed_replies_end_in_a_named_failure_at_worst_and_leak_nowhere(tmp_path: Path) -> None:
    runs = [
        run_one(
            tmp_path / str(seed),
            Settings(latency=QUICK, chat_faults=Faults(seed=seed, malformed=0.05)),
            seed,
        )
        for seed in (0, 1)
    ]
    assert any(found.faults.total() > 0 for found in runs), runs
    for found in runs:
        assert found.honest, found
        assert found.leaks == [], found


@pytest.mark.parametrize("answer", ["empty", "fail"])
def test_a_novelty_search_without_an_answer_is_inconclusive(answer: str, tmp_path: Path) -> None:
    services = Settings(latency=QUICK, s2=S2Options(novelty=answer))
    found = run_one(tmp_path, services, 0, IMPATIENT, branches=1)
    assert found.verdicts == ["INCONCLUSIVE"], found
