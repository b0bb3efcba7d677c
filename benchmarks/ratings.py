"""``python -m benchmarks.ratings``: ratings from records of known strengths, beside choix and
openskill where these are installed.

For each seed, players of random strengths play games against random opponents; the stronger one
wins as often as Bradley-Terry says. Printed is Kendall's tau between the true strengths and each
rating, as the mean of the seeds. Then how many of the best three are found among several ideas, by
every pair, by the pairs of the arena, and by as many random pairs. A match has five games, one a
criterion, as in the arena. Neither package is needed by the program::

    python -m venv /tmp/ratings && /tmp/ratings/bin/pip install choix openskill scipy -e .

Then how many of the best three of twenty the ranking in groups finds, beside three random groups
of each player, and a coin. Last the statistics of the arena over many topics, by judges of known
strength and bias (``tests.support.planted``): ``--trials`` each.
"""

from __future__ import annotations

import argparse
import importlib.util
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from random import Random

from coi_tui.arena.group_ranking import Group, Judged, due_groups, ranking
from coi_tui.arena.judgements import decisions, strengths
from coi_tui.arena.pairing import Pair, best_of, due_pairs
from coi_tui.arena.ratings import CRITERIA, TIE, Estimate, Game, rated, standings
from coi_tui.model.address import Branch
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
    for n in range(games):
        i, j = dice.sample(range(players), 2)
        won = dice.random() < 1 / (1 + math.exp(strength[j] - strength[i]))
        out.append(Game(i + 1, j + 1, float(won), n))
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
    found = {one.player: one.rating.value for one in rated(range(1, players + 1), games)}
    return [found[n] for n in range(1, players + 1)]


def _points(players: int, games: Sequence[Game]) -> Rated:
    found = {one.player: one for one in rated(range(1, players + 1), games)}
    return [found[n].points / max(1, found[n].games) for n in range(1, players + 1)]


def _indices(game: Game) -> list[int]:
    """The players of a game, counted from 0, the winner first."""
    return [int(str(player)) - 1 for player in (game.first, game.second)][
        :: 1 if game.score else -1
    ]


def _choix(players: int, games: Sequence[Game]) -> Rated:
    import choix  # type: ignore[import-not-found, unused-ignore]

    pairs = [tuple(_indices(game)) for game in games]
    return [float(x) for x in choix.ilsr_pairwise(players, pairs, alpha=0.01)]


def _openskill(players: int, games: Sequence[Game]) -> Rated:
    from openskill.models import PlackettLuce  # type: ignore[import-not-found, unused-ignore]

    model = PlackettLuce()
    ratings = [model.rating() for _ in range(players)]
    for game in games:
        i, j = _indices(game)
        [[ratings[i]], [ratings[j]]] = model.rate([[ratings[i]], [ratings[j]]])
    return [float(one.mu) for one in ratings]


METHODS: dict[str, tuple[str, Method]] = {
    "Bradley-Terry": ("", _ours),
    "share of games won": ("", _points),
    "choix": ("choix", _choix),
    "openskill": ("openskill", _openskill),
}

BEST = 3


def match(seed: int, strength: Rated, pair: Pair) -> dict[str, Branch]:
    """The winner of each of five criteria between two players, who are numbered from 1; the same
    whoever else met."""
    dice, (a, b) = Random(f"{seed} {pair}"), pair
    chance = 1 / (1 + math.exp(strength[int(str(b)) - 1] - strength[int(str(a)) - 1]))
    return {name: a if dice.random() < chance else b for name in CRITERIA}


def pairings(seed: int, players: int) -> dict[str, tuple[int, int]]:
    """Matches, and how many of the best three each way to pair the same players finds."""
    dice, all_players = Random(seed), range(1, players + 1)
    strength = [dice.gauss(0, 1) for _ in all_players]
    met = dict[Pair, Mapping[str, Branch]]()
    while due := due_pairs(all_players, met).pairs:
        met |= {pair: match(seed, strength, pair) for pair in due}
    pairs = list(combinations(all_players, 2))
    ways: dict[str, list[Pair]] = {
        "every pair": [*pairs],
        "the arena": list(met),
        "random pairs, as many": [*dice.sample(pairs, len(met))],
    }
    best = set(sorted(all_players, key=lambda player: -strength[player - 1])[:BEST])
    found = {}
    for name, way in ways.items():
        table = standings(all_players, [(*pair, match(seed, strength, pair)) for pair in way])
        found[name] = len(way), len(best & {one.player for one in table[:BEST]})
    return found


def pairing_rows(players: Sequence[int], seeds: int) -> list[tuple[str, ...]]:
    """A row for each way to pair: the mean of matches and of the best three found."""
    found = {n: [pairings(seed, n) for seed in range(seeds)] for n in players}

    def mean(n: int, name: str, of: int) -> float:
        return sum(one[name][of] for one in found[n]) / seeds

    return [
        (name, *(f"{mean(n, name, 0):.0f}: {mean(n, name, 1):.2f}" for n in players))
        for name in found[players[0]][0]
    ]


# -- many short texts, ranked in groups

