"""NOVA-8: which ideas say the same, and groups of ideas with one member for each.

Everything here is pure and follows from the cosines between the ideas alone, wherever those come
from.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from typing import TYPE_CHECKING

from coi_tui.methods.shared.word_vectors import unit_rows, weighted_words

if TYPE_CHECKING:
    from numpy.typing import NDArray

Cosines = Sequence[Sequence[float]]
"""How similar every two ideas are, in the order of the ideas."""

SAME_BY_VECTORS = 0.8
"""The paper's threshold, for sentence vectors."""
SAME_BY_WORDS = 0.55
"""The threshold for vectors of words, which vary more with the wording; chosen on five topics of
the starter library and measured on four others (decision 25)."""
SEED = 8
STARTS = 8
"""Starting points of k-means; the best outcome counts."""
MOST_ROUNDS = 50
DIGITS = 5
"""The last bits of a sum differ between processors, so cosines are compared after rounding."""


def cosines_by_words(texts: Sequence[str]) -> list[list[float]]:
    """Cosines of weighted word vectors. A word that many of the texts share counts less, as ideas
    on one topic share that topic's words."""
    return cosines_by_vectors(weighted_words(texts).tolist())


def cosines_by_vectors(vectors: Sequence[Sequence[float]]) -> list[list[float]]:
    """Cosines of vectors of any length; one of zeros is like none, also not like itself."""
    import numpy as np

    if not vectors:
        return []
    units = unit_rows(np.asarray(vectors, dtype=float))
    rounded: list[list[float]] = np.round(units @ units.T, DIGITS).tolist()
    return rounded


def duplicates(cosines: Cosines, threshold: float) -> list[int | None]:
    """For each idea the earlier one that it repeats, None for those that are distinct.

    An idea is compared with the distinct ones before it and joined to the most similar of them (of
    equals the first), if their cosine is above the threshold. So no row of small steps makes one
    idea of two that differ.
    """
    repeats: list[int | None] = []
    for n, row in enumerate(cosines):
        distinct = [earlier for earlier in range(n) if repeats[earlier] is None]
        nearest = max(distinct, key=lambda earlier: (row[earlier], -earlier), default=None)
        repeats.append(nearest if nearest is not None and row[nearest] > threshold else None)
    return repeats


def groups(
    cosines: Cosines, members: Sequence[int], number: int, seed: int = SEED
) -> list[list[int]]:
    """k-means over some of the ideas: at most ``number`` groups, each sorted, in the order of their
    first member.

    Distances follow from the cosines, so vectors are not needed. It starts from drawn centres
    (k-means++) with a fixed seed, several times.
    """
    import numpy as np

    order = sorted(members)
    if number >= len(order):
        return [[member] for member in order]
    held, dice = np.asarray(cosines, dtype=float)[np.ix_(order, order)], random.Random(seed)
    _, labels = min(_one_start(held, number, dice) for _ in range(STARTS))
    found: dict[int, list[int]] = {}
    for member, label in zip(order, labels, strict=True):
        found.setdefault(label, []).append(member)
    return sorted(found.values())


def _one_start(cosines: NDArray, number: int, dice: random.Random) -> tuple[float, list[int]]:  # type: ignore[type-arg]
    """The sum of squared distances to the centres, and the group of each idea."""
    import numpy as np

    centres = [dice.randrange(len(cosines))]
    while len(centres) < number:
        away = np.min(np.maximum(0.0, 2 - 2 * cosines[:, centres]), axis=1)
        away[centres] = 0.0
        rest = [n for n in range(len(cosines)) if n not in centres]
        drawn = (
            dice.choices(range(len(cosines)), weights=away.tolist())[0]
            if away.sum() > 0
            else rest[0]
        )
        centres.append(drawn)
    labels = np.argmax(np.round(cosines[:, centres], DIGITS), axis=1)
    for _ in range(MOST_ROUNDS):
        distances = _distances(cosines, labels, number)
        new = np.argmin(np.round(distances, DIGITS), axis=1)
        if (new == labels).all():
            break
        labels = new
    total = float(
        np.round(
            np.take_along_axis(_distances(cosines, labels, number), labels[:, None], axis=1).sum(),
            DIGITS,
        )
    )
    return total, [int(label) for label in labels]


def _distances(cosines: NDArray, labels: NDArray, number: int) -> NDArray:  # type: ignore[type-arg]
    """Squared distances of all ideas to the mean of each group; a group that is empty is far from
    all."""
    import numpy as np

    inside = (labels[:, None] == np.arange(number)[None, :]).astype(float)
    sizes = inside.sum(axis=0)
    share = inside / np.maximum(1.0, sizes)
    own = np.einsum("ng,nm,mg->g", share, cosines, share)
    distances = np.diag(cosines)[:, None] - 2 * cosines @ share + own[None, :]
    return np.where(sizes[None, :] > 0, distances, np.inf)


def one_of_each(
    grouped: Sequence[Sequence[int]], keys: Sequence[str], seed: int = SEED
) -> list[int]:
    """One member of each group, drawn by a lot that depends on its own key alone: an idea that is
    added draws no other one anew."""
    return [
        min(group, key=lambda n: hashlib.sha256(f"{seed} {keys[n]}".encode()).hexdigest())
        for group in grouped
    ]
