"""The researcher's decisions through the command line."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.coi_process import environment
from tests.support.desk import copy_of
from tests.support.standins import StandInProcess

from .conftest import TOPIC, Run, in_this_process

Say = Callable[..., Any]
MINE = "What I think:\r\n\tréification – not a trend.  \n\nSecond paragraph.\n"


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory, services: StandInProcess) -> Path:
    home = tmp_path_factory.mktemp("finished")
    ran = in_this_process(
        environment(home, services), "run", TOPIC, "--name", "s", "--no-one-call", "--yes"
    )
    assert ran.code == 0, ran.err
    return home


@pytest.fixture
def say(finished: Path, tmp_path: Path, services: StandInProcess) -> Say:
    """``say("undo", "s")``: the command's JSON, on a copy of the finished session."""
    home = tmp_path / "home"
    shutil.copytree(finished, home)
    env = environment(home, services)

    def run(*arguments: str, stdin: str | None = None, json_out: bool = True) -> Any:
        ran = in_this_process(env, *arguments, *(["--json"] if json_out else []), stdin=stdin)
        assert ran.code == 0, (arguments, ran.err)
        return json.loads(ran.out) if json_out else ran.out

    return run


def marks(say: Say) -> dict[str, str]:
    return {
        row["address"]: f"{row['verdict']}, {row['state']}, {row['origin']}"
        for row in say("show", "s")["rows"]
    }


def best(say: Say) -> int:
    """The branch that has the plan."""
    return next(int(a.partition("/")[0]) for a in marks(say) if a.endswith("/exp"))


def matches_of(branch: int) -> set[str]:
    return {f"A/{i}-{j}" for i, j in ((1, 2), (1, 3), (2, 3)) if branch in (i, j)}


def test_an_edited_trend_makes_its_readers_stale_and_a_refresh_runs_only_those(say: Say) -> None:
    b = best(say)
    before = marks(say)
    now = say("edit", "s", f"{b}/-1..0", "--file", "-", stdin=MINE)["now"]
    parts = ("dir", "idea", "rivals", "nov", "exp", "proposal")
    assert set(now["stale"]) == {*(f"{b}/{part}" for part in parts), *matches_of(b)}
    assert set(now) == {"stale"}
    kept = say("show", "s", f"{b}/-1..0")["content"]["text"]
    assert kept == MINE.replace(
        "\r\n", "\n"
    )  # the ends of lines are made those of every text, nothing else
    undone = say("undo", "s")["now"]
    assert set(undone) == {"fresh"}
    assert marks(say) == before
    say("redo", "s")
    refreshed = say("refresh", "s", "--yes")
    assert refreshed["state"] == "done"
    assert set(refreshed["made"]) == {
        f"{b}/{part}" for part in ("dir", "rivals", "idea", "nov", "exp", "proposal")
    } | matches_of(b)
    assert say("show", "s", f"{b}/-1..0")["content"]["text"] == kept
    assert say("show", "s")["waiting"] == [
        w for w in say("show", "s")["waiting"] if "stale" not in w
    ]


def test_an_idea_is_not_merged_with_itself(offline: Run, tmp_path: Path) -> None:
    session = copy_of(tmp_path, "one").session
    file = str(session.core.file.path)
    session.close()
    ran = offline(
        "edit", file, "1/idea", "--file", "-", "--merged-with", "1/idea", stdin="## final\nOf one."
    )
    assert (ran.code, "1/idea" in ran.err) == (2, True)


def test_a_decision_that_changes_other_rows_says_which_and_asks(
    offline: Run, tmp_path: Path
) -> None:
    """Rejecting an anchor emptied its branch without a word."""
    session = copy_of(tmp_path, "small").session
    file, anchor = str(session.core.file.path), str(session.state.slot("1/0").paper)
    session.close()
    refused = offline("decide", file, "1/0", "reject")
    assert refused.code == 3
    assert refused.err.startswith("Empties 1/0; detaches 1/-1 and 1/+1 (X lists them); sets aside ")
    assert "nothing to undo" in offline("undo", file).err, "nothing was changed"
    done = offline("decide", file, "1/0", "reject", "--yes")
    assert (done.code, done.err) == (0, refused.err.splitlines(keepends=True)[0])
    back = offline("decide", file, "1/0", "choose", anchor, "--yes")
    assert back.err.startswith("Fills 1/0; brings back 1/-1, 1/+1")
    assert offline("decide", file, "1/+1", "accept").code == 0, (
        "nothing else changes, so nothing is asked"
    )


def test_all_texts_of_a_branch_are_accepted_by_one_command_that_says_how_many_of_what(
    say: Say, finished: Path, services: StandInProcess
) -> None:
    b = best(say)
    asked = in_this_process(
        environment(finished, services), "decide", "s", str(b), "accept-all", "texts"
    )
    assert asked.code == 3, "nobody could be asked"
    assert asked.err.startswith("Accepts ")
    say("decide", "s", str(b), "accept-all", "texts", "--yes")
    left = [
        a
        for a, said in marks(say).items()
        if said.startswith("undecided") and a.startswith(f"{b}/")
    ]
    assert [a for a in left if "." in a or not a[2:].lstrip("+-").isdigit()] == []
    assert say("undo", "s")["undo"] != "nothing"
