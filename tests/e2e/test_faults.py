"""Services that fail: a seeded sample of ``tests.support.faults``, with small sessions, in the process
of the tests."""

from __future__ import annotations

import pytest

from tests.e2e.conftest import in_this_process
from tests.support.faults import CONFIG, IMPATIENT, Faulty, run_one
from tests.support.standins import make_corpus

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


@pytest.mark.parametrize("name", ["empty", "failing"])
def test_a_novelty_search_without_an_answer_is_inconclusive(name: str) -> None:
    found = faulty(name, 0, IMPATIENT)
    assert found.verdicts == ["INCONCLUSIVE"], found
