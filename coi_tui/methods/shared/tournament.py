"""Which matches the ideas of a session have still to play, and the tournament of all ideas,
whichever methods they come from (COI-13)."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from itertools import combinations

from coi_tui.arena.matches import CRITERIA, TIE
from coi_tui.arena.pairing import Pair, Points, Tournament, tournament
from coi_tui.engine.steps import (
    EVERYTHING,
    Cost,
    Forecast,
    Scope,
    Step,
    View,
    Want,
)
from coi_tui.methods.shared.settings import IdeaSettings, settings_in
from coi_tui.model.address import Branch, instance_of, match_of
from coi_tui.model.content import MatchRecord
from coi_tui.model.state import State
from coi_tui.model.text import count

ARENA = "A"
"""The scope of a run of the whole arena: it stands where the name of a method's instance stands
otherwise."""
ONE_CALL = "One call"
"""The method that meets the ideas of every other: topic and criteria in, one answer out."""
FOR_CRITERIA = "five criteria; if the order changes the winner, it is a tie"


def of_one_call(state: State) -> list[Branch]:
    """The branches of One call that are not parked."""
    names = {name for name, held in state.instances.items() if held.method == ONE_CALL}
    return (
        [b for b in state.branches if instance_of(b) in names and b not in state.parked]
        if names
        else []
    )


def with_one_call(
    state: State, branches: Sequence[Branch], scope: Scope = EVERYTHING
) -> list[Branch]:
    """The branches of a run and those of One call, which they meet in matches; a run of some
    branches matches no ideas."""
    return [*branches, *(b for b in of_one_call(state) if b not in branches and not scope.branches)]


def won_by_one_call(
    state: State, results: Iterable[tuple[Branch, Branch, Mapping[str, Branch]]]
) -> str:
    """How many of these matches One call won, by most of their criteria; empty where it met no
    other method."""
    own, met = set(of_one_call(state)), []
    for first, second, winners in results:
        if (first in own) != (second in own):
            one, other = (first, second) if first in own else (second, first)
            won = list(winners.values())
            met.append(won.count(one) > won.count(other))
    return (
        f"One call won {sum(met)} of {count(len(met), 'match', 'matches')} with other methods."
        if met
        else ""
    )


def planned(state: State) -> list[Branch]:
    """The branches that a plan was made for; the plan of One call comes with its idea, so that it
    counts from the review on."""
    own = of_one_call(state)
    return [
        b
        for b in state.branches
        if state.in_use(f"{b}/{'review' if b in own else 'exp'}") is not None
    ]


def left_to_play(
    state: State, players: Sequence[Branch], failed: Container[str] = ()
) -> Tournament:
    """The matches between these ideas that are due and left. A match that failed in this job is
    over and gives nobody points."""
    bounds, results = _bounds(state, players), {}
    for pair in combinations(players, 2):
        address = match_of(*pair)
        match = state.read(address, MatchRecord)
        if match is not None:
            results[pair] = points(pair, match)
        elif address in failed:
            results[pair] = (0.0, 0.0)
    return tournament(players, results, swiss_from=bounds.swiss_from, rounds=bounds.swiss_rounds)


def _bounds(state: State, players: Sequence[Branch]) -> IdeaSettings:
    """The bounds of the session; where the ideas are those of one method that was added to it, that
    method's own."""
    own = of_one_call(state)
    instances = {instance_of(player) for player in players if player not in own}
    return settings_in(state, IdeaSettings, instances.pop() if len(instances) == 1 else "")


def points(pair: Pair, match: MatchRecord) -> Points:
    """The share of the criteria that each of the two won; half of a tie."""
    won = [match.results.get(name, TIE) for name in CRITERIA]
    first = sum(0.5 if winner == TIE else float(winner == pair[0]) for winner in won) / len(won)
    return first, 1.0 - first


def matches_forecast(state: State, players: Sequence[Branch], step: Step | None) -> Forecast:
    """How many matches are left, in words and calls. In a Swiss tournament the later pairs follow
    from the results of the earlier ones."""
    left = left_to_play(state, players)
    price = (
        step.cost(state, match_of(*players[:2]))
        if step is not None and len(players) > 1
        else Cost()
    )
    pairs = len(players) * (len(players) - 1) // 2
    how = (
        f"; Swiss, round {left.round} of {left.rounds}, of {count(pairs, 'pair')}"
        if left.rounds
        else ""
    )
    return Forecast(
        "selection",
        f"{count(left.most, 'match', 'matches')}, in both orders",
        f"{FOR_CRITERIA}{how}",
        price.times(0, left.most),
    )


class ArenaTournament:
    """The ideas of all methods in one tournament, as a job asks a method what it wants."""

    stages = ("selection",)

    def __init__(self, step: Step) -> None:
        self._step = step

    def wanted(self, view: View) -> list[Want]:
        """The matches that are due now."""
        due = left_to_play(view.state, view.state.ideas(), view.failed).due
        return [
            Want(match_of(*pair), self._step, "missing", "selection", "this pair was not judged")
            for pair in due
        ]

    def forecast(self, state: State) -> list[Forecast]:
        """One line: the matches that are left."""
        return [matches_forecast(state, state.ideas(), self._step)]
