"""Chain of Ideas as the engine and the workbench see it: its steps, what is wanted next, what is
decided by rule, its rows in the tree (a branch has one, its question, its chain old to new with a
trend between neighbours, and its texts), and why its branches came to less than was asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from coi_tui.engine.declarations import (
    EVERYTHING,
    Forecast,
    MenuOption,
    OutlineRow,
    Scope,
    Task,
    View,
    Want,
)
from coi_tui.methods.branched import BranchedMethod, asks
from coi_tui.methods.coi import forecast
from coi_tui.methods.coi.anchors import AnchorCandidates, QuestionsTask
from coi_tui.methods.coi.cards import CardTask
from coi_tui.methods.coi.document import chain_document
from coi_tui.methods.coi.growth import (
    SIDES,
    Growing,
    active,
    bounds_of,
    ending,
    finding,
    first_forward,
    open_sides,
    proposal,
    thought,
    why_stopped,
)
from coi_tui.methods.coi.kinds import KINDS
from coi_tui.methods.coi.menu import options, retry
from coi_tui.methods.coi.neighbours import NeighbourCandidates
from coi_tui.methods.coi.relevance import RelevanceTask
from coi_tui.methods.coi.texts import TREND, DirectionTask, IdeaTask
from coi_tui.methods.evidence.papers import chain_evidence
from coi_tui.methods.evidence.reading_list import ReadingListTask
from coi_tui.methods.ideas.rivals import RivalsTask
from coi_tui.model.address import (
    CANDIDATES,
    READING,
    SUMMARY,
    VERDICTS,
    Branch,
    pair,
    parse_address,
    place,
    slot,
)
from coi_tui.model.content import CandidateList, CandidateRow, Note
from coi_tui.model.document import MethodDocument
from coi_tui.model.entries import Decision
from coi_tui.model.state import State
from coi_tui.model.text import count

if TYPE_CHECKING:
    from coi_tui.methods.services import ServiceSet


class ChainOfIdeas(BranchedMethod):
    """The method; without services it can plan and compute freshness, but not run. It has one
    instance, with numbered branches."""

    name, short = "Chain of Ideas", "CoI"
    own_stages = (
        "questions",
        "anchors",
        "chains",
        "cards",
        "trends",
        "directions",
        "rivals",
        "ideas",
    )
    kinds = KINDS

    def __init__(self, instance: str = "", tools: ServiceSet | None = None) -> None:
        self._anchors = AnchorCandidates(tools)
        self._neighbours = NeighbourCandidates(tools)
        super().__init__(instance, tools, chain_evidence)

    def make_tasks(self, tools: ServiceSet | None) -> dict[str, Task]:
        return {
            READING: ReadingListTask(tools),
            "Q": QuestionsTask(tools),
            "rel": RelevanceTask(tools),
            "card": CardTask(tools),
            "trend": TREND.by(tools),
            "dir": DirectionTask(tools),
            "rivals": RivalsTask(tools, thought),
            "idea": IdeaTask(tools),
        }

    def step(self, address: str) -> Task | None:
        at = parse_address(address)
        if at.part == "cands":
            return self._anchors if at.pos == 0 else self._neighbours
        return super().step(address)

    @property
    def steps(self) -> list[Task]:
        return [self._anchors, self._neighbours, *super().steps]

    def outline(self, state: State, failed: Mapping[str, str]) -> Iterator[OutlineRow]:
        return outline(state, failed)

    def document(
        self, state: State, branches: Sequence[Branch], decisions: Sequence[Decision]
    ) -> MethodDocument:
        stopped = {(b, side): why for b in branches for side, why in self.ends(state, b).items()}
        return chain_document(
            state, branches, decisions=decisions, stopped=stopped, minimum=bounds_of(state).minimum
        )

    def options(self, state: State, address: str) -> Iterator[MenuOption]:
        return options(state, address)

    def ends(self, state: State, branch: Branch) -> Mapping[str, str]:
        return {side: why_stopped(state, branch, side) for side in SIDES}

    def stop_growing(self, state: State, address: str, reason: str) -> Decision | None:
        at = parse_address(address)
        side = next((s for s in open_sides(state, at.branch, {}) if s.pos == at.pos), None)
        return ending(side, reason) if side is not None else None

    def shortfall(self, state: State) -> str:
        return shortfall(state)

    def retry(self, state: State, address: str) -> MenuOption | None:
        return retry(state, address)

    def reached(self, state: State) -> str:
        """The last stage of which something exists; empty for none."""
        parts = {parse_address(a).part for a in state.cells if not parse_address(a).instance}
        longest = max((len(state.chain(b)) for b in state.branches_of("")), default=0)
        found = {kind.stage for kind in KINDS if kind.name in parts - {"cands", "rel"}}
        found |= set(("anchors", "chains")[: min(longest, 2)])
        found |= {"selection"} if "match" in parts else set()
        return next((stage for stage in reversed(self.stages) if stage in found), "")

    def branches(self, state: State) -> list[Branch]:
        return active(state)

    # -- what is wanted

    def wanted(self, view: View, until: str) -> Sequence[Want]:
        """No text is made from a chain that still grows."""
        growing = {
            f"{b}/{part}"
            for b in self.in_scope(view)
            if not grown(view, b)
            for part in ("rivals", "idea", "nov")
        }
        return [want for want in super().wanted(view, until) if want.address not in growing]

    def wanted_first(self, view: View, last: str) -> Iterable[Want]:
        reached, branches = self.stages[: self.stages.index(last) + 1], self.in_scope(view)
        out = [self.want(f"Q{b}", "questions") for b in branches]
        if "anchors" in reached:
            bare = [b for b in branches if not view.state.chain(b)]
            if bare or view.state.in_use(READING) is not None:
                out.append(self.want(READING, "anchors", "stale"))
            out += [self._wanted_anchor(view, b) for b in bare]
        if "chains" in reached:
            listed = _lists_in(view, self.all_sides(view))
            for branch in branches:
                out += self._wanted_growth(view, branch, listed=listed, cards="cards" in reached)
        for branch in branches if "trends" in reached else ():
            if grown(view, branch):
                out += [self.want(address, "trends") for address in view.state.pairs(branch)]
                if "directions" in reached:
                    out.append(self.want(f"{branch}/dir", "directions"))
        return out

    def dead(self, view: View, branch: Branch) -> bool:
        """Something failed in this job that the branch's idea stands on."""
        own = [a for a in view.failed if a == f"Q{branch}" or a.startswith(f"{branch}/")]
        sides = [
            a
            for a in own
            if parse_address(a).part in ("cands", "rel") and parse_address(a).pos != 0
        ]
        return len(own) > len(sides) or (
            not view.state.chain(branch) and not _can_anchor(view.state, branch)
        )

    def _wanted_anchor(self, view: View, branch: Branch) -> Want:
        address = f"{slot(branch, 0)}.cands"
        listed = view.state.read(address, CandidateList)
        free = _anchor_choice(view.state, branch, set())
        if listed is not None and free is None and _may_try_again(view.state, listed):
            why = "every paper found is another branch's anchor or was rejected"
            return self.want(address, "anchors", "always", why)
        return self.want(address, "anchors", "stale")

    def _wanted_growth(
        self, view: View, branch: Branch, *, listed: bool, cards: bool
    ) -> list[Want]:
        state = view.state
        out = []
        reachable = _reachable(view, branch)
        for side in first_forward(reachable):
            # For an empty place lists, verdicts and the card they rest on must be of what stands
            # there now, or the wave waits for ever.
            out.append(self.want(side.cands, "chains", "stale"))
            again = finding(state, side, _held(state, side.slot), view.failed)[0] == "again"
            if listed:
                out.append(self.want(side.rel, "chains", "always" if again else "stale"))
        # The card that a backward side starts from is also read while that side still waits for its
        # turn.
        out += [
            self.want(f"{slot(branch, side.tip_pos)}.card", "chains", "stale")
            for side in reachable
            if side.side == "backward"
        ]
        if cards:
            out += [self.want(f"{slot(branch, pos)}.card", "cards") for pos in state.chain(branch)]
        return list({w.address: w for w in reversed(out)}.values())

    # -- what is decided by rule

    def all_sides(self, view: View) -> list[Growing]:
        """The next places of all branches that this wave is about."""
        return [side for b in self.in_scope(view) for side in first_forward(_reachable(view, b))]

    def anchors_pending(self, view: View) -> bool:
        """A search for an anchor is still to come in this job."""
        return any(
            not view.state.chain(b) and _anchor_pending(view, b) for b in self.in_scope(view)
        )

    def settle(self, view: View, until: str) -> Sequence[Decision]:
        reached = self.stages[: self.stages.index(until) + 1]
        if "anchors" in reached and (found := self._settle_anchors(view)):
            return found
        if "chains" in reached and (found := self._settle_wave(view)):
            return found
        return super().settle(view, until)

    def _settle_anchors(self, view: View) -> list[Decision]:
        """Anchors are given out in branch order, after all searches are in."""
        if self.anchors_pending(view):
            return []
        out: list[Decision] = []
        taken: set[str] = set()
        for branch in self.in_scope(view):
            row = _anchor_choice(view.state, branch, taken)
            if row is not None and not view.state.chain(branch):
                taken.add(row.paper)
                out.append(_anchor_proposal(view.state, branch, row))
        return out

    def _settle_wave(self, view: View) -> list[Decision]:
        """One wave: every open side's verdicts are in, then the lower branch goes first, and
        forward before backward."""
        state, sides = view.state, self.all_sides(view)
        if not sides or self.anchors_pending(view) or any(_runs(view, side) for side in sides):
            return []
        taken: set[str] = set()
        decided: list[Decision] = []
        everywhere = _held(state, "")
        for side in sides:
            kind, what = finding(state, side, everywhere | taken, view.failed)
            if kind == "pending":
                return []
            if kind == "take":
                taken.add(what)
                decided.append(proposal(state, side, what))
            # A paper wanted twice goes to the side that is first; the other judges further in the
            # next wave, and does not end.
            elif kind == "none" and finding(state, side, everywhere, view.failed)[0] != "take":
                decided.append(ending(side, what))
        return decided

    def forecast(self, state: State, until: str, scope: Scope = EVERYTHING) -> Sequence[Forecast]:
        own = filter(asks, forecast.lines(self.step, state, active(state), scope))
        return self.forecast_from("rivals", state, until, scope, own)


