"""A fork shares a part of its origin, copy on write; what both share is undone in
both."""

from pathlib import Path

import pytest

from coi_tui.model.errors import UsageError
from coi_tui.session.session import Session
from tests.support.desk import bare, chains
from tests.support.state_dump import dump

TOPIC = "language model agents"


@pytest.fixture
async def session(tmp_path: Path) -> Session:
    made = Session.create("s", TOPIC, bare(tmp_path), offline=True)
    await made.runs.run(made.planner.to_stage("ideas"))
    return made


async def test_reverting_a_shared_decision_reverts_it_in_both_branches(session: Session) -> None:
    session.decide("accept", "1/+1")
    number = session.decision_log()[-1].seq
    new, before = session.decide("fork", "1/+1").value["branch"], dump(session.state)

    def verdicts() -> set[str]:
        return {chains(session).slot(f"{branch}/+1").verdict for branch in (1, new)}

    assert verdicts() == {"accepted"}
    session.revert(number)
    assert verdicts() == {"proposed"}
    session.redo()
    assert dump(session.state) == before
    assert session.verify() == []


async def test_revert_names_what_rests_on_the_decision(session: Session) -> None:
    before = chains(session).slot("1/+2").verdict
    session.decide("choose", "1/+2", "2")
    number = session.decision_log()[-1].seq
    in_chain = {s.paper for s in chains(session).filled(1)}
    newest = max(
        (p for p in session.state.papers.values() if p.id not in in_chain), key=lambda p: p.when
    )
    session.decide("pin", "1/+3", paper=newest)
    with pytest.raises(UsageError, match=r"pin 1/\+3"):
        session.revert(number)
    assert chains(session).slot("1/+3").verdict == "pinned"
    session.undo()
    session.revert(number)
    assert chains(session).slot("1/+2").verdict == before != "accepted"
