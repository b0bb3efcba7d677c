"""A session from the command line alone: made, read, compared, voted on, reviewed and refined;
names, addresses and settings completed."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from coi_tui.config import Keys, Settings
from coi_tui.paths import paths
from coi_tui.session.session import Session
from tests.support.coi_process import Ran, environment
from tests.support.desk import copy_of

from .conftest import Run, in_this_process

TOPIC = "chain of thought reasoning in large language models"


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with an example session that was run offline."""
    home = tmp_path_factory.mktemp("example")
    ran = in_this_process(
        environment(home), "run", TOPIC, "--name", "thoughts", "--offline", "--yes"
    )
    assert ran.code == 0, ran.err
    return home


@pytest.fixture
def coi(example: Path, tmp_path: Path) -> Run:
    home = tmp_path / "home"
    shutil.copytree(example, home)
    env = environment(home)
    return lambda *arguments, stdin=None: in_this_process(env, *arguments, stdin=stdin)


def data(ran: Ran) -> Any:
    assert ran.code == 0, ran.err
    return json.loads(ran.out)


def test_a_session_is_made_without_running_anything(coi: Run) -> None:
    made = coi("new", "graph drawing", "--branches", "2", "--offline")
    assert (made.code, made.out) == (0, "graph-drawing\n")
    assert "coi resume graph-drawing" in made.err
    rows = {row["address"] for row in data(coi("show", "graph-drawing", "--json"))["rows"]}
    assert {"topic", "1", "2"} <= rows
    assert "3" not in rows
    assert coi("new", "graph drawing", "--name", "thoughts").code != 0, "a name that is taken"


@pytest.mark.parametrize(
    "address", ["9/idea", "Q9", "1/+9", "1/+9.card", "1/+8..+9", "A/1-9", "S1/1/idea", "1/nonsense"]
)
def test_an_address_outside_the_session_is_an_error(coi: Run, address: str) -> None:
    for command in ("show", "why", "history"):
        ran = coi(command, "thoughts", address)
        assert ran.code == 1, (command, ran.out)
        assert f"There is no {address} in this session." in ran.err


def test_versions_are_listed_and_compared_word_by_word(coi: Run, tmp_path: Path) -> None:
    assert coi("diff", "thoughts", "1/dir").code == 2, "one version only"
    before = coi("history", "thoughts", "1/dir").out
    mine = tmp_path / "mine.txt"
    mine.write_text("One sentence of my own.\n")
    assert coi("edit", "thoughts", "1/dir", "--file", str(mine)).code == 0
    lines = coi("history", "thoughts", "1/dir").out.splitlines()
    assert len(lines) == len(before.splitlines()) + 1
    assert lines[0].startswith("v2")
    assert "IN USE" in lines[0]
    told = coi("diff", "thoughts", "1/dir").out
    assert "{+" in told
    assert "[-" in told
    pieces = data(coi("diff", "thoughts", "1/dir", "v2", "v1", "--json"))["pieces"]
    assert any(side == "mine" and "own" in text for side, text in pieces), (
        "the other way round, mine is left out"
    )
    assert [line["number"] for line in data(coi("history", "thoughts", "1/dir", "--json"))] == [
        2,
        1,
    ]


def test_a_vote_shows_the_judgement_and_one_undo_takes_it_back(coi: Run) -> None:
    assert "hidden until you have voted" in coi("show", "thoughts", "A/1-2").out
    assert "By your votes" not in coi("show", "thoughts", "A").out
    voted = coi("ideas", "vote", "thoughts", "2/idea", "1/idea", "1/idea", "--reason", "clearer")
    assert (
        voted.out
        == "Voted: 1/idea is better in A/1-2 (novelty, significance, feasibility, clarity, effectiveness).\n"
    )
    assert "hidden until you have voted" not in coi("show", "thoughts", "A/1-2").out
    assert "By your votes" in coi("show", "thoughts", "A").out
    assert coi("undo", "thoughts").code == 0
    assert "By your votes" not in coi("show", "thoughts", "A").out


def test_a_plan_is_reviewed_and_a_point_of_ones_own_answered(coi: Run, tmp_path: Path) -> None:
    plan = next(
        row["address"]
        for row in data(coi("show", "thoughts", "--json"))["rows"]
        if row["address"].endswith("/exp")
    )
    branch = plan.partition("/")[0]
    assert coi("decide", "thoughts", plan, "adopt", "v1").code == 0
    assert coi("ideas", "review", "thoughts", plan, "--yes").code == 0
    assert coi("ideas", "refine", "thoughts", plan, "--yes").code == 2, "no point is ticked"
    with Session.open(
        "thoughts",
        paths=paths({"COI_HOME": str(tmp_path / "home")}),
        settings=Settings(),
        keys=Keys(),
    ) as session:
        session.decide("add", f"{int(branch)}/review", "metrics: say how close the two may come")
    assert coi("decide", "thoughts", f"{branch}/review", "tick", "1").code == 0
    versions = len(data(coi("history", "thoughts", plan, "--json")))
    assert coi("ideas", "refine", "thoughts", plan, "--query", "", "--yes").code == 0
    assert len(data(coi("history", "thoughts", plan, "--json"))) == versions + 1
    assert coi("ideas", "novelty", "thoughts", f"{branch}/idea", "--yes").code == 0
    assert coi("ideas", "novelty", "thoughts", f"{branch}/idea").code == 0, (
        "nothing is charged or sent, so nothing is asked"
    )


def test_a_text_is_rewritten_as_it_was_asked_for(online: Run, offline: Run, tmp_path: Path) -> None:
    session = copy_of(tmp_path, "one").session
    file = str(session.core.file.path)
    session.close()
    wish = ("ask", file, "1/dir", "make it\x1b[31m more about accessibility")
    without = offline(*wish, "--yes")
    assert (without.code, "no language model can rewrite it (no OPENAI_API_KEY" in without.err) == (
        2,
        True,
    )
    assert "no step makes a text here" in online("ask", file, "1/0", "shorter").err
    nobody = online(*wish)
    assert (nobody.code, "Plan: Rewrite 1/dir as you asked" in nobody.err) == (3, True)
    assert "changed: what you asked for" in nobody.err
    done = online(*wish, "--yes")
    assert (done.code, "done     1/dir        direction" in done.err) == (0, True), done.err
    assert "{+" in online("diff", file, "1/dir").out
    assert "As you asked: “make it more about accessibility”." in online("why", file, "1/dir").out
    assert "make it more about accessibility" in online("log", file).out
    assert "rewritten for just that" in online(*wish, "--yes").err
    assert online("undo", file).code == 0
    back = online(*wish)
    assert (back.code, "no call was needed" in back.out) == (0, True), back.err
