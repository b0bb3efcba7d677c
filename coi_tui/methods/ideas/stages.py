"""From an idea to its proposal: novelty check, matches, experiment plan, review and refinement
(COI-12 to COI-15). These stages are the same for the ideas of every method."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from typing import Any

from coi_tui.engine.declarations import Forecast, MenuOption, Scope, Task, View, Want
from coi_tui.engine.freshness import Reads
from coi_tui.methods.base.cell_table import is_made, title_of
from coi_tui.methods.base.idea_settings import bounds_of
from coi_tui.methods.chain.chains import Chains
from coi_tui.methods.ideas.bad_cases import BadCases
from coi_tui.methods.ideas.clarify import ASKED, ClarifyTask
from coi_tui.methods.ideas.experiment import ExperimentTask, ProposalTask, RefineTask, ReviewTask
from coi_tui.methods.ideas.literature import LITERATURE, LiteratureTask
from coi_tui.methods.ideas.matches import (
    MatchTask,
    leading,
    matches_forecast,
    matches_wanted,
    of_one_call,
    with_one_call,
)
from coi_tui.methods.ideas.novelty import USUAL, NoveltyTask, SearchAgainstTask
from coi_tui.methods.ideas.sketches import assigned, fell_before, made_from, next_sketch
from coi_tui.methods.services import ServiceSet
from coi_tui.model.address import Branch, cell_at, cell_ref, ref
from coi_tui.model.content import (
    ComparedPaper,
    IdeaContent,
    NoveltyReport,
    ReviewContent,
    WorkedOutIdea,
)
from coi_tui.model.entries import Decision, Version
from coi_tui.model.errors import CoiError
from coi_tui.model.reviewing import points_to_answer, rolled_back
from coi_tui.model.state import State
from coi_tui.model.text import Fields, clipped, count

JUDGED_APART = ("overlaps, differs", "unrelated")
"""What a person may say of a paper so that no rule holds it against the idea."""

MOST_TRIES = 3
"""Sketches of a branch that are worked out one after the other, at most, while they fall."""
IDEA_STAGES = ("novelty", "selection", "experiment", "review", "proposal")
"""The stages after the ideas, in their order."""


class IdeaStages:
    """The base of a method: the tasks that follow an idea, and what is wanted of them next.
    ``by_part``: the method's own tasks, by the kind of cell that each makes."""

    by_part: dict[str, Task]

    @staticmethod
    def evidence(state: State, address: str, /) -> Reads:
        """What the plan of an idea may draw on, as reads named ``papers``, ``experiments`` and
        ``records``."""
        return ()

    novelty = USUAL
    """What its ideas are compared with in a novelty check, and what is called close."""

    def __init__(self, tools: ServiceSet | None) -> None:
        evidence, novelty = self.evidence, self.novelty
        self.after_ideas: dict[str, Task] = {
            "nov": NoveltyTask(tools, novelty),
            "match": MatchTask(tools),
            "exp": ExperimentTask(tools, evidence),
            "review": ReviewTask(tools),
            "proposal": ProposalTask(tools, evidence),
            ASKED: ClarifyTask(tools, task=self.task),
            LITERATURE: LiteratureTask(tools),
        }
        self._refine = RefineTask(tools, evidence)
        self._search_against = SearchAgainstTask(tools, novelty)

    @property
    def every_task(self) -> list[Task]:
        """Every task once."""
        return [*{**self.after_ideas, **self.by_part}.values(), self._refine, self._search_against]

    def task(self, address: str) -> Task | None:
        """The task that makes a cell; None for what only a person or a rule writes."""
        part = cell_ref(address).kind
        return self.by_part.get(part) or self.after_ideas.get(part)

    def task_of(self, address: str) -> Task:
        """The task that makes a cell that has one. Raises CoiError."""
        task = self.task(address)
        if task is None:
            raise CoiError(f"No task of the method makes {address}.")
        return task

    def want(self, address: str, stage: str, when: Any = "missing", why: str = "") -> Want:
        """The cell at an address, by its own task; ``when`` as of a ``Want``."""
        return Want(address, self.task_of(address), when, stage, why or f"{stage}: not made yet")

    # -- what is wanted

    def wanted_novelty(self, view: View, branch: Branch) -> Want:
        """The branch's novelty report; another one for an idea that was drafted again because of a
        close match."""
        when = "stale" if redrafting(view.state, branch) else "missing"
        return self.want(cell_at(branch, "nov"), "novelty", when)

    def wanted_after(
        self, view: View, branches: Sequence[Branch], until: str, dead: Container[Branch]
    ) -> list[Want]:
        """Matches, and the plan of the idea that won. A match is between two branches, so a run of
        some branches has none, and plans each idea.

        ``dead``: branches that cannot come to an idea in this job.
        """
        reached = IDEA_STAGES[: IDEA_STAGES.index(until) + 1] if until in IDEA_STAGES else ()
        if "selection" not in reached:
            return []
        players = with_one_call(view.state, branches, view.scope)
        plain, ready = players[len(branches) :], [b for b in players if has_idea(view, b)]
        settled = not view.scope.branches and _all_settled(view, branches, plain, dead)
        out = matches_wanted(view, ready, self.after_ideas["match"]) if settled else []
        planned = _planned_now(view, players, ready, settled=settled)
        for branch in planned if "experiment" in reached else ():
            out += [self.wanted_novelty(view, branch)] if branch in plain else []
            out += self._wanted_plan(view, branch, reached)
            report = cell_at(branch, "nov")
            if settled and against_due(view.state, branch) and report not in view.failed:
                why = "nobody searched against the idea that won"
                out.append(Want(report, self._search_against, "always", "experiment", why))
        return out

    def _wanted_plan(self, view: View, branch: Branch, reached: Sequence[str]) -> list[Want]:
        """The branch's experiment plan, its review and the refinements that the bounds allow, then
        its proposal."""
        state, out = view.state, [self.want(cell_at(branch, "exp"), "experiment")]
        plan, review = (state.in_use(cell_at(branch, part)) for part in ("exp", "review"))
        if "review" not in reached or plan is None:
            return out
        left = refinements(state, branch) < bounds_of(state).refine_rounds
        if review is None:
            out.append(self.want(cell_at(branch, "review"), "review"))
        elif left and state.content(review, ReviewContent).of != plan.seq:
            out.append(self.want(cell_at(branch, "review"), "review", "always"))
        elif (
            left
            and points_to_answer(state, branch, review)
            and not rolled_back(state, branch, review)
        ):
            why = "the review has points"
            out.append(Want(cell_at(branch, "exp"), self._refine, "always", "review", why))
        elif "proposal" in reached:
            out.append(self.want(cell_at(branch, "proposal"), "proposal"))
        return out


