"""Services that fail: a seeded sample of ``benchmarks.faults`` (Must show 6)."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from benchmarks.coi_process import coi, environment
from benchmarks.faults import IMPATIENT, QUICK, Faulty, run_one
from benchmarks.standins import Faults, Settings, StandInProcess, make_corpus

TOPICS = make_corpus().topics


def some(name: str, seeds: tuple[int, ...]) -> list[Faulty]:
    with ThreadPoolExecutor(len(seeds)) as pool:
        return list(pool.map(lambda seed: run_one(name, seed, TOPICS[seed % len(TOPICS)], drafts=1), seeds))


@pytest.mark.parametrize("name", ["limited", "broken"])
def test_passing_faults_are_waited_out(name: str) -> None:
    for found in some(name, (1,)):
        assert found.faults.total() > 0, found
        assert found.finished, found


def test_malformed_replies_end_in_a_named_failure_at_worst_and_leak_nowhere() -> None:
    for found in some("malformed", (0, 1)):
        assert found.faults.total() > 0, found
        assert found.honest, found
        assert found.leaks == [], found


def test_similar_for_ever_ends_at_its_bound() -> None:
    found = run_one("similar", 0, TOPICS[0], IMPATIENT, drafts=1)
    assert found.finished, found
    assert found.reports == 2
    assert found.verdicts == ["close match"] * 3


@pytest.mark.parametrize("name", ["empty", "failing"])
def test_a_novelty_search_without_an_answer_is_inconclusive(name: str) -> None:
    found = run_one(name, 0, TOPICS[0], IMPATIENT, drafts=1)
    assert found.verdicts == ["INCONCLUSIVE"] * 3, found


def test_everything_down_is_exit_1_and_never_an_empty_result() -> None:
    found = run_one("down", 0, TOPICS[0], IMPATIENT, drafts=1)
    assert found.code == 1
    assert set(found.failed) == {"Q1", "Q2", "Q3", "reading"}
    assert all("HTTP 500" in found.failed[question] for question in ("Q1", "Q2", "Q3"))
    assert not found.empty_proposal


def test_resume_after_a_failed_refinement_has_calls_enough_in_its_plan(tmp_path: Path) -> None:
    """The plan of a resume counts what is still to come when a review stands and its refinement does not."""
    spoilt = Faults(malformed=1.0, schemas=("RefinedExperiment",))
    with StandInProcess(Settings(latency=QUICK, chat_faults=spoilt)) as pair:
        ran = coi(environment(tmp_path, pair), "run", TOPICS[0], "--name", "run", "--drafts", "1", "--yes", "--json")
    failed = json.loads(ran.out)["failed"]
    assert (ran.code, len(failed)) == (1, 1), failed
    assert "coi_refine" in next(iter(failed.values()))
    with StandInProcess(Settings(latency=QUICK)) as pair:
        ran = coi(environment(tmp_path, pair), "resume", "run", "--yes", "--json")
    assert (ran.code, json.loads(ran.out)["failed"]) == (0, {}), ran.err
    assert "Total: 0 model calls" not in ran.err
