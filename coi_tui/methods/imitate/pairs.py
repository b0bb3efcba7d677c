"""IE-3: the papers of two sides against each other (pure)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from coi_tui.methods.imitate.replies import PairScore


def pair_labels(algorithm: Sequence[str], application: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Every paper of one side with every one of the other, row by row: ``A1-B2``. A paper is no
    pair with itself."""
    rows, columns = enumerate(algorithm, start=1), list(enumerate(application, start=1))
    return {f"A{n}-B{m}": (one, other) for n, one in rows for m, other in columns if one != other}


def ranked(
    algorithm: Sequence[str], application: Sequence[str], said: Iterable[PairScore]
) -> tuple[list[dict[str, Any]], int]:
    """All pairs, best first, and how many of them got no score. Of equal ones that of the papers
    that were ranked higher comes first.

    What a model says of a pair that was not asked for is ignored; of several scores of one pair the
    first counts.
    """
    labels = pair_labels(algorithm, application)
    found: dict[tuple[str, str], PairScore] = {}
    for row in said:
        if row.id in labels:
            found.setdefault(labels[row.id], row)
    wanted = list(labels.values())
    order = sorted(
        wanted,
        key=lambda pair: (
            -(found[pair].score if pair in found else 0),
            algorithm.index(pair[0]) + application.index(pair[1]),
        ),
    )
    rows = [
        {
            "algorithm": pair[0],
            "application": pair[1],
            **(found[pair].model_dump(exclude={"id"}) if pair in found else {}),
        }
        for pair in order
    ]
    return rows, len(wanted) - len(found)
