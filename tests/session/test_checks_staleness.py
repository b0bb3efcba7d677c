"""Checks 14 to 21 of the acceptance list: what becomes stale, what clears it, and that a person's
words stay."""

from __future__ import annotations

from pathlib import Path

import pytest

from coi_tui.session import wording
from tests.support.desk import Desk
from tests.support.state_dump import dump

from .test_dependence import correct, first_wins

TREND = "1/-1..0"
"""t1 of branch 1."""


SKETCHES = {f"1/sketch{n}" for n in range(1, 5)}


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return first_wins(tmp_path)


def test_check_14_editing_t1_marks_exactly_what_rests_on_it_and_undo_makes_all_fresh(
    desk: Desk,
) -> None:
    assert desk.marks() == {}
    before = dump(desk.session.state)
    desk.session.edits.save(TREND, "the trend as I see it")
    assert desk.marks() == {
        "stale": {"1/dir", *SKETCHES},
        "upstream": {"1/rivals", "1/idea", "1/nov", "1/exp", "A/1-2", "A/1-3"},
    }
    rows = {r.address: wording.state(r) for r in desk.session.rows()}
    assert (rows["1/dir"], rows["1/idea"], rows["1/nov"], rows["1/exp"]) == (
        "stale",
        "stale upstream",
        "stale upstream",
        "stale upstream",
    )
    desk.session.undo()
    assert desk.marks() == {}
    assert dump(desk.session.state) == before


def test_check_15_correcting_only_limits_in_a_card_leaves_the_experiment_without_the_mark(
    desk: Desk,
) -> None:
    correct("limits")(desk)
    rows = {r.address: wording.state(r) for r in desk.session.rows()}
    assert rows["1/exp"] == "stale upstream", "its idea may change, itself it reads no limits"
    assert rows["1/dir"] == "stale"


def test_check_18_a_refresh_runs_only_what_is_stale_and_stops_where_nothing_changed(
    desk: Desk,
) -> None:
    same, idea = desk.content("1/dir"), desk.content("1/idea")
    sketches = [desk.content(one) for one in sorted(SKETCHES)]
    desk.session.edits.save(TREND, "my trend")
    desk.model.say["coi_direction"] = lambda _: {"text": same["text"], "note": same["note"]}
    desk.model.say["sketches"] = lambda _: {"sketches": sketches}
    desk.model.say["work_out"] = lambda _: idea
    desk.refresh()
    assert desk.model.sent == ["coi_direction", "sketches"], (
        "oldest first; idea, novelty, matches and plan came out fresh without a call"
    )
    assert desk.marks() == {}
