"""Chain of Ideas as the engine sees it: its steps, what is wanted next, what is decided by rule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from coi_tui.arena.ratings import standings
from coi_tui.engine.steps import EVERYTHING, Adjust, Forecast, Scope, Step, View, Want, as_guessed
from coi_tui.methods.coi import forecast
from coi_tui.methods.coi.growth import Growing, active, ending, finding, open_sides, proposal
from coi_tui.methods.coi.steps.anchors import AnchorCandidates
from coi_tui.methods.coi.steps.base import eligible, settings_of
from coi_tui.methods.coi.steps.cards import CardStep
from coi_tui.methods.coi.steps.direction import DirectionStep
from coi_tui.methods.coi.steps.experiment import ExperimentStep
from coi_tui.methods.coi.steps.idea import IdeaStep
from coi_tui.methods.coi.steps.neighbours import NeighbourCandidates
from coi_tui.methods.coi.steps.novelty import NoveltyStep
from coi_tui.methods.coi.steps.questions import QuestionsStep
from coi_tui.methods.coi.steps.relevance import RelevanceStep
from coi_tui.methods.coi.steps.review import RefineStep, ReviewStep
from coi_tui.methods.coi.steps.selection import MatchStep
from coi_tui.methods.coi.steps.trends import TrendStep
from coi_tui.model.address import parse_address, slot
from coi_tui.model.entries import Decision
from coi_tui.model.reviewing import points_of
from coi_tui.model.state import State

if TYPE_CHECKING:
    from coi_tui.methods.services import ServiceSet

STAGES = (
    "questions", "anchors", "chains", "cards", "trends", "directions", "ideas", "novelty", "selection", "experiment", "review",
)  # fmt: skip


class ChainOfIdeas:
    """The method; without services it can plan and compute freshness, but not run."""

    name = "Chain of Ideas"
    stages = STAGES

    def __init__(self, tools: ServiceSet | None = None) -> None:
        self._anchors = AnchorCandidates(tools)
        self._neighbours = NeighbourCandidates(tools)
        self._relevance = RelevanceStep(tools)
        self._refine = RefineStep(tools)
        self._by_part: dict[str, Step] = {
            "Q": QuestionsStep(tools), "rel": self._relevance, "card": CardStep(tools), "trend": TrendStep(tools),
            "dir": DirectionStep(tools), "idea": IdeaStep(tools), "nov": NoveltyStep(tools), "match": MatchStep(tools),
            "exp": ExperimentStep(tools), "review": ReviewStep(tools),
        }  # fmt: skip

    def step(self, address: str) -> Step | None:
        at = parse_address(address)
        if at.part == "cands":
            return self._anchors if at.pos == 0 else self._neighbours
        return self._by_part.get(at.part)

    def named(self, name: str) -> Step | None:
        return next((step for step in self.steps if step.name == name), None)

    @property
    def steps(self) -> list[Step]:
        """Every step once, for the tests that hold prompts to their reads."""
        return [self._anchors, self._neighbours, self._refine, *self._by_part.values()]

    def _want(self, address: str, stage: str, when: str = "missing", why: str = "") -> Want:
        step = self.step(address)
        assert step is not None
        return Want(address, step, when, stage, why or f"{stage}: not made yet")  # type: ignore[arg-type]

    # -- what is wanted -------------------------------------------------------------------------------------------

    def wanted(self, view: View, until: str) -> Sequence[Want]:
        last = STAGES.index(until)
        branches = in_scope(view)
        out: list[Want] = [self._want(f"Q{b}", "questions") for b in branches]
        if last >= 1:
            out += [w for b in branches for w in self._wanted_anchor(view, b)]
        if last >= 2:
            out += [w for b in branches for w in self._wanted_growth(view, b, cards=last >= 3)]
        if last >= 4:
            out += [w for b in branches if grown(view, b) for w in self._wanted_texts(view, b, last)]
        if view.scope.branches:  # a match is between two branches, so it belongs to no run of one
            plans = [b for b in branches if last >= 9 and has_idea(view, b)]
            return out + [w for b in plans for w in self._wanted_plan(view, b, last)]
        if last >= 8 and ideas_settled(view, branches):
            pairs = combinations([b for b in branches if has_idea(view, b)], 2)
            out += [self._want(f"A/{i}-{j}", "selection") for i, j in pairs]
        if last >= 9 and (best := winner(view, branches)) is not None:
            out += self._wanted_plan(view, best, last)
        return out

    def _wanted_anchor(self, view: View, branch: int) -> list[Want]:
        address = f"{slot(branch, 0)}.cands"
        if view.state.slot(slot(branch, 0)).paper is not None:
            return []
        made = view.state.in_use(address)
        if made is not None and _anchor_choice(view.state, branch, set()) is None and len(made.content["tries"]) < _tries(view.state):
            return [self._want(address, "anchors", "always", "every paper found is another branch's anchor or was rejected")]
        return [self._want(address, "anchors", "stale")]

    def _wanted_growth(self, view: View, branch: int, cards: bool) -> list[Want]:
        state = view.state
        out = []
        listed = _lists_in(view)
        for side in sides_in_scope(view, branch):
            # For an empty place lists, verdicts and the card they rest on must be of what stands there now, or the wave waits for ever.
            out.append(self._want(side.cands, "chains", "stale"))
            again = finding(state, side, _held(state, side.slot), view.failed)[0] == "again"
            if listed:
                out.append(self._want(side.rel, "chains", "always" if again else "stale"))
            if side.side == "backward":
                out.append(self._want(f"{slot(branch, side.tip_pos)}.card", "chains", "stale"))
        if cards:
            out += [self._want(f"{slot(branch, pos)}.card", "cards") for pos in state.chain(branch)]
        return list({w.address: w for w in reversed(out)}.values())

    def _wanted_texts(self, view: View, branch: int, last: int) -> list[Want]:
        out = [self._want(address, "trends") for address in view.state.trends(branch)]
        if last >= 5:
            out.append(self._want(f"{branch}/dir", "directions"))
        if last >= 6:
            redraft = self._redraft(view, branch)
            out.append(
                self._want(f"{branch}/idea", "ideas", "stale" if redraft else "missing", "a close match was found" if redraft else "")
            )
        if last >= 7:
            again = view.state.in_use(f"{branch}/nov") is not None and reports(view.state, branch) < settings_of(view.state).novelty_rounds
            redrafted = again and bool(view.state.bad.get(branch))
            out.append(self._want(f"{branch}/nov", "novelty", "stale" if redrafted else "missing"))
        return out

    def _redraft(self, view: View, branch: int) -> bool:
        """An idea is drafted again in a run only because of a bad case, never because something else moved."""
        fresh = view.fresh.get(f"{branch}/idea")
        return fresh is not None and fresh.changed == (f"{branch}/bad#cases",)

    def _wanted_plan(self, view: View, branch: int, last: int) -> list[Want]:
        out = [self._want(f"{branch}/exp", "experiment")]
        plan = view.state.in_use(f"{branch}/exp")
        if last < 10 or plan is None:
            return out
        state, review = view.state, view.state.in_use(f"{branch}/review")
        rounds = settings_of(state).refine_rounds
        done = sum("review" in state.versions[s].recipe for s in state.cell(f"{branch}/exp").versions)
        if review is None:
            return [*out, self._want(f"{branch}/review", "review")]
        if review.content["of"] != plan.seq:
            return [*out, self._want(f"{branch}/review", "review", "always")] if done < rounds else out
        if points_of(state, branch, review) and done < rounds:
            return [*out, Want(f"{branch}/exp", self._refine, "always", "review", "the review has points")]
        return out

    # -- what is decided by rule ----------------------------------------------------------------------------------

    def settle(self, view: View, until: str) -> Sequence[Decision]:
        last = STAGES.index(until)
        if last >= 1 and (found := self._settle_anchors(view)):
            return found
        if last >= 2 and (found := self._settle_wave(view)):
            return found
        return self._settle_bad_cases(view) if last >= 7 else []

    def _settle_anchors(self, view: View) -> list[Decision]:
        """Anchors are given out in branch order, after all searches are in."""
        empty = [b for b in in_scope(view) if view.state.slot(slot(b, 0)).paper is None]
        if any(self._anchor_pending(view, b) for b in empty):
            return []
        out: list[Decision] = []
        taken: set[str] = set()
        for branch in empty:
            row = _anchor_choice(view.state, branch, taken)
            if row is not None:
                taken.add(str(row["paper"]))
                out.append(_anchor_proposal(view.state, branch, row))
        return out

    def _anchor_pending(self, view: View, branch: int) -> bool:
        address = f"{slot(branch, 0)}.cands"
        if address in view.running:
            return True
        if address in view.failed or f"Q{branch}" in view.failed:
            return False
        made = view.state.in_use(address)
        return made is None or not view.state.matches(made)

    def _settle_wave(self, view: View) -> list[Decision]:
        """One wave: every open side's verdicts are in, then the lower branch goes first, and forward before backward."""
        state = view.state
        sides = [side for b in in_scope(view) for side in sides_in_scope(view, b)]
        if not sides or any(self._anchor_pending(view, b) for b in in_scope(view) if state.slot(slot(b, 0)).paper is None):
            return []
        wave: set[str] = set()
        decided: list[Decision] = []
        waiting = False
        everywhere = _held(state, "")
        for side in sides:
            if side.cands in view.running or side.rel in view.running:
                return []
            kind, what = finding(state, side, everywhere | wave, view.failed)
            if kind == "pending":
                return []
            if kind == "take":
                wave.add(what)
                decided.append(proposal(state, side, what))
            elif finding(state, side, everywhere, view.failed)[0] == "take":
                waiting = True  # wanted twice: the one that goes first has it, this one judges further in the next wave
            elif kind == "none":
                decided.append(ending(side, what))
            else:
                waiting = True
        return [] if waiting and not decided else decided

    def _settle_bad_cases(self, view: View) -> list[Decision]:
        """A close match becomes a bad case and the idea is drafted again, within the bound on rounds (COI-12)."""
        out = []
        for branch in in_scope(view):
            report = view.state.in_use(f"{branch}/nov")
            fresh = view.fresh.get(f"{branch}/nov")
            if report is None or fresh is None or not fresh.ok or report.content["verdict"] != "close match":
                continue
            if reports(view.state, branch) >= settings_of(view.state).novelty_rounds or view.state.cell(f"{branch}/idea").lock is not None:
                continue
            known = {case.paper for case in view.state.bad.get(branch, ())}
            close = [r for r in report.content["papers"] if r["verdict"] == "close match" and r["paper"] not in known]
            out += [_bad_case(view.state, branch, report.seq, row) for row in close]
        return out

    def forecast(self, state: State, until: str, scope: Scope = EVERYTHING, adjust: Adjust = as_guessed) -> Sequence[Forecast]:
        return forecast.lines(self, state, until, scope, adjust)


