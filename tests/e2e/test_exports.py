"""What ``coi export`` writes of a session that was run without a model and without the network."""

from __future__ import annotations

import errno
import re

import pytest

from tests.support.coi_process import environment

from .conftest import Run, in_this_process


@pytest.fixture(scope="module")
def worksheets(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Command lines in a home with a finished session ``one``."""
    env = environment(tmp_path_factory.mktemp("home"))
    ran = in_this_process(
        env,
        "run",
        "retrieval",
        "--name",
        "one",
        "--offline",
        "--yes",
        "--branches",
        "2",
        "--length",
        "3",
    )
    assert ran.code == 0, ran.err
    return lambda *arguments, stdin=None: in_this_process(env, *arguments, stdin=stdin)


def test_a_worksheet_says_in_its_first_line_that_it_is_one(worksheets: Run) -> None:
    alone = worksheets("export", "one").out
    assert alone.split("\n\n")[1].startswith(
        "*Worksheet, drafted without a language model: every generated text."
    )
    assert len(alone.split()) <= 2_500


def test_parts_and_citations_are_chosen_on_the_command_line(worksheets: Run) -> None:
    text = worksheets("export", "one", "--citations", "pandoc", "--parts", "diagram, ,Idea").out
    keys = set(
        re.findall(
            r"^@\w+\{(.+),$", worksheets("export", "one", "--format", "bib").out, re.MULTILINE
        )
    )
    assert re.findall(r"^# (.+)$", text, re.MULTILINE) == [
        "In short",
        "The idea",
        "Where it applies",
        "First decisive step",
        "Experiment",
        "Cost and risks",
        "Simplest rival",
        "References",
        "Appendix",
    ]
    parts = re.findall(r"^## A\.\d+ (.+)$", text, re.MULTILINE)
    assert parts[:4] == ["Warnings", "Topic", "The idea part by part", "The chain as a diagram"]
    assert set(re.findall(r"@([a-z0-9]+)", text)) <= keys


def test_every_idea_is_told_where_that_is_asked_for(worksheets: Run) -> None:
    one, every = (worksheets("export", "one", *more).out for more in ((), ("--all-ideas",)))
    assert every.startswith(one.partition(" (A.")[0])
    assert all(f" The idea part by part of idea {n}\n" in every for n in (1, 2))
    assert every.count("\n## References\n") == 1
    assert "no idea has been chosen yet" not in every


def test_a_full_disk_behind_standard_output_is_told(
    worksheets: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_given: object, **_named: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("coi_tui.cli.output._write", full)
        ran = worksheets("export", "one")
    assert (ran.code, ran.err) == (
        1,
        "Standard output cannot be written: No space left on device.\n",
    )