# -- what is decided by rule


def _close(view: View, branch: Branch) -> list[ComparedPaper]:
    """The close matches of the report in use, where it is up to date, without those that a person
    judged to be other work."""
    state, address = view.state, cell_at(branch, "nov")
    report, fresh = state.read(address, NoveltyReport), view.fresh.get(address)
    return [
        row
        for row in (report.papers if report is not None and fresh is not None and fresh.ok else ())
        if row.verdict == "close match"
        and state.judged.get((branch, row.paper)) not in JUDGED_APART
    ]


def close_matches(view: View, branch: Branch) -> list[Decision]:
    """The close matches of the report in use become bad cases, and the idea is drafted again
    (COI-12); none where a person protects the idea or no round is left."""
    state, report = view.state, view.state.in_use(cell_at(branch, "nov"))
    protected = state.cell(cell_at(branch, "idea")).lock is not None
    if report is None or protected or not redrafts_left(state, branch):
        return []
    known = {case.paper for case in BadCases.of(state).of_branch(branch)}
    return [
        Decision(
            actor="coi",
            action="tick",
            address=cell_at(branch, "bad"),
            reason="too close to a paper, drafted again",
            value=bad_case(state, report, row),
        )
        for row in _close(view, branch)
        if row.paper not in known
    ]