# -- questions about the state ------------------------------------------------------------------------------------


def in_scope(view: View) -> list[int]:
    """The active branches that this job is for."""
    return [b for b in active(view.state) if view.scope.holds(b)]


def sides_in_scope(view: View, branch: int) -> list[Growing]:
    """The next places of a branch that this job may fill."""
    return [side for side in open_sides(view.state, branch, view.failed) if view.scope.reaches(side.side, side.pos)]


def grown(view: View, branch: int) -> bool:
    """The chain of a branch has come to its end for this job."""
    return bool(view.state.chain(branch)) and not sides_in_scope(view, branch)


def reports(state: State, branch: int) -> int:
    """Novelty reports made so far in this branch: the rounds that the bound counts."""
    return sum(not state.versions[s].by_person for s in state.cell(f"{branch}/nov").versions)


def dead(view: View, branch: int) -> bool:
    """Something failed in this job that the branch's idea stands on."""
    own = [a for a in view.failed if a == f"Q{branch}" or a.startswith(f"{branch}/")]
    sides = [a for a in own if parse_address(a).part in ("cands", "rel") and parse_address(a).pos != 0]
    return len(own) > len(sides) or (view.state.slot(slot(branch, 0)).paper is None and not _can_anchor(view, branch))


def _can_anchor(view: View, branch: int) -> bool:
    made = view.state.in_use(f"{slot(branch, 0)}.cands")
    return made is None or _anchor_choice(view.state, branch, set()) is not None or len(made.content["tries"]) < _tries(view.state)


