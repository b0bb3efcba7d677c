"""A refresh that failed of a text that exists: its row is marked with the reason, the text stays in
use, and what ends the mark."""

from pathlib import Path

import pytest

from coi_tui.model.criteria import Criteria
from coi_tui.session import wording
from coi_tui.session.wording import Row
from tests.support.desk import Desk, chains, copy_of

DIR = "1/dir"


def refuse(desk: Desk, prompt: str = "coi_direction") -> None:
    desk.model.say[prompt] = lambda _: "nonsense"


def row(desk: Desk, address: str = DIR) -> Row:
    return {r.address: r for r in desk.session.rows()}[address]


@pytest.fixture
def failed(tmp_path: Path) -> Desk:
    """The direction of branch 1 was stale, and its refresh failed."""
    desk = copy_of(tmp_path)
    desk.edits.save("1/-1..0", "my own trend")
    refuse(desk)
    assert DIR in desk.refresh([DIR]).failed
    return desk


def test_the_row_is_marked_also_after_closing_and_the_text_before_stays_in_use(
    failed: Desk,
) -> None:
    marked = row(failed)
    assert wording.state(marked) == "failed"
    assert wording.note(marked) == "failed"
    assert marked.needs_you
    assert "failed" in wording.sentence(marked)
    assert "the previous text is in use, stale" in wording.sentence(marked)
    assert failed.session.next_step().needs.failed == 1
    assert failed.session.freshness(DIR).status == "stale"
    assert failed.content(DIR)["text"]
    assert [r.address for r in failed.session.rows() if wording.state(r) == "failed"] == [DIR]
    again = failed.reopen()
    assert wording.state(row(again)) == "failed"
    assert again.session.next_step().needs.failed == 1
    trouble = again.session.failure(DIR)
    assert trouble is not None
    assert trouble.title == "1/dir could not be made again"
    assert "kept raw" in trouble.happened
    assert trouble.intact.startswith("The version of 1/dir in use before is still in use.")


def test_saying_that_it_is_still_valid_ends_it_and_undo_brings_it_back(failed: Desk) -> None:
    failed.session.decide("keep", DIR)
    assert wording.note(row(failed)) == "still holds"
    assert not failed.session.next_step().needs.failed
    failed.session.undo()
    assert wording.state(row(failed)) == "failed"


def test_a_search_that_failed_at_a_place_with_a_paper_marks_the_place(tmp_path: Path) -> None:
    desk = copy_of(tmp_path)
    refuse(desk, "coi_relevances")
    desk.session.decide(
        "criteria", "criteria", Criteria(citations=0)
    )  # what was judged by the same criteria is not judged again
    assert "1/+1.rel" in desk.refresh(["1/+1.rel"], again=True).failed
    assert wording.state(row(desk, "1/+1")) == "failed"
    assert row(desk, "1/+1").needs_you
    assert desk.session.next_step().needs.failed == 1, (
        "a list has no row of its own, and its failure was left unsaid"
    )
    assert row(desk, "1/+1").year, "the paper stands where it stood"
    trouble = desk.session.failure("1/+1")
    assert trouble is not None
    assert trouble.title == "1/+1.rel could not be made; the paper of 1/+1 stays"
    assert not trouble.growing
    assert [line.address for line in desk.planner.to_retry("1/+1.rel").lines] == ["1/+1.rel"]
    paper = desk.state.papers[str(chains(desk.session).slot("2/+1").paper)]
    desk.session.decide(
        "pin",
        "1/+1",
        paper=paper.model_copy(
            update={"id": "arXiv:0001.00009", "ids": {"arXiv": "0001.00009"}, "title": "Mine"}
        ),
    )
    assert wording.state(row(desk, "1/+1")) != "failed", "another paper was put there since"
