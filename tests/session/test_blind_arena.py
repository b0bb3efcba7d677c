"""Before the researcher has voted on a match, nothing on the screen says how the model
judged it."""

from pathlib import Path

import pytest

from coi_tui.arena.ratings import CRITERIA, TIE
from coi_tui.model.address import cell_ref, match_of
from coi_tui.model.errors import UsageError
from coi_tui.present.comparisons import (
    TOO_FEW,
    agreement_with_you,
    criteria,
    hidden,
    pairs,
    played,
    rankings,
    results,
)
from coi_tui.session.session import Session
from tests.support.desk import Desk, copy_of


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """A finished session of three branches with its three matches, on which nobody has voted."""
    return copy_of(tmp_path)


def on_screen(session: Session) -> str:
    """The tree, and the detail of the arena and of every match."""
    rows = session.rows()
    addresses = [row.address for row in rows if row.address.startswith("A")] + played(session.state)
    details = [session.detail(address) for address in addresses]
    return "\n".join(
        [
            *(row.title for row in rows),
            *(f"{head}\n{text}" for d in details for head, text in d.parts),
        ]
    )


def test_the_last_vote_on_a_match_shows_it_alone_and_the_last_match_the_leader(desk: Desk) -> None:
    """One vote shows nothing: the judge's other four verdicts would sway the votes that are
    left."""
    session = desk.session
    first, *rest = played(session.state)
    at = cell_ref(first)
    for n, name in enumerate(CRITERIA):
        assert hidden(session.state) == [first, *rest], f"after {n} votes"
        session.decide("vote", first, {"criteria": [name], "winner": at.branch})
    assert hidden(session.state) == rest
    assert [one[:2] for one in results(session.state)] == [(at.branch, at.rival)]
    said = on_screen(session)
    assert "3 matches judged, 2 hidden until you have voted" in said
    assert "leads" not in said
    assert [r.by for r in rankings(session.state)] == [
        "the model",
        "your votes",
    ]
    for address in rest:
        session.decide("show_match", address)
    said = on_screen(session)
    assert "hidden" not in said
    assert "leads" in said


def test_the_judges_agreement_with_the_votes_is_of_matches_that_may_be_seen(desk: Desk) -> None:
    session = desk.session
    first = played(session.state)[0]
    assert agreement_with_you(session.state, every=True).common == 0
    for name in CRITERIA[:-1]:
        session.decide("vote", first, {"criteria": [name], "winner": cell_ref(first).branch})
    assert agreement_with_you(session.state).common == 0
    session.decide("vote", first, {"criteria": [CRITERIA[-1]], "winner": TIE})
    found, [(one, _, winners)] = agreement_with_you(session.state), results(session.state)
    votes = {**dict.fromkeys(CRITERIA, one), CRITERIA[-1]: TIE}
    assert found.common == len(CRITERIA)
    assert found.same == sum(votes[name] == winners[name] for name in CRITERIA)
    assert f"{found.same} of 5 criteria" in on_screen(session)


def test_a_person_may_vote_before_any_model_has_judged(tmp_path: Path) -> None:
    """The person's view comes first: the match is listed, and nothing of it counts for the
    model."""
    desk = Desk.new(tmp_path)
    desk.run("ideas")
    session = desk.session
    one, two = session.state.ideas()[:2]
    match = match_of(one, two)
    assert session.state.in_use(match) is None
    session.decide("vote", match, {"criteria": ["novelty"], "winner": two})
    assert rankings(session.state) == [], "the names wait for the last vote"
    session.decide("vote", match, {"criteria": list(CRITERIA), "winner": two})
    assert pairs(session.state) == [match]
    assert (played(session.state), hidden(session.state)) == ([], [])
    assert {(c.straight, c.swapped, c.result) for c in criteria(session.state, match)} == {
        (None, None, None)
    }, "nobody judged a tie"
    assert [r.by for r in rankings(session.state)] == ["your votes"]
    said = on_screen(session)
    assert "no matches yet" not in said.lower(), "a person's vote is a match"
    assert "By your votes" in said
    assert "Too few matches to rank" in said
    assert TOO_FEW in rankings(session.state)[0].points
    with pytest.raises(UsageError):
        session.decide("vote", "A/1-9", {"criteria": ["novelty"], "winner": 1})
