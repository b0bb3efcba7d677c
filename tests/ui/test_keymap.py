"""A person's own keys: taken where they can be, told where they clash, shown wherever a key is
shown."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from coi_tui.cli import cli
from coi_tui.screens.help_screen import HelpScreen
from coi_tui.screens.places import EveryAction
from coi_tui.session.wording import Verdict
from coi_tui.widgets.key_actions import key_name, read_keymap, shown, template

from .helpers import demo, places, trip


def write(folder: Path, text: str) -> Path:
    file = places(folder).keys_file
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


@pytest.mark.parametrize(
    ("said", "name", "sign"),
    [
        ("a", "a", "a"),
        ("?", "question_mark", "?"),
        ("^n", "ctrl+n", "^n"),
        ("F5", "f5", "F5"),
        ("space", "space", "Space"),
        (",", "comma", ","),
        ("$", "dollar_sign", "$"),
        ("-", "minus", "-"),
        ("ctrl+n", "ctrl+n", "^n"),
    ],
)
def test_keys_as_people_write_them(said: str, name: str, sign: str) -> None:
    assert key_name(said) == name
    assert shown(said) == sign


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('"workbench.acept" = "y"', "did you mean workbench.accept"),
        ('"workbench.accept" = "x"', "both on 'x'"),
        ('"workbench.accept" = "ctrl+q"', "needs for itself"),
        ('"workbench.accept" = 3', "write it in quotes"),
        ('"workbench.accept" = "B"\n"workbench.reject" = "B"', "both on 'B'"),
        ("nonsense [", "cannot be read"),
        ('"workbench.accept" = "x"\n"workbench.reject" = "c"', "both on 'x'"),
        ('"workbench.accept" = "a,x"', "which is not a key"),
        ('"workbench.accept" = "ctrl+i"', "needs for itself"),
        ('"workbench.accept" = "bananas"', "which is not a key"),
    ],
)
def test_what_cannot_be_taken_has_its_reason(tmp_path: Path, text: str, words: str) -> None:
    found = read_keymap(write(tmp_path, text), EveryAction())
    assert any(words in p for p in found.problems), found.problems


async def test_what_cannot_be_taken_is_told_at_the_start_and_by_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, '"workbench.acept" = "y"')
    async with trip(tmp_path) as t:
        assert "you mean workbench.accept?" in t.text
    monkeypatch.setenv("COI_HOME", str(tmp_path))
    ran = CliRunner().invoke(cli, ["keys"], standalone_mode=False)
    assert ran.return_value == 1
    assert "did you mean workbench.accept" in ran.output


async def test_a_changed_key_works_and_is_shown_everywhere(tmp_path: Path) -> None:
    write(tmp_path, '"workbench.accept" = "B"\n[workbench]\nnext = "ctrl+o"\n')
    async with demo(tmp_path, stage="anchors") as t:
        bench = t.bench
        await t.go("1/0")
        await t.press("a")
        assert t.row("1/0").verdict is Verdict.UNDECIDED, "the usual key does nothing any more"
        await t.press("B")
        await t.until(lambda: t.row("1/0").verdict is Verdict.ACCEPTED, "the accept")
        await t.go("2/0")
        assert "B accept" in t.lines[-2] + t.lines[-1]
        await t.go("2")
        await t.press("ctrl+o")
        assert bench.chain.address == "2/0"
        await t.press("question_mark")
        help_ = await t.on(HelpScreen)
        assert {e[0].id: e[0].show for e in help_.entries}["accept"] == "B"


def test_the_template_changes_nothing_until_a_line_is_freed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COI_HOME", str(tmp_path))
    run = CliRunner()
    assert run.invoke(cli, ["keys", "--write"], standalone_mode=False).return_value == 0
    assert run.invoke(cli, ["keys", "--write"], standalone_mode=False).return_value == 1
    file = places(tmp_path).keys_file
    assert read_keymap(file, EveryAction()) == read_keymap(tmp_path / "none", EveryAction())
    freed = "\n".join(line.removeprefix("# ") for line in template(EveryAction()).splitlines()[1:])
    file.write_text(freed)
    assert read_keymap(file, EveryAction()).problems == (), "the usual keys clash with nothing"
    listed = run.invoke(cli, ["keys"], standalone_mode=False).output
    assert "workbench.accept" in listed
