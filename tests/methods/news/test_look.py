"""What a look finds, what it says of it, and what counts as new."""

from pathlib import Path

import pytest

from coi_tui.methods.news import BACKED, SHOWN, Seen, followed, is_new, news_of
from coi_tui.model.criteria import Criteria
from coi_tui.model.papers import Paper
from tests.support.desk import chains

from .helpers import SAID, SayingSource, desk_at, ids, look, looked, new_paper, paper_at, with_new


def test_a_paper_that_cites_the_anchor_is_told_with_what_it_says_of_it(tmp_path: Path) -> None:
    desk = desk_at(tmp_path)
    assert ids(looked(desk)) == []
    assert news_of(desk.state).line.startswith("nothing new since 2026-01-01")
    desk.source.world = with_new(desk.world, paper_at(desk, "1/0"), 1)
    news = looked(desk)
    assert ids(news) == ["arXiv:2603.00001"]
    entry = news.papers[0][0]
    assert entry.says[0] == f"cites your anchor 1/0; says of it: “{SAID}”"
    assert entry.place == "1/+1"
    assert news.line.startswith("1 new paper since 2026-01-01")


def test_a_claim_that_it_shares_words_with_is_named_with_the_words(tmp_path: Path) -> None:
    desk = desk_at(tmp_path)
    desk.edits.save("1/claims", "- mechanism: Zebra crossings slow hurried turtles down")
    desk.refresh(["1/nov"])
    words = "Here hurried turtles meet zebra crossings."
    desk.source.world = with_new(desk.world, paper_at(desk, "1/0"), 1, words=words)
    entry, _ = looked(desk).papers[0]
    touched = next(one for one in entry.says if one.startswith("touches"))
    assert touched.startswith("touches claim 1 of 1/idea (both say ")
    assert "turtles" in touched
    assert words in touched
    assert entry.idea == "1"


def test_looking_moves_nothing_and_what_was_seen_is_not_shown_again(tmp_path: Path) -> None:
    desk = desk_at(tmp_path)
    desk.source.world = with_new(desk.world, paper_at(desk, "1/0"), 1)
    assert ids(looked(desk)) == ids(looked(desk)) == ["arXiv:2603.00001"]
    desk.session.decide("seen", "news")
    assert news_of(desk.state).seen
    assert ids(looked(desk)) == []
    desk.source.world = with_new(desk.world, paper_at(desk, "1/0"), 2)
    assert ids(looked(desk)) == ["arXiv:2603.00002"]
    desk.session.undo()  # the looks since, made again
    while Seen.of(desk.state).version:
        desk.session.undo()
    assert {"arXiv:2603.00001", "arXiv:2603.00002"} == {*ids(looked(desk))}


def test_a_paper_that_goes_by_another_id_later_is_not_shown_again(tmp_path: Path) -> None:
    desk = desk_at(tmp_path)
    anchor = paper_at(desk, "1/0")
    desk.source.world = with_new(desk.world, anchor, 1)
    (_, first), *_ = looked(desk).papers
    desk.session.decide("seen", "news")
    ids_now = {"arXiv": "2603.00001", "DOI": "10.1/x"}
    published = first.model_copy(update={"id": "DOI:10.1/x", "ids": ids_now})
    desk.source.world = desk.world.with_paper(published, (anchor,))
    assert ids(looked(desk)) == []


def test_what_came_into_a_list_late_is_new_once_a_look_was_seen(tmp_path: Path) -> None:
    """A paper of the year before, which the list did not name at the look that was seen."""
    desk = desk_at(tmp_path)
    late = with_new(desk.world, paper_at(desk, "1/0"), 1, published="2025-11-30")
    looked(desk)
    desk.session.decide("seen", "news")
    desk.source.world = late
    assert ids(looked(desk)) == ["arXiv:2603.00001"]


def test_a_paper_that_the_session_has_is_no_news(tmp_path: Path) -> None:
    desk = desk_at(tmp_path)
    desk.source.world = with_new(desk.world, paper_at(desk, "1/0"), 1)
    paper = desk.world.papers["arXiv:2603.00001"]
    desk.edits.add_paper("reading", paper)
    assert ids(looked(desk)) == []


def test_at_most_ten_are_shown_and_the_others_are_counted(tmp_path: Path) -> None:
    desk = desk_at(tmp_path)
    for n in range(SHOWN + 3):
        desk.source.world = with_new(desk.world, paper_at(desk, "1/0"), n)
    news = looked(desk)
    assert (len(news.papers), news.content.more) == (SHOWN, 3)
    assert news.line.startswith(f"{SHOWN + 3} new papers")


