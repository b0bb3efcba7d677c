"""Services that fail: a seeded sample of ``tests.support.faults``, with small sessions, in the process
of the tests."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.e2e.conftest import in_this_process
from tests.support.coi_process import environment
from tests.support.faults import CONFIG, IMPATIENT, QUICK, Faulty, run_one
from tests.support.standins import Faults, Settings, StandInProcess, make_corpus

TOPICS = make_corpus().topics


def faulty(name: str, seed: int, config: str = CONFIG, branches: int = 1) -> Faulty:
    return run_one(
        name,
        seed,
        TOPICS[seed % len(TOPICS)],
        config,
        drafts=1,
        branches=branches,
        run=in_this_process,
    )


@pytest.mark.parametrize("name", ["limited", "broken"])
def test_passing_faults_are_waited_out(name: str) -> None:
    found = faulty(name, 1, branches=2)
    assert found.faults.total() > 0, found
    assert found.finished, found


def test_malformed_replies_end_in_a_named_failure_at_worst_and_leak_nowhere() -> None:
    runs = [faulty("malformed", seed, branches=2) for seed in (0, 1)]
    assert any(found.faults.total() > 0 for found in runs), runs
    for found in runs:
        assert found.honest, found
        assert found.leaks == [], found


def test_similar_for_ever_ends_at_its_bound() -> None:
    found = faulty("similar", 0, IMPATIENT)
    assert found.finished, found
    assert found.reports == 2
    assert found.verdicts == ["close match"]


@pytest.mark.parametrize("name", ["empty", "failing"])
def test_a_novelty_search_without_an_answer_is_inconclusive(name: str) -> None:
    found = faulty(name, 0, IMPATIENT)
    assert found.verdicts == ["INCONCLUSIVE"], found


def test_everything_down_is_exit_1_and_never_an_empty_result() -> None:
    found = faulty("down", 0, IMPATIENT, branches=3)
    assert found.code == 1
    assert set(found.failed) == {"Q1", "Q2", "Q3", "reading"}
    assert all("HTTP 500" in found.failed[question] for question in ("Q1", "Q2", "Q3"))
    assert not found.empty_proposal


def test_resume_after_a_failed_refinement_has_calls_enough_in_its_plan(tmp_path: Path) -> None:
    """The plan of a resume counts what is still to come when a review stands and its refinement
    does not."""
    spoilt = Faults(malformed=1.0, schemas=("RefinedExperiment",))
    with StandInProcess(Settings(latency=QUICK, chat_faults=spoilt)) as pair:
        ran = in_this_process(
            environment(tmp_path, pair),
            "run",
            TOPICS[0],
            "--name",
            "run",
            "--drafts",
            "1",
            "--branches",
            "1",
            "--yes",
            "--json",
        )
    failed = json.loads(ran.out)["failed"]
    assert (ran.code, len(failed)) == (1, 1), failed
    assert "coi_refine" in next(iter(failed.values()))
    with StandInProcess(Settings(latency=QUICK)) as pair:
        ran = in_this_process(environment(tmp_path, pair), "resume", "run", "--yes", "--json")
    assert (ran.code, json.loads(ran.out)["failed"]) == (0, {}), ran.err
    assert "Total: free" not in ran.err
