"""Imitate-and-Evolve beside a chain: written for an idea of the chain, in the same arena and
export, with exact stale marks and undo."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from coi_tui.engine.steps import Scope
from coi_tui.export.options import ProposalOptions
from tests.session.test_stale_of_methods import random_edits_make_their_readers_stale
from tests.session.test_three_methods import instances, replaced
from tests.support.desk import SMALL, Desk, made_once, stale
from tests.support.script import HashModel
from tests.support.world import MemorySource, make_world

IMITATE = {"papers": 2, "steps": 3, "hits": 6}


@pytest.fixture(scope="module")
def made() -> Path:
    """A session with two chains and a manuscript for the idea of the first; copy it, do not touch
    it."""
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
        mark
        for section in whole[0].sections
        for block in section.blocks
        for mark in block.cited  # type: ignore[union-attr]
    ]
    assert marks
    assert all(paper in desk.session.state.papers for _, paper in marks)