# -- questions about the state


def _reachable(view: View, branch: Branch) -> list[Growing]:
    """The next places of a branch that this job may fill."""
    if branch in view.scope.closed:
        return []
    return [
        side
        for side in open_sides(view.state, branch, view.failed)
        if view.scope.reaches(side.side, side.pos)
    ]


def _runs(view: View, side: Growing) -> bool:
    return side.cands in view.running or side.rel in view.running


def _anchor_pending(view: View, branch: Branch) -> bool:
    address = f"{slot(branch, 0)}.cands"
    if address in view.running:
        return True
    if address in view.failed or f"Q{branch}" in view.failed:
        return False
    made = view.state.in_use(address)
    return made is None or not view.state.matches(made)


def grown(view: View, branch: Branch) -> bool:
    """The chain of a branch has come to its end for this job."""
    return bool(view.state.chain(branch)) and not _reachable(view, branch)


def _can_anchor(state: State, branch: Branch) -> bool:
    listed = state.read(f"{slot(branch, 0)}.cands", CandidateList)
    return (
        listed is None
        or _anchor_choice(state, branch, set()) is not None
        or _may_try_again(state, listed)
    )


def _lists_in(view: View, sides: Sequence[Growing]) -> bool:
    """The candidate lists of this wave are all in, so that a paper wanted twice shows before
    anything is judged."""
    state = view.state
    made = [(state.in_use(side.cands), side.cands) for side in sides]
    return all(
        list_ is not None and state.matches(list_) and address not in view.running
        for list_, address in made
    )


