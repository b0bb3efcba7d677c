"""The example session: finished, annotated, honest about what it is, and a session like any other."""

from __future__ import annotations

import itertools
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from coi_tui.config import Keys, Settings
from coi_tui.export.options import WITH_APPENDIX
from coi_tui.literature.starter.loader import load
from coi_tui.model.content import ExperimentPlan, IdeaContent, NoveltyReport
from coi_tui.model.entries import Decision
from coi_tui.model.reviewing import points_of
from coi_tui.session.example import build_example, example_file
from coi_tui.session.queries.row import RowOrigin
from coi_tui.session.session import Session
from coi_tui.session.watch import EXAMPLE, example_path, open_example
from tests.ui.helpers import places

SAYS_WHAT_IT_IS = "An example written to show what a finished session looks like; not made by a run"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("example") / "session.coi.db"
    build_example(path)
    return path


def opened(folder: Path) -> Session:
    return open_example(places(folder), Settings(), Keys())


@pytest.fixture
def home(built: Path, tmp_path: Path) -> Path:
    """A folder in which the example was opened before."""
    path = example_path(places(tmp_path))
    path.parent.mkdir(parents=True)
    shutil.copy(built, path)
    return tmp_path


@pytest.fixture
def session(home: Path) -> Iterator[Session]:
    with opened(home) as session:
        yield session


def decided(session: Session, action: str) -> list[Decision]:
    return [d for d in session.core.decision_log() if d.action == action and d.actor == "you"]


def test_it_is_sound_and_complete(session: Session) -> None:
    assert session.verify() == []
    assert session.is_offline
    assert {f.status for f in session.core.fresh.values()} == {"fresh"}
    assert session.core.spent().tokens == 0


async def test_resuming_it_makes_nothing(session: Session) -> None:
    outcome = await session.runs.run(session.planner.to_resume())
    assert (outcome.state, outcome.made, outcome.failed) == ("done", [], {})


def test_its_chains_walk_on_checked_links_between_papers_of_the_library(session: Session) -> None:
    library = load()
    checked = {(link.citing, link.cited) for link in library.links if link.kind == "cites"}
    lengths = []
    for branch in session.state.branches:
        papers = [paper.id for at in session.state.chain(branch) if (paper := session.state.paper_at(branch, at))]
        assert all((newer, older) in checked for older, newer in itertools.pairwise(papers))
        lengths.append(len(papers))
    assert lengths == [5, 3]


def test_every_row_says_where_it_comes_from(session: Session) -> None:
    rows = {row.address: row for row in session.queries.rows() if row.origin is not RowOrigin.NONE}
    assert rows["1/dir"].origin is RowOrigin.EDITED
    by_program = {a: r.origin for a, r in rows.items() if r.origin not in (RowOrigin.EDITED, RowOrigin.YOURS, RowOrigin.SOURCE)}
    assert set(by_program.values()) == {RowOrigin.EXAMPLE}
    assert {"1/idea", "1/nov", "1/exp", "1/review", "1/0", "1/0.card", "2/idea", "A/1-2"} <= set(by_program)


def test_the_texts_say_what_they_are(session: Session) -> None:
    assert SAYS_WHAT_IT_IS in session.state.notes["topic"]
    said = session.exports.text("md", WITH_APPENDIX)
    assert SAYS_WHAT_IT_IS.replace("An example", "An example,") in said.split("## Warnings")[0]
    assert "not made by a run" in said.split("### Models")[0].split("### Texts")[1]
    assert "language model wrote" not in said


def test_a_person_rejected_an_anchor_and_edited_a_direction(session: Session) -> None:
    rejected = decided(session, "reject")
    assert [d.address for d in rejected] == ["2/0"]
    assert rejected[0].reason
    assert [item.paper for item in session.state.shelf] == [rejected[0].value["paper"]]
    assert [d.address for d in decided(session, "edit") if not d.creation] == ["1/dir"]
    assert len(session.state.cell("1/dir").versions) == 2