def falls(view: View, branch: Branch) -> list[Decision]:
    """The sketch of a branch falls where it did not hold when it was worked out, or where a novelty
    check found a close match and a round is left; not where nothing could come after it, nor where a
    person holds the idea."""
    state, address = view.state, cell_at(branch, "idea")
    idea, sketch = state.in_use(address), assigned(state).get(branch, "")
    tried = len(state.cell(address).versions)
    if idea is None or state.cell(address).lock is not None or sketch not in made_from(idea):
        return []
    if tried >= MOST_TRIES or not next_sketch(state, branch):
        return []
    worked, why = state.content(idea, WorkedOutIdea), ""
    may_fall = redrafts_left(state, branch) and not state.cell(sketch).picked
    if worked.holds == "falls":
        why = worked.why
    elif may_fall and (close := _close(view, branch)):
        why = f"too close to “{title_of(state, close[0].paper)}”: {close[0].reason}"
    return [Decision(actor="coi", action="reject", address=sketch, reason=why)] if why else []


def bad_case(state: State, report: Version, row: ComparedPaper, reason: str = "") -> Fields:
    """What is held against the next draft: the paper, why, what the two share, and the idea that
    came too close to it, in short."""
    version = state.versions.get(int(state.content(report, NoveltyReport).idea[1:] or 0))
    idea = state.content(version, IdeaContent) if version is not None else IdeaContent()
    in_short = ": ".join(filter(None, (idea.title, idea.summary or clipped(idea.final))))
    return {
        "report": report.seq,
        "paper": row.paper,
        "title": title_of(state, row.paper),
        "reason": reason or row.reason,
        **({"idea": in_short} if in_short else {}),
        **({"shared": row.overlap} if row.overlap else {}),
    }


def options(state: State, branch: Branch) -> Iterator[MenuOption]:
    """What is made only on request, in the menu of a row of a branch."""
    none = "" if state.in_use(cell_at(branch, "idea")) else "there is no idea in this branch yet"
    against = SearchAgainstTask.name
    for key, what, note, part, title, task in (
        ("e", "experiment", "", "exp", "Make the experiment of", ""),
        ("n", "search against it", "the strongest prior work", "nov", "Search against", against),
        ("w", "proposal", "for a reader", "proposal", "Write the proposal of", ""),
    ):
        yield MenuOption(
            key,
            what,
            note,
            addresses=(cell_at(branch, part),),
            plan_title=f"{title} {branch}/idea",
            off=none,
            task=task,
        )
    asked = (cell_at(branch, ASKED),)
    what, note = "ask me first", "three questions at most, before a draft"
    yield MenuOption("?", what, note, addresses=asked, plan_title=f"Ask you about {branch}")


# -- questions about the state


def planned(state: State) -> list[Branch]:
    """The branches that a plan was made for."""
    return [b for b in state.branches if is_made(state, b, "exp")]


def redrafts_left(state: State, branch: Branch) -> bool:
    """Whether the bound leaves another round: it counts the novelty reports of the branch."""
    made = sum(not state.versions[s].by_person for s in state.cell(cell_at(branch, "nov")).versions)
    return made < bounds_of(state).novelty_rounds


def redrafting(state: State, branch: Branch) -> bool:
    """Whether an idea of the branch was turned down, and a report on a further draft may come."""
    turned_down = BadCases.of(state).of_branch(branch) or fell_before(state, branch)
    return bool(turned_down) and redrafts_left(state, branch)


def refinements(state: State, branch: Branch) -> int:
    """How often the plan of a branch was refined."""
    return sum(
        "review" in state.versions[s].recipe for s in state.cell(cell_at(branch, "exp")).versions
    )


def open_rounds(state: State, branches: Iterable[Branch]) -> int:
    """How many drafts and reports may still come in branches: the bound on rounds in each that has
    no report yet, or one of a close match with a round left."""
    found = [(b, state.read(cell_at(b, "nov"), NoveltyReport)) for b in branches]
    still_open = [
        b for b, r in found if r is None or (r.verdict == "close match" and redrafts_left(state, b))
    ]
    return len(still_open) * bounds_of(state).novelty_rounds


def redraft_wanted(view: View, branch: Branch) -> bool:
    """An idea is drafted again in a run only because of a bad case, never because something else
    moved."""
    fresh = view.fresh.get(cell_at(branch, "idea"))
    return fresh is not None and fresh.changed == (ref(cell_at(branch, "bad"), "cases"),)


