"""Which plans ask: those that ask a language model. The others run at once; finished branches stay
as they are; how a session begins."""

from pathlib import Path

import pytest

from coi_tui.config import Keys, Settings
from coi_tui.methods.chain.chains import Chains
from coi_tui.methods.coi import CoiSettings
from coi_tui.model.money import Limit
from coi_tui.session import new_session, opening
from coi_tui.session.environment import Environment
from coi_tui.session.session import Session
from tests.support.desk import Desk, chains, copy_of
from tests.ui.helpers import TOPIC, places

ROOM = {"length": 5, "forward": 2, "backward": 2}


def planned(session: Session) -> str:
    """The plan of the idea that won."""
    return next(address for address in session.state.cells if address.endswith("/exp"))


def test_the_drafter_asks_nothing_for_all_its_steps(tmp_path: Path) -> None:
    session = copy_of(tmp_path, "small").session
    planner = session.planner
    plans = (
        planner.to_stage("review"),
        planner.to_check("review", planned(session)),
        planner.to_judge("A/1-2"),
    )
    assert not any(plan.asks for plan in plans)
    session.settings = Settings(show_plans=True)
    assert planner.to_check("review", planned(session)).asks


def test_a_search_that_a_key_asked_for_runs_at_once_and_says_what_it_sends(tmp_path: Path) -> None:
    session = copy_of(tmp_path, "small").session
    session.settings, session.keys = Settings(source="openalex"), Keys(openalex="f4k3")
    plan = session.planner.to_search_again("1/0")
    assert not plan.asks
    sent = "S stops it; it is free. Sends out: to OpenAlex: search words, titles and paper ids"
    assert plan.at_once().startswith(sent)


@pytest.mark.parametrize("address", ["http://127.0.0.1:9/v1", "https://models.example/v1"])
def test_a_language_model_is_asked_only_after_a_yes(tmp_path: Path, address: str) -> None:
    session = copy_of(tmp_path, "small").session
    session.settings = Settings.model_validate({"llm": {"base_url": address}})
    session.keys = Keys(llm="sk-any")
    assert session.planner.to_check("review", planned(session)).asks


def grown(desk: Desk) -> tuple[list[int], list[int], set[str]]:
    """Both chains after a run of all branches, and what is stale then."""
    desk.do(desk.planner.to_stage("ideas"))
    state = desk.state
    return Chains.of(state).chain(1), Chains.of(state).chain(2), desk.marks().get("stale", set())


def test_a_finished_branch_gets_no_paper_from_a_run_of_all(tmp_path: Path) -> None:
    """Generating for other branches put a paper into a finished one, and its accepted idea was
    stale."""
    desk = copy_of(tmp_path, "small", "ideas")
    session = desk.session
    session.decide("settings", "session", ROOM)
    session.decide("accept", "1/idea")
    plan = session.planner.to_stage("ideas")
    assert plan.goal.scope.closed == (1,)
    assert "1" in plan.note
    assert grown(desk) == (
        [-1, 0, 1],
        [-2, -1, 0, 1, 2],
        {"2/dir", "2/rivals", "2/idea", *(f"2/sketch{n}" for n in range(1, 5))},
    )


def test_a_branch_whose_papers_are_all_decided_is_finished_once_it_has_an_idea(
    tmp_path: Path,
) -> None:
    desk = copy_of(tmp_path, "small", "ideas")
    session = desk.session
    session.decide("settings", "session", ROOM)
    session.decide("accept_all", "session", [held.address for held in chains(session).filled(1)])
    assert session.planner.to_stage("ideas").goal.scope.closed == (1,)
    bare = copy_of(tmp_path / "bare", "small", "anchors").session
    bare.decide("accept", "1/0")
    assert bare.planner.to_stage("ideas").goal.scope.closed == (), (
        "an anchor alone finishes no branch"
    )


def made(folder: Path, **settings: float | None) -> Session:
    chosen, bounds = Settings.model_validate(settings), CoiSettings(branches=1)
    return Session.create(
        "s", TOPIC, Environment(places(folder), chosen, Keys()), bounds=bounds, offline=True
    )


async def test_a_session_begins_with_a_free_plan_and_goes_on_stage_by_stage(tmp_path: Path) -> None:
    with made(tmp_path) as session:
        plan = new_session.first_plan(session)
        assert plan is not None
        assert plan.goal.until == "anchors"
        await session.runs.run(session.planner.to_stage("chains"))
        assert opening.next_stage(session) == "sketches"  # where a person chooses


@pytest.mark.parametrize(
    ("own", "settings", "cap"),
    [(None, None, None), (2.0, None, 2.0), (None, 3.0, 3.0), (2.0, 3.0, 2.0), (5.0, 3.0, 3.0)],
)
def test_the_smaller_of_two_caps_holds(
    tmp_path: Path, own: float | None, settings: float | None, cap: float | None
) -> None:
    with made(tmp_path, budget_usd=settings) as session:
        if own is not None:
            session.set_cap(Limit(own))
        assert session.cap().usd == cap
        limit = session.runs.budget_for(session.planner.to_stage("anchors")).usd
        assert limit == cap
