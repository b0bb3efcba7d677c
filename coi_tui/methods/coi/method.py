"""Chain of Ideas as the engine and the workbench see it: its tasks, what is wanted next, what is
decided by rule, its rows in the tree (a branch has one, its question, its chain old to new with a
trend between neighbours, and its texts), and why its branches came to less than was asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING

from coi_tui.engine.declarations import (
    EVERYTHING,
    Cost,
    Forecast,
    MenuOption,
    OutlineRow,
    Scope,
    Task,
    View,
    Want,
)
from coi_tui.methods.branched import BranchedMethod, asks
from coi_tui.methods.coi.candidates import AnchorCandidates, NeighbourCandidates, RelevanceTask
from coi_tui.methods.coi.document import chain_document
from coi_tui.methods.coi.drafts import DRAFTS as DRAFTS
from coi_tui.methods.coi.growth import (
    Finding,
    Place,
    active,
    bounds_of,
    ending,
    finding,
    first_forward,
    in_chains,
    open_places,
    proposal,
    why_stopped,
)
from coi_tui.methods.coi.kinds import KINDS
from coi_tui.methods.coi.tasks import (
    TREND,
    CardTask,
    DirectionTask,
    IdeaTask,
    QuestionsTask,
    thought,
)
from coi_tui.methods.evidence.papers import chain_evidence
from coi_tui.methods.evidence.reading_list import ReadingListTask
from coi_tui.methods.ideas.rivals import RivalsTask
from coi_tui.methods.ideas.stages import options as options_of_idea
from coi_tui.model.address import (
    CANDIDATES,
    READING,
    SUMMARY,
    VERDICTS,
    Branch,
    pair,
    parse_address,
    slot,
)
from coi_tui.model.address import place as place_name
from coi_tui.model.content import CandidateList, Note
from coi_tui.model.document import MethodDocument
from coi_tui.model.entries import Decision
from coi_tui.model.state import Side, State
from coi_tui.model.text import count

if TYPE_CHECKING:
    from coi_tui.methods.services import ServiceSet

TEXTS = {
    "dir": "direction",
    "rivals": "rivals",
    "idea": "idea",
    "nov": "novelty",
    "exp": "experiment",
    "review": "review",
    "proposal": "proposal",
}
"""The texts of a branch, as its tree calls them."""
NOWHERE = 99
"""A place that no chain reaches: what is asked of it is asked of any."""


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
    tasks = MappingProxyType(
        {
            READING: ReadingListTask,
            "Q": QuestionsTask,
            CANDIDATES: NeighbourCandidates,
            VERDICTS: RelevanceTask,
            SUMMARY: CardTask,
            "trend": TREND,
            "dir": DirectionTask,
            "rivals": partial(RivalsTask, thought=thought),
            "idea": IdeaTask,
        }
    )

    def __init__(self, instance: str = "", tools: ServiceSet | None = None) -> None:
        self._anchors = AnchorCandidates(tools)
        super().__init__(instance, tools, chain_evidence)

    def step(self, address: str) -> Task | None:
        at = parse_address(address)
        of_anchor = at.part == CANDIDATES and at.pos == 0
        return self._anchors if of_anchor else super().step(address)

    @property
    def steps(self) -> list[Task]:
        return [self._anchors, *super().steps]

    def branches(self, state: State) -> list[Branch]:
        return active(state)

    # -- what is wanted

    def wanted(self, view: View, until: str) -> Sequence[Want]:
        """No text is made from a chain that still grows."""
        growing = {
            f"{b}/{part}"
            for b in self.in_scope(view)
            if not _grown(view, b)
            for part in ("rivals", "idea", "nov")
        }
        return [want for want in super().wanted(view, until) if want.address not in growing]

    def wanted_first(self, view: View, last: str) -> Iterable[Want]:
        found: dict[str, Want] = {}
        for want in self._up_to_directions(view, last):
            found.setdefault(want.address, want)
        return found.values()

    def _up_to_directions(self, view: View, last: str) -> Iterator[Want]:
        """A card may come twice, the stricter want first."""
        state, branches = view.state, self.in_scope(view)
        reached = self.stages[: self.stages.index(last) + 1]
        yield from (self.want(f"Q{b}", "questions") for b in branches)
        if "anchors" in reached:
            anchors = self._anchor_places(view)
            if anchors or state.in_use(READING) is not None:
                yield self.want(READING, "anchors", "stale")
            for anchor in anchors:
                if self._found(view, anchor)[0] == "again":
                    why = "every paper found is another branch's anchor or was rejected"
                    yield self.want(anchor.cands, "anchors", "always", why)
                else:
                    yield self.want(anchor.cands, "anchors", "stale")
        if "chains" in reached:
            yield from self._wanted_growth(view)
        if "cards" in reached:
            cards = (f"{slot(b, pos)}.{SUMMARY}" for b in branches for pos in state.chain(b))
            yield from (self.want(card, "cards") for card in cards)
        for branch in branches if "trends" in reached else ():
            if _grown(view, branch):
                yield from (self.want(address, "trends") for address in state.pairs(branch))
                if "directions" in reached:
                    yield self.want(f"{branch}/dir", "directions")

    def _wanted_growth(self, view: View) -> Iterator[Want]:
        """For an empty place lists, verdicts and the card they rest on must be of what is there
        now, or the wave waits for ever. Verdicts come once all lists of the wave are in, so that a
        paper wanted twice shows before anything is judged."""
        state, places = view.state, self._places(view)
        made = {place: state.in_use(place.cands) for place in places}
        listed = all(
            version is not None and state.matches(version) and place.cands not in view.running
            for place, version in made.items()
        )
        for place in places:
            yield self.want(place.cands, "chains", "stale")
            again = self._found(view, place)[0] == "again"
            if listed:
                yield self.want(place.rel, "chains", "always" if again else "stale")
        # The card that a backward side starts from is also read while that side still waits for its
        # turn.
        for branch in self.in_scope(view):
            for place in _reachable(view, branch):
                if place.side == "backward":
                    yield self.want(f"{place.tip}.{SUMMARY}", "chains", "stale")

    def dead(self, view: View, branch: Branch) -> bool:
        """Something failed in this job that the branch's idea is made from."""
        failed = [a for a in view.failed if a == f"Q{branch}" or a.startswith(f"{branch}/")]
        at = map(parse_address, failed)
        if any(one.part not in (CANDIDATES, VERDICTS) or one.pos == 0 for one in at):
            return True
        return not view.state.chain(branch) and self._found(view, Place(branch))[0] == "none"

    # -- what is decided by rule

    def _anchor_places(self, view: View) -> list[Place]:
        return [Place(b) for b in self.in_scope(view) if not view.state.chain(b)]

    def _places(self, view: View) -> list[Place]:
        """The next places of all chains that this wave is about."""
        return [p for b in self.in_scope(view) for p in first_forward(_reachable(view, b))]

    def _found(self, view: View, place: Place) -> Finding:
        return finding(view.state, place, in_chains(view.state, place.slot), view.failed)

    def settle(self, view: View, until: str) -> Sequence[Decision]:
        reached, anchors = self.stages[: self.stages.index(until) + 1], self._anchor_places(view)
        decided = self._decided(view, anchors) if "anchors" in reached else []
        if "chains" in reached and not any(self._pending(view, anchor) for anchor in anchors):
            decided = decided or self._decided(view, self._places(view))
        return decided or super().settle(view, until)

    def _pending(self, view: View, place: Place) -> bool:
        running = place.cands in view.running or place.rel in view.running
        return running or self._found(view, place)[0] == "pending"

    def _decided(self, view: View, places: Sequence[Place]) -> list[Decision]:
        """One wave: nothing before all lists and verdicts are in; then the lower branch goes first,
        and forward before backward."""
        if any(self._pending(view, place) for place in places):
            return []
        state, failed, everywhere = view.state, view.failed, in_chains(view.state)
        taken: set[str] = set()
        decided: list[Decision] = []
        for place in places:
            found, what = finding(state, place, everywhere | taken, failed)
            if found == "take":
                taken.add(what)
                decided.append(proposal(state, place, what))
            # A paper wanted twice goes to the side that is first; the other judges further in the
            # next wave, and does not end. Without an anchor there is no side to end.
            elif found == "none" and place.pos:
                free = finding(state, place, everywhere, failed)[0] == "take"
                decided += [] if free else [ending(state, place, what)]
        return decided

    # -- what a run takes

    def forecast(self, state: State, until: str, scope: Scope = EVERYTHING) -> Sequence[Forecast]:
        own = filter(asks, self._own_lines(state, scope))
        return self.forecast_from("rivals", state, until, scope, own)

    def _own_lines(self, state: State, scope: Scope) -> Iterator[Forecast]:
        """A line for each stage up to the directions, the least and the most: the chains are not
        known yet."""

        def cost(address: str) -> Cost:
            return self.task_of(address).cost(state, address)

        def missing(addresses: Iterable[str]) -> list[str]:
            return [address for address in addresses if state.in_use(address) is None]

        branches, bounds = [b for b in active(state) if scope.holds(b)], bounds_of(state)
        bare = sum(not state.chain(b) for b in branches)
        growing = [
            b
            for b in branches
            if b not in scope.closed and (not state.chain(b) or open_places(state, b, {}))
        ]
        room = sum(bounds.length - max(1, len(state.chain(b))) for b in growing)
        room = min(room, 1) if scope.side else room
        asked = int(bool(missing(f"Q{b}" for b in branches)))
        calls = cost("Q1").times(asked, asked)
        yield Forecast("questions", "search questions", "one call for all", calls)
        why = "one search each; again with other words where nothing is found"
        calls = cost(f"{slot(1, 0)}.{CANDIDATES}").times(bare, bare)
        yield Forecast("anchors", count(bare, "anchor"), why, calls)
        why = (
            f"at most {count(bounds.length, 'paper')} per chain: {bounds.forward} forward, "
            f"{bounds.backward} backward; from {count(bounds.minimum, 'paper')} on it ends at one "
            f"cited more than {bounds.milestone:,} times"
        )
        calls = (cost(f"1/+1.{VERDICTS}") + cost(f"1/+1.{CANDIDATES}")).times(0, room)
        yield Forecast("chains", f"up to {count(room, 'more paper')}", why, calls)
        calls = cost(f"{slot(1, NOWHERE)}.{SUMMARY}").times(bare, bare + room)
        for card in missing(
            f"{slot(b, pos)}.{SUMMARY}" for b in branches for pos in state.chain(b)
        ):
            calls += cost(card)
        why = "one reading call each; none for a summary in parts"
        yield Forecast("cards", "one summary per paper", why, calls)
        pairs = len(missing(address for b in branches for address in state.pairs(b)))
        calls = cost(pair(1, 0)).times(pairs, pairs + room)
        yield Forecast("trends", "one trend per pair", "one call each", calls)
        number, why = len(missing(f"{b}/dir" for b in branches)), "one per branch"
        if bounds.drafts > 1:
            why += f", the best of {bounds.drafts} drafts, compared in both orders"
        calls = cost("1/dir").times(number, number)
        yield Forecast("directions", count(number, "future direction"), why, calls)

    # -- what it declares

    def outline(self, state: State, failed: Mapping[str, str]) -> Iterator[OutlineRow]:
        for branch in state.branches_of(""):
            asked = state.read(f"Q{branch}", Note)
            question = asked.text if asked is not None else "no question yet"
            yield OutlineRow(str(branch), 0, str(branch), question, True, branch in state.parked)
            yield OutlineRow(f"Q{branch}", 1, title=question)
            yield from _chain_rows(state, branch, failed)
            source = f"CoI chain of {len(state.chain(branch))}"
            for part, title in TEXTS.items():
                of_idea = source if part == "idea" else ""
                yield OutlineRow(f"{branch}/{part}", 1, title=title, source=of_idea)

    def document(self, state: State, branches: Sequence[Branch]) -> MethodDocument:
        return chain_document(state, branches)

    def stop_growing(self, state: State, address: str, reason: str) -> Decision | None:
        at = parse_address(address)
        found = next((p for p in open_places(state, at.branch, {}) if p.pos == at.pos), None)
        return ending(state, found, reason) if found is not None else None

    def reached(self, state: State) -> str:
        """The last stage of which something exists."""
        parts = {parse_address(a).part for a in state.cells if not parse_address(a).instance}
        longest = max((len(state.chain(b)) for b in state.branches_of("")), default=0)
        found = {kind.stage for kind in KINDS if kind.name in parts - {CANDIDATES, VERDICTS}}
        found |= set(("anchors", "chains")[:longest])
        found |= {"selection"} if "match" in parts else set()
        return next((stage for stage in reversed(self.stages) if stage in found), "")

    # -- the generate menu

    def options(self, state: State, address: str) -> Iterator[MenuOption]:
        """The lines for the branch of a row; for a row of the whole session only what starts all
        branches."""
        at = parse_address(address)
        branch: Branch = 0 if at.part == "match" else at.branch
        scope = Scope((branch,) if branch else ())
        if at.part in ("topic", "Q"):
            yield MenuOption(
                "f", "questions, anchors", "a search for each question", "anchors", scope
            )
        if not branch:
            return
        if branch not in active(state):
            yield MenuOption("c", "this branch", off="it is left out; reopen it first")
            return
        yield _neighbour(state, branch, "s", "forward", "one successor")
        yield _neighbour(state, branch, "p", "backward", "one predecessor")
        length = count(bounds_of(state).length, "paper")
        yield MenuOption("c", "whole chain", f"to {length}", "cards", scope)
        short = len(state.chain(branch)) < 2
        made = [f"{slot(branch, pos)}.{SUMMARY}" for pos in state.chain(branch)]
        made += state.pairs(branch)
        for key, what, part in (
            ("t", "trends", ""),
            ("d", "future direction", "dir"),
            ("i", "idea draft", "idea"),
        ):
            # a text with whatever it is made from that is missing or not up to date
            made += [f"{branch}/{part}"] if part else []
            yield MenuOption(
                key,
                what,
                addresses=() if short else tuple(made),
                plan_title=f"Make {what} of branch {branch}",
                off="it needs a chain of two papers; c makes one" if short else "",
            )
        yield from options_of_idea(state, branch)

    def retry(self, state: State, address: str) -> MenuOption | None:
        """A question by its stage; a list or verdict for an empty slot by a run for that slot
        alone."""
        at = parse_address(address)
        scope = Scope((at.branch,))
        if at.part == "Q":
            return MenuOption("", "question", until="questions", scope=scope)
        if not at.attached or at.part == SUMMARY or state.slot(str(at.slot)).paper is not None:
            return None
        if at.pos == 0:
            return MenuOption("", "anchor", until="anchors", scope=scope)
        scope = Scope((at.branch,), Place(at.branch, at.pos).side, at.pos)
        return MenuOption("", "neighbour", until="cards", scope=scope)

    # -- why branches came to less

    def shortfall(self, state: State) -> str:
        """One sentence about anchors that were not found, with what their lists say, or chains too
        short for an idea to lead."""
        branches = [b for b in state.branches_of("") if b not in state.parked]
        if without := [b for b in branches if not state.chain(b)]:
            lists = [state.read(Place(b).cands, CandidateList) for b in without]
            notes = dict.fromkeys(listed.note for listed in lists if listed is not None)
            names = ", ".join(map(str, without))
            advice = "Try other words, another topic, or pin a paper you know."
            return " ".join(filter(None, (f"Branches without an anchor: {names}.", *notes, advice)))
        ideas = [b for b in state.ideas() if b in branches]
        if len(ideas) > 1 and state.pick is None and all(state.is_short(b) for b in ideas):
            few = count(state.least_papers, "paper")
            return f"Choose an idea to go on, or give a branch more papers: every chain has fewer than {few}, so no idea leads."
        return ""


