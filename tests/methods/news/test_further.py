"""Where a key takes a new paper, what that makes stale, and what is shown of a look."""

from pathlib import Path

import pytest

from coi_tui.model.content import NoveltyReport
from coi_tui.model.errors import UsageError
from coi_tui.session.queries.rows import summary
from tests.support.desk import Desk, chains

from .helpers import desk_at, looked, paper_at, with_new

NEW = "arXiv:2603.00001"


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    desk = desk_at(tmp_path)
    desk.source.world = with_new(desk.world, paper_at(desk, "1/0"), 1)
    looked(desk)
    return desk


def test_it_goes_first_into_the_reading_list(desk: Desk) -> None:
    change = desk.edits.change_row("news", NEW, "pin")
    assert change.word == "to reading list"
    assert desk.session.reading_list().entries[0].paper.id == NEW


def test_it_goes_into_the_novelty_report_which_is_stale_and_says_why(desk: Desk) -> None:
    session = desk.session
    change = session.edits.change_row("news", NEW, "tick")
    assert change.word == "to 1/nov"
    assert "has not compared" in change.message
    assert session.freshness("1/nov").changed == ("1/compare#papers",)
    assert "1/compare" in session.planner.to_refresh(["1/nov"]).lines[0].why
    assert session.edits.row_change("news", NEW, "tick") is None, "it is there already"
    desk.refresh(["1/nov"])
    assert session.freshness("1/nov").ok
    report = session.state.read("1/nov", NoveltyReport)
    assert report is not None
    assert NEW in {row.paper for row in report.papers}


def test_that_is_undone_in_one_step(desk: Desk) -> None:
    session = desk.session
    session.edits.change_row("news", NEW, "tick")
    session.undo()
    assert session.freshness("1/nov").ok


def test_it_goes_to_the_place_after_the_paper_that_it_cites_by_the_link_that_was_found(
    desk: Desk,
) -> None:
    session = desk.session
    change = session.edits.row_change("news", NEW, "accept")
    assert change is not None
    assert (change.address, change.places) == ("1/+1", True)
    session.decide("choose", change.address, paper=session.state.papers[NEW])
    assert chains(session).slot("1/+1").paper == NEW
    assert chains(session).slot("1/+1").reason.link == "cites"


def test_a_paper_that_is_not_there_goes_nowhere(desk: Desk) -> None:
    for key in ("pin", "tick", "accept", "reject"):
        assert desk.edits.row_change("news", "S2:none", key) is None
    assert desk.edits.row_change("news", NEW, "reject") is None


def test_only_a_look_that_was_not_seen_can_be_marked_as_seen(desk: Desk) -> None:
    session = desk.session
    with pytest.raises(UsageError, match="only a look"):
        session.decide("seen", "1/idea")
    session.decide("seen", "news")
    with pytest.raises(UsageError, match="you have seen it"):
        session.decide("seen", "news")


def test_the_row_and_the_list_of_sessions_tell_what_is_not_seen(desk: Desk) -> None:
    session = desk.session
    row = next(row for row in session.rows() if row.address == "news")
    assert row.title.startswith("1 new paper since")
    assert not row.needs_you
    assert summary(session).news == row.title
    session.decide("seen", "news")
    assert summary(session).news == ""
    desk.source.fails = lambda _what: True
    from .helpers import look

    look(desk)
    assert summary(session).news == "nobody could be asked for new papers"


def test_its_document_lists_the_papers_and_what_was_looked_for(desk: Desk) -> None:
    text = "\n".join(f"{head}\n{body}" for head, body in desk.session.detail("news").parts)
    assert "cites your anchor 1/0" in text
    assert "papers that cite" in text
    assert desk.state.papers[NEW].title in text


def test_an_export_with_an_appendix_has_them(desk: Desk) -> None:
    from coi_tui.present.snapshot import ProposalOptions

    text = desk.session.exports.text("md", ProposalOptions(appendix=True))
    assert "New papers" in text
    assert desk.state.papers[NEW].title in text
