"""Plain text on the command line: into every part, from a file or standard input, and what is said
of a text that nothing reads."""

import json
import shutil
from pathlib import Path

import pytest

from coi_tui.cli import main as coi
from tests.support.desk import base, copy_of


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COI_HOME", str(tmp_path))
    (tmp_path / "data" / "sessions").mkdir(parents=True)
    shutil.copy(base("small", "ideas"), tmp_path / "data" / "sessions" / "s.coi.db")
    return tmp_path


def content(address: str, capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    capsys.readouterr()
    assert coi(["show", "s", address, "--json"]) == 0
    found: dict[str, object] = json.loads(capsys.readouterr().out)["content"]
    return found


def test_a_plain_file_is_the_idea_itself_and_its_other_parts_stay(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = content("1/idea", capsys)
    (home / "plain.txt").write_text("An idea in my own words.\n", encoding="utf-8")
    assert coi(["edit", "s", "1/idea", "--file", str(home / "plain.txt")]) == 0
    assert "Nothing reads this text yet." in capsys.readouterr().out
    assert content("1/idea", capsys) == {**before, "final": "An idea in my own words.\n"}


def test_a_part_that_there_is_not_is_an_error_with_the_names_of_those_there_are(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / "plain.txt").write_text("x", encoding="utf-8")
    assert coi(["edit", "s", "1/idea", "--part", "colour", "--file", str(home / "plain.txt")]) == 2
    assert "title" in capsys.readouterr().err


def test_a_text_that_was_read_once_says_that_nothing_reads_it_any_more(tmp_path: Path) -> None:
    session = copy_of(tmp_path, "small", "ideas").session
    assert session.unread("1/0..+1") == ""
    session.decide("reject", "1/+1", reason="a survey")
    session.edits.save("1/0..+1", "My trend.")
    assert session.unread("1/0..+1") == "Nothing reads this text any more."
