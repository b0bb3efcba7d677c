"""Everything that can be made from an idea is made, whatever the idea comes from: a chain, One call,
another method, or an operator on another idea."""

from collections.abc import Callable
from pathlib import Path

import pytest

from coi_tui.config import LlmSettings, Settings
from coi_tui.engine.declarations import Scope
from coi_tui.methods.ideas.sketches import WALL
from coi_tui.methods.ideas.stages import IDEA_STAGES
from coi_tui.model.address import as_branch, instance_of
from coi_tui.session.runs.plans import Plan
from coi_tui.session.session import Session
from tests.methods.virsci.support import crowded
from tests.session.test_five_methods import _with_every_method
from tests.support.desk import Desk, made_once, run
from tests.support.script import HashModel
from tests.support.world import MemorySource

KINDS = ("1", "S1/1", "N1/1", "V1/1", "E1/1", "O1/1", "W1/1", "D1/1")
"""The branch of an idea of each kind: of a chain, of every other method, and derived."""
ALONE = ("1", "S1/1", "D1/1")
"""Of those, the ones that are run by themselves as well."""


def _with_a_derived_idea(folder: Path) -> Desk:
    desk = _with_every_method(folder)
    run(desk, "ideas", desk.session.add_method(WALL))
    made = desk.session.decide("derive", "S1/1/idea", {"operator": "simplify"})
    desk.finish(desk.planner.to_derive(made.address))
    return desk


@pytest.fixture(scope="module")
def made() -> Path:
    return made_once("every-kind", _with_a_derived_idea)


@pytest.fixture
def desk(made: Path, tmp_path: Path) -> Desk:
    return Desk.copied(made, tmp_path, HashModel(), MemorySource(crowded(), lists=True))


def offer(key: str) -> Callable[[Session, str], Plan]:
    def plan(session: Session, branch: str) -> Plan:
        found = next(o for o in session.planner.offers(f"{branch}/idea") if o.key == key)
        assert found.plan is not None, (branch, key, found.off)
        return found.plan

    return plan


def check(verb: str, part: str) -> Callable[[Session, str], Plan]:
    return lambda session, branch: session.planner.to_check(verb, f"{branch}/{part}")


def refine(session: Session, branch: str) -> Plan:
    session.decide("tick", f"{branch}/review", "1")
    return session.planner.to_refine(f"{branch}/exp")


def asked(part: str) -> Callable[[Session, str], Plan]:
    def plan(session: Session, branch: str) -> Plan:
        session.decide("ask", f"{branch}/{part}", "make it shorter")
        return session.planner.to_rewrite(f"{branch}/{part}")

    return plan


def again(part: str) -> Callable[[Session, str], Plan]:
    return lambda s, branch: s.planner.to_refresh([f"{branch}/{part}"], again=True)


def derived(session: Session, branch: str) -> Plan:
    at = session.decide("derive", f"{branch}/idea", {"operator": "unusual"}).address
    return session.planner.to_derive(at)


STEPS = (
    ("g ?", offer("?"), "asked"),
    ("v", check("verify", "idea"), "nov"),
    ("P", check("against", "idea"), "nov"),
    ("g n", offer("n"), "nov"),
    ("g e", offer("e"), "exp"),
    ("R", check("review", "exp"), "review"),
    ("F", refine, "exp"),
    ("g w", offer("w"), "proposal"),
    *((f"I on {part}", asked(part), part) for part in ("idea", "exp", "proposal")),
    *((f"r on {part}", again(part), part) for part in ("idea", "nov", "exp", "review", "proposal")),
    ("D", derived, ""),
)
"""What a person may press, in an order in which each has what it needs; and the cell that it makes."""


@pytest.mark.parametrize("branch", KINDS)
def test_every_key_makes_what_it_says(branch: str, desk: Desk) -> None:
    session, wrong = desk.session, []
    session.settings = Settings(llm=LlmSettings(base_url="http://127.0.0.1:9/v1"))
    for key, planned, part in STEPS:
        plan = planned(session, branch)
        before = {a: len(cell.versions) for a, cell in session.state.cells.items()}
        outcome = desk.do(plan)
        grown = [a for a, c in session.state.cells.items() if len(c.versions) > before.get(a, 0)]
        right = f"{branch}/{part}" in grown if part else any(a.startswith("D") for a in grown)
        if outcome.state != "done" or outcome.blocked or not right:
            wrong.append((key, outcome.state, outcome.failed, outcome.blocked, grown))
    assert not wrong, wrong


@pytest.mark.parametrize(
    ("branch", "of_its_own"),
    [*((kind, False) for kind in KINDS), *((kind, True) for kind in ALONE)],
)
def test_a_run_to_each_stage_makes_it_for_the_chosen_idea(
    branch: str, of_its_own: bool, desk: Desk
) -> None:
    session = desk.session
    session.decide("pick", f"{branch}/idea")
    scope = Scope(instance=instance_of(as_branch(branch)) if of_its_own else "")
    made = {"novelty": "nov", "experiment": "exp", "review": "review", "proposal": "proposal"}
    for stage in IDEA_STAGES:
        plan = session.planner.to_stage(stage, scope)
        if stage in made and session.state.in_use(f"{branch}/{made[stage]}") is None:
            if stage == "novelty" and not of_its_own:
                continue  # of the ideas of that method alone
            assert stage in {line.stage for line in plan.on}, (stage, plan.lines)
        outcome = desk.do(plan)
        assert outcome.state == "done", (stage, outcome)
        assert not outcome.blocked, (stage, outcome.blocked)
        assert session.shortfall(stage, scope.instance) == "", stage
        if stage in made and not (stage == "novelty" and not of_its_own):
            assert session.state.in_use(f"{branch}/{made[stage]}") is not None, stage
    assert session.planner.to_stage("proposal", scope).empty
