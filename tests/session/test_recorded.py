"""The recorded session: sound, plain about what it is, and a session like any other."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from coi_tui.cli import main as coi
from coi_tui.methods.ideas.sketches import sketches
from coi_tui.model.content import WorkedOutIdea
from coi_tui.session.recorded_session import PICKED, RECORDED, open_recorded
from coi_tui.session.session import Session
from coi_tui.session.wording import RowOrigin
from tests.support.desk import bare

SAYS_WHAT_IT_IS = "recorded answers of a language model, some of them condensed or written for the example, with figures that were computed for the example"


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    with open_recorded(bare(tmp_path)) as session:
        yield session


def test_it_is_sound_fresh_and_free(session: Session) -> None:
    assert session.name == RECORDED
    assert session.verify() == []
    assert session.is_offline
    assert {f.status for f in session.fresh.values()} == {"fresh"}
    assert (session.spent().tokens, session.spent().money.total) == (0, 0)


def test_every_text_is_a_recorded_reply_or_a_persons_and_says_so(session: Session) -> None:
    texts = {v.origin for v in session.state.versions.values()}
    assert texts == {"recorded", "person", "source"}
    rows = {row.address: row.origin for row in session.rows()}
    assert {
        rows[a]
        for a in (
            "1/idea",
            "1/nov",
            "1/exp",
            "1/0",
            "1/rivals",
            "1/proposal",
            "O1/1/idea",
            "S1/1/idea",
            "A/1-O1/1",
        )
    } == {RowOrigin.RECORDED}
    made = map(session.state.in_use, sketches(session.state))
    assert {version.origin for version in made if version} == {"recorded"}
    assert rows["1/dir"] is RowOrigin.EDITED
    assert SAYS_WHAT_IT_IS in " ".join(session.state.notes["topic"].split())
    assert SAYS_WHAT_IT_IS in session.exports.text("md").split("## ")[0]


def test_its_proposal_warns_of_nothing_that_a_reader_must_know(session: Session) -> None:
    warnings = json.loads(session.exports.text("json"))["warnings"]
    assert {warning["kind"] for warning in warnings} <= {
        "Undecided",
        "Unverified title",
        "Unverified citation",
    }
    undecided = {at for one in warnings if one["kind"] == "Undecided" for at in one["addresses"]}
    assert "1/idea" in undecided
    assert undecided.isdisjoint(sketches(session.state)), "the pick decided about them"


def test_it_opens_with_a_wall_and_one_sketch_worked_out(session: Session) -> None:
    wall = session.sketch_wall()
    assert len([row for row in wall.rows if row.own_cell]) == 19
    assert [row.address for row in wall.rows if row.made] == [PICKED]
    assert [row.address for row in wall.rows if row.place == 1] == [PICKED]
    assert session.state.pick is None
    idea = session.state.read("1/idea", WorkedOutIdea)
    assert idea is not None
    assert idea.attack
    assert idea.holds == "simplified"


def test_the_command_line_brings_it_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COI_HOME", str(tmp_path))
    assert coi(["demo", "--reset"]) == 0
    text = tmp_path / "mine.txt"
    text.write_text("My direction.", encoding="utf-8")
    assert coi(["edit", RECORDED, "1/dir", "--file", str(text)]) == 0
    assert coi(["demo", "--reset"]) == 0
    assert f"{RECORDED}-2" in capsys.readouterr().err
    told = {}
    for name in (RECORDED, f"{RECORDED}-2"):
        assert coi(["show", name, "1/dir"]) == 0
        told[name] = "My direction." in capsys.readouterr().out
    assert told == {RECORDED: False, f"{RECORDED}-2": True}
