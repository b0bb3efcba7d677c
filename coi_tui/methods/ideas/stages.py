"""From an idea to its proposal: novelty check, matches, experiment plan, review and refinement
(COI-12 to COI-15); and the tournament of all ideas, whichever methods they come from.

These stages are the same for the ideas of every method; a method composes one ``IdeaStages`` and
says which of its branches take part.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal

from coi_tui.arena.matches import CRITERIA, TIE
from coi_tui.arena.pairing import Pair, Points, Tournament, tournament
from coi_tui.arena.ratings import leader, standings
from coi_tui.engine.declarations import (
    EVERYTHING,
    Cost,
    Forecast,
    MenuOption,
    Scope,
    Task,
    View,
    Want,
)
from coi_tui.methods.base.settings import IdeaSettings, bounds_of, settings_in
from coi_tui.methods.evidence.papers import Evidence
from coi_tui.methods.ideas.experiment import (
    AskedRefineTask,
    ExperimentTask,
    RefineTask,
    ReviewTask,
)
from coi_tui.methods.ideas.matches import MatchTask
from coi_tui.methods.ideas.novelty import USUAL, NoveltyRules, NoveltyTask, SearchAgainstTask
from coi_tui.methods.ideas.proposal import ProposalTask
from coi_tui.model.address import Branch, instance_of, match_of, parse_address
from coi_tui.model.content import (
    ComparedPaper,
    IdeaContent,
    MatchRecord,
    NoveltyReport,
    ReviewContent,
)
from coi_tui.model.entries import Decision, Version
from coi_tui.model.errors import CoiError
from coi_tui.model.reviewing import points_of, rolled_back
from coi_tui.model.state import State
from coi_tui.model.text import clipped, count

if TYPE_CHECKING:
    from coi_tui.methods.services import ServiceSet


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


def matches_forecast(state: State, players: Sequence[Branch], task: Task) -> Forecast:
    """How many matches are left, in words and calls. In a Swiss tournament the later pairs follow
    from the results of the earlier ones."""
    left = left_to_play(state, players)
    price = task.cost(state, match_of(*players[:2])) if len(players) > 1 else Cost()
    pairs = count(len(players) * (len(players) - 1) // 2, "pair")
    how = f"; Swiss, round {left.round} of {left.rounds}, of {pairs}" if left.rounds else ""
    what = f"{count(left.most, 'match', 'matches')}, in both orders"
    return Forecast("selection", what, f"{FOR_CRITERIA}{how}", price.times(0, left.most))


class ArenaTournament:
    """The ideas of all methods in one tournament, as a job asks a method what it wants."""

    stages = ("selection",)

    def __init__(self, step: Task) -> None:
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


When = Literal["missing", "stale", "always"]

JUDGED_APART = ("overlaps, differs", "unrelated")
"""What a person may say of a paper so that no rule holds it against the idea."""

IDEA_STAGES = ("novelty", "selection", "experiment", "review", "proposal")
"""The stages after the ideas, in their order."""


class IdeaStages:
    """The base of a method: the tasks that follow an idea, and what is wanted of them next.
    ``by_part``: the method's own tasks, by the kind of cell that each makes."""

    def __init__(
        self, tools: ServiceSet | None, evidence: Evidence, novelty: NoveltyRules = USUAL
    ) -> None:
        self.by_part: dict[str, Task] = {}
        self._refine = RefineTask(tools, evidence)
        self._search_against = SearchAgainstTask(tools, novelty)
        self.after_ideas: dict[str, Task] = {
            "nov": NoveltyTask(tools, novelty),
            "match": MatchTask(tools),
            "exp": ExperimentTask(tools, evidence),
            "review": ReviewTask(tools),
            "proposal": ProposalTask(tools, evidence),
        }
        self._asked_refine = AskedRefineTask(tools, evidence)

    @property
    def steps(self) -> list[Task]:
        """Every task once; of the two refinements the one that a person asks for comes first and is
        found by the name."""
        others = (self._asked_refine, self._refine, self._search_against)
        return [*self.by_part.values(), *self.after_ideas.values(), *others]

    def step(self, address: str) -> Task | None:
        """The task that makes a cell; None for what only a person or a rule writes."""
        part = parse_address(address).part
        return self.by_part.get(part) or self.after_ideas.get(part)

    def task_of(self, address: str) -> Task:
        """The task that makes a cell that has one. Raises CoiError."""
        task = self.step(address)
        if task is None:
            raise CoiError(f"No task of the method makes {address}.")
        return task

    def want(self, address: str, stage: str, when: When = "missing", why: str = "") -> Want:
        """The cell at an address, by its own task."""
        return Want(address, self.task_of(address), when, stage, why or f"{stage}: not made yet")

    # -- what is wanted

    def wanted_novelty(self, view: View, branch: Branch) -> Want:
        """The branch's novelty report; another one for an idea that was drafted again because of a
        close match."""
        address = f"{branch}/nov"
        again = view.state.in_use(address) is not None and redrafts_left(view.state, branch)
        redrafted = again and bool(view.state.bad.get(branch))
        return self.want(address, "novelty", "stale" if redrafted else "missing")

    def wanted_plan(
        self, view: View, branch: Branch, *, review: bool, proposal: bool
    ) -> list[Want]:
        """The branch's experiment plan, with ``review`` its review and the refinements that the
        bounds allow, then its ``proposal``."""
        out = [self.want(f"{branch}/exp", "experiment")]
        plan, made = (view.state.in_use(f"{branch}/{part}") for part in ("exp", "review"))
        if not review or plan is None:
            return out
        of_plan = made is not None and view.state.content(made, ReviewContent).of == plan.seq
        left = refinements(view.state, branch) < bounds_of(view.state).refine_rounds
        if made is None or (left and not of_plan):
            when: When = "always" if made is not None else "missing"
            out.append(self.want(f"{branch}/review", "review", when))
        elif (
            left
            and points_of(view.state, branch, made)
            and not rolled_back(view.state, branch, made)
        ):
            why = "the review has points"
            out.append(Want(f"{branch}/exp", self._refine, "always", "review", why))
        elif proposal:
            out.append(self.want(f"{branch}/proposal", "proposal"))
        return out

    def wanted_after(
        self, view: View, branches: Sequence[Branch], until: str, dead: Container[Branch]
    ) -> list[Want]:
        """Matches, and the plan of the idea that won. A match is between two branches, so a run of
        one branch has none.

        ``dead``: branches that cannot come to an idea in this job.
        """
        reached = IDEA_STAGES[: IDEA_STAGES.index(until) + 1] if until in IDEA_STAGES else ()
        players = with_one_call(view.state, branches, view.scope)
        beside, ready = players[len(branches) :], [b for b in players if has_idea(view, b)]
        settled = (
            not view.scope.branches
            and "selection" in reached
            and all(branch in dead or _settled(view, branch) for branch in branches)
            and all(b in ready or f"{b}/idea" in view.failed for b in beside)
            and any(b in ready for b in branches)
        )
        due = left_to_play(view.state, ready, view.failed).due if settled else ()
        out = [self.want(match_of(i, j), "selection") for i, j in due]
        planned = self._to_plan(view, players, ready, settled=settled)
        for branch in planned if "experiment" in reached else ():
            out += [self.wanted_novelty(view, branch)] if branch in beside else []
            out += self.wanted_plan(
                view, branch, review="review" in reached, proposal="proposal" in reached
            )
            report = f"{branch}/nov"
            if settled and against_due(view.state, branch) and report not in view.failed:
                why = "nobody searched against the idea that won"
                out.append(Want(report, self._search_against, "always", "experiment", why))
        return out

    def _to_plan(
        self, view: View, branches: Sequence[Branch], ready: Sequence[Branch], *, settled: bool
    ) -> Sequence[Branch]:
        """The branches that get a plan: in a run of some branches each that has an idea, else the
        person's pick, or the leader once every match is in."""
        if view.scope.branches:
            return ready
        best = view.state.pick or (leading(view.state, ready, view.failed) if settled else None)
        own = {instance_of(b) for b in branches}
        # what was picked may be another method's, whose runs plan it
        return [best] if best is not None and instance_of(best) in own else []

    # -- what is decided by rule

    def settle_bad_cases(self, view: View, branches: Sequence[Branch]) -> list[Decision]:
        """A close match becomes a bad case and the idea is drafted again, within the bound on
        rounds (COI-12)."""
        return [decision for branch in branches for decision in _close_matches(view, branch)]


