"""Votes of a person on the texts of a suite, in the app."""

import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.widgets import Static

from coi_tui.arena.ratings import CRITERIA
from coi_tui.cli import main
from coi_tui.config import Keys, LlmSettings, RoleSettings, Settings
from coi_tui.screens import base
from coi_tui.screens.ballot_screen import BallotScreen
from coi_tui.session.environment import Environment
from coi_tui.session.suite.ballot import Ballot
from coi_tui.session.suite.inventory import Inventory
from coi_tui.widgets.panes import DetailPane
from tests.support import terminal

from .helpers import Trip, places, trip

TEXTS = {
    "quokka": "[bold]Tests[/bold] that *teach* \x1b[31mred\x1b[0m.",
    "numbat": "Tests that children write.",
    "bilby": "Peers set the tests.",
}
VOTES = len(CRITERIA) * 3
KEYS = (
    ("1", "first"),
    ("right", "second"),
    ("t", "tie"),
    ("2", "second"),
    ("left", "first"),
    ("1", "first"),
)
SIZES = ((120, 36), (80, 24))


def suite(folder: Path) -> Inventory:
    """A suite of three contestants on one topic, whose texts are there."""
    lines = ['topics = ["Tests that teach [red]"]', '[[judge]]\nname = "readers"\npeople = true']
    for name in TEXTS:
        (folder / name).mkdir()
        (folder / name / "1.md").write_text(name, encoding="utf-8")
        lines += ["[[contestant]]", f'name = "{name}"', f'texts = "{name}"']
    (folder / "suite.toml").write_text("\n".join(lines), encoding="utf-8")
    told = Settings(llm=LlmSettings(main=RoleSettings(model="writer")))
    made = Inventory(folder / "suite.toml", Environment(places(folder), told, Keys()))
    for entry in made.entries:
        file = made.text_file(entry)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(TEXTS[entry.contestant.name], encoding="utf-8")
    return made


@asynccontextmanager
async def voting(made: Inventory, size: tuple[int, int] = SIZES[0]) -> AsyncIterator[Trip]:
    async with trip(
        made.paths.data, size, screen=lambda: BallotScreen(Ballot(made, "ann"))
    ) as there:
        await there.on(BallotScreen)
        yield there


async def vote(t: Trip, *keys: str) -> None:
    for key in keys:
        await t.on(BallotScreen)
        await t.press(key)


def outcomes(made: Inventory) -> list[str]:
    return [one.outcome for one in made.judged() if one.person]


@pytest.mark.parametrize("size", SIZES)
async def test_each_key_writes_its_vote_at_once_and_nobody_is_named(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    made, seen, given = suite(tmp_path), "", list[str]()
    async with voting(made, size) as t:
        for key, outcome in KEYS:
            seen += t.text
            await vote(t, key)
            given.append(outcome)
            assert f"{len(given)} of {VOTES}" in t.lines[0]
            assert sorted(outcomes(made)) == sorted(given)
        seen += t.text
    assert not any(name in seen for name in TEXTS)


@pytest.mark.parametrize("size", SIZES)
async def test_texts_are_shown_as_they_are_and_both_can_be_read(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async with voting(suite(tmp_path), size) as t:
        literal = "[bold]Tests[/bold] that *teach* red."
        while literal not in t.text:
            await vote(t, *"t" * len(CRITERIA))
        assert "Tests that teach [red]" in t.text
        first, second = t.app.screen.query(DetailPane)
        await t.until(lambda: first.has_focus)
        beside = first.region.y == second.region.y
        assert beside == (size[0] == 120)
        assert beside or first.size.height > 2 * second.size.height
        await vote(t, "tab")
        assert second.has_focus
        assert beside or second.size.height > 2 * first.size.height


@pytest.mark.parametrize("size", SIZES)
async def test_after_the_last_vote_only_undo_is_left(tmp_path: Path, size: tuple[int, int]) -> None:
    made = suite(tmp_path)
    async with voting(made, size) as t:
        await vote(t, *"t" * VOTES)
        assert not any(pane.display for pane in t.app.screen.query(DetailPane))
        await vote(t, "1")
    assert outcomes(made) == ["tie"] * VOTES
    async with voting(made, size) as t:
        await vote(t, "1")
        assert str(Ballot(made, "ann").file.name) in "".join(
            str(one.content) for one in t.app.screen.query(Static)
        )
        await vote(t, "u")
        assert all(pane.display for pane in t.app.screen.query(DetailPane))
        await t.until(lambda: t.app.screen.query(DetailPane)[0].has_focus)
    assert outcomes(made) == ["tie"] * (VOTES - 1)


async def test_a_key_that_was_pressed_before_the_next_pair_was_drawn_is_dropped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = suite(tmp_path)
    async with voting(made) as t:
        monkeypatch.setattr(base, "GRACE", 3600)
        await t.press(*"1" * len(CRITERIA), "2")
    assert outcomes(made) == ["first"] * len(CRITERIA)


def test_damaged_votes_are_named_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COI_HOME", str(tmp_path / "home"))
    made = suite(tmp_path)
    made.folder.mkdir(exist_ok=True)
    (made.folder / "votes-ann.jsonl").write_text('["key", 3]\n', encoding="utf-8")
    monkeypatch.setenv("COI_MODEL", "writer")
    assert main(["arena", "vote", str(tmp_path / "suite.toml"), "--rater", "ann"]) == 1
    out, error = capsys.readouterr()
    assert not out
    assert "votes-ann.jsonl" in error
    assert "Traceback" not in error


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="needs a pseudo-terminal")
@pytest.mark.parametrize(("option", "shown"), [("", "The first text"), ("--plain", "Better by")])
def test_on_a_terminal_the_command_opens_the_app_or_asks_in_lines(
    tmp_path: Path, option: str, shown: str
) -> None:
    suite(tmp_path)
    command = ("arena", "vote", str(tmp_path / "suite.toml"), "--rater", "ann", *option.split())
    with terminal.app(tmp_path / "home", *command, COI_MODEL="writer") as opened:
        opened.sees(shown)
        assert (terminal.ENTER_SCREEN in opened.output) == (not option)
        opened.until(lambda: opened.ended() or not opened.type("q\r"), "the end")
        assert opened.status == 0
        opened.sees("votes-ann.jsonl")
