"""Without a language model: what is made then lands beside a text that a model or a person wrote, and
any change of which version is in use is taken back by undo."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from coi_tui.engine.scheduler import Outcome
from coi_tui.methods.chain.slots import LISTS
from coi_tui.model.address import cell_ref
from coi_tui.model.entries import Version
from coi_tui.session.recorded_session import open_recorded
from coi_tui.session.runs.plans import Plan
from coi_tui.session.session import Session
from tests.store.making import script
from tests.support.desk import bare, copy_of


@pytest.fixture
def recorded(tmp_path: Path) -> Iterator[Session]:
    """The recorded session, in which no language model is set up."""
    with open_recorded(bare(tmp_path)) as session:
        yield session


def run(session: Session, plan: Plan) -> Outcome:
    return asyncio.run(session.runs.run(plan))


def in_use(session: Session) -> dict[str, int]:
    """The version in use of each text; lists of candidates and their verdicts are no texts."""
    state = session.state
    return {
        at: version.seq
        for at in state.cells
        if (version := state.in_use(at)) is not None and cell_ref(at).kind not in LISTS
    }


def checked(session: Session, verb: str) -> Plan:
    planned = next(b for b in session.state.ideas() if session.state.in_use(f"{b}/exp"))
    return session.planner.to_check(verb, f"{planned}/idea")


def again(address: str) -> Callable[[Session], Plan]:
    return lambda session: session.planner.to_refresh([address], again=True)


PLANS = {
    "one text": again("1/idea"),
    "a question": again("Q1"),
    "its plan": again("1/exp"),
    "its proposal": again("1/proposal"),
    "a match": lambda s: s.planner.to_judge("A/1-O1/1"),
    "novelty": lambda s: checked(s, "verify"),
    "against": lambda s: checked(s, "against"),
    "review": lambda s: checked(s, "review"),
    "SciPIP": again("S1/1/idea"),
}


@pytest.mark.parametrize("name", PLANS)
def test_a_worksheet_lands_beside_a_text_of_a_model(recorded: Session, name: str) -> None:
    before = in_use(recorded)
    outcome = run(recorded, PLANS[name](recorded))
    assert outcome.made
    assert in_use(recorded) == before
    assert all(address in recorded.unused_results([address]) for address in outcome.made)


def test_a_refresh_of_all_that_is_stale_leaves_every_text_and_next_goes_on(
    recorded: Session,
) -> None:
    recorded.edits.save("1/0..+1", "The newer paper does it otherwise.")
    stale = {row.address for row in recorded.rows() if row.stale}
    assert stale
    before = in_use(recorded)
    run(recorded, recorded.planner.to_refresh())
    assert in_use(recorded) == before
    for _ in stale:  # nothing is offered twice, and no refresh that would change nothing
        step = recorded.next_step(at="1/0..+1")
        if not step.needs.stale:
            break
        assert step.action == "diff"
        recorded.decide("keep", step.address)
    assert not [row for row in recorded.rows() if row.stale]


def test_a_model_that_is_set_up_later_makes_what_a_worksheet_lies_beside(tmp_path: Path) -> None:
    desk = copy_of(tmp_path, "small", "ideas")
    session = desk.session
    session.edits.save("1/dir", "Another direction.")
    stale = [row.address for row in session.rows() if row.stale]
    assert "1/idea" in stale
    run(session, session.planner.to_refresh())  # by the drafter
    assert "1/sketch1" in session.unused_results(["1/sketch1"])
    desk.refresh()  # by the scripted model
    assert session.unused_results(["1/sketch1"]) == ""
    assert not [row for row in session.rows() if row.stale]


# -- undo


def test_undo_takes_back_a_refresh_of_many_texts_at_once(tmp_path: Path) -> None:
    desk = copy_of(tmp_path, "small", "review")
    session = desk.session
    session.edits.save("1/dir", "Another direction.")
    before = in_use(session)
    stale = {row.address for row in session.rows() if row.stale}
    desk.refresh()
    assert {at for at, seq in in_use(session).items() if before.get(at) != seq} >= stale - {"1/0"}
    session.undo()
    assert in_use(session) == before
    assert {row.address for row in session.rows() if row.stale} == stale
    assert session.undo_labels()[0] == "edit 1/dir"


KILLED = """
import asyncio, os, signal, sys
from pathlib import Path
from coi_tui.engine.budget import Budget
from tests.support.desk import Desk

def kill(event):
    if event.kind == "task done":
        os.kill(os.getpid(), signal.SIGKILL)

async def refresh(desk):
    runs, plan = desk.session.runs, desk.planner.to_refresh()
    job = await runs.approve(plan)
    await runs.run_with(desk.methods, plan, job, Budget(), kill)

asyncio.run(refresh(Desk.at(Path(sys.argv[1]))))
"""


def test_undo_takes_back_what_a_job_changed_before_it_was_killed(tmp_path: Path) -> None:
    desk = copy_of(tmp_path, "small", "review")
    desk.edits.save("1/dir", "Another direction.")
    before, path = in_use(desk.session), desk.closed()
    script(KILLED, path).communicate()

    def opened() -> Session:
        return Session.open(str(path), bare(tmp_path))

    with opened() as session:
        after = in_use(session)
        changed = [at for at in before if after[at] != before[at]]
        assert changed, "the job was killed after its first text"
        assert session.undo_labels()[0].startswith("make again")
        session.undo()
        assert in_use(session) == before
        assert session.undo_labels()[0] == "edit 1/dir"
        session.redo()
    with opened() as session:
        assert in_use(session) == after
        assert session.undo_labels()[0].startswith("make again")
        entries = len(session.journal.entries)
        session.undo()
    with opened() as session:
        assert in_use(session) == before
        assert len(session.journal.entries) == entries + 1, "it is written once"


async def test_undo_takes_back_a_text_that_was_on_its_way_to_the_file_at_a_stop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = copy_of(tmp_path, "small", "review")
    session = desk.session
    before, commit = in_use(session), session.file.commit
    begun, gate = threading.Event(), threading.Event()

    def slowly(**rows: Any) -> list[int]:
        if any(isinstance(entry, Version) for entry in rows.get("entries", ())):
            begun.set()
            gate.wait(60)
        return commit(**rows)

    monkeypatch.setattr(session.file, "commit", slowly)
    job = asyncio.create_task(desk.go(session.planner.to_refresh(["1/idea"], again=True)))
    await asyncio.to_thread(begun.wait, 60)
    job.cancel()
    gate.set()
    with pytest.raises(asyncio.CancelledError):
        await job
    assert in_use(session)["1/idea"] != before["1/idea"]
    session.undo()
    assert in_use(session) == before