def _may_try_again(state: State, listed: CandidateList) -> bool:
    return not listed.refused and len(listed.tries) < bounds_of(state).anchor_tries


def _held(state: State, but: str) -> set[str]:
    return {s.paper for address, s in state.slots.items() if s.paper and address != but}


def _anchor_choice(state: State, branch: Branch, also_taken: set[str]) -> CandidateRow | None:
    """The first candidate that fits, can be read, and that no other chain holds and nobody rejected
    here."""
    listed = state.read(f"{slot(branch, 0)}.cands", CandidateList) or CandidateList()
    barred = _held(state, slot(branch, 0)) | state.rejected(branch) | also_taken
    return next(
        (row for row in listed.entries if row.eligible and row.fits and row.paper not in barred),
        None,
    )


def _anchor_proposal(state: State, branch: Branch, row: CandidateRow) -> Decision:
    made = state.in_use(f"{slot(branch, 0)}.cands")
    assert made is not None
    listed = state.content(made, CandidateList)
    last = listed.tries[-1]
    why = {
        "rank": row.rank,
        "of": len(listed.entries),
        "score": row.score,
        "ranked": listed.ranked,
        "question": branch,
        "query": last.query,
        "source": last.source,
        "date": last.date,
        "cands": made.seq,
        "ranks": row.ranks,
        "reasoning": row.reasoning,
        "grades": f"topic {row.topic}",
    }
    return Decision(
        actor="coi",
        action="propose",
        address=slot(branch, 0),
        value={"paper": row.paper, "why": why},
    )


