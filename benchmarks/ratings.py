"""``python -m benchmarks.ratings``: ratings from records of known strengths, beside choix and
openskill where these are installed.

For each seed, players of random strengths play games against random opponents; the stronger one
wins as often as Bradley-Terry says. Printed is Kendall's tau between the true strengths and each
rating, as the mean of the seeds. Then the same for whole tournaments, rated by Bradley-Terry: every
pair, the Swiss rounds of the arena (about n log n matches), and as many matches of random pairs. A
match has five games, one a criterion, as in the arena. Neither package is needed by the program::

    python -m venv /tmp/ratings && /tmp/ratings/bin/pip install choix openskill scipy -e .

Last the statistics of the arena over many topics, by judges of known strength and bias
(``tests.support.planted``): ``--trials`` each.
"""

from __future__ import annotations

import argparse
import importlib.util
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from random import Random

from coi_tui.arena.judgements import decisions, results
from coi_tui.arena.pairing import Pair, Points, best_of, tournament
from coi_tui.arena.ratings import CRITERIA, TIE, Game, bradley_terry, mean_elo, standings
from coi_tui.arena.strengths import Estimate, strengths
from tests.support.coi_process import table
from tests.support.planted import SIX, Planted, league

Rated = Sequence[float]
Method = Callable[[int, Sequence[Game]], Rated]
Trial = Callable[[int], dict[str, bool]]
"""Statements about one seed, and whether they are true."""


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


# -- judges of known strength, over many topics

TOPICS = 50
POSITION, LENGTH = 60.0, 200.0
"""The biases planted: points for the text shown first, and for twice the length."""


def biased(seed: int, elo: Mapping[str, float] = SIX) -> Planted:
    return Planted(elo, seed, POSITION, LENGTH)


def order_found(seed: int) -> dict[str, bool]:
    """Whether Elo and Bradley-Terry find the true order of six contestants 80 points apart."""
    judgements = Planted(SIX, seed, POSITION).judge(league(SIX, TOPICS))
    fit = strengths(judgements)
    ranked = {
        "Elo": [
            one.player for one in standings(list(SIX), results(decisions(judgements)["planted"]))
        ],
        "Bradley-Terry": sorted(SIX, key=lambda name: -fit.rating(name).value),
    }
    return {f"order by {name}": found == list(SIX) for name, found in ranked.items()}


def none_reversed(seed: int) -> dict[str, bool]:
    """Whether a bias to position turns wins into ties and reverses none."""
    matches = league(SIX, TOPICS)
    fair, biased = (
        decisions(Planted(SIX, seed, position=position).judge(matches))["planted"]
        for position in (0, 200)
    )
    now = Counter(
        "same" if biased[at] == winner else "tie" if biased[at] == TIE else "reversed"
        for at, winner in fair.items()
        if winner != TIE
    )
    return {"position turns wins into ties": bool(now["tie"]) and not now["reversed"]}


def sizes_found(seed: int) -> dict[str, bool]:
    """Whether the size of a bias to length is found within 20 %."""
    found = strengths(biased(seed).judge(league(SIX, TOPICS))).length.value
    return {"length within 20 %": abs(found / LENGTH - 1) <= 0.2}


def covered(seed: int, topics: int = TOPICS) -> dict[str, bool]:
    """Which 95 % intervals hold the truth."""
    fit = strengths(biased(seed).judge(league(SIX, topics)))
    found: dict[str, tuple[Estimate, float]] = {
        "best": (fit.rating("A"), SIX["A"]),
        "third": (fit.rating("C"), SIX["C"]),
        "neighbours": (fit.verdict("C", "D").difference, 80),
        "far apart": (fit.verdict("F", "A").difference, -400),
        "position": (fit.position, POSITION),
        "length": (fit.length, LENGTH),
    }
    return {
        f"interval, {topics} topics: {name}": one.low <= true <= one.high
        for name, (one, true) in found.items()
    }


def best_found(seed: int) -> dict[str, bool]:
    """Whether the best three of six are found with at most half of all matches."""
    judge, rounds = (
        biased(seed),
        best_of(SIX, [(f"{n}", 0) for n in range(TOPICS)], 3),
    )
    known, asked, due = [], 0, next(rounds)
    while due:
        asked += len(due)
        known += (said := judge.judge(due))
        try:
            due = rounds.send(said)
        except StopIteration:
            break
    fit = strengths(known, list(SIX))
    best = set(sorted(SIX, key=lambda name: -fit.rating(name).value)[:3])
    return {"best three by half of the matches": best == set("ABC") and asked <= 15 * TOPICS / 2}


def verdicts(seed: int) -> dict[str, bool]:
    """Whether nobody of six contestants of the same strength is called better in any of 15
    pairs."""
    equal = dict.fromkeys(SIX, 1000.0)
    fit = strengths(biased(seed, equal).judge(league(SIX, TOPICS)))
    pairs = combinations(SIX, 2)
    return {"no verdict on equals": not any(fit.verdict(*p, among=15).better for p in pairs)}


def shown(seed: int) -> dict[str, bool]:
    """Whether the difference of two contestants is shown by as many topics as ten topics say are
    needed for it: 80 of 100 would be it for one that is known."""
    two = {"A": 1100.0, "B": 1000.0}
    size = strengths(Planted(two, seed).judge(league(two, 10))).verdict("A", "B")
    fit = strengths(Planted(two, seed + 10**6).judge(league(two, min(size.needed or 500, 500))))
    return {"shown by as many topics as needed": fit.verdict("A", "B").better == "A"}


TRIALS: tuple[Trial, ...] = (
    order_found,
    none_reversed,
    sizes_found,
    best_found,
    verdicts,
    shown,
    covered,
    lambda seed: covered(seed, topics=10),
)


def share(trial: Trial, seeds: int) -> dict[str, float]:
    """Of how many of 100 seeds each statement is true."""
    found = Counter[str]()
    for seed in range(seeds):
        found.update({name: int(true) for name, true in trial(seed).items()})
    return {name: 100 * count / seeds for name, count in found.items()}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ratings", description=__doc__)
    parser.add_argument("--players", type=int, default=20)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--trials", type=int, default=100)
    args = parser.parse_args()
    if min(args.players - 1, args.games, args.seeds, args.trials) < 1:
        parser.error("give two players or more, and at least one game, seed and trial")
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
    rows = [
        (name, f"{found:.1f}")
        for trial in TRIALS
        for name, found in share(trial, args.trials).items()
    ]
    print(table(rows, ("judges of known strength", f"true of 100, by {args.trials} trials")))


if __name__ == "__main__":
    main()
