"""Elo and Bradley-Terry ratings, computed from the record of matches; nothing is stored."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from coi_tui.arena.matches import CRITERIA, TIE
from coi_tui.model.address import Branch, branch_order

START = 1000.0
K_FACTOR = 32.0


@dataclass(frozen=True)
class Game:
    """One criterion of one match. ``winner`` is one of the two, or TIE."""

    first: Branch
    second: Branch
    winner: Branch


@dataclass(frozen=True)
class Standing:
    """A player's place. ``points``: win 1, tie 0.5 over all criteria; ``elo`` per criterion and ``average`` of them;
    ``strength`` is Bradley-Terry over all games (mean 1). Higher is better; none is a probability of being right."""

    player: Branch
    points: float
    games: int
    elo: Mapping[str, float]
    average: float
    strength: float


def elo(players: Sequence[Branch], games: Iterable[Game], k: float = K_FACTOR) -> dict[Branch, float]:
    """Elo ratings starting at 1000. The sum stays constant: what one gains the other loses."""
    rating = dict.fromkeys(players, START)
    for game in games:
        expected = 1.0 / (1.0 + 10.0 ** ((rating[game.second] - rating[game.first]) / 400.0))
        score = 0.5 if game.winner == TIE else float(game.winner == game.first)
        change = k * (score - expected)
        rating[game.first] += change
        rating[game.second] -= change
    return rating


def bradley_terry(players: Sequence[Branch], games: Sequence[Game], prior: float = 0.5, rounds: int = 200) -> dict[Branch, float]:
    """Bradley-Terry strengths (mean 1) by minorisation-maximisation; a tie is half a win for both.

    ``prior`` is a number of half-won games against an average player, so that a player who never won keeps a strength above zero.
    """
    strength = dict.fromkeys(players, 1.0)
    wins = dict.fromkeys(players, prior)
    for game in games:
        for player in (game.first, game.second):
            wins[player] += 0.5 if game.winner == TIE else float(game.winner == player)
    for _ in range(rounds):
        new = {}
        for player in players:
            weight = 2 * prior / (strength[player] + 1.0)
            for game in games:
                if player in (game.first, game.second):
                    other = game.second if player == game.first else game.first
                    weight += 1.0 / (strength[player] + strength[other])
            new[player] = wins[player] / weight if weight else 1.0
        mean = sum(new.values()) / len(new)
        strength = {player: value / mean for player, value in new.items()}
    return strength


def standings(players: Sequence[Branch], matches: Iterable[tuple[Branch, Branch, Mapping[str, Branch]]]) -> list[Standing]:
    """Places best first: by mean Elo over the criteria, then points, then the lower number.

    ``matches`` holds (first, second, winner by criterion), taken in the order of their players so that timing does not count.
    """
    record = sorted(matches, key=lambda m: (branch_order(m[0]), branch_order(m[1])))
    by = {name: [Game(a, b, results[name]) for a, b, results in record] for name in CRITERIA}
    everything = [game for games in by.values() for game in games]
    ratings = {name: elo(players, games) for name, games in by.items()}
    strength = bradley_terry(players, everything) if players else {}
    out = []
    for player in players:
        own = [g for g in everything if player in (g.first, g.second)]
        points = sum(0.5 if g.winner == TIE else float(g.winner == player) for g in own)
        marks = {name: round(ratings[name][player], 1) for name in CRITERIA}
        average = sum(ratings[name][player] for name in CRITERIA) / len(CRITERIA)
        out.append(Standing(player, points, len(own), marks, round(average, 1), round(strength[player], 3)))
    return sorted(out, key=lambda s: (-s.average, -s.points, branch_order(s.player)))
