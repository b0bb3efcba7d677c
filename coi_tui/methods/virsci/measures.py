"""VIR-11: HD, CD, CI and ON of an abstract against a library split at a year. Pure.

They are a proxy for what reviewers say of novelty, never a proof of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from coi_tui.methods.shared.word_vectors import unit_rows, weighted_words

if TYPE_CHECKING:
    from numpy.typing import NDArray

NEAREST = 5
"""Abstracts on each side that count, the most similar first."""


@dataclass(frozen=True)
class Held:
    """An abstract of the library. ``citations`` is None where nobody says."""

    year: int
    citations: int | None = None


@dataclass(frozen=True)
class Raw:
    """The measures before they are divided by their means: mean distances, mean citations; None:
    nothing to measure by."""

    hd: float | None
    cd: float | None
    ci: float | None


@dataclass(frozen=True)
class Measures:
    """Each a multiple of its mean over the library. ``on`` is HD x CI / CD."""

    hd: float | None
    cd: float | None
    ci: float | None
    on: float | None
    past: int
    contemporary: int


def middle_year(years: Sequence[int]) -> int | None:
    """The year from which papers are called contemporary where nobody says: the middle one, but
    never the first (nothing is before it)."""
    known = sorted(years)
    if not known:
        return None
    middle = known[len(known) // 2]
    later = [year for year in known if year > known[0]]
    return middle if middle > known[0] else (later[0] if later else middle)


def measure(
    vector: Sequence[float], library: Sequence[Sequence[float]], held: Sequence[Held], split: int
) -> Measures:
    """The measures of an abstract whose vector is given, against those of the library."""
    import numpy as np

    past = np.asarray([one.year < split for one in held], dtype=bool)
    if not len(held):
        return Measures(None, None, None, None, 0, 0)
    vectors = np.asarray(library, dtype=float)
    own = _distances(np.asarray([vector], dtype=float), vectors)[0]
    raw = _raw(own, past, held)
    every = _distances(vectors, vectors)
    rows = [_raw(every[n], past, held, without=n) for n in range(len(held))]
    hd, cd, ci = (
        _ratio(getattr(raw, name), [getattr(row, name) for row in rows])
        for name in ("hd", "cd", "ci")
    )
    return Measures(hd, cd, ci, _overall(hd, cd, ci), int(past.sum()), int((~past).sum()))


def _distances(some: NDArray[Any], others: NDArray[Any]) -> NDArray[Any]:
    """Euclidean distances, row by row: differences of differences lose digits where vectors are
    nearly equal."""
    import numpy as np

    return np.stack([np.sqrt(((others - one) ** 2).sum(axis=1)) for one in some])


def _raw(
    distances: NDArray[Any], past: NDArray[Any], held: Sequence[Held], without: int = -1
) -> Raw:
    """The mean distances to the nearest on both sides, and the citations of those nearest that are
    contemporary."""
    before = [n for n in range(len(held)) if past[n] and n != without]
    since = [n for n in range(len(held)) if not past[n] and n != without]
    near_before, near_since = (
        [*sorted(side, key=lambda n: (distances[n], n))[:NEAREST]] for side in (before, since)
    )
    counted = [count for n in near_since if (count := held[n].citations) is not None]
    return Raw(
        _mean([float(distances[n]) for n in near_before]),
        _mean([float(distances[n]) for n in near_since]),
        _mean(counted),
    )


def _mean(numbers: Sequence[float]) -> float | None:
    return sum(numbers) / len(numbers) if numbers else None


def _ratio(value: float | None, usual: Sequence[float | None]) -> float | None:
    """A value as a multiple of its mean over the library; None where that is not known or zero."""
    mean = _mean([one for one in usual if one is not None])
    return value / mean if value is not None and mean else None


def _overall(hd: float | None, cd: float | None, ci: float | None) -> float | None:
    return hd * ci / cd if hd is not None and ci is not None and cd else None


def word_vectors(texts: Sequence[str]) -> list[list[float]]:
    """Texts as weighted words of length 1, for where there is no model for vectors; words that most
    texts have count little."""
    units: list[list[float]] = unit_rows(weighted_words(texts)).tolist()
    return units
