"""What a move in a slot does to its neighbours."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coi_tui.methods.chain.chains import Chains
from coi_tui.methods.coi.placement import of_place, order_problem
from coi_tui.model.address import cell_ref
from coi_tui.model.fold import apply
from coi_tui.model.papers import Link, Paper
from coi_tui.model.state import State
from tests.support.folding import fold
from tests.support.logs import decision, numbered


def state_with(
    places: dict[int, str], pinned: tuple[int, ...] = (), years: dict[str, int] | None = None
) -> State:
    log = []
    for pos, paper in places.items():
        where = f"1/{pos:+d}" if pos else "1/0"
        log.append(
            decision(
                "pin" if pos in pinned else "propose",
                where,
                {"paper": paper},
                "you" if pos in pinned else "coi",
            )
        )
    papers = {
        p: Paper(id=p, title=p, year=(years or {}).get(p))
        for p in [*places.values(), *(years or {})]
    }
    return fold(numbered(list(log)), papers)


def links(*pairs: str) -> dict[tuple[str, str], Link]:
    """``"ba"``: b cites a."""
    return {(p[0], p[1]): Link(citing=p[0], cited=p[1], kind="cites") for p in pairs}


CHAIN = {-2: "a", -1: "b", 0: "c", 1: "d", 2: "e"}


def test_rejecting_an_anchor_detaches_all_but_the_pinned() -> None:
    assert Chains.of(state_with(CHAIN, pinned=(1,))).recorded(cell_ref("1/0"), "reject")[
        "detach"
    ] == {
        "1/-2": "a",
        "1/-1": "b",
        "1/+2": "e",
    }
    assert Chains.of(state_with(CHAIN)).recorded(cell_ref("1/+1"), "reject")["detach"] == {}


def test_a_new_anchor_keeps_what_it_links_to_and_detaches_the_rest_outward() -> None:
    detach, back = of_place(state_with(CHAIN), "1/0", "n", links("nb", "ba"))
    assert detach == {"1/+1": "d", "1/+2": "e"}
    assert back == {}
    detach, _ = of_place(state_with(CHAIN), "1/0", "n", links("dn", "nb"))
    assert detach == {
        "1/+2": "e",
        "1/-2": "a",
    }  # links between the neighbours themselves are checked too


def test_detached_papers_come_back_where_the_new_papers_links_hold() -> None:
    log = [
        decision("pin", "1/0", {"paper": "c"}),
        decision("propose", "1/+1", {"paper": "d", "why": {"rank": 2}}, "coi"),
    ]
    log += [
        decision("propose", "1/+2", {"paper": "e"}, "coi"),
        decision("propose", "1/-1", {"paper": "b"}, "coi"),
    ]
    log += [
        decision("reject", "1/0", {"paper": "c", "detach": {"1/+1": "d", "1/+2": "e", "1/-1": "b"}})
    ]
    state = fold(numbered(list(log)))
    detach, back = of_place(state, "1/0", "n", links("dn", "ed"))
    assert detach == {}
    assert back["1/+1"] == {"paper": "d", "verdict": "proposed", "why": {"rank": 2}}
    assert back["1/+2"] == {"paper": "e", "verdict": "proposed", "why": {}}
    assert len(back) == 2
    _, back = of_place(state, "1/0", "n", links("ed", "nb"))
    assert list(back) == ["1/-1"]  # e does not come back over the gap that d leaves
    placed = apply(
        state,
        numbered([*state_log(log), decision("choose", "1/0", {"paper": "n", "reattach": back})])[
            -1
        ],
    )
    assert Chains.of(placed).slot("1/-1").paper == "b"
    assert {i.paper for i in Chains.of(placed).shelf} == {"c", "d", "e"}


def state_log(log: list[Any]) -> list[Any]:
    return list(log)


@settings(max_examples=200)
@given(
    st.sets(st.sampled_from([x + y for x in "abcden" for y in "abcden" if x != y])),
    st.sets(st.integers(-2, 2)),
    st.integers(-2, 2),
)
def test_no_move_ever_detaches_a_pin_or_an_inner_neighbour(
    pairs: set[str], pinned: set[int], pos: int
) -> None:
    state = state_with(CHAIN, pinned=tuple(pinned))
    where = f"1/{pos:+d}" if pos else "1/0"
    detach, back = of_place(state, where, "n", links(*pairs))
    for address in detach:
        place = Chains.of(state).slot(address)
        assert place.verdict != "pinned"
        assert pos == 0 or (abs(place.pos) > abs(pos) and (place.pos > 0) == (pos > 0))
    assert back == {}
    after = apply(
        state,
        numbered(
            [
                *[decision("note", "topic")] * 9,
                decision("pin", where, {"paper": "n", "detach": detach}),
            ]
        )[-1],
    )
    assert after.void == ()
    assert {a for a, s in Chains.of(after).slots.items() if s.paper} == {
        a for a, s in Chains.of(state).slots.items() if s.paper
    } - set(detach) | {where}
    assert Chains.of(after).chain(1) == [] or 0 in Chains.of(after).chain(1)


@pytest.mark.parametrize(
    ("address", "paper", "problem"),
    [
        ("1/+1", "late", ""),
        ("1/+1", "early", "older than its predecessor 1/0 (2010)"),
        ("1/-1", "late", "newer than its successor 1/0 (2010)"),
        ("1/0", "d", "in this chain already, at 1/+1"),
        ("1/-1", "same", ""),
        ("1/+1", "same", ""),
        ("1/+1", "unknown", ""),
        ("1/+1", "d", ""),
    ],
)
def test_order_in_time_and_no_paper_twice(address: str, paper: str, problem: str) -> None:
    years = {"c": 2010, "d": 2012, "late": 2015, "early": 2005, "same": 2010}
    state = state_with({0: "c", 1: "d"}, years=years)
    said = order_problem(state, address, paper)
    assert problem in said
    assert bool(said) == bool(problem)
