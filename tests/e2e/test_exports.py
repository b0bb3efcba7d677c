"""What ``coi export`` writes; ``--out``, of every command alike: an existing file is replaced only
with a yes."""

import shutil
from pathlib import Path

import pytest

from tests.support.coi_process import environment

from .conftest import Run, in_this_process

RUN = ("run", "retrieval", "--offline", "--yes", "--branches", "2", "--length", "3")


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with a finished session ``one`` of worksheets."""
    home = tmp_path_factory.mktemp("home")
    ran = in_this_process(environment(home), *RUN, "--name", "one")
    assert ran.code == 0, ran.err
    return home


@pytest.fixture
def coi(finished: Path, tmp_path: Path) -> Run:
    shutil.copytree(finished, tmp_path / "home")
    env = environment(tmp_path / "home")
    return lambda *arguments, stdin=None: in_this_process(env, *arguments, stdin=stdin)


def test_every_idea_is_told_where_that_is_asked_for(coi: Run) -> None:
    every = coi("export", "one", "--all-ideas").out
    assert all(f" Idea of idea {n}\n" in every for n in (1, 2))
    assert every.count("\n## References\n") == 1
    refused = coi("export", "one", "--format", "json", "--all-ideas")
    assert (refused.code, refused.out) == (2, ""), "json has no appendix"


@pytest.mark.parametrize("place", ["there.md", "nowhere/proposal.md", "there.md/proposal.md"])
@pytest.mark.parametrize(
    "arguments",
    [("demo", "--headless"), RUN, ("resume", "one", "--yes"), ("export", "one")],
    ids=lambda a: a[0],
)
def test_where_nothing_can_be_written_nothing_is_done(
    arguments: tuple[str, ...], place: str, coi: Run, tmp_path: Path
) -> None:
    there = tmp_path / "there.md"
    there.write_text("mine", encoding="utf-8")
    before = coi("ls", "--json").out
    ran = coi(*arguments, "--out", str(tmp_path / place))
    assert (ran.code, ran.out) == (2, ""), ran.err
    assert there.read_text(encoding="utf-8") == "mine"
    assert coi("ls", "--json").out == before, "no session was made or run"


def test_what_is_printed_is_what_a_file_holds(coi: Run, tmp_path: Path) -> None:
    file = tmp_path / "a.bib"
    file.write_text("mine", encoding="utf-8")
    export = ("export", "one", "--format", "bib")
    printed = [coi(*export, *to).out for to in ((), ("--out", "-"), ("-o", "-"))]
    assert coi(*export, "-o", str(file), "--overwrite").code == 0
    assert [*printed, file.read_text(encoding="utf-8")] == printed[:1] * 4
