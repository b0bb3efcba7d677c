"""Plans put off until the network is there: kept in the session, planned anew at their time, run only when a person says so."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from coi_tui.config import Keys, Price, Settings
from coi_tui.engine.steps import Scope
from coi_tui.methods.coi.settings import CoiSettings
from coi_tui.model.errors import UsageError
from coi_tui.session.admin.state_dump import dump
from coi_tui.session.next_wording import counts
from coi_tui.session.session import Session
from tests.support.desk import Desk, copy_of, paths_in

ONLINE = Settings(source="openalex")
AWAY = ONLINE.model_copy(update={"offline": True})


def opened(folder: Path, settings: Settings, keys: Keys | None = None, **more: Any) -> Session:
    """The session of a folder; made where it is not there."""
    said: dict[str, Any] = {"paths": paths_in(folder), "settings": settings, "keys": keys or Keys(llm="sk-fake")}
    if (paths_in(folder).sessions / "test.coi.db").exists():
        return Session.open("test", **said)
    return Session.create("test", "a topic", bounds=CoiSettings(branches=1), **said, **more)


@pytest.fixture
def away(tmp_path: Path) -> Iterator[Session]:
    with opened(tmp_path, AWAY) as session:
        yield session


def test_a_plan_that_waits_survives_the_closing_of_its_session(tmp_path: Path) -> None:
    with opened(tmp_path, AWAY) as session:
        session.queue.add(session.planner.to_stage("anchors"))
    with opened(tmp_path, AWAY) as again:
        (waits,) = again.state.queue
        assert (waits.title, waits.goal["until"]) == ("Run test to anchors", "anchors")
        assert counts(again.queries.next_step().needs)[-1] == "1 plan queued"
        again.queue.add(again.planner.to_stage("chains", Scope((1,), "forward", 2)))
        assert counts(again.queries.next_step().needs)[-1] == "2 plans queued"
        assert again.verify() == []


def test_the_plan_is_made_anew_when_it_is_to_run(tmp_path: Path) -> None:
    """Other prices, another model: what is shown is what holds on the day."""
    before = AWAY.model_copy(deep=True)
    before.llm.prices["gpt-6-sol"] = before.llm.prices["gpt-6-luna"] = Price(input=1, output=1)
    with opened(tmp_path, before) as session:
        plan = session.planner.to_stage("anchors")
        assert plan.models == "the built-in drafter (no language model)"
        session.queue.add(plan)
    online = before.model_copy(update={"offline": False})
    with opened(tmp_path, online) as session:
        first = session.queue.plan(session.state.queue[0].seq)
        assert (first.models.split()[0], first.source) == ("gpt-6-sol", "OpenAlex")
        online.llm.prices["gpt-6-sol"] = Price(input=100, output=100)
        second = session.queue.plan(session.state.queue[0].seq)
        assert first.usd is not None
        assert second.usd is not None
        assert second.usd.expected > first.usd.expected * 10


@pytest.mark.parametrize("scope", [Scope(), Scope((1,), "forward", 2)])
def test_a_run_is_planned_for_what_it_was_for(tmp_path: Path, scope: Scope) -> None:
    with opened(tmp_path, AWAY) as session:
        goal = session.planner.to_stage("cards", scope).goal
        session.queue.add(session.planner.to_stage("cards", scope))
    with opened(tmp_path, ONLINE) as session:
        assert session.queue.plan(session.state.queue[0].seq).goal == goal


def test_a_refresh_is_planned_for_what_is_still_due(tmp_path: Path) -> None:
    desk = copy_of(tmp_path)
    session = desk.session
    session.settings, session.core.keys = AWAY, Keys(llm="sk-fake")
    session.edits.save("1/0..+1", "The trend as I see it now.")
    plan = session.planner.to_refresh()
    number = session.queue.add(plan).seq
    session.settings = ONLINE
    assert session.queue.plan(number).goal == plan.goal
    session.decisions.keep(plan.goal.addresses[0])
    left = session.queue.plan(number)
    assert plan.goal.addresses[0] not in left.goal.addresses
    assert (left.title, left.queued) == (plan.title, number)


def test_offline_a_waiting_plan_does_not_run(away: Session) -> None:
    number = away.queue.add(away.planner.to_stage("anchors")).seq
    with pytest.raises(UsageError, match="works offline"):
        away.queue.plan(number)
    assert len(away.state.queue) == 1


def test_going_online_is_a_decision_that_can_be_undone(tmp_path: Path) -> None:
    with opened(tmp_path, ONLINE, offline=True) as session:
        assert session.is_offline
        number = session.queue.add(session.planner.to_stage("anchors")).seq
        session.decisions.work_offline(False)
        assert not session.is_offline
        assert session.queue.plan(number).source == "OpenAlex"
        session.undo_stack.undo()
        assert session.is_offline


def test_online_is_refused_while_the_settings_say_offline(away: Session) -> None:
    with pytest.raises(UsageError, match="settings"):
        away.decisions.work_offline(False)


def test_a_plan_is_taken_out_and_that_is_undone(away: Session) -> None:
    before = dump(away.state)
    number = away.queue.add(away.planner.to_stage("anchors")).seq
    with_it = dump(away.state)
    away.queue.remove(number)
    assert away.state.queue == ()
    away.undo_stack.undo()
    assert dump(away.state) == with_it
    away.undo_stack.undo()
    assert dump(away.state) == before


def test_nothing_waits_twice(away: Session) -> None:
    away.queue.add(away.planner.to_stage("anchors"))
    with pytest.raises(UsageError, match="already queued"):
        away.queue.add(away.planner.to_stage("anchors"))
    assert len(away.state.queue) == 1


def test_a_number_that_is_not_there_is_said(away: Session) -> None:
    with pytest.raises(UsageError, match="no queued plan 7"):
        away.queue.remove(7)
    with pytest.raises(UsageError, match="no queued plan 7"):
        away.queue.plan(7)


def test_what_needs_no_network_is_not_put_off(tmp_path: Path) -> None:
    with opened(tmp_path, Settings(offline=True), Keys()) as session:
        assert "no service that needs the network" in session.queue.reason_not_to(session.planner.to_stage("anchors"))
        with pytest.raises(UsageError, match="no service that needs the network"):
            session.queue.add(session.planner.to_stage("anchors"))
        assert session.state.queue == ()


async def test_a_plan_that_ran_to_its_end_waits_no_more(tmp_path: Path) -> None:
    desk = Desk.new(tmp_path)
    session = desk.session
    session.core.keys = Keys(llm="sk-fake")
    plan = session.planner.to_stage("anchors")
    number = session.queue.add(plan).seq
    assert session.running == frozenset()  # nothing ran by itself
    outcome = await desk.go(session.queue.plan(number))
    assert outcome.state == "done"
    assert session.state.queue == ()
    assert session.undo_stack.labels()[0] == "queue a plan"  # the program's taking out is no decision of the person


async def test_a_plan_that_failed_waits_on(tmp_path: Path) -> None:
    desk = Desk.new(tmp_path)
    desk.session.core.keys = Keys(llm="sk-fake")
    desk.source.fails = lambda _query: True
    number = desk.session.queue.add(desk.session.planner.to_stage("anchors")).seq
    outcome = await desk.go(desk.session.queue.plan(number))
    assert outcome.failed
    assert [q.seq for q in desk.session.state.queue] == [number]
    assert "can be queued until the network is back (l on its plan): memory library did not answer" in desk.session.runs.network_failure(
        outcome
    )


async def test_a_plan_of_which_nothing_is_left_says_so(tmp_path: Path) -> None:
    desk = Desk.new(tmp_path)
    desk.session.core.keys = Keys(llm="sk-fake")
    number = desk.session.queue.add(desk.session.planner.to_stage("anchors")).seq
    await desk.go(desk.session.planner.to_stage("anchors"))
    assert desk.session.queue.plan(number).empty
    assert len(desk.session.state.queue) == 1  # until the person takes it out


def test_what_is_told_of_the_waiting_plans(away: Session) -> None:
    away.queue.add(away.planner.to_stage("anchors"))
    (part,) = [text for name, text in away.queries.detail("topic").parts if name == "1 PLAN QUEUED"]
    assert part.startswith("1. Run test to anchors, queued ")
