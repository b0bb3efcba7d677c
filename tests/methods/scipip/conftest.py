"""A session of SciPIP that has run to its ideas."""

from pathlib import Path

import pytest

from coi_tui.methods.scipip import retrieval
from tests.methods.scipip.frogs import desk_of
from tests.support.desk import Desk, run


@pytest.fixture(autouse=True)
def few_papers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bounds for twelve papers."""
    monkeypatch.setattr(retrieval, "HITS", 6)
    monkeypatch.setattr(retrieval, "TOGETHER", 2)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    desk = desk_of(tmp_path)
    run(desk)
    return desk
