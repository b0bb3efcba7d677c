"""The script that draws the pictures of the README."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_workbench_and_the_list_of_sessions_are_drawn_from_the_recorded_session(
    tmp_path: Path,
) -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "screens.py"), str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    bench, home = (
        (tmp_path / f"{name}-120x36.svg").read_text(encoding="utf-8")
        for name in ("workbench", "home")
    )
    assert "terminal-0" in bench
    assert "Vega-Lite" in bench
    assert "recorded-session" in home
