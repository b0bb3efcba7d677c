"""Imitate-and-Evolve beside a chain: written for an idea of the chain, in the same arena and export, with exact stale marks and undo."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from coi_tui.engine.steps import Scope
from coi_tui.export.options import ProposalOptions
from coi_tui.model.address import match_of
from tests.session.test_stale_of_methods import random_edits_make_their_readers_stale
from tests.session.test_three_methods import instances, replaced
from tests.support.desk import SMALL, Desk, made_once, stale
from tests.support.script import HashModel
from tests.support.world import MemorySource, make_world

IMITATE = {"papers": 2, "steps": 3, "hits": 6}


@pytest.fixture(scope="module")
def made() -> Path:
    """A session with two chains and a manuscript for the idea of the first; copy it, do not touch it."""
    return made_once("imitate-beside", _with_a_manuscript)


def _with_a_manuscript(folder: Path) -> Desk:
    desk = Desk.new(folder, SMALL, HashModel(), MemorySource(make_world(), lists=True))
    assert desk.run("ideas").state == "done"
    desk.session.decisions.add_method("Imitate-and-Evolve", IMITATE)
    desk.session.edits.save("E1/choice", "- 1/idea\n")
    outcome = asyncio.run(desk.go(desk.session.planner.to_stage("ideas", Scope(instance="E1"))))
    assert outcome.state == "done", desk.session.core.failed
    return desk


@pytest.fixture
def desk(made: Path, tmp_path: Path) -> Desk:
    return Desk.copied(made, tmp_path, HashModel(), MemorySource(make_world(), lists=True))


def test_an_edit_of_the_idea_makes_its_manuscript_stale_and_undo_takes_it_back(desk: Desk) -> None:
    before = desk.contents()
    replaced(desk.session, "1/idea", "final", "another")
    assert instances(stale(desk)) == {"E1"}
    desk.session.undo_stack.undo()
    assert stale(desk) == set()
    replaced(desk.session, "2/idea", "final", "another")
    assert stale(desk) == set()
    desk.session.undo_stack.undo()
    assert desk.contents() == before


@pytest.mark.parametrize("seed", range(2))
def test_after_random_edits_exactly_what_was_made_from_them_is_stale(desk: Desk, seed: int) -> None:
    random_edits_make_their_readers_stale(desk, ("E1",), 10, seed)


def test_its_idea_meets_the_others_in_the_arena(desk: Desk) -> None:
    assert asyncio.run(desk.go(desk.session.planner.to_judge_rest())).state == "done"
    state = desk.session.state
    assert all(
        state.in_use(match_of(*pair)) is not None for pair in ((1, 2), (1, "E1/1"), (2, "E1/1"))
    )


def test_the_manuscript_stands_in_the_export_with_references_that_there_are(desk: Desk) -> None:
    text = desk.session.exports.text("md", ProposalOptions(every_idea=True, appendix=True))
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    assert "Manuscript E1/1" in headings
    assert "What manuscript E1/1 imitates" in headings
    assert "Review of manuscript E1/1, round 1" in headings
    part = text.partition("Papers that it cites\n")[2].partition("\n#")[0]
    cited = set(re.findall(r"#ref-(\d+)\)", part))
    assert cited
    assert cited <= set(re.findall(r"<span id=\"ref-(\d+)\"", text))
    for version in (desk.content("E1/1/gate1")["text1"], desk.content("E1/1/section3")["text"]):
        assert version.split(" rests")[0] in text


def test_an_export_warns_of_what_is_undecided_and_not_of_numbered_cells_that_there_need_not_be(
    desk: Desk,
) -> None:
    desk.session.decisions.pick("E1/1/idea")
    told = {
        w.kind: w
        for w in desk.session.exports.warnings()
        if w.kind in ("Undecided", "Not made yet") and "E1/1" in w.text
    }
    assert {"E1/1/plan", "E1/1/section1", "E1/1/step3"} <= set(told["Undecided"].addresses)
    assert not {"E1/1/later1.2", "E1/1/referee1"} & set(told["Undecided"].addresses), (
        "no verdict is asked for on these"
    )
    assert set(told["Not made yet"].addresses) == {
        "E1/1/nov",
        "E1/1/exp",
        "E1/1/review",
        "E1/1/proposal",
    }


def test_the_method_hands_over_a_manuscript_with_title_abstract_and_citations(desk: Desk) -> None:
    method = desk.methods.of_instance("E1")
    assert method is not None
    whole = method.document(desk.session.state, ["E1/1"], []).manuscripts
    assert [one.title for one in whole] == [desk.content("E1/1/idea")["title"]]
    assert whole[0].abstract is not None
    assert whole[0].abstract.text == desk.content("E1/1/idea")["summary"]
    assert [section.title for section in whole[0].sections] == [
        desk.content(f"E1/1/section{n}")["title"] for n in (1, 2, 3)
    ]
    marks = [
        mark for section in whole[0].sections for block in section.blocks for mark in block.cited
    ]  # type: ignore[union-attr]
    assert marks
    assert all(paper in desk.session.state.papers for _, paper in marks)


def test_the_session_opens_again_and_nothing_is_asked_again(desk: Desk) -> None:
    again = desk.reopen()
    assert set(again.session.state.ideas()) == {1, 2, "E1/1"}
    again.model.requests.clear()
    assert (
        asyncio.run(again.go(again.session.planner.to_stage("ideas", Scope(instance="E1")))).state
        == "done"
    )
    assert again.model.sent == []
