"""Shares of references found, and how sure a difference between two methods is."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.held_out.text_index import Floats

RESAMPLES = 2000


def recall(found: Sequence[int], truth: Collection[int], at: int) -> float:
    """The share of the true papers that stands among the first ``at`` of a list."""
    return len(set(found[:at]) & set(truth)) / len(truth)


@dataclass(frozen=True)
class Interval:
    """A value with the bounds of its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Compared:
    """One method against another on the same cases."""

    difference: Interval
    ratio: Interval


def compare(
    ours: Sequence[float], theirs: Sequence[float], seed: int = 0, resamples: int = RESAMPLES
) -> Compared:
    """Paired bootstrap of the means: the same cases are drawn for both."""
    return compare_ratios(
        [(value, 1.0) for value in ours], [(value, 1.0) for value in theirs], seed, resamples
    )


def compare_ratios(
    ours: Sequence[tuple[float, float]],
    theirs: Sequence[tuple[float, float]],
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> Compared:
    """The same for quotients of sums, such as hits of anchors by anchors: each case gives a
    numerator and a denominator."""
    if len(ours) != len(theirs) or not ours:
        raise ValueError("a paired comparison needs the same cases, at least one")
    both: Floats = np.array([ours, theirs], dtype=np.float64)
    rng = np.random.default_rng(seed)
    drawn = rng.integers(0, len(ours), size=(resamples, len(ours)))
    value = _quotients(both.sum(axis=1))
    samples = _quotients(both[:, drawn].sum(axis=2))
    return Compared(
        _interval(float(value[0] - value[1]), samples[0] - samples[1]),
        _interval(float(_divided(value[0:1], value[1:2])[0]), _divided(samples[0], samples[1])),
    )


def _quotients(sums: Floats) -> Floats:
    """Numerators by denominators (the last axis); 0 / 0 is 0."""
    return np.asarray(sums[..., 0] / np.maximum(sums[..., 1], 1e-12))


def _divided(top: Floats, bottom: Floats) -> Floats:
    """0 / 0 is 1 (no difference), anything else by 0 is infinite."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where((top == 0) & (bottom == 0), 1.0, top / bottom)


def _interval(value: float, samples: Floats) -> Interval:
    low, high = np.quantile(samples, [0.025, 0.975], method="nearest")
    return Interval(value, float(low), float(high))
