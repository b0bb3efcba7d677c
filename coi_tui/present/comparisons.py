"""How the ideas compare: with the papers of their novelty reports, with each other in matches, and
how they stand after those.

The researcher's own judgements and votes are given with the model's."""

from __future__ import annotations

from dataclasses import dataclass

from coi_tui.arena.judgements import Agreement, Match, agreement
from coi_tui.arena.ratings import CRITERIA as CRITERIA
from coi_tui.arena.ratings import MatchResult, Standing, standings
from coi_tui.methods.ideas.matches import leader, left_to_play
from coi_tui.methods.ideas.novelty import FAR
from coi_tui.model.address import Branch, cell_at, cell_ref
from coi_tui.model.content import CLOSENESS, ComparedPaper, MatchRecord, NoveltyReport
from coi_tui.model.state import State
from coi_tui.model.text import count

JUDGEMENTS = ("same idea", "overlaps, differs", "unrelated")
"""What a researcher may say of a paper that a report compared (in the order in which ``c`` goes
round)."""
FLIP = "TIE (by order)"


def compared(state: State, branch: Branch) -> list[ComparedPaper]:
    """The papers of the report in use that say something of a claim, that could not be read, or that
    a person judged; close matches first, of these those that map one to one."""
    report = state.read(cell_at(branch, "nov"), NoveltyReport)
    order = {verdict: n for n, verdict in enumerate(CLOSENESS)}
    told = {paper for of, paper in (*state.judged, *state.judged_notes) if of == branch}
    papers = [
        row
        for row in (report.papers if report else ())
        if row.paper in told or not (row.off_point or row.reason == FAR)
    ]
    return sorted(papers, key=lambda row: (order.get(row.verdict, len(order)), not row.one_to_one))


@dataclass(frozen=True)
class Judged:
    """One criterion of a match: who won in each order, the result, the researcher's vote. A branch,
    0 for a tie, None where nobody said. ``slight``: it was won slightly."""

    criterion: str
    straight: Branch | None
    swapped: Branch | None
    result: Branch | None
    vote: Branch | None
    slight: bool

    @property
    def flips(self) -> bool:
        return self.straight != self.swapped


def criteria(state: State, address: str) -> list[Judged]:
    """The five criteria of a match as judged in both orders; without a result only the votes."""
    at, match = cell_ref(address), state.read(address, MatchRecord) or MatchRecord()
    return [
        Judged(
            name,
            _winner(match.straight.get(name), at.branch, at.rival),
            _winner(match.swapped.get(name), at.rival, at.branch),
            match.results.get(name),
            state.votes.get((address, name)),
            name in match.slight and bool(match.results.get(name)),
        )
        for name in CRITERIA
    ]


def _winner(place: object, first: Branch, second: Branch) -> Branch | None:
    """A judge's word for a criterion as a branch: 0 the idea shown first, 1 the other, anything
    else a tie; None where there is none."""
    if place is None:
        return None
    return {0: first, 1: second}.get(place, 0) if isinstance(place, int) else 0


def pairs(state: State) -> list[str]:
    """Addresses of the matches that were judged or voted on, between ideas that take part; those of
    parked branches do not."""
    judged = {a for a in state.cells if a.startswith("A/") and state.in_use(a)}
    players = set(state.ideas())
    return [
        address
        for address in sorted(judged | {address for address, _ in state.votes})
        if {(at := cell_ref(address)).branch, at.rival} <= players
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
    return [address for address in pairs(state) if state.in_use(address)]


def hidden(state: State) -> list[str]:
    """Judged matches that wait for the researcher's votes before the model's judgement is shown."""
    return [address for address in played(state) if not is_shown(state, address)]


def hidden_matches(state: State) -> str:
    """How many matches hide the model's judgement, in words; empty for none."""
    judged, waiting = count(len(played(state)), "match", "matches"), len(hidden(state))
    return f"{judged} judged, {waiting} hidden until you have voted" if waiting else ""


def left_in_arena(state: State) -> int:
    """How many matches between the ideas of all methods are left at most."""
    return left_to_play(state, state.ideas()).most


def results(state: State, *, every: bool = False) -> list[MatchResult]:
    """What the model judged, match by match: where that may be seen, or of ``every`` match."""
    return [
        ((at := cell_ref(address)).branch, at.rival, match.results)
        for address in played(state)
        if (every or is_shown(state, address)) and (match := state.read(address, MatchRecord))
    ]


def votes(state: State) -> list[MatchResult]:
    """What the researcher voted, match by match, where the judgement may be seen: before, the names
    of the ideas would tell which is which."""
    return [
        (
            (at := cell_ref(address)).branch,
            at.rival,
            {name: vote for (of, name), vote in state.votes.items() if of == address},
        )
        for address in pairs(state)
        if is_shown(state, address)
    ]


def arena(state: State) -> list[Standing]:
    """Standings over all matches in use, best first: for exports and for the pick of a run, not for
    the screen before the votes."""
    return standings(state.ideas(), results(state, every=True))


def arena_leader(state: State) -> str:
    """The address of the idea that leads; empty before every judged match may be seen, and where
    every chain is short."""
    first = leader(state, arena(state)) if played(state) and not hidden(state) else None
    return cell_at(first, "idea") if first is not None else ""


def agreement_with_you(state: State, *, every: bool = False) -> Agreement:
    """How often the model and the researcher named the same winner, criterion by criterion, where
    the model's judgement may be seen, or of ``every`` match."""
    model, you = (
        {
            (Match("", 0, str(a), str(b)), name): winner
            for a, b, winners in judged
            for name, winner in winners.items()
        }
        for judged in (results(state, every=every), votes(state))
    )
    return agreement(model, you)


JUDGE, YOU, TOO_FEW = "the model", "your votes", "too few to rank"


@dataclass(frozen=True)
class Ranking:
    """Standings by one kind of judgement, best first."""

    by: str
    table: tuple[Standing, ...]

    @property
    def points(self) -> str:
        """``1/idea 4.5, 2/idea 0.5``: of the ideas that have met another; with what is open."""
        met = ", ".join(f"{s.player}/idea {s.points:g}" for s in self.table if s.games)
        return f"{met} ({TOO_FEW})" if self.open else met

    @property
    def open(self) -> bool:
        """Whether the interval of the first idea does not leave out the last."""
        return self.table[0].rating.low <= self.table[-1].rating.value


def rankings(state: State, *, every: bool = False) -> list[Ranking]:
    """By the model's judgements (that may be seen, or of ``every`` match), and by the researcher's
    votes; where there are any."""
    return [
        Ranking(by, tuple(standings(state.ideas(), judged)))
        for by, judged in ((JUDGE, results(state, every=every)), (YOU, votes(state)))
        if any(winners for _, _, winners in judged)
    ]
