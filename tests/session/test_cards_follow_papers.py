"""A card belongs to its paper: with another paper in the slot it waits, and comes back with its
own."""

from pathlib import Path

import pytest

from tests.support.desk import Desk, chains, copy_of, version_at


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return copy_of(tmp_path)


def another(desk: Desk) -> str:
    cands = version_at(desk.session, "1/+2.cands")
    held = {s.paper for s in chains(desk.session).slots.values()}
    return next(str(e["paper"]) for e in cands.content["entries"] if e["paper"] not in held)


def test_a_card_written_by_hand_is_not_taken_for_another_paper(desk: Desk) -> None:
    s = desk.session
    first = chains(s).slot("1/+2").paper
    text = s.edits.text_of("1/+2.card").replace("## limitation\n", "## limitation\nMine. ")
    s.edits.save("1/+2.card", text)
    mine = s.state.value("1/+2.card#limitation")
    s.decide("choose", "1/+2", another(desk))
    assert s.state.in_use("1/+2.card") is None
    assert chains(s).shelf[-1].paper == first
    s.decide("choose", "1/+2", str(first))
    assert s.state.value("1/+2.card#limitation") == mine
    assert s.freshness("1/+2.card").ok