METHOD = ChainOfIdeas


def _reachable(view: View, branch: Branch) -> list[Place]:
    """The next places of a branch that this job may fill."""
    if branch in view.scope.closed:
        return []
    places = open_places(view.state, branch, view.failed)
    return [place for place in places if view.scope.reaches(place.side, place.pos)]


def _grown(view: View, branch: Branch) -> bool:
    """The chain of a branch has come to its end for this job."""
    return bool(view.state.chain(branch)) and not _reachable(view, branch)


def _chain_rows(state: State, branch: Branch, failed: Mapping[str, str]) -> Iterator[OutlineRow]:
    """Papers, cards and trends old to new, also beyond gaps; and the empty places at the ends that
    have candidates, once had a paper, or where a search failed: one can be chosen or pinned
    there."""
    places, chain = [s.pos for s in state.filled(branch)], state.chain(branch)
    inside = range(min([0, *places]), max([0, *places]) + 1)
    left = {item.pos for item in state.shelf if item.branch == branch}
    ends = [Place(branch, pos) for pos in (chain[0] - 1, chain[-1] + 1)] if chain else []
    empty = {
        end.pos
        for end in ends
        if end.pos in left
        or state.in_use(end.cands) is not None
        or not failed.keys().isdisjoint((end.slot, end.cands, end.rel))
    }
    for pos in sorted(empty.union(inside)):
        address = slot(branch, pos)
        yield OutlineRow(address, 1, place_name(pos))
        if state.slot(address).paper is not None:
            yield OutlineRow(f"{address}.{SUMMARY}", 2, title="card")
        if pos in inside and pos + 1 in inside:
            yield OutlineRow(pair(branch, pos), 1, title="trend")


def _neighbour(state: State, branch: Branch, key: str, side: Side, what: str) -> MenuOption:
    if not state.chain(branch):
        return MenuOption(key, what, off="there is no anchor yet")
    found = next((p for p in open_places(state, branch, {}) if p.side == side), None)
    if found is None:
        return MenuOption(key, what, off=why_stopped(state, branch, side))
    return MenuOption(key, what, found.slot, "cards", Scope((branch,), side, found.pos))
