"""The benchmark's chain of dependent calls: a verdict that another cell had asked for already makes
it no longer."""

from __future__ import annotations

from pathlib import Path

from tests.support.critical_path import longest_chain
from tests.support.desk import ONE, Desk
from tests.support.world import MemorySource, make_world


def test_a_shared_verdict_counts_as_the_first_round_that_it_was(tmp_path: Path) -> None:
    desk = Desk.new(tmp_path, ONE, source=MemorySource(make_world()))
    desk.run("ideas")
    state, log = desk.session.state, desk.session.core.decision_log()
    calls = [
        call.model_copy(update={"seconds": 1.0 if call.kind == "chat" else 0.0})
        for call in desk.session.core.file.calls()
    ]
    verdicts = [v for v in state.versions.values() if v.address.endswith(".rel")]
    assert verdicts
    first = {v.calls[0] for v in verdicts}
    elsewhere = [
        call.model_copy(update={"stage": 1, "address": "9/0.cands"}) if call.id in first else call
        for call in calls
    ]
    assert longest_chain(state, log, elsewhere).chats == longest_chain(state, log, calls).chats
