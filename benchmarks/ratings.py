"""``python -m benchmarks.ratings``: ratings from records of known strengths, beside choix and openskill where these are installed.

For each seed, players of random strengths play games against random opponents; the stronger one wins as often as Bradley-Terry says.
Printed is Kendall's tau between the true strengths and each rating, as the mean of the seeds. Neither package is needed by the program::

    python -m venv /tmp/ratings && /tmp/ratings/bin/pip install choix openskill scipy -e .
"""

from __future__ import annotations

import argparse
import importlib.util
import math
from collections.abc import Callable, Sequence
from itertools import combinations
from random import Random

from benchmarks.coi_process import table
from coi_tui.arena.ratings import Game, bradley_terry, mean_elo

Rated = Sequence[float]
Method = Callable[[int, Sequence[Game]], Rated]


def record(seed: int, players: int, games: int) -> tuple[list[float], list[Game]]:
    """True strengths (logarithms) and a record of games; the numbers of players begin with 1."""
    dice = Random(seed)
    strength = [dice.gauss(0, 1) for _ in range(players)]
    out = []
    for _ in range(games):
        i, j = dice.sample(range(players), 2)
        won = dice.random() < 1 / (1 + math.exp(strength[j] - strength[i]))
        out.append(Game(i + 1, j + 1, i + 1 if won else j + 1))
    return strength, out


def kendall(one: Rated, other: Rated) -> float:
    """Kendall's tau-a: pairs in the same order minus pairs in the other, by all pairs."""
    signs = [_sign(one[i] - one[j]) * _sign(other[i] - other[j]) for i, j in combinations(range(len(one)), 2)]
    return sum(signs) / len(signs)


def _sign(x: float) -> int:
    return (x > 0) - (x < 0)


def _ours(players: int, games: Sequence[Game]) -> Rated:
    found = bradley_terry(list(range(1, players + 1)), games)
    return [found[n] for n in range(1, players + 1)]


def _elo(players: int, games: Sequence[Game]) -> Rated:
    found = mean_elo(list(range(1, players + 1)), games)
    return [found[n] for n in range(1, players + 1)]


def _points(players: int, games: Sequence[Game]) -> Rated:
    played = [max(1, sum(n in (g.first, g.second) for g in games)) for n in range(1, players + 1)]
    return [sum(g.winner == n for g in games) / played[n - 1] for n in range(1, players + 1)]


def _choix(players: int, games: Sequence[Game]) -> Rated:
    import choix  # type: ignore[import-not-found, unused-ignore]

    pairs = [(int(str(g.winner)) - 1, int(str(g.second if g.winner == g.first else g.first)) - 1) for g in games]
    return [float(x) for x in choix.ilsr_pairwise(players, pairs, alpha=0.01)]


def _openskill(players: int, games: Sequence[Game]) -> Rated:
    from openskill.models import PlackettLuce  # type: ignore[import-not-found, unused-ignore]

    model = PlackettLuce()
    rated = [model.rating() for _ in range(players)]
    for g in games:
        i, j = int(str(g.first)) - 1, int(str(g.second)) - 1
        [[rated[i]], [rated[j]]] = model.rate([[rated[i]], [rated[j]]], ranks=[int(g.winner != g.first), int(g.winner == g.first)])
    return [float(one.mu) for one in rated]


METHODS: dict[str, tuple[str, Method]] = {
    "Bradley-Terry": ("", _ours),
    "Elo, mean of the orders": ("", _elo),
    "share of games won": ("", _points),
    "choix": ("choix", _choix),
    "openskill": ("openskill", _openskill),
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ratings", description=__doc__)
    parser.add_argument("--players", type=int, default=20)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seeds", type=int, default=20)
    args = parser.parse_args()
    rows = []
    for name, (package, method) in METHODS.items():
        if package and importlib.util.find_spec(package) is None:
            rows.append((name, "not installed"))
            continue
        taus = [kendall(strength, method(args.players, games)) for seed in range(args.seeds)
                for strength, games in [record(seed, args.players, args.games)]]  # fmt: skip
        rows.append((name, f"{sum(taus) / len(taus):.4f}"))
    print(table(rows, ("ratings", f"Kendall tau, mean of {args.seeds} seeds, {args.games} games of {args.players} players")))


if __name__ == "__main__":
    main()