def against_due(state: State, branch: Branch) -> bool:
    """Whether a run may search against the idea: there is a report without such a search, and no
    person protects idea or report."""
    report = state.read(cell_at(branch, "nov"), NoveltyReport)
    protected = any(state.cell(cell_at(branch, part)).lock is not None for part in ("idea", "nov"))
    return report is not None and not protected and not any(s.angle for s in report.searches)


def has_idea(view: View, branch: Branch) -> bool:
    """An idea is in use, and this job did not fail at it."""
    return is_made(view.state, branch, "idea") and cell_at(branch, "idea") not in view.failed


def _settled(view: View, branch: Branch) -> bool:
    """The branch has its idea and its last novelty report. Where a check failed in this job, the
    report before it is the last one; a report that is up to date and made once more is searched
    against, which holds up neither plan nor review."""
    nov, idea = cell_at(branch, "nov"), cell_at(branch, "idea")
    if view.state.in_use(nov) is None or not has_idea(view, branch) or idea in view.running:
        return False
    fresh = view.fresh.get(nov)
    up_to_date = fresh is None or fresh.ok
    if nov in view.running:
        return up_to_date
    return nov in view.failed or up_to_date or not redrafting(view.state, branch)


def _all_settled(
    view: View, branches: Sequence[Branch], plain: Sequence[Branch], dead: Container[Branch]
) -> bool:
    """Whether there are ideas, and no other idea of a run, nor the last report of one, is to come.
    ``plain``: the branches of One call, which need no report."""
    waits = any(b not in dead and not _settled(view, b) for b in branches)
    waits |= any(not has_idea(view, b) and cell_at(b, "idea") not in view.failed for b in plain)
    return not waits and any(has_idea(view, b) for b in branches)


def _planned_now(
    view: View, players: Sequence[Branch], ready: Sequence[Branch], *, settled: bool
) -> Sequence[Branch]:
    """The ideas whose plans are due: in a run of some branches each, else the person's pick, or
    what leads."""
    if view.scope.branches:
        return ready
    best = view.state.pick or (leading(view.state, ready, view.failed) if settled else None)
    return [b for b in players if b == best]


# -- what a run takes


def to_plan(state: State, branches: Sequence[Branch], scope: Scope) -> Sequence[Branch]:
    """The branches that may get the plan: in a run of some branches each of them, else the person's
    pick or what leads, and before that any, but not One call; none where no idea may lead."""
    if scope.branches:
        return branches
    players = with_one_call(state, branches)
    ideas = [b for b in players if is_made(state, b, "idea")]
    won = state.pick or (leading(state, ideas) if ideas == players else None)
    if won is not None:
        return [won] if won in players else []
    short = ideas == players and all(Chains.of(state).is_short(b) for b in ideas)
    return [] if short else [b for b in branches if b not in of_one_call(state)] or branches


def forecasts_after(
    state: State, branches: Sequence[Branch], scope: Scope, match: Task
) -> Iterator[Forecast]:
    """The lines that are no kind of cell: reviews with their refinements, and in a run of all
    branches matches and the search against the winner."""
    planned = to_plan(state, branches, scope)
    if not scope.branches:
        yield matches_forecast(state, with_one_call(state, branches), match)
        due = len(planned) > 1 or any(
            not is_made(state, b, "nov") or against_due(state, b) for b in planned
        )
        if due:
            cost = SearchAgainstTask().queries_cost(state)
            yield Forecast("experiment", "a search against the winner", "once", cost)
    rounds = bounds_of(state).refine_rounds
    to_review = bool(planned) and not any(
        state.cell(cell_at(b, "review")).versions for b in planned
    )
    to_refine = max(0, rounds - sum(refinements(state, b) for b in planned)) if planned else 0
    # The review that scores a refined plan is also the one of the next round.
    cost = ReviewTask().cost(state, "1/review").times(to_review, to_review)
    cost += RefineTask().cost(state, "1/exp").times(0, to_refine)
    yield Forecast("review", "review and refinement", f"at most {count(rounds, 'round')}", cost)
