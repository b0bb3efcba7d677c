"""Operators by their key, on an idea of each method, and by the command."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from coi_tui.screens.run_sheets import PlanSheet
from coi_tui.screens.sheets import AskChoice
from coi_tui.screens.workbench import WorkbenchScreen
from tests.e2e.conftest import in_this_process
from tests.session.test_five_methods import made
from tests.session.test_operators import ONE_OF_EACH
from tests.support.coi_process import environment

from .helpers import trip

__all__ = ["made"]


def at_home(made: Path, data: Path) -> None:
    """Put the session with the ideas of every method where the program finds it as ``ideas``."""
    (data / "sessions").mkdir(parents=True)
    shutil.copy(made, data / "sessions" / "ideas.coi.db")


@pytest.mark.parametrize("parent", ONE_OF_EACH[:2])
async def test_the_key_makes_a_row_and_u_takes_it_away(
    made: Path, tmp_path: Path, parent: str
) -> None:
    at_home(made, tmp_path / "data")
    async with trip(tmp_path, session="ideas") as t:
        await t.on(WorkbenchScreen)
        await t.idle()
        before = list(t.bench.chain.rows)
        await t.to(AskChoice, "D", at=f"{parent}/idea")
        await t.to(PlanSheet, "enter")
        await t.run()
        row = t.row("D1/1/idea")
        assert row.made
        assert f"of {parent}" in row.source
        await t.press("u")
        await t.until(lambda: list(t.bench.chain.rows) == before, "the row to go")


async def test_without_a_yes_to_the_plan_there_is_no_row(made: Path, tmp_path: Path) -> None:
    at_home(made, tmp_path / "data")
    async with trip(tmp_path, session="ideas") as t:
        await t.on(WorkbenchScreen)
        await t.idle()
        before = list(t.bench.chain.rows)
        await t.to(AskChoice, "D", at="S1/1/idea")
        await t.to(PlanSheet, "enter")
        await t.to(WorkbenchScreen, "escape")
        await t.until(lambda: list(t.bench.chain.rows) == before, "the row to go")


@pytest.mark.parametrize("parent", ONE_OF_EACH[:2])
def test_the_command_does_the_same(made: Path, tmp_path: Path, parent: str) -> None:
    env = environment(tmp_path)
    at_home(made, Path(env["COI_HOME"]) / "data")
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
