"""A chain, SciPIP and Nova in one session: rows, stale marks, undo, one arena and one export."""

from __future__ import annotations

import asyncio
from itertools import combinations
from pathlib import Path

import pytest

from coi_tui.model.address import cell_ref, match_of
from coi_tui.screens.commands import WORKBENCH_ACTIONS
from coi_tui.session.session import Session
from tests.support.desk import SMALL, Desk, run, stale
from tests.support.script import HashModel
from tests.support.world import MemorySource, make_world

SCIPIP = {"picked": 3, "branches": 2}
KEYS = {action.id: action.show for action in WORKBENCH_ACTIONS}
NOVA = {
    "seeds": 2,
    "each": 2,
    "lines": 2,
    "branches": 2,
    "drafts": 6,
}
IDEAS = [1, 2, "S1/1", "S1/2", "N1/1", "N1/2"]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The session with two ideas of each method; copy it, do not touch it."""
    desk = Desk.new(
        tmp_path_factory.mktemp("three"), SMALL, HashModel(), MemorySource(make_world(), lists=True)
    )
    run(desk, "ideas")
    for method, settings in (("SciPIP", SCIPIP), ("Nova", NOVA)):
        run(desk, "ideas", desk.session.add_method(method, settings))
    return desk.closed()


@pytest.fixture
def desk(made: Path, tmp_path: Path) -> Desk:
    return Desk.copied(made, tmp_path, HashModel(), MemorySource(make_world(), lists=True))


def replaced(session: Session, address: str, old: str, new: str) -> None:
    """A person changes a few words of a text."""
    text = session.edits.text_of(address)
    assert f"\n{old} " in text
    session.edits.save(address, text.replace(f"\n{old} ", f"\n{new} ", 1))


def instances(addresses: set[str]) -> set[str]:
    return {cell_ref(address).instance for address in addresses}


def targeted(desk: Desk, instance: str, said: str) -> str:
    """Names a target; the reason why it was not taken."""
    desk.session.edits.save(
        f"{instance}/choice", f"## target\n- {said}\n\n## theories\n\n## proposals\n"
    )
    asyncio.run(desk.go(desk.session.planner.to_refresh([f"{instance}/target"])))
    return desk.session.failed.get(f"{instance}/target", "")


def test_a_target_that_comes_from_itself_is_refused_and_the_session_opens(desk: Desk) -> None:
    assert "comes from this target" in targeted(desk, "N1", "N1/1/idea")
    again = desk.reopen()
    assert "N1/target" in stale(again)
    again.session.undo()
    assert stale(again) == set()


def test_all_ideas_meet_in_one_arena(desk: Desk) -> None:
    plan = desk.session.planner.to_judge_rest()
    assert "at most 12 matches, in both orders" in plan.lines[0].what
    assert asyncio.run(desk.go(plan)).state == "done"
    state = desk.session.state
    met = [p for p in combinations(state.ideas(), 2) if state.in_use(match_of(*p)) is not None]
    assert 6 <= len(met) <= 12
    standings = desk.session.exports.snapshot().standings
    assert {s.player for s in standings} == set(IDEAS)
    assert min(s.games for s in standings) >= 10, "five criteria of two matches at least"
    replaced(desk.session, "N1/1/idea", "title", "another title")
    assert {a for a in stale(desk) if a.startswith("A/")} == {
        match_of(*pair) for pair in met if "N1/1" in pair
    }


def test_the_export_of_one_idea_warns_of_what_its_own_method_has_stale_and_of_no_other(
    desk: Desk,
) -> None:
    desk.session.decide("pick", "S1/1/idea")
    replaced(desk.session, "S1/problem", "problem", "question")
    replaced(desk.session, "N1/seed1", "seed", "other seed")
    addresses = {a for w in desk.session.exports.warnings() for a in w.addresses}
    assert "S1/first" in addresses
    assert not any(a.startswith("N1/") and not a.endswith("/idea") for a in addresses)
