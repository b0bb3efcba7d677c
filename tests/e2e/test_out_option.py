"""``--out``: of every command alike, an existing file is replaced only with a yes; a device or a
pipe is written to."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Run

DEMO = ("demo", "--headless")
RUN = (
    "run",
    "retrieval",
    "--offline",
    "--yes",
    "--branches",
    "1",
    "--length",
    "3",
    "--until",
    "ideas",
)


@pytest.fixture
def session(offline: Run) -> str:
    ran = offline("run", "retrieval", "--name", "one", "--offline", "--yes", "--until", "questions")
    assert ran.code == 0, ran.err
    return "one"


@pytest.mark.parametrize(
    "arguments", [DEMO, RUN, ("resume", "one", "--yes"), ("export", "one")], ids=lambda a: a[0]
)
def test_an_existing_file_is_refused_before_anything_is_done(
    arguments: tuple[str, ...], session: str, offline: Run, tmp_path: Path
) -> None:
    out = tmp_path / "proposal.md"
    out.write_text("mine", encoding="utf-8")
    before = offline("ls", "--json").out
    ran = offline(*arguments, "--out", str(out))
    assert ran.code == 2, ran.err
    assert "already exists" in ran.err
    assert "--overwrite" in ran.err
    assert out.read_text(encoding="utf-8") == "mine"
    assert offline("ls", "--json").out == before, "no session was made or run"


def test_export_takes_a_hyphen_for_stdout_and_prints_what_a_file_would_hold(
    session: str, offline: Run, tmp_path: Path
) -> None:
    printed = [
        offline("export", session, "--format", "bib", *to).out
        for to in ((), ("--out", "-"), ("-o", "-"))
    ]
    assert offline("export", session, "--format", "bib", "-o", str(tmp_path / "a.bib")).code == 0
    assert [*printed, (tmp_path / "a.bib").read_text(encoding="utf-8")] == printed[:1] * 4


@pytest.mark.parametrize(
    "arguments", [DEMO, RUN, ("resume", "one", "--yes"), ("export", "one")], ids=lambda a: a[0]
)
@pytest.mark.parametrize("place", ["nowhere/proposal.md", "file/proposal.md"])
def test_a_folder_that_is_not_there_is_refused_before_anything_is_done(
    place: str, arguments: tuple[str, ...], session: str, offline: Run, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("no folder", encoding="utf-8")
    before = offline("ls", "--json").out
    ran = offline(*arguments, "--out", str(tmp_path / place))
    assert ran.code == 2, ran.err
    assert (
        "Files cannot be written to" in ran.err
        if place.startswith("file")
        else "There is no folder" in ran.err
    )
    assert offline("ls", "--json").out == before, "no session was made or run"
