"""NOVA-2 and NOVA-8: the ten theories; repeated ideas and groups."""

import random

import numpy as np

from coi_tui.methods.nova.kinds import THEORIES
from coi_tui.methods.nova.seeds import SAME_BY_VECTORS, duplicates, groups, one_of_each


def at(*degrees: float) -> np.ndarray:
    """Directions in the plane."""
    turned = np.radians(degrees)
    return np.stack([np.cos(turned), np.sin(turned)], axis=1)


def cosines(*degrees: float) -> list[list[float]]:
    found: list[list[float]] = (at(*degrees) @ at(*degrees).T).tolist()
    return found


def test_nova_2_there_are_exactly_ten_theories_each_with_thinkers_and_ways() -> None:
    assert len({theory.name for theory in THEORIES}) == len(THEORIES) == 10
    assert {theory.thinkers.count(";") for theory in THEORIES} == {2}
    assert {theory.description.count(";") for theory in THEORIES} == {3}


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
