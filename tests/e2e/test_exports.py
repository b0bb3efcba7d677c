"""What ``coi export`` writes of a session that was run without a model and without the network."""

from __future__ import annotations

import errno

import click
import pytest

from coi_tui.present.proposal import WORKSHEET
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
    assert WORKSHEET.partition(".")[0] in alone.split("\n\n")[1]
    assert len(alone.split()) <= 2_500


def test_every_idea_is_told_where_that_is_asked_for(worksheets: Run) -> None:
    every = worksheets("export", "one", "--all-ideas").out
    assert all(f" Idea of idea {n}\n" in every for n in (1, 2))
    assert every.count("\n## References\n") == 1
    assert "no idea has been chosen yet" not in every


@pytest.mark.parametrize(
    "options",
    [
        ("--format", "json", "--notes"),
        ("--format", "json", "--all-ideas"),
        ("--format", "bib", "--appendix"),
    ],
)
def test_an_option_without_effect_on_the_format_is_refused(
    options: tuple[str, ...], worksheets: Run
) -> None:
    ran = worksheets("export", "one", *options)
    assert (ran.code, "has no effect on --format" in ran.err, ran.out) == (2, True, "")


def test_a_file_without_a_name_is_refused(worksheets: Run) -> None:
    ran = worksheets("export", "one", "-o", " ")
    assert (ran.code, "the name of the file is empty" in ran.err) == (2, True)


def test_a_full_disk_behind_standard_output_is_told(
    worksheets: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    echo = click.echo

    def full(text: str, err: bool = False) -> None:
        if err:
            echo(text, err=True)
            return
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("coi_tui.cli.output.click.echo", full)
        ran = worksheets("export", "one")
    assert (ran.code, ran.err) == (
        1,
        "Standard output cannot be written: No space left on device.\n",
    )