def _close_matches(view: View, branch: Branch) -> list[Decision]:
    """The close matches of the report in use that are no bad cases yet, without those that a person
    judged to be other work; none where a person holds the idea or no round is left."""
    state, address = view.state, f"{branch}/nov"
    made, fresh = state.in_use(address), view.fresh.get(address)
    held = state.cell(f"{branch}/idea").lock is not None
    if made is None or fresh is None or not fresh.ok or held or not redrafts_left(state, branch):
        return []
    known = {case.paper for case in state.bad.get(branch, ())}
    return [
        Decision(
            actor="coi",
            action="tick",
            address=f"{branch}/bad",
            reason="too close to a paper, drafted again",
            value=bad_case(state, made, row),
        )
        for row in state.content(made, NoveltyReport).papers
        if row.verdict == "close match"
        and row.paper not in known
        and state.judged.get((branch, row.paper)) not in JUDGED_APART
    ]


def bad_case(state: State, report: Version, row: ComparedPaper, reason: str = "") -> dict[str, Any]:
    """What is held against the next draft: the paper, why, what the two share, and the idea that
    came too close to it, in short."""
    known = state.papers.get(row.paper)
    value = {
        "report": report.seq,
        "paper": row.paper,
        "title": known.title if known else row.paper,
        "reason": reason or row.reason,
        "idea": _idea_in_short(state, state.content(report, NoveltyReport)),
        "shared": row.overlap,
    }
    return {name: said for name, said in value.items() if said or name not in ("idea", "shared")}


