"""Settings of the tests of screens."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.pilots import look_often
from coi_tui.screens import terminal

look_often()


@pytest.fixture(scope="session")
def copies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder for copies that no program of the system took."""
    return tmp_path_factory.mktemp("copies")


@pytest.fixture(autouse=True)
def copies_stay_with_the_tests(copies: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is left in the system's folder of temporary files."""
    monkeypatch.setattr(terminal, "COPIES", copies)
