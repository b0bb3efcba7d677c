"""How a plan is approved: at once, on a strip, or on its sheet; and what a plan says that it may change is what it changes."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from coi_tui.config import Keys, Settings
from coi_tui.engine.scheduler import Goal
from coi_tui.model.calls import Call, JobEvent
from coi_tui.screens.runs.run_strip import at_once
from coi_tui.session.core import SessionCore
from coi_tui.session.runs import approval, foresight
from coi_tui.session.runs.approval import Approval, Way
from coi_tui.session.runs.foresight import Foreseen
from coi_tui.session.runs.plans import Plan
from coi_tui.session.session import Session
from tests.support.desk import Desk, copy_of

LOCAL, AWAY = "http://127.0.0.1:9/v1", "https://models.example/v1"
ROOM = {"length": 5, "forward": 2, "backward": 2}


def with_model(session: Session, address: str, price: float | None = None) -> Session:
    """The session with a language model at an address, of a price in dollars for a million tokens."""
    llm: dict[str, object] = {"base_url": address, "main": {"model": "m"}, "reader": {"model": "m"}}
    if price is not None:
        llm["prices"] = {"m": {"input": price, "output": price}}
    session.settings = Settings.model_validate({"llm": llm})
    session.core.keys = Keys()
    return session


def measured(session: Session, prompt: str, seconds: float) -> None:
    """Three calls of the model that took so long for 1,000 tokens each."""
    session.core.file.commit(
        calls=[
            Call(
                key=f"{prompt}{n}{seconds}",
                kind="chat",
                address="1/dir",
                step="dir",
                prompt=prompt,
                request={},
                reply={},
                seconds=seconds,
                started=f"2026-01-01T00:{n:02d}:00Z",
                model_asked="m",
                prompt_tokens=500,
                completion_tokens=500,
            )
            for n in range(3)
        ]
    )


def last(session: Session) -> Plan:
    """A plan of one call that nothing else was made from."""
    return session.planner.to_review("2/exp")


def agree(session: Session, plan: Plan) -> None:
    """A plan that was approved, as the runner keeps it."""
    detail = {"models": plan.models, "sends": list(plan.sends)}
    asyncio.run(
        session.core.journal.job_event(
            JobEvent(job=9, state="approved", time="2026-01-02T00:00:00Z", detail=detail)
        )
    )


def test_the_drafter_asks_nothing_for_all_its_steps(tmp_path: Path) -> None:
    """8 of 8 generation steps asked although nothing was charged."""
    session = copy_of(tmp_path, "small", "anchors").session
    assert session.approvals.of(session.planner.to_stage("review")) == Approval(Way.AT_ONCE)
    done = copy_of(tmp_path / "done", "small").session
    for plan in (last(done), done.planner.to_verify("1/idea"), done.planner.to_judge("A/1-2")):
        assert done.approvals.of(plan).way is Way.AT_ONCE, plan.title
    done.settings = Settings(show_plans=True)
    assert done.approvals.of(last(done)).way is Way.SHEET


def test_a_search_that_a_key_asked_for_runs_at_once_and_says_what_it_sends(tmp_path: Path) -> None:
    session = copy_of(tmp_path, "small").session
    session.settings, session.core.keys = Settings(source="openalex"), Keys(openalex="f4k3")
    plan = session.planner.to_search_again("1/0")
    assert plan.searches
    assert session.approvals.of(plan) == Approval(Way.AT_ONCE)
    assert at_once(plan).startswith(
        "S stops it; nothing is charged; it sends to OpenAlex: search words, titles and paper ids"
    )


def test_a_model_of_this_machine_asks_on_a_strip_once_its_pace_is_known(tmp_path: Path) -> None:
    session = with_model(copy_of(tmp_path, "small").session, LOCAL)
    assert session.approvals.of(last(session)) == Approval(
        Way.SHEET, "how long it takes is not known yet"
    )
    measured(session, "review", 0.5)
    assert session.approvals.of(last(session)) == Approval(Way.STRIP, "a language model is asked")


def test_more_than_a_minute_is_shown_in_full(tmp_path: Path) -> None:
    session = with_model(copy_of(tmp_path, "small").session, LOCAL)
    measured(session, "review", 90.0)
    assert session.approvals.of(last(session)) == Approval(Way.SHEET, "it takes more than a minute")


def test_cost_is_shown_in_full(tmp_path: Path) -> None:
    session = with_model(copy_of(tmp_path, "small").session, AWAY, 5.0)
    measured(session, "review", 0.5)
    agree(session, last(session))
    assert session.approvals.of(last(session)) == Approval(Way.SHEET, "it costs")
    unpriced = with_model(copy_of(tmp_path / "other", "small").session, AWAY)
    assert unpriced.approvals.of(last(unpriced)).why == "it costs", (
        "an unknown price is no free one"
    )


def test_texts_that_leave_are_agreed_to_once_in_a_session(tmp_path: Path) -> None:
    session = with_model(copy_of(tmp_path, "small").session, AWAY, 0.0)
    measured(session, "review", 0.5)
    plan = last(session)
    assert session.approvals.of(plan) == Approval(Way.SHEET, "texts leave this machine")
    agree(session, plan)
    assert session.approvals.of(plan).way is Way.STRIP
    session.decisions.set_settings({"send_hunch": True})
    assert session.approvals.of(last(session)).why == "texts leave this machine", (
        "the hunch was not agreed to"
    )


@pytest.mark.parametrize("address", ["1/dir", "1/0..+1", "1/idea", "1/0.card", "2/exp"])
def test_a_text_made_again_names_all_that_is_stale_then(tmp_path: Path, address: str) -> None:
    desk = copy_of(tmp_path, "small")
    session = desk.session
    told = set(session.approvals.foreseen(session.planner.to_refresh([address], again=True)).stale)
    desk.refresh([address], again=True)
    stale = {a for status in ("stale", "upstream") for a in desk.marks().get(status, set())}
    assert {a for a in stale if not a.endswith((".cands", ".rel"))} <= told
    assert bool(told) == (address != "2/exp")


def test_what_a_plan_changes_is_worked_out_once_while_nothing_else_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command line and the strip worked it out twice for a plan, and a sheet with each key."""
    worked: list[Goal] = []

    def foreseen(core: SessionCore, goal: Goal) -> Foreseen:
        worked.append(goal)
        return foresight.foreseen(core, goal)

    monkeypatch.setattr(approval, "foreseen", foreseen)
    session = copy_of(tmp_path, "small").session
    plan = session.planner.to_refresh(["1/dir"], again=True)
    assert session.approvals.of(plan).why == "other texts may be stale"
    assert session.approvals.foreseen(plan).stale
    assert worked == [plan.goal]
    session.approvals.foreseen(session.planner.to_refresh(["2/dir"], again=True))
    session.decisions.accept("2/idea")
    session.approvals.foreseen(plan)
    assert len(worked) == 3, "another plan, and the same after a decision"


