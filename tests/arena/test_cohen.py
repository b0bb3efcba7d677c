"""Cohen's kappa, held to what scikit-learn 1.9.1 gives (``cohen_kappa_score``) on twenty tables."""

from __future__ import annotations

import pytest

from coi_tui.arena.judgements import Agreement, cohen

TABLES: list[tuple[list[list[int]], float | None]] = [
    ([[7, 0], [0, 0]], None),
    ([[0, 4], [3, 0]], -0.96),
    ([[5, 0], [3, 0]], 0.0),
    ([[6, 0], [0, 4]], 1.0),
    ([[6, 1], [5, 0]], -0.161290322581),
    ([[9, 1], [9, 5]], 0.230769230769),
    ([[5, 2, 0, 5], [9, 13, 2, 5], [5, 0, 15, 0], [5, 9, 0, 17]], 0.386958591147),
    ([[15, 9], [5, 6]], 0.155172413793),
    ([[9, 9, 9, 5], [9, 2, 5, 9], [5, 1, 9, 2], [5, 2, 9, 15]], 0.111675126904),
    ([[15, 2], [2, 5]], 0.596638655462),
    ([[1, 2, 5, 0], [1, 17, 0, 9], [9, 9, 14, 9], [5, 5, 5, 5]], 0.161261661484),
    ([[13, 5, 5], [5, 8, 5], [9, 2, 15]], 0.295454545455),
    ([[21, 9, 2, 5], [9, 0, 1, 5], [1, 5, 2, 5], [9, 2, 0, 15]], 0.156228131561),
    ([[2, 2], [5, 12]], 0.16),
    ([[21, 1, 2, 2], [0, 17, 9, 0], [1, 5, 13, 0], [9, 0, 9, 21]], 0.544265154819),
    ([[15, 1], [1, 21]], 0.892045454545),
    ([[5, 5, 0, 5], [5, 5, 9, 0], [0, 2, 9, 9], [1, 1, 0, 21]], 0.345358455882),
    ([[11, 1], [5, 1]], 0.1),
    ([[17, 1], [1, 5]], 0.777777777778),
    ([[0, 9], [0, 17]], 0.0),
]
"""How often the first rater gave the label of the row and the second that of the column, with the
kappa; None where both gave one label and the same."""


@pytest.mark.parametrize(("table", "kappa"), TABLES)
def test_kappa_is_the_librarys(table: list[list[int]], kappa: float | None) -> None:
    pairs = [
        (f"{one}", f"{other}")
        for one, row in enumerate(table)
        for other, times in enumerate(row)
        for _ in range(times)
    ]
    found = cohen(pairs)
    assert (found.common, found.same) == (len(pairs), sum(a == b for a, b in pairs))
    assert found.kappa == (kappa if kappa is None else pytest.approx(kappa, abs=1e-11))


def test_of_nothing_there_is_no_kappa() -> None:
    assert cohen([]) == Agreement(0, 0, None)