def _idea_in_short(state: State, report: NoveltyReport) -> str:
    """The idea that a report is of: as the report sums it up, else its title and how it begins."""
    version = state.versions.get(int(report.idea[1:] or 0))
    if report.about or version is None:
        return report.about
    idea = state.content(version, IdeaContent)
    return f"{idea.title}: {clipped(idea.final)}"


def options(state: State, branch: Branch) -> Iterator[MenuOption]:
    """What is made only on request, in the menu of a row of a branch."""
    none = "" if state.in_use(f"{branch}/idea") else "there is no idea in this branch yet"
    against = SearchAgainstTask.name
    for key, what, note, part, title, step in (
        ("e", "experiment", "", "exp", "Make the experiment of", ""),
        ("n", "search against it", "the strongest prior work", "nov", "Search against", against),
        ("w", "proposal", "for a reader", "proposal", "Write the proposal of", ""),
    ):
        yield MenuOption(
            key,
            what,
            note,
            addresses=(f"{branch}/{part}",),
            plan_title=f"{title} {branch}/idea",
            off=none,
            step=step,
        )


# -- questions about the state


def reports(state: State, branch: Branch) -> int:
    """Novelty reports made so far in this branch: the rounds that the bound counts."""
    return sum(not state.versions[s].by_person for s in state.cell(f"{branch}/nov").versions)


def redrafts_left(state: State, branch: Branch) -> bool:
    """Whether the bound leaves another round."""
    return reports(state, branch) < bounds_of(state).novelty_rounds


def refinements(state: State, branch: Branch) -> int:
    """How often the plan of a branch was refined."""
    return sum("review" in state.versions[s].recipe for s in state.cell(f"{branch}/exp").versions)


def open_rounds(state: State, branches: Iterable[Branch]) -> int:
    """How many drafts and reports may still come in branches: the bound on rounds in each that has
    no report yet, or one of a close match with a round left."""
    open_ = 0
    for branch in branches:
        report = state.read(f"{branch}/nov", NoveltyReport)
        close = report is not None and report.verdict == "close match"
        open_ += report is None or (close and redrafts_left(state, branch))
    return open_ * bounds_of(state).novelty_rounds