def grown(desk: Desk, grow: tuple[int, ...] = ()) -> tuple[list[int], list[int], set[str]]:
    """Both chains after a run of all branches, and what is stale then."""
    asyncio.run(desk.go(desk.session.planner.to_stage("ideas", grow=grow)))
    state = desk.session.state
    return state.chain(1), state.chain(2), desk.marks().get("stale", set())


def test_a_finished_branch_gets_no_paper_from_a_run_of_all(tmp_path: Path) -> None:
    """Generating for other branches put a paper into a finished one, and its accepted idea was stale."""
    desk = copy_of(tmp_path, "small", "ideas")
    session = desk.session
    session.decisions.set_settings(ROOM)
    session.decisions.accept("1/idea")
    plan = session.planner.to_stage("ideas")
    assert plan.left == ("1",)
    ticked = "its chain is finished; ticked, it may get a paper at 1/-2 and 1/+2, which makes stale 1/dir, 1/rivals and 1/idea"
    assert plan.lines[-1].why == ticked
    told = session.approvals.foreseen(plan)
    assert (
        told.sentence()
        == "It may put a paper at 2/-2 and 2/+2 and so make stale 2/dir, 2/rivals and 2/idea."
    )
    assert session.approvals.of(plan).way is Way.STRIP
    assert grown(desk) == ([-1, 0, 1], [-2, -1, 0, 1, 2], set(told.stale))


def test_a_finished_branch_that_is_ticked_grows(tmp_path: Path) -> None:
    desk = copy_of(tmp_path, "small", "ideas")
    desk.session.decisions.set_settings(ROOM)
    desk.session.decisions.accept("1/idea")
    plan = desk.session.planner.to_stage("ideas", grow=[1])
    assert plan.left == ()
    assert grown(desk, (1,))[0] == [-2, -1, 0, 1, 2]


def test_a_branch_whose_papers_are_all_decided_is_finished_once_it_has_an_idea(
    tmp_path: Path,
) -> None:
    desk = copy_of(tmp_path, "small", "ideas")
    session = desk.session
    session.decisions.set_settings(ROOM)
    session.decisions.accept_all([held.address for held in session.state.filled(1)])
    assert session.planner.to_stage("ideas").left == ("1",)
    bare = copy_of(tmp_path / "bare", "small", "anchors").session
    bare.decisions.accept("1/0")
    assert bare.planner.to_stage("ideas").left == (), "an anchor alone finishes no branch"


def test_how_many_steps_a_run_takes_is_near_what_it_came_to(tmp_path: Path) -> None:
    desk = copy_of(tmp_path, "small", "anchors")
    plan, ended = desk.session.planner.to_stage("ideas"), []
    asyncio.run(
        desk.go(
            plan,
            listen=lambda event: ended.append(event.address) if event.kind == "step done" else None,
        )
    )
    assert 0.5 * len(ended) <= plan.steps <= 2 * len(ended)
    again = desk.session.planner.to_refresh(["1/dir", "1/idea"], again=True)
    assert again.steps == 2
