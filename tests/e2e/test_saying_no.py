"""^C and ^D at a question are a no: nothing was run, and nothing is left of what was for the
plan."""

import io
import json
import os
import shutil
import sys
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from unittest import mock

import pytest

from coi_tui.cli import main
from tests.support.coi_process import environment
from tests.support.standins import StandInProcess

from .conftest import KEY, MODELS, S2_KEY, TOPIC, in_this_process


class _Typing(io.StringIO):
    """A terminal at which a person types one thing: ^D, ^C, or n."""

    def __init__(self, typed: str) -> None:
        super().__init__("n\n" if typed == "n" else "")
        self.typed = typed

    def isatty(self) -> bool:
        return True

    def readline(self, *size: int) -> str:  # type: ignore[override]
        if self.typed == "^C":
            raise KeyboardInterrupt
        return super().readline(*size)


def at_a_terminal(env: Mapping[str, str], typed: str, *arguments: str) -> tuple[int, str]:
    """Exit code of a command line at which this is typed, and what it told."""
    told = io.StringIO()
    with (
        mock.patch.dict(os.environ, env, clear=True),
        mock.patch.object(sys, "stdin", _Typing(typed)),
        redirect_stdout(io.StringIO()),
        redirect_stderr(told),
    ):
        code = main(arguments)
    return code, told.getvalue()


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with a session that has ideas and a wall of sketches."""
    home = tmp_path_factory.mktemp("made")
    wanted = ("run", "chain of thought reasoning in large language models", "--name", "s")
    ran = in_this_process(environment(home), *wanted, "--offline", "--yes", "--branches", "1")
    assert ran.code == 0, ran.err
    for more in (("--online", "--until", "ideas"), ("--method", "Sketches", "--until", "sketches")):
        ran = in_this_process(environment(home), "resume", "s", *more)
        assert ran.code == 0, ran.err
    return home


NO = ("^C", "^D", "n")


@pytest.mark.parametrize("typed", NO)
@pytest.mark.parametrize(
    "arguments",
    [
        ("ask", "s", "1/idea", "shorter"),
        ("ideas", "derive", "s", "1/idea", "simplify"),
        ("resume", "s", "--method", "SciPIP"),
        ("resume", "s", "--method", "Nova", "--offline", "--online"),
        ("ideas", "novelty", "s", "1"),
        ("ideas", "work-out", "s", "1/sketch1", "W1/free1"),
        ("ideas", "more", "s", "1/sketch1"),
        ("ideas", "rank", "s"),
    ],
)
def test_a_no_leaves_a_session_as_it_was(
    typed: str, arguments: tuple[str, ...], made: Path, tmp_path: Path, services: StandInProcess
) -> None:
    home = tmp_path / "home"
    shutil.copytree(made, home)
    env = environment(home, services, {"OPENAI_API_KEY": KEY, **MODELS})
    before = json.loads(in_this_process(env, "show", "s", "--json").out)
    code, told = at_a_terminal(env, typed, *arguments)
    assert "Run it?" in told
    assert code == 3, told
    assert json.loads(in_this_process(env, "show", "s", "--json").out) == before


@pytest.mark.parametrize("typed", NO)
def test_a_no_leaves_no_session(typed: str, tmp_path: Path, services: StandInProcess) -> None:
    keys = {"OPENAI_API_KEY": KEY, "SEMANTIC_SCHOLAR_API_KEY": S2_KEY, **MODELS}
    env = environment(tmp_path, services, keys)
    code, told = at_a_terminal(env, typed, "run", TOPIC)
    assert "Run it?" in told
    assert code == 3, told
    assert json.loads(in_this_process(env, "ls", "--json").out) == []
    assert not list(tmp_path.rglob("*.coi.db*"))


def test_a_question_says_when_the_server_lacks_a_model_or_is_not_there(
    tmp_path: Path, services: StandInProcess
) -> None:
    keys = {"OPENAI_API_KEY": KEY, **MODELS}
    there = environment(tmp_path, services, {**keys, "COI_MODEL": "no-such-model"})
    _, told = at_a_terminal(there, "n", "run", TOPIC)
    assert "no-such-model" in told.partition("Leaves this machine")[2]
    gone = environment(tmp_path, None, {**keys, "OPENAI_BASE_URL": "http://127.0.0.1:9/v1"})
    code, told = at_a_terminal(gone, "n", "run", TOPIC)
    assert (code, "127.0.0.1:9" in told) == (3, True)
    fine = environment(tmp_path, services, keys)
    _, told = at_a_terminal(fine, "n", "run", TOPIC)
    assert "Language model:" not in told


def test_an_interrupt_while_the_plan_is_made_leaves_no_session(
    tmp_path: Path, services: StandInProcess
) -> None:
    env = environment(tmp_path, services, {"OPENAI_API_KEY": KEY, **MODELS})
    planning = "coi_tui.session.runs.planner.Planner.to_stage"
    with mock.patch(planning, side_effect=KeyboardInterrupt):
        code, _ = at_a_terminal(env, "n", "run", TOPIC)
    assert code == 130
    assert not list(tmp_path.rglob("*.coi.db*"))


@pytest.mark.parametrize("typed", ["^C", "^D"])
def test_other_questions_take_it_for_a_no_too(typed: str, made: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    shutil.copytree(made, home)
    env = environment(home)
    code, told = at_a_terminal(env, typed, "forget", "s")
    assert code == 3, told
    assert in_this_process(env, "show", "s").code == 0
    before = in_this_process(env, "show", "s", "--json").out
    code, told = at_a_terminal(env, typed, "decide", "s", "1/0", "reject")
    assert code == 3, told
    assert in_this_process(env, "show", "s", "--json").out == before
    code, told = at_a_terminal(env, typed, "arena", "run", "--example")
    assert code == 3, told
