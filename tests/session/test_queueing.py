"""Plans put off until the network is there: kept in the session, planned anew at their time, run only when a person says so."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from coi_tui.config import CoiSettings, Keys, Price, Settings
from coi_tui.engine.steps import Scope
from coi_tui.model.errors import UsageError
from coi_tui.session.admin.state_dump import dump
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
        session.queue_plan(session.plan_run("anchors"))
    with opened(tmp_path, AWAY) as again:
        (waits,) = again.state.queue
        assert (waits.title, waits.goal["until"]) == ("Run test to anchors", "anchors")
        assert again.waiting() == ["1 plan waits for the network"]
        again.queue_plan(again.plan_run("chains", Scope((1,), "forward", 2)))
        assert again.waiting() == ["2 plans wait for the network"]
        assert again.verify() == []


def test_the_plan_is_made_anew_when_it_is_to_run(tmp_path: Path) -> None:
    """Other prices, another model: what is shown is what holds on the day."""
    before = AWAY.model_copy(deep=True)
    before.llm.prices["gpt-4o"] = before.llm.prices["gpt-4o-mini"] = Price(input=1, output=1)
    with opened(tmp_path, before) as session:
        plan = session.plan_run("anchors")
        assert plan.models == "the built-in drafter (no language model)"
        session.queue_plan(plan)
    online = before.model_copy(update={"offline": False})
    with opened(tmp_path, online) as session:
        first = session.plan_queued(session.state.queue[0].seq)
        assert (first.models.split()[0], first.source) == ("gpt-4o", "OpenAlex")
        online.llm.prices["gpt-4o"] = Price(input=100, output=100)
        second = session.plan_queued(session.state.queue[0].seq)
        assert first.usd is not None
        assert second.usd is not None
        assert second.usd[1] > first.usd[1] * 10


@pytest.mark.parametrize("scope", [Scope(), Scope((1,), "forward", 2)])
def test_a_run_is_planned_for_what_it_was_for(tmp_path: Path, scope: Scope) -> None:
    with opened(tmp_path, AWAY) as session:
        goal = session.plan_run("cards", scope).goal
        session.queue_plan(session.plan_run("cards", scope))
    with opened(tmp_path, ONLINE) as session:
        assert session.plan_queued(session.state.queue[0].seq).goal == goal


def test_a_refresh_is_planned_for_what_is_still_due(tmp_path: Path) -> None:
    desk = copy_of(tmp_path)
    session = desk.session
    session.settings, session.keys = AWAY, Keys(llm="sk-fake")
    session.edit("1/0..+1", "The trend as I see it now.")
    plan = session.plan_refresh()
    number = session.queue_plan(plan).seq
    session.settings = ONLINE
    assert session.plan_queued(number).goal == plan.goal
    session.keep(plan.goal.addresses[0])
    left = session.plan_queued(number)
    assert plan.goal.addresses[0] not in left.goal.addresses
    assert (left.title, left.queued) == (plan.title, number)


def test_offline_a_waiting_plan_does_not_run(away: Session) -> None:
    number = away.queue_plan(away.plan_run("anchors")).seq
    with pytest.raises(UsageError, match="works offline"):
        away.plan_queued(number)
    assert len(away.state.queue) == 1


def test_going_online_is_a_decision_that_can_be_undone(tmp_path: Path) -> None:
    with opened(tmp_path, ONLINE, offline=True) as session:
        assert session.is_offline
        number = session.queue_plan(session.plan_run("anchors")).seq
        session.work_offline(False)
        assert not session.is_offline
        assert session.plan_queued(number).source == "OpenAlex"
        session.undo()
        assert session.is_offline


def test_online_is_refused_while_the_settings_say_offline(away: Session) -> None:
    with pytest.raises(UsageError, match="settings"):
        away.work_offline(False)


def test_a_plan_is_taken_out_and_that_is_undone(away: Session) -> None:
    before = dump(away.state)
    number = away.queue_plan(away.plan_run("anchors")).seq
    with_it = dump(away.state)
    away.unqueue_plan(number)
    assert away.state.queue == ()
    away.undo()
    assert dump(away.state) == with_it
    away.undo()
    assert dump(away.state) == before


def test_nothing_waits_twice(away: Session) -> None:
    away.queue_plan(away.plan_run("anchors"))
    with pytest.raises(UsageError, match="waits already"):
        away.queue_plan(away.plan_run("anchors"))
    assert len(away.state.queue) == 1


def test_a_number_that_is_not_there_is_said(away: Session) -> None:
    with pytest.raises(UsageError, match="No plan 7"):
        away.unqueue_plan(7)
    with pytest.raises(UsageError, match="No plan 7"):
        away.plan_queued(7)


def test_what_needs_no_network_is_not_put_off(tmp_path: Path) -> None:
    with opened(tmp_path, Settings(offline=True), Keys()) as session:
        assert "nothing is set up" in session.off_queue(session.plan_run("anchors"))
        with pytest.raises(UsageError, match="nothing is set up"):
            session.queue_plan(session.plan_run("anchors"))
        assert session.state.queue == ()


async def test_a_plan_that_ran_to_its_end_waits_no_more(tmp_path: Path) -> None:
    desk = Desk.new(tmp_path)
    session = desk.session
    session.keys = Keys(llm="sk-fake")
    plan = session.plan_run("anchors")
    number = session.queue_plan(plan).seq
    assert session.running == frozenset()  # nothing ran by itself
    outcome = await desk.go(session.plan_queued(number))
    assert outcome.state == "done"
    assert session.state.queue == ()
    assert session.undo_labels()[0] == "put off a plan"  # the program's taking out is no decision of the person


async def test_a_plan_that_failed_waits_on(tmp_path: Path) -> None:
    desk = Desk.new(tmp_path)
    desk.session.keys = Keys(llm="sk-fake")
    desk.source.fails = lambda _query: True
    number = desk.session.queue_plan(desk.session.plan_run("anchors")).seq
    outcome = await desk.go(desk.session.plan_queued(number))
    assert outcome.failed
    assert [q.seq for q in desk.session.state.queue] == [number]
    assert "can wait for the network (l on its plan): memory library did not answer" in desk.session.network_trouble(outcome)


async def test_a_plan_of_which_nothing_is_left_says_so(tmp_path: Path) -> None:
    desk = Desk.new(tmp_path)
    desk.session.keys = Keys(llm="sk-fake")
    number = desk.session.queue_plan(desk.session.plan_run("anchors")).seq
    await desk.go(desk.session.plan_run("anchors"))
    assert desk.session.plan_queued(number).empty
    assert len(desk.session.state.queue) == 1  # until the person takes it out


def test_what_is_told_of_the_waiting_plans(away: Session) -> None:
    away.queue_plan(away.plan_run("anchors"))
    (part,) = [text for name, text in away.detail("topic").parts if name == "1 PLAN WAITS FOR THE NETWORK"]
    assert part.startswith("1. Run test to anchors, put off ")
