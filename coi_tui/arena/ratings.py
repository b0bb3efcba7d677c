"""Elo and Bradley-Terry ratings. They are computed from the matches each time; nothing is stored."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from coi_tui.arena.matches import CRITERIA, TIE
from coi_tui.model.address import Branch, branch_order
from coi_tui.model.state import State

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
    """A player's results. ``points``: 1 a win and 0.5 a tie, over all criteria; ``elo`` by criterion, and their ``average``;
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
    opponents = {player: [_opponent(game, player) for game in games if player in (game.first, game.second)] for player in players}
    strength = dict.fromkeys(players, 1.0)
    wins = {player: prior + _points(player, games) for player in players}
    for _ in range(rounds):
        new = {}
        for player in players:
            weight = 2 * prior / (strength[player] + 1.0)
            weight += sum(1.0 / (strength[player] + strength[other]) for other in opponents[player])
            new[player] = wins[player] / weight if weight else 1.0
        mean = sum(new.values()) / len(new)
        strength = {player: value / mean for player, value in new.items()}
    return strength


def _opponent(game: Game, player: Branch) -> Branch:
    return game.second if player == game.first else game.first


def _points(player: Branch, games: Iterable[Game]) -> float:
    """A win is one point, a tie half a point."""
    played = (game for game in games if player in (game.first, game.second))
    return sum(0.5 if game.winner == TIE else float(game.winner == player) for game in played)


def standings(players: Sequence[Branch], matches: Iterable[tuple[Branch, Branch, Mapping[str, Branch]]]) -> list[Standing]:
    """Best first: by mean Elo over the criteria, then points, then the lower number.

    ``matches`` holds (first, second, winner by criterion). They count in the order of their players, so that timing changes nothing.
    """
    ordered = sorted(matches, key=lambda m: (branch_order(m[0]), branch_order(m[1])))
    by_criterion = {name: [Game(a, b, winners[name]) for a, b, winners in ordered] for name in CRITERIA}
    games = [game for some in by_criterion.values() for game in some]
    ratings = {name: elo(players, some) for name, some in by_criterion.items()}
    strength = bradley_terry(players, games) if players else {}
    found = [_standing(player, games, {name: rating[player] for name, rating in ratings.items()}, strength[player]) for player in players]
    return sorted(found, key=lambda s: (-s.average, -s.points, branch_order(s.player)))


def leader(state: State, table: Sequence[Standing]) -> Branch | None:
    """The player that leads: the first whose chain is not short, or the only one there is. A person may pick any."""
    if len(table) == 1:
        return table[0].player
    return next((standing.player for standing in table if not state.is_short(standing.player)), None)


def _standing(player: Branch, games: Sequence[Game], elo_by_criterion: Mapping[str, float], strength: float) -> Standing:
    return Standing(
        player=player,
        points=_points(player, games),
        games=sum(player in (game.first, game.second) for game in games),
        elo={name: round(rating, 1) for name, rating in elo_by_criterion.items()},
        average=round(sum(elo_by_criterion.values()) / len(elo_by_criterion), 1),
        strength=round(strength, 3),
    )
