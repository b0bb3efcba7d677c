"""``python -m benchmarks.ratings``: ratings from records of known strengths, beside choix and
openskill where these are installed.

For each seed, players of random strengths play games against random opponents; the stronger one
wins as often as Bradley-Terry says. Printed is Kendall's tau between the true strengths and each
rating, as the mean of the seeds. Then the same for whole tournaments, rated by Bradley-Terry: every
pair, the Swiss rounds of the arena (about n log n matches), and as many matches of random pairs. A
match has five games, one a criterion, as in the arena. Neither package is needed by the program::

    python -m venv /tmp/ratings && /tmp/ratings/bin/pip install choix openskill scipy -e .
"""

from __future__ import annotations

import argparse
import importlib.util
import math
from collections.abc import Callable, Sequence
from itertools import combinations
from random import Random

from coi_tui.arena import CRITERIA, Game, Pair, Points, bradley_terry, mean_elo, tournament
from tests.support.coi_process import table

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
    signs = [
        _sign(one[i] - one[j]) * _sign(other[i] - other[j])
        for i, j in combinations(range(len(one)), 2)
    ]
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

    pairs = [
        (int(str(g.winner)) - 1, int(str(g.second if g.winner == g.first else g.first)) - 1)
        for g in games
    ]
    return [float(x) for x in choix.ilsr_pairwise(players, pairs, alpha=0.01)]


def _openskill(players: int, games: Sequence[Game]) -> Rated:
    from openskill.models import PlackettLuce  # type: ignore[import-not-found, unused-ignore]

    model = PlackettLuce()
    rated = [model.rating() for _ in range(players)]
    for g in games:
        i, j = int(str(g.first)) - 1, int(str(g.second)) - 1
        [[rated[i]], [rated[j]]] = model.rate(
            [[rated[i]], [rated[j]]], ranks=[int(g.winner != g.first), int(g.winner == g.first)]
        )
    return [float(one.mu) for one in rated]


METHODS: dict[str, tuple[str, Method]] = {
    "Bradley-Terry": ("", _ours),
    "Elo, mean of the orders": ("", _elo),
    "share of games won": ("", _points),
    "choix": ("choix", _choix),
    "openskill": ("openskill", _openskill),
}


def match(dice: Random, strength: Rated, pair: tuple[int, int]) -> list[Game]:
    """The five games of a match between two players, who are numbered from 1."""
    first, second = pair
    chance = 1 / (1 + math.exp(strength[second - 1] - strength[first - 1]))
    return [Game(first, second, first if dice.random() < chance else second) for _ in CRITERIA]


def swiss(dice: Random, strength: Rated, seed: int) -> dict[Pair, list[Game]]:
    """The matches of a Swiss tournament, as the arena pairs them."""
    players, played, results = (
        list(range(1, len(strength) + 1)),
        dict[Pair, list[Game]](),
        dict[Pair, Points](),
    )
    while due := tournament(players, results, swiss_from=2).due:
        for pair in due:
            a, b = int(str(pair[0])), int(str(pair[1]))
            played[pair] = match(dice, strength, (a, b))
            won = sum(game.winner == pair[0] for game in played[pair]) / len(CRITERIA)
            results[pair] = (won, 1 - won)
    return played


def tournaments(seed: int, players: int) -> dict[str, tuple[int, float]]:
    """Matches and Kendall's tau of each way to pair the same players."""
    dice = Random(seed)
    strength = [dice.gauss(0, 1) for _ in range(players)]
    pairs = list(combinations(range(1, players + 1), 2))
    paired = list(swiss(dice, strength, seed).values())
    some = dice.sample(pairs, len(paired))
    ways = {
        "every pair": [match(dice, strength, pair) for pair in pairs],
        "Swiss": paired,
        "random pairs, as many": [match(dice, strength, pair) for pair in some],
    }
    return {
        name: (len(games), kendall(strength, _ours(players, [g for one in games for g in one])))
        for name, games in ways.items()
    }


def tournament_rows(players: Sequence[int], seeds: int) -> list[tuple[str, ...]]:
    """A row for each way to pair: matches and mean tau for each number of players."""
    found = {n: [tournaments(seed, n) for seed in range(seeds)] for n in players}
    return [
        (
            name,
            *(
                f"{found[n][0][name][0]}: {sum(one[name][1] for one in found[n]) / seeds:.3f}"
                for n in players
            ),
        )
        for name in found[players[0]][0]
    ]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ratings", description=__doc__)
    parser.add_argument("--players", type=int, default=20)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seeds", type=int, default=20)
    args = parser.parse_args()
    if min(args.players - 1, args.games, args.seeds) < 1:
        parser.error("give two players or more, and at least one game and one seed")
    rows = []
    for name, (package, method) in METHODS.items():
        if package and importlib.util.find_spec(package) is None:
            rows.append((name, "not installed"))
            continue
        taus = [
            kendall(strength, method(args.players, games))
            for seed in range(args.seeds)
            for strength, games in [record(seed, args.players, args.games)]
        ]
        rows.append((name, f"{sum(taus) / len(taus):.4f}"))
    sizes = [8, 16, 32]
    print(
        table(
            rows,
            (
                "ratings",
                f"Kendall tau, mean of {args.seeds} seeds, {args.games} games of {args.players} players",
            ),
        )
    )
    head = ("pairing: matches and Kendall tau", *(f"{n} ideas" for n in sizes))
    print(table(tournament_rows(sizes, args.seeds), head))


if __name__ == "__main__":
    main()