METHOD = ChainOfIdeas

TEXTS = {
    "dir": "direction",
    "rivals": "rivals",
    "idea": "idea",
    "nov": "novelty",
    "exp": "experiment",
    "review": "review",
    "proposal": "proposal",
}


def outline(state: State, failed: Mapping[str, str]) -> Iterator[OutlineRow]:
    """Branch by branch."""
    for branch in state.branches_of(""):
        rows = partial(_rows, state, branch, failed)
        # what failed is no part of the state, so rows that it may have added are made each time
        yield from rows() if failed else state.worked_out(f"outline {branch}", rows)


def _rows(state: State, branch: Branch, failed: Mapping[str, str]) -> list[OutlineRow]:
    asked = state.read(f"Q{branch}", Note)
    question = asked.text if asked is not None else "no question yet"
    head = [
        OutlineRow(str(branch), 0, str(branch), question, True, branch in state.parked),
        OutlineRow(f"Q{branch}", 1, title=question),
    ]
    source = f"CoI chain of {len(state.chain(branch))}"
    texts = [
        OutlineRow(f"{branch}/{part}", 1, title=title, source=source if part == "idea" else "")
        for part, title in TEXTS.items()
    ]
    return [*head, *_chain(state, branch, failed), *texts]


def _chain(state: State, branch: Branch, failed: Mapping[str, str]) -> Iterator[OutlineRow]:
    places = [s.pos for s in state.filled(branch)]
    inside = set(range(min([0, *places]), max([0, *places]) + 1))
    for pos in sorted(inside | _open_ends(state, branch, failed)):
        address = slot(branch, pos)
        yield OutlineRow(address, 1, place(pos))
        if state.slot(address).paper is not None:
            yield OutlineRow(f"{address}.{SUMMARY}", 2, title="card")
        if pos in inside and pos + 1 in inside:
            yield OutlineRow(pair(branch, pos), 1, title="trend")


def _open_ends(state: State, branch: Branch, failed: Mapping[str, str]) -> set[int]:
    """Empty places at the ends that have candidates, once held a paper, or where a search failed:
    one can be chosen or pinned there."""
    chain = state.chain(branch)
    left = {i.pos for i in state.shelf if i.branch == branch}
    ends = {chain[0] - 1, chain[-1] + 1} if chain else set()
    return {pos for pos in ends if pos in left or _searched(state, slot(branch, pos), failed)}


def _searched(state: State, address: str, failed: Mapping[str, str]) -> bool:
    lists = (f"{address}.{CANDIDATES}", f"{address}.{VERDICTS}")
    return state.in_use(lists[0]) is not None or any(a in failed for a in (address, *lists))


# -- why branches came to less


def shortfall(state: State) -> str:
    """One sentence about anchors that were not found, or chains too short for an idea to lead;
    empty where nothing is lacking."""
    branches = [b for b in state.branches_of("") if b not in state.parked]
    without = [b for b in branches if not state.chain(b)]
    if without and len(without) == len(branches):
        return _nothing_found(state)
    if without:
        return f"Branches without an anchor: {', '.join(map(str, without))}."
    ideas = [b for b in state.ideas() if b in branches]
    if len(ideas) > 1 and state.pick is None and all(state.is_short(b) for b in ideas):
        few = count(state.least_papers, "paper")
        return f"Choose an idea to go on, or give a branch more papers: every chain has fewer than {few}, so no idea leads."
    return ""


def _nothing_found(state: State) -> str:
    lists = [state.read(f"{slot(b, 0)}.{CANDIDATES}", CandidateList) for b in state.branches_of("")]
    if refused := next((found.note for found in lists if found is not None and found.refused), ""):
        return f"Try another topic, work online, or pin a paper you know: no anchor was proposed. {refused}"
    searches = [tried for found in lists if found is not None for tried in found.tries]
    if not searches:
        return "No search was made, so there is no anchor."
    made, hits = count(len(searches), "search", "searches"), sum(s.hits for s in searches)
    sources = " and ".join(dict.fromkeys(tried.source for tried in searches))
    return f"Try other words, another topic, or pin a paper you know: {made} in {sources} found {count(hits, 'paper')}, and no anchor among them."
