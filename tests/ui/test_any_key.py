"""Keys in any order: without a confirmed plan nothing runs, nothing breaks, and the session stays sound."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.keys import press_keys

COUNT = 250
"""Keys a seed; ``python -m benchmarks.keys`` presses as many as it is told."""


@pytest.mark.parametrize("seed", [4, 5])
async def test_check_22_keys_that_confirm_no_plan_run_nothing(tmp_path: Path, seed: int) -> None:
    found = await press_keys(tmp_path, COUNT, seed)
    assert found.faults == []
    assert found.screens["PlanSheet"] + found.screens["RunStrip"], "the keys should reach a plan"
    assert len(found.screens) > 5, f"the keys should reach several screens, not only {found.screens}"
