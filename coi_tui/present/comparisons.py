"""How the ideas compare: with the papers of their novelty reports, with each other in matches, and
how they stand after those.

The researcher's own judgements and votes are given beside the model's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from coi_tui.arena import CRITERIA as CRITERIA
from coi_tui.arena import MatchResult, Standing, games_of, intervals, leader, standings, too_few
from coi_tui.methods.ideas.matches import left_to_play, won_by_one_call
from coi_tui.model.address import Branch, match_of, parse_address
from coi_tui.model.content import CLOSENESS, ComparedPaper, MatchRecord, NoveltyReport
from coi_tui.model.state import State
from coi_tui.model.text import count

JUDGEMENTS = ("same idea", "overlaps, differs", "unrelated")
"""What a researcher may say of a paper that a report compared (in the order in which ``c`` goes
round)."""
FLIP = "TIE (by order)"


def compared(state: State, branch: Branch) -> list[ComparedPaper]:
    """The papers of the report in use, close matches first; none without a report."""
    report = state.read(f"{branch}/nov", NoveltyReport)
    order = {verdict: n for n, verdict in enumerate(CLOSENESS)}
    papers = report.papers if report is not None else []
    return sorted(papers, key=lambda row: order.get(row.verdict, len(order)))


@dataclass(frozen=True)
class Judged:
    """One criterion of a match: who won in each order, the result, the researcher's vote. A branch,
    0 for a tie, None where nobody said."""

    criterion: str
    straight: Branch | None
    swapped: Branch | None
    result: Branch | None
    vote: Branch | None

    @property
    def flips(self) -> bool:
        return self.straight != self.swapped


def criteria(state: State, address: str) -> list[Judged]:
    """The five criteria of a match as judged in both orders; without a result only the votes."""
    at, match = parse_address(address), state.read(address, MatchRecord) or MatchRecord()
    return [
        Judged(
            name,
            _winner(match.straight.get(name), at.branch, at.other),
            _winner(match.swapped.get(name), at.other, at.branch),
            match.results.get(name),
            state.votes.get((address, name)),
        )
        for name in CRITERIA
    ]


def _winner(place: object, first: Branch, second: Branch) -> Branch | None:
    """A judge's word for a criterion as a branch: 0 the idea shown first, 1 the other, anything
    else a tie; None where there is none."""
    if place is None:
        return None
    return {0: first, 1: second}.get(place, 0) if isinstance(place, int) else 0


def matches(state: State) -> list[str]:
    """Addresses of the matches that were judged."""
    return sorted(a for a in state.cells if a.startswith("A/") and state.in_use(a) is not None)


def pairs(state: State) -> list[str]:
    """Addresses of the matches that were judged or voted on, between ideas that are there."""
    voted_on = {address for (address, _), vote in state.votes.items() if vote is not None}
    return _of_ideas(state, sorted({*matches(state), *voted_on}))


def _of_ideas(state: State, addresses: Iterable[str]) -> list[str]:
    """Those of some matches whose two ideas take part; parked branches stand aside."""
    players = set(state.ideas())
    return [
        address
        for address in addresses
        if {(at := parse_address(address)).branch, at.other} <= players
    ]


OPENED = "opened_matches"
"""The setting of a session that names the matches of which the model's judgement was asked for
before the votes."""


def is_shown(state: State, address: str) -> bool:
    """Whether the model's judgement of a match may be seen: after the researcher's votes on all its
    criteria, or on demand."""
    return all(state.votes.get((address, name)) is not None for name in CRITERIA) or address in (
        state.settings.get(OPENED) or ()
    )


def played(state: State) -> list[str]:
    """The judged matches of ideas that take part."""
    return _of_ideas(state, matches(state))


def arena(state: State) -> list[Standing]:
    """Standings over all matches in use, best first: for exports and for the pick of a run, not for
    the screen before the votes."""
    return _standings(state, played(state))


def shown(state: State) -> list[str]:
    """The matches whose judgement may be seen."""
    return [address for address in played(state) if is_shown(state, address)]


def shown_arena(state: State) -> list[Standing]:
    """Standings over the matches whose judgement may be seen."""
    return _standings(state, shown(state))


def too_few_shown(state: State) -> str:
    """Why the matches whose judgement may be seen, or where there are none the votes, rank nobody
    yet; empty where they do."""
    return too_few(_results(state, shown(state)) or voted(state))


def one_call_shown(state: State) -> str:
    """How often One call won, by the judgements that may be seen, or where there are none the
    votes."""
    return won_by_one_call(state, _results(state, shown(state)) or voted(state))


def left_in_arena(state: State) -> int:
    """How many matches between the ideas of all methods are left at most."""
    return left_to_play(state, state.ideas()).most


def _standings(state: State, addresses: Sequence[str]) -> list[Standing]:
    return standings(state.ideas(), _results(state, addresses))


def _results(state: State, addresses: Sequence[str]) -> list[MatchResult]:
    places = ((parse_address(address), state.read(address, MatchRecord)) for address in addresses)
    return [(at.branch, at.other, match.results) for at, match in places if match is not None]


def arena_leader(state: State) -> str:
    """The address of the idea that leads; empty before every judged match may be seen, and where
    every chain is short."""
    judged = played(state)
    if not judged or not all(is_shown(state, address) for address in judged):
        return ""
    first = leader(state, _standings(state, judged))
    return f"{first}/idea" if first is not None else ""


def hidden(state: State) -> list[str]:
    """Judged matches that wait for the researcher's votes before the model's judgement is shown."""
    return [address for address in played(state) if not is_shown(state, address)]


def hidden_matches(state: State) -> str:
    """How many matches hide the model's judgement, in words; empty for none."""
    waiting = len(hidden(state))
    return (
        f"{count(len(played(state)), 'match', 'matches')} judged, {waiting} hidden until you have voted"
        if waiting
        else ""
    )


def voted(state: State) -> list[MatchResult]:
    """What the researcher voted, match by match."""
    by_match: dict[str, dict[str, Branch]] = {}
    for (address, criterion), winner in sorted(state.votes.items()):
        by_match.setdefault(address, {})[criterion] = winner
    places = [(parse_address(address), by_match[address]) for address in _of_ideas(state, by_match)]
    return [(at.branch, at.other, winners) for at, winners in places]


def human_standings(state: State) -> list[Standing]:
    """By the researcher's votes alone, best first; only ideas of matches that may be seen: before,
    a name would tell which is which."""
    return [
        s
        for s in standings(
            state.ideas(), [one for one in voted(state) if is_shown(state, match_of(*one[:2]))]
        )
        if s.games
    ]


@dataclass(frozen=True)
class Ranking:
    """Standings by one kind of judgement, best first, with 95 % intervals of the strengths."""

    by: str
    table: tuple[Standing, ...]
    bounds: Mapping[Branch, tuple[float, float]]


def rankings(state: State) -> list[Ranking]:
    """By the model's judgements that may be seen, by the researcher's votes, and by both together,
    where there are both."""
    model, mine = _results(state, shown(state)), voted(state)
    kinds = [
        ("the model", model),
        ("your votes", mine),
        *([("model and votes together", [*model, *mine])] if model and mine else []),
    ]
    return [
        _ranking(by, standings(state.ideas(), results), results) for by, results in kinds if results
    ]


def _ranking(by: str, table: Sequence[Standing], results: Sequence[MatchResult]) -> Ranking:
    return Ranking(
        by, tuple(table), intervals({s.player: s.strength for s in table}, games_of(results))
    )
