"""A share of ``python -m benchmarks.terminal_fuzz``, which runs for half an hour: a number of
steps, so that no slow machine fails."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from benchmarks.terminal_fuzz import ANSWERS_EVERY, fuzz, make_home

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="reads the processor time of a process from /proc"
)


@pytest.mark.timeout(600)
def test_random_input_on_a_terminal_ends_nothing_and_is_answered(tmp_path: Path) -> None:
    found = fuzz(1, make_home(tmp_path), steps=3 * ANSWERS_EVERY)
    assert found.fine, (found.ends, found.hangs, found.told, found.damaged)
    assert found.steps == 3 * ANSWERS_EVERY
    assert found.answers, "it was asked"
    assert found.sessions >= 2
