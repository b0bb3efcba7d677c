"""What a plan may spend: the calls that it counts suffice for each task; what a person allows
holds."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from coi_tui.config import Keys, LlmSettings, Price, RoleSettings, Settings
from coi_tui.engine.scheduler import Outcome
from coi_tui.methods.coi import CoiSettings
from coi_tui.model.errors import BudgetStop
from coi_tui.model.money import Limit
from coi_tui.session.runs.plans import Plan
from tests.methods.imitate.test_method import desk_of as imitating
from tests.methods.nova.test_method import desk_of as weaving
from tests.methods.scipip.frogs import desk_of as inspired
from tests.methods.virsci.support import desk_of as teaming
from tests.support.desk import SMALL, Desk
from tests.support.script import MAIN, READER, PricedModel

PRICES = {MAIN: Price(input=2.5, output=10), READER: Price(input=0.15, output=0.6)}
NEW: dict[str, Callable[..., Desk]] = {
    "Chain of Ideas": lambda folder, **settings: Desk.new(
        folder, CoiSettings(**{**SMALL.model_dump(), **settings})
    ),
    "SciPIP": inspired,
    "Nova": weaving,
    "VirSci": lambda folder, branches: teaming(folder),
    "Imitate-and-Evolve": lambda folder, branches: imitating(folder),
}


CASES = [
    ("Chain of Ideas", 1),
    ("SciPIP", 2),
    ("Nova", 1),
    ("VirSci", 1),
    ("Imitate-and-Evolve", 1),
]
"""SciPIP makes at least two ideas."""


def new(folder: Path, method: str, branches: int) -> Desk:
    """A session whose model is paid for."""
    desk = NEW[method](folder, branches=branches)
    models = {"main": RoleSettings(model=MAIN), "reader": RoleSettings(model=READER)}
    llm = LlmSettings(base_url="http://models.example.org", prices=PRICES, **models)
    desk.session.settings, desk.session.keys = Settings(llm=llm), Keys(llm="sk-any")
    desk.model, desk.more = PricedModel(desk.model.say), {"prices": PRICES, "settings": llm}
    return desk


def ran(desk: Desk, plan: Plan) -> Outcome:
    """The plan within the calls that it says, and a fifth more."""
    return asyncio.run(desk.go(plan, desk.session.runs.budget_for(plan)))


def one_of_each_step(desk: Desk) -> Iterator[str]:
    """An address of each task of the session that asks the model."""
    seen = set[str]()
    for address in desk.contents():
        step = desk.session.methods.task(address)
        if step is not None and step.name not in seen and step.cost(desk.state, address).calls[1]:
            seen.add(step.name)
            yield address


@pytest.mark.long
@pytest.mark.parametrize(("method", "branches"), CASES)
def test_every_stage_and_step_runs_within_the_calls_of_its_plan(
    tmp_path: Path, method: str, branches: int
) -> None:
    desk = new(tmp_path, method, branches)
    stages = desk.session.methods.stages_of(next(iter(desk.session.methods.instances)))
    for stage in stages:
        plan = desk.planner.to_stage(stage)
        assert plan.empty or ran(desk, plan).state == "done", stage
    for address in one_of_each_step(desk):
        plan = desk.planner.to_make([address], f"Make {address}", again=True)
        assert ran(desk, plan).state == "done", address


def test_a_run_that_stops_says_how_much_lets_it_go_on(tmp_path: Path) -> None:
    desk = new(tmp_path, "Chain of Ideas", 1)

    def run_with(allowed: float) -> BudgetStop | None:
        plan = desk.planner.to_stage("ideas")
        return asyncio.run(desk.go(plan, desk.session.runs.budget_for(plan, Limit(allowed)))).stop

    stop, asked = run_with(0.001), [0]
    assert stop is not None
    while stop is not None:
        stop = run_with(float(stop.option))
        asked.append(len(desk.model.requests))
        assert asked[-1] > asked[-2], "it never stops at the same place again"
    assert len(asked) > 2
    assert desk.state.in_use("1/idea") is not None
