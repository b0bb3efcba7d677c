"""A method that the program does not know, registered by one line: it has rows, detail, edits,
stale marks, undo, reasons, menu, novelty check, match, proposal and command line like Chain of
Ideas, though nothing outside its folder names it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from coi_tui.cli import run as coi
from coi_tui.config import Keys, Settings
from coi_tui.engine.declarations import Scope
from coi_tui.methods import registry
from coi_tui.methods.registry import register
from coi_tui.model.errors import StoreError, UsageError
from coi_tui.present.options import WITH_APPENDIX
from coi_tui.prompts import loader
from coi_tui.session.session import Session
from tests.methods.toy import TOY
from tests.support.desk import SMALL, TOPIC, Desk, paths_in, ticking
from tests.support.script import HashModel, shown

TOY_SAYS = {
    "toy_questions": lambda request: {
        "questions": [f"question {n} {shown(request)}" for n in (1, 2)]
    },
    "toy_idea": lambda request: {
        "title": f"Toy idea {shown(request)}",
        "final": f"Do {shown(request)}.",
    },
}


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The method is there for one test only, beside the usual one and no other."""
    monkeypatch.setattr(registry, "METHODS", {registry.FIRST: registry.METHODS[registry.FIRST]})
    monkeypatch.setattr(loader, "ADDED", [])
    register(TOY)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A finished run of Chain of Ideas, with the method added and run up to its ideas."""
    desk = Desk.new(tmp_path, SMALL, HashModel(TOY_SAYS))
    desk.run("novelty")
    assert desk.session.add_method("toy") == "T1"
    outcome = asyncio.run(desk.go(desk.session.planner.to_stage("ideas", Scope(instance="T1"))))
    assert outcome.state == "done", outcome
    yield desk
    with contextlib.suppress(StoreError):  # a test may have closed it to open the file anew
        desk.session.close()


def labels(desk: Desk) -> dict[str, str]:
    return {row.address: row.title for row in desk.session.queries.rows()}


def make(desk: Desk, *addresses: str) -> None:
    outcome = asyncio.run(desk.go(desk.session.planner.to_make(addresses, "Make")))
    assert outcome.state == "done", outcome


def test_it_has_rows_of_its_own_beside_those_of_the_chain(desk: Desk) -> None:
    rows = labels(desk)
    assert {"1/0", "1/idea", "T1", "T1/asking", "T1/hits", "T1/1", "T1/3/idea", "T1/2/nov"} <= (
        rows.keys()
    )
    assert rows["T1/1/idea"].startswith("Toy idea")
    assert not {a for a in rows if a.startswith("T1/") and a.endswith(("/dir", "/0"))}, (
        "rows that the method never makes"
    )
    assert list(rows).index("T1") > list(rows).index("2/idea")
    assert "Toy idea" in str(desk.session.queries.detail("T1/1/idea").parts)
    assert "question 1" in str(desk.session.queries.detail("T1/asking").parts)


def test_an_edit_makes_what_reads_it_stale_and_undo_takes_that_back(desk: Desk) -> None:
    desk.session.edits.save("T1/asking", "- Only this question")
    assert desk.content("T1/asking") == {"questions": ["Only this question"]}
    marks = desk.marks()
    assert {"T1/hits"} <= marks["stale"]
    assert {"T1/1/idea", "T1/2/idea", "T1/3/idea"} <= marks["stale"] | marks.get("upstream", set())
    assert not any(a.startswith(("1/", "2/")) for found in marks.values() for a in found)
    desk.session.undo_stack.undo()
    assert not desk.marks()


def test_the_menu_offers_its_stages_and_no_others(desk: Desk) -> None:
    offers = [o.what for o in desk.session.menu.offers("T1/1/idea")]
    assert offers[:3] == ["asking", "looking", "ideas"]
    assert not {"one successor", "trends", "future direction"} & set(offers)
    both = [o.what for o in desk.session.menu.offers("topic")]
    assert {"questions, anchors", "asking"} <= set(both)


def test_its_idea_is_checked_for_novelty_and_meets_an_idea_of_the_chain(desk: Desk) -> None:
    make(desk, "T1/1/nov", "A/1-T1/1", "T1/1/exp")
    assert desk.content("T1/1/nov")["verdict"] in ("partial", "not close", "INCONCLUSIVE")
    match = desk.content("A/1-T1/1")
    assert (match["first"], match["second"]) == (1, "T1/1")
    assert set(match["results"].values()) <= {0, 1, "T1/1"}
    assert "A/1-T1/1" in labels(desk)
    players = [s.player for s in desk.session.exports.snapshot().standings]
    assert {1, "T1/1"} <= set(players)
    desk.session.decide("vote", "A/1-T1/1", {"criteria": ["novelty"], "winner": "T1/1"})
    assert desk.session.state.votes["A/1-T1/1", "novelty"] == "T1/1"


def test_its_idea_can_be_picked_and_leaves_with_its_own_section(desk: Desk) -> None:
    desk.session.decide("accept", "T1/2/idea")
    text = desk.session.exports.text("md", WITH_APPENDIX)
    assert "## Questions asked" in text
    assert "Toy idea" in text.splitlines()[0]
    data = json.loads(desk.session.exports.text("json"))
    assert data["winner"] == "T1/2"
    assert "T1/2/idea" in data["versions"]


def test_a_session_may_begin_with_it(tmp_path: Path) -> None:
    session = Session.create(
        "toys",
        TOPIC,
        paths=paths_in(tmp_path),
        settings=Settings(),
        keys=Keys(),
        clock=ticking(),
        method="Toy",
    )
    desk = Desk(session, HashModel(TOY_SAYS))
    assert desk.run().state == "done"
    assert session.queries.stage_reached() == "review"
    assert {"T1/1/idea", "T1/1/nov"} <= labels(desk).keys()
    assert not {a for a in labels(desk) if a[0].isdigit()}
    session.close()


def test_a_session_that_holds_an_unknown_method_opens_read_only_and_says_so(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = desk.session.core.file.path
    desk.session.close()
    monkeypatch.delitem(registry.METHODS, "Toy")
    session = Session.open(
        str(path), paths=desk.session.core.paths, settings=Settings(), keys=Keys()
    )
    assert "does not know: Toy" in session.read_only_reason
    with pytest.raises(UsageError, match="read-only"):
        session.decide("park", "1")
    assert "1/idea" in {row.address for row in session.queries.rows()}
    assert "T1/1/idea" in session.exports.text("json")
    session.close()


def test_the_command_line_runs_and_shows_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    start = ["retrieval memory", "--offline", "--yes"]
    monkeypatch.setenv("COI_HOME", str(tmp_path))
    assert coi(["run", *start, "--name", "toys", "--method", "toy", "--until", "ideas"]) == 0
    assert coi(["show", "toys"]) == 0
    assert "T1/2/idea" in capsys.readouterr().out
    assert coi(["run", *start, "--name", "both", "--until", "questions"]) == 0
    assert coi(["resume", "both", "--method", "Toy", "--yes", "--until", "ideas"]) == 0
    assert coi(["show", "both"]) == 0
    shown_rows = capsys.readouterr().out
    assert "Q1" in shown_rows
    assert "T1/3/idea" in shown_rows
    assert coi(["run", "retrieval memory", "--method", "nothing", "--yes"]) == 2
    assert "Unknown method" in capsys.readouterr().err