def test_every_decision_but_a_note_has_a_reason(session: Session) -> None:
    own = [d for d in session.core.decision_log() if d.actor == "you" and not d.creation]
    assert len(own) > 20
    assert [f"{d.action} {d.address}" for d in own if d.action != "note" and not d.reason] == []


def test_the_novelty_report_has_partial_overlaps_and_judgements(session: Session) -> None:
    for branch in session.state.branches:
        report = session.state.read(f"{branch}/nov", NoveltyReport)
        assert report is not None
        assert report.verdict == "partial"
        assert report.counts["close match"] == 0
        partial = [row for row in report.papers if row.verdict == "partial"]
        assert len(partial) >= 2
        assert all(row.overlap and row.reason for row in partial)
    assert len(decided(session, "judge")) == 2


def test_votes_stand_beside_the_match_in_both_orders(session: Session) -> None:
    assert {d.value["criterion"] for d in decided(session, "vote")} == {"significance", "clarity", "feasibility"}
    assert session.state.pick == 1


def test_the_plan_was_reviewed_and_answers_the_points(session: Session) -> None:
    review, plan = session.state.in_use("1/review"), session.state.read("1/exp", ExperimentPlan)
    assert review is not None
    assert plan is not None
    points = points_of(session.state, 1, review)
    assert len(points) == 4
    assert [answer.point for answer in plan.answers] == [1, 2, 3]
    assert [d.value["point"] for d in decided(session, "dismiss")] == [4]
    assert len(session.state.cell("1/exp").versions) == 2
    assert plan.second_review is not None
    assert (plan.second_review.before, plan.second_review.after, plan.second_review.outcome) == (5.7, 7.3, "better")
    assert plan.baselines.count("\n- ") + 1 >= 4
    assert "core hours" in plan.feasibility


def test_the_idea_speaks_of_the_papers_of_its_chain(session: Session) -> None:
    idea = session.state.read("1/idea", IdeaContent)
    assert idea is not None
    assert {"Draco", "Vega-Lite", "Reactive Vega"} <= set(re.findall(r"Draco|Reactive Vega|Vega-Lite", f"{idea.origin} {idea.novelty}"))


def test_a_second_opening_keeps_what_was_changed(home: Path) -> None:
    with opened(home) as session:
        session.decisions.reject("2/+2", "not for me")
        session.edits.save("1/dir", "Another direction.")
        before = session.state.seq
    with opened(home) as again:
        assert again.state.seq == before
        assert "Another direction." in again.edits.text_of("1/dir")
        again.undo_stack.undo()
        again.undo_stack.undo()
        assert "Check what interactive charts do" in again.edits.text_of("1/dir")
        assert again.state.slot("2/+2").paper


def test_it_is_built_where_there_is_none_and_by_its_name(tmp_path: Path) -> None:
    with opened(tmp_path) as made:
        assert made.name == EXAMPLE
        assert made.verify() == []
    assert [path.name for path in places(tmp_path).sessions.glob("*.coi.db")] == [f"{EXAMPLE}.coi.db"]


def test_no_text_is_left_unused_and_papers_are_named_by_their_titles() -> None:
    said, titles = example_file(), {paper.title for paper in load().papers.values()}
    named = {row["title"] for row in said["card"]} | {row["tip"] for row in (*said["idea"], *said["direction"])} | set(said["of_use"])
    named |= {end for row in said["trend"] for end in (row["from"], row["to"])}
    named |= {row["title"] for report in said["novelty"] for row in report["paper"]} | set(said["plan"]["references"])
    assert named <= titles


def test_no_verdict_stands_for_a_paper_that_no_search_found(session: Session) -> None:
    for branch, report in zip(session.state.branches, example_file()["novelty"], strict=True):
        found = session.state.read(f"{branch}/nov", NoveltyReport)
        assert found is not None
        titles = {session.state.papers[row.paper].title for row in found.papers}
        assert {row["title"] for row in report["paper"]} <= titles
