"""Keys in any order: without a confirmed plan nothing runs, nothing breaks, and the session stays
sound."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.random_keys import press_keys

COUNT = 250
"""Keys a seed; ``python -m benchmarks.keys`` presses as many as it is told."""


async def test_check_22_keys_that_confirm_no_plan_run_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # an export is written where the program was started
    found = await press_keys(tmp_path, COUNT, 7)
    assert found.faults == []
    assert len(found.screens) > 5, (
        f"the keys should reach several screens, not only {found.screens}"
    )
    assert found.screens["PlanSheet"], "the keys should reach a plan"
