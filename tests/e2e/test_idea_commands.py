"""A session from the command line alone: made, read, compared, voted on, reviewed and refined;
names, addresses and settings completed."""

from __future__ import annotations

import contextlib
import io
import json
import os
import shutil
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from rich.cells import cell_len

from coi_tui.cli import run
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


def test_a_session_file_is_imported_under_a_free_name(
    coi: Run, example: Path, tmp_path: Path
) -> None:
    file = next(example.rglob("thoughts.coi.db"))
    assert coi("import", str(file)).out == "thoughts-2\n"
    assert coi("verify", "thoughts-2").code == 0
    other = tmp_path / "no-session.txt"
    other.write_text("nothing")
    refused = coi("import", str(other))
    assert refused.code == 1
    assert "Traceback" not in refused.err


@pytest.mark.parametrize(
    "address", ["9/idea", "Q9", "1/+9", "1/+9.card", "1/+8..+9", "A/1-9", "S1/1/idea", "1/nonsense"]
)
def test_an_address_outside_the_session_is_an_error(coi: Run, address: str) -> None:
    for command in ("show", "why", "history"):
        ran = coi(command, "thoughts", address)
        assert ran.code == 1, (command, ran.out)
        assert f"There is no {address} in this session." in ran.err


def test_an_empty_row_and_a_text_that_is_to_come_are_no_errors(coi: Run) -> None:
    for address in ("1/-2", "1/exp", "1/-1..0", "A/1-2", "X", "reading"):
        assert coi("show", "thoughts", address).code == 0, address


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


@pytest.mark.parametrize(("columns", "widest"), [("80", 80), ("", 100)])
def test_rows_take_one_line_each_cut_at_the_width(
    example: Path, tmp_path: Path, columns: str, widest: int
) -> None:
    """Also of a text of many words, wide ones among them; the word at the right stays. ``--full``
    cuts nothing."""
    home, said = (
        tmp_path / "home",
        "描く Drawing graphs well means to say which edges cross 交差. " * 12,
    )
    shutil.copytree(example, home)
    env = environment(home, extra={"COLUMNS": columns})
    assert in_this_process(env, "edit", "thoughts", "1/dir", "--file", "-", stdin=said).code == 0
    assert in_this_process(env, "new", said, "--name", "wordy").code == 0
    *tree, step = in_this_process(env, "show", "thoughts").out.splitlines()
    assert step.startswith("Next: ")
    assert len(tree) == len(data(in_this_process(env, "show", "thoughts", "--json"))["rows"])
    assert max(map(cell_len, tree)) <= widest
    row = next(line for line in tree if line.startswith("1/dir "))
    assert "描く Drawing" in row
    assert cell_len(row) >= widest - 1
    assert any(line.endswith("  [decide]") for line in tree)
    listed = [line for line in in_this_process(env, "ls").out.splitlines() if "Next: " not in line]
    assert max(map(cell_len, listed)) <= widest
    for name, *words in (("show", "thoughts"), ("ls",)):
        assert (
            " ".join(said.split())[:200].strip() in in_this_process(env, name, *words, "--full").out
        )


def test_a_vote_shows_the_judgement_and_one_undo_takes_it_back(coi: Run) -> None:
    assert "hidden until you have voted" in coi("compare", "thoughts", "1/idea", "2/idea").out
    assert data(coi("arena", "thoughts", "--json"))["rankings"] == []
    voted = coi("vote", "thoughts", "2/idea", "1/idea", "1/idea", "--reason", "clearer")
    assert (
        voted.out
        == "Voted: 1/idea is better in A/1-2 (novelty, significance, feasibility, clarity, effectiveness).\n"
    )
    assert "hidden until you have voted" not in coi("compare", "thoughts", "1/idea", "2/idea").out
    by = [one["by"] for one in data(coi("arena", "thoughts", "--json"))["rankings"]]
    assert by == ["the model", "your votes", "model and votes together"]
    assert "BY YOUR VOTES" in coi("arena", "thoughts").out
    assert coi("undo", "thoughts").code == 0
    assert data(coi("arena", "thoughts", "--json"))["rankings"] == []