SURE, UNSURE = 0.0, 2.0
"""Standard deviations of a judge's error, in distances between neighbours."""
TO_FIRST = 3.0
"""By so many distances a biased judge prefers what is shown first."""


@dataclass(frozen=True)
class Ranker:
    """Players at even distances in a drawn order, and a judge: ``error`` of each text in a group,
    whatever its order, and what being shown first gains (``bias``), both in distances."""

    seed: int
    error: float = SURE
    bias: float = 0.0
    many: int = 20

    @cached_property
    def players(self) -> list[str]:
        return [f"{n}/sketch" for n in range(1, self.many + 1)]

    @cached_property
    def true(self) -> list[str]:
        """The best first."""
        return Random(f"true {self.seed}").sample(self.players, self.many)

    def judge(self, shown: Group) -> Judged:
        dice = Random(f"{self.seed} {sorted(shown)}")
        seems = {
            player: self.true.index(player)
            + dice.gauss(0, self.error)
            - self.bias * (player == shown[0])
            for player in sorted(shown)
        }
        return Judged(shown, tuple(sorted(shown, key=seems.__getitem__)))

    def judged(self) -> list[Judged]:
        known = list[Judged]()
        while groups := due_groups(self.players, known).groups:
            known += map(self.judge, groups)
        return known

    def three_random_groups(self) -> list[Judged]:
        """The plain way: each player in three random groups."""
        dice, known = Random(self.seed), list[Judged]()
        for _ in range(3):
            order, groups = dice.sample(self.players, self.many), math.ceil(self.many / 5)
            known += [self.judge(tuple(order[n::groups])) for n in range(groups)]
        return known

    def found(self, judged: Sequence[Judged]) -> int:
        """How many of the best three lead."""
        lead = {one.player for one in ranking(self.players, judged)[:BEST]}
        return len(lead & set(self.true[:BEST]))

    def by_coin(self) -> int:
        coin = Random(f"coin {self.seed}").sample(self.players, BEST)
        return len({*coin} & set(self.true[:BEST]))


def ranker_rows(seeds: int) -> list[tuple[str, ...]]:
    """A row for each judge and way: calls, all three found of 100, and the mean."""
    rows = list[tuple[str, ...]]()
    for error, bias in product((SURE, UNSURE), (0.0, TO_FIRST)):
        rankers = [Ranker(seed, error, bias) for seed in range(seeds)]
        ways: dict[str, list[tuple[int, int]]] = {
            "two groups and finals": [(len(g := one.judged()), one.found(g)) for one in rankers],
            "three random groups": [
                (len(g := one.three_random_groups()), one.found(g)) for one in rankers
            ],
            "a coin": [(0, one.by_coin()) for one in rankers],
        }
        for name, own in ways.items():
            all_three = 100 * sum(found == BEST for _, found in own) / seeds
            mean = sum(found for _, found in own) / seeds
            judge = f"error {error:g}, first {bias:+g}"
            rows.append((judge, name, f"{own[0][0]}", f"{all_three:.0f}", f"{mean:.2f}"))
    return rows


def best_ranked(seed: int) -> dict[str, bool]:
    """Whether a sure judge of twenty finds the best three in at most 14 calls, and whether what a
    bias to the first place changes stays in the intervals."""
    sure, fair, biased = (
        Ranker(seed, error, bias) for error, bias in ((SURE, 0), (UNSURE, 0), (UNSURE, TO_FIRST))
    )
    groups = sure.judged()
    at = {one.player: one.rating for one in ranking(biased.players, biased.judged())}
    inside = [
        one.rating.low <= at[one.player].value <= one.rating.high
        for one in ranking(fair.players, fair.judged())
    ]
    return {
        "best three of 20 in 14 calls": sure.found(groups) == BEST and len(groups) <= 14,
        "a bias to the first place stays in 19 of 20 intervals": sum(inside) >= 19,
    }


# -- judges of known strength, over many topics

TOPICS = 50
POSITION, LENGTH = 60.0, 200.0
"""The biases planted: points for the text shown first, and for twice the length."""


def biased(seed: int, elo: Mapping[str, float] = SIX) -> Planted:
    return Planted(elo, seed, POSITION, LENGTH)


def order_found(seed: int) -> dict[str, bool]:
    """Whether the true order of six contestants 80 points apart is found."""
    fit = strengths(Planted(SIX, seed, POSITION).judge(league(SIX, TOPICS)))
    return {"order": sorted(SIX, key=lambda name: -fit.rating(name).value) == list(SIX)}


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
    best_ranked,
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
    head = ("matches: of the best three", *(f"{n} ideas" for n in sizes))
    print(table(pairing_rows(sizes, args.trials), head))
    head = ("judge", f"ranking of 20, {args.trials} seeds", "calls", "all three of 100", "of three")
    print(table(ranker_rows(args.trials), head))
    rows = [
        (name, f"{found:.1f}")
        for trial in TRIALS
        for name, found in share(trial, args.trials).items()
    ]
    print(table(rows, ("judges of known strength", f"true of 100, by {args.trials} trials")))


if __name__ == "__main__":
    main()
