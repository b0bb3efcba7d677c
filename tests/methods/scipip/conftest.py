"""A session of SciPIP that has run to its ideas."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.methods.scipip.frogs import desk_of
from tests.support.desk import Desk, run


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    desk = desk_of(tmp_path)
    run(desk)
    return desk