def test_what_is_not_in_the_field_is_counted_only(tmp_path: Path) -> None:
    """It shares no word with the topic, and cites one of the session's papers; one more is enough."""
    desk = desk_at(tmp_path)
    anchor, other = paper_at(desk, "1/0"), paper_at(desk, "1/-1")
    far = Paper(id="S2:far", title="Qqq", year=2026, published="2026-02", abstract="Www rrr.")
    desk.source.world = desk.world.with_paper(far, (anchor,))
    news = looked(desk)
    assert (ids(news), news.content.off_field) == ([], 1)
    assert BACKED == 2
    desk.source.world = desk.world.with_paper(far, (anchor, other))
    assert ids(looked(desk)) == ["S2:far"]


def test_criteria_leave_new_papers_out_and_that_is_counted(tmp_path: Path) -> None:
    desk = desk_at(tmp_path)
    desk.source.world = with_new(desk.world, paper_at(desk, "1/0"), 1, words="Unwanted.")
    desk.session.decide("criteria", "criteria", Criteria(without_words=("unwanted",)))
    news = looked(desk)
    assert (ids(news), news.content.left_out) == ([], 1)


def test_a_failed_service_is_not_the_same_as_nothing_new(tmp_path: Path) -> None:
    desk = desk_at(tmp_path)
    looked(desk)
    before = desk.state.cell("news").versions
    desk.source.fails = lambda _what: True
    outcome = look(desk)
    assert outcome.state == "failed"
    assert "did not answer" in outcome.failed["news"]
    assert desk.state.cell("news").versions == before
    row = next(row for row in desk.session.rows() if row.address == "news")
    assert row.failed


def test_a_look_that_missed_something_says_so_and_does_not_move_the_day_when_seen(
    tmp_path: Path,
) -> None:
    desk = desk_at(tmp_path)
    anchor = paper_at(desk, "1/0")
    desk.source.world = with_new(desk.world, anchor, 1)
    desk.source.fails = lambda what: what == anchor
    news = looked(desk)
    assert not news.content.complete
    assert news.line.endswith("not everything could be looked for")
    assert "searches failed" in news.content.note
    desk.session.decide("seen", "news")
    assert Seen.of(desk.state).until == ""
    desk.source.fails = lambda _what: False
    assert ids(looked(desk)) == ["arXiv:2603.00001"], "what could not be looked for is new still"


def test_the_newest_paper_of_the_chain_and_its_anchor_are_asked_about_first(tmp_path: Path) -> None:
    desk = desk_at(tmp_path)
    newest = chains(desk.session).chain(1)[-1]
    asked = followed(desk.state)
    assert [one.paper.id for one in asked[:2] if one.paper] == [
        paper_at(desk, f"1/{newest:+d}"),
        paper_at(desk, "1/0"),
    ]
    assert any(one.what == "your question Q1" for one in asked)
    assert any(one.what == "a query of 1/nov" for one in asked)


def test_a_look_is_never_stale(tmp_path: Path) -> None:
    desk = desk_at(tmp_path)
    looked(desk)
    desk.edits.save("topic", "something else")
    assert desk.session.freshness("news").status == "fresh"


@pytest.mark.parametrize(
    ("published", "new"),
    [
        ("2026-03-01", True),
        ("2026-02-28", False),
        ("2026-03", True),
        ("2026-02", False),
        ("2027", True),
        ("2026", True),
        ("2025", False),
    ],
)
def test_a_date_is_compared_as_far_as_it_is_known(published: str, new: bool) -> None:
    """A year alone counts as of its middle."""
    paper = Paper(id="S2:1", title="A", year=int(published[:4]), published=published)
    assert is_new(paper, "2026-03-01") is new


def test_a_paper_without_a_date_is_not_new() -> None:
    assert not is_new(Paper(id="S2:1", title="A"), "2026-03-01")


def test_nobody_is_asked_who_is_set_aside(tmp_path: Path) -> None:
    desk = desk_at(tmp_path)
    desk.session.decide("set_aside", "1")
    assert [one.what for one in followed(desk.state)] == ["your topic"]


def test_what_it_asks_does_not_depend_on_other_new_papers(tmp_path: Path) -> None:
    """The same world gives the same look."""
    desk = desk_at(tmp_path)
    anchor = paper_at(desk, "1/0")
    like = desk.world.papers[anchor]
    for n in range(4):
        desk.source.world = desk.world.with_paper(new_paper(n, like), (anchor,))
    first = looked(desk).content
    assert isinstance(desk.source, SayingSource)
    assert looked(desk).content.entries == first.entries
