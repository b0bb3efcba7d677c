"""From an idea to its proposal: novelty check, matches, experiment plan, review and refinement
(COI-12 to COI-15).

These stages are the same for the ideas of every method; a method composes one ``IdeaStages`` and
says which of its branches take part.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

from coi_tui.arena.ratings import leader, standings
from coi_tui.engine.declarations import MenuOption
from coi_tui.engine.steps import Forecast, Step, View, Want
from coi_tui.methods.shared.evidence import Evidence, chain_evidence
from coi_tui.methods.shared.experiment import ExperimentStep, ReviewStep
from coi_tui.methods.shared.match import MatchStep
from coi_tui.methods.shared.novelty import USUAL, NoveltyRules, NoveltyStep
from coi_tui.methods.shared.proposal import ProposalStep
from coi_tui.methods.shared.refinement import AskedRefineStep, RefineStep
from coi_tui.methods.shared.review_rounds import RoundState, next_of
from coi_tui.methods.shared.search_against import SearchAgainstStep
from coi_tui.methods.shared.settings import bounds_of
from coi_tui.methods.shared.tournament import left_to_play, of_one_call, with_one_call
from coi_tui.model.address import Branch, instance_of, match_of, parse_address
from coi_tui.model.content import (
    ComparedPaper,
    IdeaContent,
    MatchRecord,
    NoveltyReport,
    ReviewContent,
)
from coi_tui.model.entries import Decision, Version
from coi_tui.model.plan_scores import rolled_back
from coi_tui.model.reviewing import points_of
from coi_tui.model.state import State
from coi_tui.model.wording import clipped, count

if TYPE_CHECKING:
    from coi_tui.methods.services import ServiceSet

JUDGED_APART = ("overlaps, differs", "unrelated")
"""What a person may say of a paper so that no rule holds it against the idea."""
IDEA_STAGES = ("novelty", "selection", "experiment", "review", "proposal")
"""The stages after the ideas, in their order."""


class IdeaStages:
    """The steps that follow an idea, and what is wanted of them next."""

    def __init__(
        self,
        tools: ServiceSet | None = None,
        evidence: Evidence = chain_evidence,
        novelty: NoveltyRules = USUAL,
    ) -> None:
        self.refine = RefineStep(tools, evidence)
        self.asked_refine = AskedRefineStep(tools, evidence)
        self.search_against = SearchAgainstStep(tools, novelty)
        self._by_part: dict[str, Step] = {
            "nov": NoveltyStep(tools, novelty),
            "match": MatchStep(tools),
            "exp": ExperimentStep(tools, evidence),
            "review": ReviewStep(tools, evidence),
            "proposal": ProposalStep(tools, evidence),
        }

    @property
    def steps(self) -> tuple[Step, ...]:
        """Every step once; of the two refinements the one that a person asks for comes first and is
        found by the name."""
        return (*self._by_part.values(), self.asked_refine, self.refine, self.search_against)

    def step(self, part: str) -> Step | None:
        """The step that makes a cell of this kind; None where it is none of these."""
        return self._by_part.get(part)

    def want(self, address: str, stage: str, when: str = "missing", why: str = "") -> Want:
        """The cell at an address, by its own step."""
        return Want(
            address,
            self._by_part[parse_address(address).part],
            when,  # type: ignore[arg-type]
            stage,
            why or f"{stage}: not made yet",
        )

    # -- what is wanted

    def wanted_novelty(self, view: View, branch: Branch) -> Want:
        """The branch's novelty report; another one for an idea that was drafted again because of a
        close match."""
        address = f"{branch}/nov"
        again = (
            view.state.in_use(address) is not None
            and reports(view.state, branch) < bounds_of(view.state).novelty_rounds
        )
        redrafted = again and bool(view.state.bad.get(branch))
        return self.want(address, "novelty", "stale" if redrafted else "missing")

    def wanted_matches(self, view: View, branches: Sequence[Branch]) -> list[Want]:
        """The matches between these ideas that are due: every pair, or where they are many a round
        of a Swiss tournament."""
        due = left_to_play(view.state, [b for b in branches if has_idea(view, b)], view.failed).due
        return [self.want(match_of(i, j), "selection") for i, j in due]

    def wanted_plan(
        self, view: View, branch: Branch, *, review: bool, proposal: bool
    ) -> list[Want]:
        """The branch's experiment plan, with ``review`` its review and the refinements that the
        bounds allow, then its ``proposal``."""
        out = [self.want(f"{branch}/exp", "experiment")]
        plan = view.state.in_use(f"{branch}/exp")
        if not review or plan is None:
            return out
        state, made = view.state, view.state.in_use(f"{branch}/review")
        match next_of(self._round(state, branch, plan, made)):
            case "review":
                out.append(self.want(f"{branch}/review", "review"))
            case "review again":
                out.append(self.want(f"{branch}/review", "review", "always"))
            case "refine":
                out.append(
                    Want(f"{branch}/exp", self.refine, "always", "review", "the review has points")
                )
            case _ if proposal:
                out.append(self.want(f"{branch}/proposal", "proposal"))
        return out

    def _round(
        self, state: State, branch: Branch, plan: Version, review: Version | None
    ) -> RoundState:
        """How far the review and refinement of a plan are."""
        most = bounds_of(state).refine_rounds
        done = sum(
            "review" in state.versions[s].recipe for s in state.cell(f"{branch}/exp").versions
        )
        if review is None:
            return RoundState(False, False, False, done, most)
        current, points = (
            state.content(review, ReviewContent).of == plan.seq,
            bool(points_of(state, branch, review)),
        )
        return RoundState(True, current, points, done, most, rolled_back(state, branch, review))

    def wanted_after(
        self, view: View, branches: Sequence[Branch], until: str, dead: Container[Branch]
    ) -> list[Want]:
        """Matches, and the plan of the idea that won. A match is between two branches, so a run of
        one branch has none.

        ``dead``: branches that cannot come to an idea in this job.
        """
        reached = IDEA_STAGES[: IDEA_STAGES.index(until) + 1] if until in IDEA_STAGES else ()
        players = with_one_call(view.state, branches, view.scope)
        beside = players[len(branches) :]
        settled = (
            not view.scope.branches
            and "selection" in reached
            and all(branch in dead or _settled(view, branch) for branch in branches)
        )
        settled &= all(has_idea(view, b) or f"{b}/idea" in view.failed for b in beside) and any(
            has_idea(view, b) for b in branches
        )
        out = self.wanted_matches(view, players) if settled else []
        for branch in (
            self._to_plan(view, players, settled=settled) if "experiment" in reached else ()
        ):
            out += [self.wanted_novelty(view, branch)] if branch in beside else []
            out += self.wanted_plan(
                view, branch, review="review" in reached, proposal="proposal" in reached
            )
            if settled and against_due(view.state, branch) and f"{branch}/nov" not in view.failed:
                out.append(
                    Want(
                        f"{branch}/nov",
                        self.search_against,
                        "always",
                        "experiment",
                        "nobody searched against the idea that won",
                    )
                )
        return out

    def _to_plan(self, view: View, branches: Sequence[Branch], *, settled: bool) -> list[Branch]:
        """The branches that get a plan: in a run of some branches each that has an idea, else the
        one that won."""
        if view.scope.branches:
            return [b for b in branches if has_idea(view, b)]
        best = winner(view, branches, settled=settled)
        own = {
            instance_of(b) for b in branches
        }  # what was picked may be another method's, whose runs plan it
        return [best] if best is not None and instance_of(best) in own else []

    # -- what is decided by rule

    def settle_bad_cases(self, view: View, branches: Sequence[Branch]) -> list[Decision]:
        """A close match becomes a bad case and the idea is drafted again, within the bound on
        rounds (COI-12)."""
        return [decision for branch in branches for decision in _close_matches(view, branch)]


def _close_matches(view: View, branch: Branch) -> list[Decision]:
    state, made, fresh = (
        view.state,
        view.state.in_use(f"{branch}/nov"),
        view.fresh.get(f"{branch}/nov"),
    )
    if made is None or fresh is None or not fresh.ok or not _may_redraft(state, branch):
        return []
    rows, why = _new_close_matches(state, branch, made), "too close to a paper, drafted again"
    return [
        Decision(
            actor="coi",
            action="tick",
            address=f"{branch}/bad",
            reason=why,
            value=bad_case(state, made, row),
        )
        for row in rows
    ]


def _new_close_matches(state: State, branch: Branch, made: Version) -> list[ComparedPaper]:
    """The close matches of a report that are no bad cases yet, without those that a person judged
    to be other work."""
    report = state.content(made, NoveltyReport)
    if report.verdict != "close match":
        return []
    known = {case.paper for case in state.bad.get(branch, ())}
    known |= {
        row.paper for row in report.papers if state.judged.get((branch, row.paper)) in JUDGED_APART
    }
    return [row for row in report.papers if row.verdict == "close match" and row.paper not in known]


def _may_redraft(state: State, branch: Branch) -> bool:
    """No person holds the idea, and the bound leaves another round."""
    return (
        state.cell(f"{branch}/idea").lock is None
        and reports(state, branch) < bounds_of(state).novelty_rounds
    )


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
    if report.about:
        return report.about
    version = state.versions.get(int(report.idea[1:])) if report.idea[1:].isdigit() else None
    idea = state.content(version, IdeaContent) if version is not None else IdeaContent()
    return ": ".join(part for part in (idea.title, clipped(idea.final)) if part)


def options(state: State, branch: Branch) -> Iterator[MenuOption]:
    """What is made only on request, in the menu of a row of a branch."""
    none = "" if state.in_use(f"{branch}/idea") else "there is no idea in this branch yet"
    yield MenuOption(
        "n",
        "search against it",
        "the strongest prior work",
        addresses=(f"{branch}/nov",),
        plan_title=f"Search against {branch}/idea",
        off=none,
        step=SearchAgainstStep.name,
    )
    title = f"Write the proposal of {branch}/idea"
    yield MenuOption(
        "w",
        "proposal",
        "for a reader",
        addresses=(f"{branch}/proposal",),
        plan_title=title,
        off=none,
    )


def against_forecast(state: State, branches: Sequence[Branch]) -> Forecast:
    """The search against the idea that wins."""
    planned, step = to_plan(state, branches), SearchAgainstStep()
    due = int(
        len(planned) > 1
        or any(state.in_use(f"{b}/nov") is None or against_due(state, b) for b in planned)
    )
    return Forecast(
        "experiment",
        "a search against the winner",
        "once",
        step.queries_cost(state).times(due, due),
    )


# -- questions about the state


def reports(state: State, branch: Branch) -> int:
    """Novelty reports made so far in this branch: the rounds that the bound counts."""
    return sum(not state.versions[s].by_person for s in state.cell(f"{branch}/nov").versions)


def rounds_left(state: State, branch: Branch, part: str) -> int:
    """How often a branch's idea (``idea``) or the report on it (``nov``) may still be made: again
    for every round that a close match leaves."""
    missing = state.in_use(f"{branch}/{part}") is None
    report = state.read(f"{branch}/nov", NoveltyReport)
    if report is not None and report.verdict != "close match":
        return int(missing)
    left = max(0, bounds_of(state).novelty_rounds - reports(state, branch))
    if part == "nov":
        return max(left, int(missing))
    return int(missing) + max(0, left - (report is None))


def redraft_wanted(view: View, branch: Branch) -> bool:
    """An idea is drafted again in a run only because of a bad case, never because something else
    moved."""
    fresh = view.fresh.get(f"{branch}/idea")
    return fresh is not None and fresh.changed == (f"{branch}/bad#cases",)


def against_due(state: State, branch: Branch) -> bool:
    """Whether a run may search against the idea: there is a report without such a search, and no
    person holds idea or report."""
    report, held = (
        state.read(f"{branch}/nov", NoveltyReport),
        (state.cell(f"{branch}/{part}").lock for part in ("idea", "nov")),
    )
    return (
        report is not None
        and not any(done.angle for done in report.searches)
        and all(lock is None for lock in held)
    )


def has_idea(view: View, branch: Branch) -> bool:
    """An idea is in use, and this job did not fail at it."""
    return view.state.in_use(f"{branch}/idea") is not None and f"{branch}/idea" not in view.failed


def _settled(view: View, branch: Branch) -> bool:
    nov, idea = f"{branch}/nov", f"{branch}/idea"
    if (
        view.state.in_use(nov) is None
        or not has_idea(view, branch)
        or nov in view.running
        or idea in view.running
    ):
        return False
    fresh = view.fresh.get(nov)
    if nov in view.failed:
        # the check failed in this job: the report before it stands, and nothing more comes
        return True
    redrafting = (
        view.state.bad.get(branch)
        and reports(view.state, branch) < bounds_of(view.state).novelty_rounds
    )
    return not (redrafting and fresh is not None and not fresh.ok)


def winner(view: View, branches: Sequence[Branch], *, settled: bool) -> Branch | None:
    """The branch whose idea gets the plan: the person's pick, else the leader once every match is
    in."""
    state = view.state
    if state.pick is not None:
        return state.pick
    if not settled:
        return None
    return leading(state, [b for b in branches if has_idea(view, b)], view.failed)


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
    ideas, beside = (
        [b for b in branches if state.in_use(f"{b}/idea") is not None],
        of_one_call(state),
    )
    own = [b for b in branches if b not in beside] or branches
    won = state.pick or (leading(state, ideas) if any(b in own for b in ideas) else None)
    none_leads = (
        won is None and len(ideas) == len(branches) > 1 and all(state.is_short(b) for b in ideas)
    )
    return [won] if won is not None and won in branches else [] if none_leads else own


def review_forecast(state: State, branches: Sequence[Branch]) -> Forecast:
    """Reviews and refinements; the review that scores a refined plan is also the one of the next
    round."""
    planned, rounds, review, refine = (
        to_plan(state, branches),
        bounds_of(state).refine_rounds,
        ReviewStep(),
        RefineStep(),
    )
    reviews = sum(len(state.cell(f"{b}/review").versions) for b in planned)
    refined = sum(
        "review" in state.versions[s].recipe
        for b in planned
        for s in state.cell(f"{b}/exp").versions
    )
    to_review, to_refine = max(0, 1 - reviews), max(0, rounds - refined)
    if not planned:
        to_review = to_refine = 0
    cost = review.cost(state, "1/review").times(min(to_review, not reviews), to_review)
    cost += refine.cost(state, "1/exp").times(0, to_refine)
    why = f"at most {count(rounds, 'round')}; a refined plan is kept where its own review does not score it lower"
    return Forecast("review", "review and refinement", why, cost)