def redraft_wanted(view: View, branch: Branch) -> bool:
    """An idea is drafted again in a run only because of a bad case, never because something else
    moved."""
    fresh = view.fresh.get(f"{branch}/idea")
    return fresh is not None and fresh.changed == (f"{branch}/bad#cases",)


def against_due(state: State, branch: Branch) -> bool:
    """Whether a run may search against the idea: there is a report without such a search, and no
    person holds idea or report."""
    report = state.read(f"{branch}/nov", NoveltyReport)
    held = any(state.cell(f"{branch}/{part}").lock is not None for part in ("idea", "nov"))
    return report is not None and not held and not any(done.angle for done in report.searches)


def has_idea(view: View, branch: Branch) -> bool:
    """An idea is in use, and this job did not fail at it."""
    return view.state.in_use(f"{branch}/idea") is not None and f"{branch}/idea" not in view.failed


def _settled(view: View, branch: Branch) -> bool:
    """The branch has its idea and its last novelty report."""
    nov, idea = f"{branch}/nov", f"{branch}/idea"
    if view.state.in_use(nov) is None or not has_idea(view, branch) or {nov, idea} & view.running:
        return False
    if nov in view.failed:
        # the check failed in this job: the report before it stands, and nothing more comes
        return True
    fresh = view.fresh.get(nov)
    redrafting = view.state.bad.get(branch) and redrafts_left(view.state, branch)
    return not (redrafting and fresh is not None and not fresh.ok)


def leading(state: State, players: Sequence[Branch], failed: Container[str] = ()) -> Branch | None:
    """The branch that leads once no match among these is left; None before, or where every chain is
    short."""
    if left_to_play(state, players, failed).due:
        return None
    found = ((i, j, state.read(match_of(i, j), MatchRecord)) for i, j in combinations(players, 2))
    return leader(
        state,
        standings(players, [(i, j, match.results) for i, j, match in found if match is not None]),
    )


def to_plan(state: State, branches: Sequence[Branch]) -> Sequence[Branch]:
    """The branch that gets the plan where that is known: the person's pick, or what leads; none
    where no idea may; else any.

    One call may lead those that it is among, and is none that a plan is still to be made for.
    """
    ideas = [b for b in branches if state.in_use(f"{b}/idea") is not None]
    beside = of_one_call(state)
    own = [b for b in branches if b not in beside] or branches
    won = state.pick or (leading(state, ideas) if any(b in own for b in ideas) else None)
    if won is not None:
        return [won] if won in branches else own
    every = len(ideas) == len(branches) > 1
    return [] if every and all(state.is_short(b) for b in ideas) else own


def forecasts_after(
    state: State, players: Sequence[Branch], match: Task | None
) -> Iterator[Forecast]:
    """The lines that are no kind of cell: matches and the search against the winner (without
    ``match``, as in a run of some branches, neither), reviews with their refinements."""
    planned = to_plan(state, players)
    if match is not None:
        yield matches_forecast(state, players, match)
        due = len(planned) > 1 or any(
            state.in_use(f"{b}/nov") is None or against_due(state, b) for b in planned
        )
        cost = SearchAgainstTask().queries_cost(state).times(due, due)
        yield Forecast("experiment", "a search against the winner", "once", cost)
    rounds = bounds_of(state).refine_rounds
    to_review = bool(planned) and not any(state.cell(f"{b}/review").versions for b in planned)
    to_refine = max(0, rounds - sum(refinements(state, b) for b in planned)) if planned else 0
    # The review that scores a refined plan is also the one of the next round.
    cost = ReviewTask().cost(state, "1/review").times(to_review, to_review)
    cost += RefineTask().cost(state, "1/exp").times(0, to_refine)
    yield Forecast("review", "review and refinement", f"at most {count(rounds, 'round')}", cost)
