"""What a run up to a stage asks of services, before the chains are known: the least and the most."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from coi_tui.engine.steps import EVERYTHING, Cost, Forecast, Method, Scope
from coi_tui.methods.coi.growth import active, open_sides
from coi_tui.methods.coi.settings import bounds_of
from coi_tui.methods.coi.short_chains import spare
from coi_tui.methods.shared.ideas import against_forecast, review_forecast, to_plan
from coi_tui.methods.shared.tournament import matches_forecast, with_one_call
from coi_tui.model.address import Branch, pair, slot
from coi_tui.model.content import NoveltyReport
from coi_tui.model.state import State
from coi_tui.model.wording import count

NOWHERE = 99
"""A place that no chain reaches: what is asked of it is asked of any."""


def lines(method: Method, state: State, until: str, scope: Scope = EVERYTHING) -> list[Forecast]:
    """One line a stage, in order, for what is not there yet."""
    last = method.stages.index(until)
    return [
        line
        for line in Forecaster(method, state, scope).lines()
        if method.stages.index(line.stage) <= last and (line.cost.calls[1] or line.cost.searches[1])
    ]


class Forecaster:
    """What a run of some branches may ask, stage by stage."""

    def __init__(self, method: Method, state: State, scope: Scope) -> None:
        self._method, self._state, self._scope = method, state, scope
        self._bounds = bounds_of(state)
        self._branches = [b for b in active(state) if scope.holds(b)]
        self._chains = {b: state.chain(b) for b in self._branches}
        self._players = with_one_call(state, self._branches, scope)
        self._to_plan = to_plan(state, self._players)

    def lines(self) -> Iterator[Forecast]:
        """A line for each stage, also for one that asks nothing."""
        yield self._questions()
        yield self._anchors()
        yield self._papers()
        yield self._cards()
        yield self._trends()
        yield self._texts("directions", "dir", ("future direction", "future directions"))
        yield self._texts("rivals", "rivals", ("search for rivals", "searches for rivals"))
        yield self._texts(
            "ideas",
            "idea",
            ("idea, two calls", "ideas, two calls each"),
            self._bounds.novelty_rounds,
        )
        yield self._texts(
            "novelty", "nov", ("novelty check", "novelty checks"), self._bounds.novelty_rounds
        )
        yield self._matches()
        yield self._of_winner("experiment", "an experiment plan", "exp")
        if not self._scope.branches:
            yield against_forecast(self._state, self._players)
        yield review_forecast(self._state, self._players)
        yield self._of_winner("proposal", "a proposal", "proposal")

    def _cost(self, address: str) -> Cost:
        """The cost of the step that makes the cell at an address."""
        step = self._method.step(address)
        return step.cost(self._state, address) if step is not None else Cost()

    def _missing(self, addresses: Iterable[str]) -> int:
        return sum(self._state.in_use(address) is None for address in addresses)

    def _questions(self) -> Forecast:
        calls = int(self._missing(f"Q{b}" for b in self._branches) > 0)
        return Forecast(
            "questions",
            "search questions",
            "one call for all",
            self._cost("Q1").times(calls, calls),
        )

    def _anchors(self) -> Forecast:
        bare = sum(not chain for chain in self._chains.values())
        cost = self._cost(f"{slot(1, 0)}.cands").times(bare, bare)
        return Forecast(
            "anchors",
            count(bare, "anchor"),
            "one search each; again with other words where nothing is found",
            cost,
        )

    @property
    def _spare(self) -> int:
        """How many branches the next question may replace, where a chain is short or may turn out
        so."""
        short = self._room or any(self._state.is_short(b) for b in self._branches)
        return (
            spare(self._state) if short and not self._scope.branches and not self._scope.side else 0
        )

    @property
    def _room(self) -> int:
        """How many papers more the chains may take."""
        room = sum(self._room_of(branch) for branch in self._branches)
        return min(room, 1) if self._scope.side else room

    def _room_of(self, branch: Branch) -> int:
        """How many papers a chain may still take; none once both of its sides have ended."""
        chain = self._chains[branch]
        if branch in self._scope.closed:
            return 0
        return (
            self._bounds.length - max(1, len(chain))
            if not chain or open_sides(self._state, branch, {})
            else 0
        )

    def _papers(self) -> Forecast:
        bounds, room = self._bounds, self._room
        most = room + self._spare * (bounds.length - 1)
        shares = f"{bounds.forward} forward, {bounds.backward} backward"
        stop = f"from {count(bounds.minimum, 'paper')} on it ends at one cited more than {bounds.milestone:,} times"
        why = f"at most {count(bounds.length, 'paper')} per chain: {shares}; {stop}"
        verdict, search = self._cost("1/+1.rel"), self._cost("1/+1.cands")
        cost = verdict.times(0, most) + search.times(0, most)
        if self._spare:
            cost += self._cost(f"{slot(1, 0)}.cands").times(0, self._spare)
            why += f"; {count(self._spare, 'short chain')} may be replaced by the next question"
        return Forecast("chains", f"up to {count(room, 'more paper')}", why, cost)

    def _cards(self) -> Forecast:
        """Cards to be made: of the papers that are known by what there is to read of each, and of
        those still to come."""
        known = [f"{slot(b, pos)}.card" for b in self._branches for pos in self._chains[b]]
        bare = sum(not chain for chain in self._chains.values())
        spare = self._room + self._spare * self._bounds.length
        total = self._cost(f"{slot(1, NOWHERE)}.card").times(bare, bare + spare)
        for address in known:
            if self._state.in_use(address) is None:
                total += self._cost(address)
        return Forecast(
            "cards",
            "one summary per paper",
            "one reading call each; none for a summary in parts",
            total,
        )

    def _trends(self) -> Forecast:
        missing = sum(self._missing(self._state.pairs(b)) for b in self._branches)
        cost = self._cost(pair(1, 0)).times(missing, missing + self._room)
        return Forecast("trends", "one trend per pair", "one call each", cost)

    def _texts(self, stage: str, part: str, words: tuple[str, str], rounds: int = 1) -> Forecast:
        """A text that each branch has, made again in at most so many rounds."""
        n = self._missing(f"{b}/{part}" for b in self._branches)
        most = sum(_most(self._state, b, part, rounds) for b in self._branches)
        why = f"at most {rounds} rounds" if rounds > 1 else "one per branch"
        if part == "dir" and self._bounds.drafts > 1:
            why += f", the best of {self._bounds.drafts} drafts, compared in both orders"
        return Forecast(stage, count(n, *words), why, self._cost(f"1/{part}").times(n, most))

    def _matches(self) -> Forecast:
        """A run of one branch matches no ideas."""
        players = [] if self._scope.branches else self._players
        return matches_forecast(self._state, players, self._method.step("A/1-2"))

    def _of_winner(self, stage: str, words: str, part: str) -> Forecast:
        open_ = int(
            bool(self._to_plan)
            and self._missing(f"{b}/{part}" for b in self._to_plan) == len(self._to_plan)
        )
        return Forecast(stage, words, "for the winner", self._cost(f"1/{part}").times(open_, open_))


def _most(state: State, branch: Branch, part: str, rounds: int) -> int:
    """How often a text of a branch may still be made: an idea and its report again for every round
    that a close match leaves."""
    missing = state.in_use(f"{branch}/{part}") is None
    report = state.read(f"{branch}/nov", NoveltyReport)
    if part in ("dir", "rivals") or (report is not None and report.verdict != "close match"):
        return int(missing)
    left = max(
        0,
        rounds - sum(not state.versions[s].by_person for s in state.cell(f"{branch}/nov").versions),
    )
    if part == "nov":
        return max(left, int(missing))
    return int(missing) + max(0, left - (report is None))
