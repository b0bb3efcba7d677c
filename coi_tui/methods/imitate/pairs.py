"""IE-3: the papers of two sides against each other, and which pair a manuscript takes (pure)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from coi_tui.methods.imitate.contents import PairRow
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
    place = {pair: algorithm.index(pair[0]) + application.index(pair[1]) for pair in wanted}
    order = sorted(
        wanted,
        key=lambda pair: (
            -(found[pair].score if pair in found else 0),
            place[pair],
            wanted.index(pair),
        ),
    )
    return [_row(pair, found.get(pair)) for pair in order], len(wanted) - len(found)


def _row(pair: tuple[str, str], said: PairScore | None) -> dict[str, Any]:
    row = {"algorithm": pair[0], "application": pair[1]}
    return {**row, "score": said.score, "reason": said.reason} if said is not None else row


def pair_for(pairs: Sequence[PairRow], number: int) -> PairRow | None:
    """The pair of the n-th manuscript (from 1): the best one, then the next best that shares no
    paper with those before, then any."""
    taken: list[PairRow] = []
    left = list(pairs)
    while left and len(taken) < number:
        used = {paper for row in taken for paper in (row.algorithm, row.application)}
        best = next((row for row in left if not used & {row.algorithm, row.application}), left[0])
        left.remove(best)
        taken.append(best)
    return taken[number - 1] if len(taken) >= number else None
