"""One call: made beside the ideas of a run, in the arena, in the export; and what takes it out
again."""

from pathlib import Path
from typing import Any

import pytest

from coi_tui.config import LlmSettings, Settings
from coi_tui.engine.declarations import Scope
from coi_tui.methods.coi import CoiSettings
from coi_tui.methods.ideas.matches import ONE_CALL
from coi_tui.model.content import MatchRecord
from coi_tui.present.snapshot import ProposalOptions
from coi_tui.services.llm.chat import ChatRequest
from coi_tui.session.runs.plans import Plan
from tests.support.desk import SMALL, Desk
from tests.support.script import HashModel, judged, reply_to

WITH_MODEL = Settings(llm=LlmSettings(base_url="http://127.0.0.1:9/v1"))


def desk_in(folder: Path, bounds: CoiSettings = SMALL, model: HashModel | None = None) -> Desk:
    """A session for which a language model is set up; the scripted one answers."""
    desk = Desk.new(folder, bounds, model)
    desk.session.settings = WITH_MODEL
    return desk


def run(desk: Desk, until: str, instance: str = "") -> Plan:
    plan = desk.planner.to_stage(until, Scope(instance=instance))
    for method in plan.adds:
        desk.session.add_method(method)
    desk.finish(plan)
    return plan


TITLE = "A title of One call"


def judged_by(*, wins: bool) -> HashModel:
    """A model to whom the idea of One call is better than any other on each criterion, or worse."""

    def judge(request: ChatRequest) -> dict[str, Any]:
        first = TITLE in str(request.values["first"])
        return judged(0 if first == wins else 1)

    return HashModel({"coi_match": judge, "one_call": lambda r: {**reply_to(r), "title": TITLE}})


def asked(desk: Desk, prompt: str) -> int:
    return sum(request.prompt == prompt for request in desk.model.requests)


def test_a_run_to_ideas_makes_the_idea_of_one_call_and_the_plan_says_so(
    tmp_path: Path,
) -> None:
    desk = desk_in(tmp_path)
    assert "One call" not in [line.what for line in desk.planner.to_stage("directions").lines]
    plan = run(desk, "ideas")
    line = next(line for line in plan.lines if "One call" in line.what)
    assert line.cost.calls == (1, 2)
    assert asked(desk, "one_call") == 1
    state = desk.state
    assert state.in_use("O1/1/idea") is not None
    assert state.in_use("O1/1/nov") is None, "what follows costs more calls"
    assert not [line for line in run(desk, "ideas").lines if "One call" in line.what], (
        "nothing is added twice"
    )


@pytest.mark.parametrize("off", ["setting", "drafter", "one branch"])
def test_it_is_left_out_where_it_is_switched_off_and_without_a_model(
    off: str, tmp_path: Path
) -> None:
    desk = desk_in(tmp_path, SMALL.model_copy(update={"one_call": off != "setting"}))
    if off == "drafter":
        desk.session.settings = Settings()
    plan = desk.planner.to_stage("review", Scope((1,)) if off == "one branch" else Scope())
    assert ONE_CALL not in plan.adds
    assert "One call" not in [line.what for line in plan.lines]


def test_it_meets_the_others_and_where_it_wins_its_own_plan_is_reviewed(tmp_path: Path) -> None:
    desk = desk_in(tmp_path, model=judged_by(wins=True))
    run(desk, "review")
    session, state = desk.session, desk.state
    met = {a for a in state.cells if a.startswith("A/") and "O1/1" in a}
    assert met == {"A/1-O1/1", "A/2-O1/1", "A/O1/1-W1/1"}
    match = state.read("A/1-O1/1", MatchRecord)
    assert match is not None
    assert set(match.results.values()) == {"O1/1"}
    assert all(state.in_use(f"O1/1/{part}") for part in ("nov", "exp", "review"))
    assert state.in_use("1/exp") is state.in_use("2/exp") is None
    assert asked(desk, "coi_experiment") == 0, "its plan came with it"
    assert desk.marks() == {}
    assert session.planner.to_stage("review").empty
    text = session.exports.text("md", ProposalOptions(appendix=True))
    assert "One call won 3 of 3 matches with other methods." in text
    assert TITLE in text.splitlines()[0]


def test_an_edited_idea_makes_its_plan_stale_and_a_new_one_is_made_for_it(tmp_path: Path) -> None:
    desk = desk_in(tmp_path)
    run(desk, "ideas")
    made = desk.planner.to_make(["O1/1/exp"], "The plan")
    desk.finish(made)
    assert asked(desk, "coi_experiment") == 0
    desk.edits.save("O1/1/idea", "## Title\nAnother\n\n## Final\nAnother idea altogether.")
    assert desk.session.freshness("O1/1/exp").status == "stale"
    desk.refresh(["O1/1/exp"])
    assert asked(desk, "coi_experiment") == 1
    desk.session.undo()
    desk.session.undo()
    desk.edits.save("topic", "another topic")
    desk.refresh(["O1/1/exp"])
    assert (asked(desk, "one_call"), asked(desk, "coi_experiment")) == (2, 1), (
        "the plan of the new answer"
    )
    assert desk.content("O1/1/exp")["design"][7:] == desk.content("O1/1/idea")["title"][6:]
