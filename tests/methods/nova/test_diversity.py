"""NOVA-2 and NOVA-8: the ten theories; repeated ideas and groups."""

from __future__ import annotations

import random

import numpy as np
import pytest

from coi_tui.methods.nova.diversity import SAME_BY_VECTORS, duplicates, groups, one_of_each
from coi_tui.methods.nova.theories import THEORIES, theory_of, ticked


def at(*degrees: float) -> np.ndarray:
    """Directions in the plane."""
    turned = np.radians(degrees)
    return np.stack([np.cos(turned), np.sin(turned)], axis=1)


def cosines(*degrees: float) -> list[list[float]]:
    found: list[list[float]] = (at(*degrees) @ at(*degrees).T).tolist()
    return found


# -- the theories


def test_nova_2_there_are_exactly_ten_theories_each_with_thinkers_and_ways() -> None:
    assert [theory.number for theory in THEORIES] == list(range(1, 11))
    assert len({theory.name for theory in THEORIES}) == 10
    assert all(len(theory.thinkers) == 3 and len(theory.ways) == 4 for theory in THEORIES)


@pytest.mark.parametrize(
    ("said", "number"),
    [
        ("3", 3),
        ("theory 10: change the paradigm", 10),
        ("T7", 7),
        ("Improve a method", 4),
        ("by analogy", None),
        ("11", None),
        ("", None),
        ("Improve a method, or change the paradigm", None),
        (THEORIES[9].line(), 10),
    ],
)
def test_nova_2_a_theory_is_known_by_number_or_name_and_nothing_else(
    said: str, number: int | None
) -> None:
    found = theory_of(said)
    assert (found.number if found else None) == number


def test_nova_2_ticked_theories_come_once_in_their_order_and_no_tick_means_all() -> None:
    assert [
        theory.number
        for theory in ticked(["7 Design a decisive experiment", "improve a method", "7"])
    ] == [4, 7]
    assert ticked([]) == ticked(None) == THEORIES


# -- repetitions


def test_nova_8_an_idea_repeats_another_only_above_the_threshold() -> None:
    """The paper's threshold is 0.8: cos 36.87 degrees is 0.8 itself, which is no repetition yet."""
    assert duplicates([[1.0, 0.8], [0.8, 1.0]], SAME_BY_VECTORS) == [None, None]
    assert duplicates([[1.0, 0.80001], [0.80001, 1.0]], SAME_BY_VECTORS) == [None, 0]


def test_nova_8_a_row_of_small_steps_is_not_joined_into_one_idea() -> None:
    assert duplicates(cosines(0, 30, 60, 90), SAME_BY_VECTORS) == [None, 0, None, 2]
    assert duplicates(cosines(0, 60, 29), SAME_BY_VECTORS) == [
        None,
        None,
        0,
    ]  # 29 is nearer to 0 than to 60, by two degrees


# -- groups


def test_nova_8_k_means_finds_the_groups_that_are_there_in_any_order() -> None:
    directions = [0, 2, 4, 90, 92, 94, 180, 182]
    assert groups(at(*directions), range(8)[::-1], 3) == [[0, 1, 2], [3, 4, 5], [6, 7]]
    assert groups(at(*directions), [3, 1], 4) == [[1], [3]]
    mixed = random.Random(1).sample(directions, 8)
    found = groups(at(*mixed), range(8), 3)
    assert sorted(sorted(mixed[n] for n in group) for group in found) == [
        [0, 2, 4],
        [90, 92, 94],
        [180, 182],
    ]


def test_nova_8_one_member_of_a_group_is_drawn_by_a_lot_of_its_own() -> None:
    keys = [f"seed{n}" for n in range(6)]
    first = one_of_each([[0, 1, 2], [3, 4, 5]], keys)
    assert first == one_of_each([[2, 1, 0], [5, 4, 3]], keys)
    assert one_of_each([[*range(6)]], keys)[0] in first
    assert len({tuple(one_of_each([[0, 1, 2], [3, 4, 5]], keys, seed)) for seed in range(20)}) > 1