def _lists_in(view: View) -> bool:
    """The candidate lists of this wave are all in, so that a paper wanted twice shows before anything is judged."""
    state = view.state
    sides = [side for b in in_scope(view) for side in sides_in_scope(view, b)]
    made = [(state.in_use(side.cands), side.cands) for side in sides]
    return all(list_ is not None and state.matches(list_) and address not in view.running for list_, address in made)


def has_idea(view: View, branch: int) -> bool:
    return view.state.in_use(f"{branch}/idea") is not None and f"{branch}/idea" not in view.failed


def ideas_settled(view: View, branches: Sequence[int]) -> bool:
    """Every branch that can still get there has its idea and its last novelty report."""
    for branch in branches:
        if dead(view, branch):
            continue
        nov = view.state.in_use(f"{branch}/nov")
        if nov is None or not has_idea(view, branch) or f"{branch}/nov" in view.running or f"{branch}/idea" in view.running:
            return False
        fresh = view.fresh.get(f"{branch}/nov")
        redrafting = view.state.bad.get(branch) and reports(view.state, branch) < settings_of(view.state).novelty_rounds
        if redrafting and fresh is not None and not fresh.ok:
            return False
    return True


def winner(view: View, branches: Sequence[int]) -> int | None:
    """The branch whose idea gets the plan: the person's pick, else the leader once every match is in."""
    state = view.state
    if state.pick is not None:
        return state.pick
    if not ideas_settled(view, branches):
        return None
    players = [b for b in branches if has_idea(view, b)]
    played = []
    for i, j in combinations(players, 2):
        match = state.in_use(f"A/{i}-{j}")
        if match is None:
            if f"A/{i}-{j}" in view.failed:
                continue
            return None
        played.append((i, j, match.content["results"]))
    return standings(players, played)[0].player if players else None


