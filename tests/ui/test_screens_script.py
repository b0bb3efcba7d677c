"""The script that makes the pictures of the documentation."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from benchmarks.standins.servers import ROOT


def test_a_picture_of_one_state_is_made_at_both_sizes(tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "scripts" / "screens.py"), "--only", "workbench_idea", "--out", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stderr
    assert sorted(p.name for p in tmp_path.glob("*.svg")) == ["workbench_idea-120x36.svg", "workbench_idea-80x24.svg"]
    assert "terminal-0" in (tmp_path / "workbench_idea-80x24.svg").read_text(encoding="utf-8")
