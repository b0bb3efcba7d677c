"""An operator on an idea, by the command."""

import shutil
from pathlib import Path

from tests.e2e.conftest import in_this_process
from tests.session.test_five_methods import made
from tests.support.coi_process import environment

__all__ = ["made"]


def test_the_command_makes_a_row_that_undo_takes_away(made: Path, tmp_path: Path) -> None:
    env, parent = environment(tmp_path), "S1/1"
    sessions = Path(env["COI_HOME"]) / "data" / "sessions"
    sessions.mkdir(parents=True)
    shutil.copy(made, sessions / "ideas.coi.db")
    coi = ["ideas", "derive", "ideas", f"{parent}/idea", "simplify", "--yes"]
    made_now = in_this_process(env, *coi)
    assert made_now.code == 0, made_now.err
    lineage = f"simplify of {parent}"
    assert lineage in in_this_process(env, "show", "ideas").out
    assert lineage in in_this_process(env, "export", "ideas", "--appendix", "--all-ideas").out
    assert f"{parent}/idea" in in_this_process(env, "why", "ideas", "D1/1/idea").out
    assert in_this_process(env, "decide", "ideas", "D1/1/idea", "pick").code == 0
    assert lineage in in_this_process(env, "export", "ideas", "--appendix").out
    for _ in range(2):
        assert in_this_process(env, "undo", "ideas").code == 0
    assert "D1/1" not in in_this_process(env, "show", "ideas").out