def _tries(state: State) -> int:
    return settings_of(state).anchor_tries


def _held(state: State, but: str) -> set[str]:
    return {s.paper for address, s in state.slots.items() if s.paper and address != but}


def _anchor_choice(state: State, branch: int, also_taken: set[str]) -> Mapping[str, object] | None:
    """The best readable candidate that no other chain holds and that was not rejected here."""
    made = state.in_use(f"{slot(branch, 0)}.cands")
    barred = _held(state, slot(branch, 0)) | state.rejected(branch) | also_taken
    rows = made.content["entries"] if made is not None else []
    return next((row for row in rows if eligible(row) and row.get("fits", True) and row["paper"] not in barred), None)


def _anchor_proposal(state: State, branch: int, row: Mapping[str, object]) -> Decision:
    made = state.in_use(f"{slot(branch, 0)}.cands")
    assert made is not None
    last = made.content["tries"][-1]
    why = {
        "rank": row["rank"], "of": len(made.content["entries"]), "score": row["score"], "ranked": made.content["ranked"],
        "question": branch, "query": last["query"], "source": last["source"], "date": last["date"], "cands": made.seq,
    }  # fmt: skip
    return Decision(actor="coi", action="propose", address=slot(branch, 0), value={"paper": row["paper"], "why": why})


def _bad_case(state: State, branch: int, report: int, row: Mapping[str, str]) -> Decision:
    paper = state.papers.get(row["paper"])
    title = paper.title if paper else row["paper"]
    return Decision(
        actor="coi", action="tick", address=f"{branch}/bad", reason="judged a close match",
        value={"report": report, "paper": row["paper"], "title": title, "reason": row["reason"]},
    )  # fmt: skip


__all__ = ["STAGES", "ChainOfIdeas", "Growing", "active", "dead", "grown", "winner"]