@pytest.mark.parametrize(
    ("said", "because"),
    [
        (
            ("1/idea", "2/idea", "3/idea"),
            "3/idea is not in this match. Write 1/idea, 2/idea, tie or none.",
        ),
        (("1/idea", "1/idea", "tie"), "1/idea and 1/idea are no two ideas."),
        (("1/idea", "2/dir", "tie"), "1/idea and 2/dir are no two ideas."),
        (("1/idea", "2/idea", "tie", "--criterion", "beauty"), "No such vote in A/1-2."),
    ],
)
def test_a_vote_that_makes_no_sense_is_refused(
    coi: Run, said: tuple[str, ...], because: str
) -> None:
    refused = coi("vote", "thoughts", *said)
    assert refused.code == 2
    assert because in refused.err


def test_a_plan_is_reviewed_and_a_point_of_ones_own_answered(coi: Run, tmp_path: Path) -> None:
    plan = next(
        row["address"]
        for row in data(coi("show", "thoughts", "--json"))["rows"]
        if row["address"].endswith("/exp")
    )
    branch = plan.partition("/")[0]
    assert coi("decide", "thoughts", plan, "adopt", "v1").code == 0
    assert coi("review", "thoughts", plan, "--yes").code == 0
    assert coi("refine", "thoughts", plan, "--yes").code == 2, "no point is ticked"
    with Session.open(
        "thoughts",
        paths=paths({"COI_HOME": str(tmp_path / "home")}),
        settings=Settings(),
        keys=Keys(),
    ) as session:
        session.judgements.add_point(int(branch), "metrics: say how close the two may come")
    assert coi("decide", "thoughts", f"{branch}/review", "tick", "1").code == 0
    versions = len(data(coi("history", "thoughts", plan, "--json")))
    assert coi("refine", "thoughts", plan, "--query", "", "--yes").code == 0
    assert len(data(coi("history", "thoughts", plan, "--json"))) == versions + 1
    assert coi("novelty", "thoughts", f"{branch}/idea", "--yes").code == 0
    assert coi("novelty", "thoughts", f"{branch}/idea").code == 0, (
        "nothing is charged or sent, so nothing is asked"
    )


def completed(home: Path, *words: str) -> list[str]:
    """What the shell is offered for the last of the words."""
    asked = {
        "_COI_COMPLETE": "bash_complete",
        "COMP_WORDS": " ".join(("coi", *words)),
        "COMP_CWORD": str(len(words)),
    }
    said = io.TextIOWrapper(io.BytesIO(), "utf-8")
    with (
        mock.patch.dict(os.environ, {**environment(home), **asked}, clear=True),
        contextlib.redirect_stdout(said),
        pytest.raises(SystemExit),
    ):
        run([])
    said.seek(0)
    return [line.partition(",")[2] for line in said.read().splitlines() if line]


def test_the_shell_completes_sessions_addresses_and_settings(example: Path) -> None:
    assert completed(example, "show", "th") == ["thoughts"]
    assert {"1/dir", "1/idea"} <= set(completed(example, "show", "thoughts", "1/"))
    assert completed(example, "show", "unknown", "1/") == []
    assert completed(example, "config", "set", "budget") == ["budget_usd", "budget_tokens"]
    assert "completion" in completed(example, "com")


def test_a_completion_for_each_shell(coi: Run) -> None:
    for shell in ("bash", "zsh", "fish"):
        assert "_COI_COMPLETE" in coi("completion", shell).out
    assert coi("completion", "cmd").code == 2


def test_settings_tell_which_values_they_take(coi: Run) -> None:
    types = {line.split()[0]: line for line in coi("config", "list", "--types").out.splitlines()}
    assert "(true or false)" in types["offline"]
    assert "(number or unset, at least 0)" in types["budget_usd"]
    assert "semantic_scholar or openalex" in types["source"]
    assert {row["key"]: row["takes"] for row in data(coi("config", "list", "--json"))}[
        "llm.retries"
    ] == "whole number, at least 0"


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
    assert online("undo", file, "--yes").code == 0
    back = online(*wish)
    assert (back.code, "no call was needed" in back.out) == (0, True), back.err
