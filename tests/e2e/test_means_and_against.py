"""``coi means`` and ``coi against``, as a person types them."""

from __future__ import annotations

from pathlib import Path

from tests.e2e.conftest import Run
from tests.support.desk import copy_of


def test_a_search_against_an_idea_shows_its_plan_first(offline: Run, tmp_path: Path) -> None:
    session = copy_of(tmp_path, "one").session
    file = str(session.core.file.path)
    session.close()
    done = offline("against", file, "1/idea")
    assert "Plan: Search against 1/idea" in done.err
    assert (done.code, "done     1/nov        search against" in done.err) == (0, True)
    assert "Nothing leaves this machine" in done.err
    assert "Against it, " in offline("show", file, "1/nov").out
