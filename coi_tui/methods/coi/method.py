"""Chain of Ideas as the engine and the workbench see it: its tasks, what is wanted next, what is
decided by rule, its rows in the tree (a branch has one, its question, its chain old to new with a
trend between neighbours, and its texts), and why its branches came to less than was asked for."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from types import MappingProxyType

from coi_tui.engine.declarations import MenuOption, OutlineRow, Scope, Task, View, Want
from coi_tui.methods.branched import Planned, SketchMethod
from coi_tui.methods.chain.chains import Chains
from coi_tui.methods.chain.slots import CANDIDATES, LISTS, SUMMARY, VERDICTS, Side
from coi_tui.methods.coi.candidates import AnchorCandidates, NeighbourCandidates, RelevanceTask
from coi_tui.methods.coi.drafts import DRAFTS as DRAFTS
from coi_tui.methods.coi.growth import (
    NO_FAILURES,
    Failed,
    Finding,
    Place,
    active,
    bounds_of,
    ending,
    finding,
    open_places,
    proposal,
    stopped,
)
from coi_tui.methods.coi.kinds import KINDS
from coi_tui.methods.coi.tasks import (
    DIRECTION,
    SKETCH,
    TREND,
    CardTask,
    QuestionsTask,
    citable_chain,
    thought,
)
from coi_tui.methods.evidence.cards import chain_evidence
from coi_tui.methods.evidence.reading_list import ReadingListTask
from coi_tui.methods.ideas.rivals import RivalsTask
from coi_tui.methods.ideas.sketch_tasks import WALL_KINDS, WALL_TASKS, wall_course, work_out
from coi_tui.methods.ideas.sketches import (
    assigned,
    chosen,
    of_chain,
    picked,
    sketches,
    to_work_out,
    wall_of,
)
from coi_tui.methods.ideas.stages import options as options_of_idea
from coi_tui.methods.services import ServiceSet
from coi_tui.model.address import (
    READING,
    Branch,
    attached_to,
    cell_at,
    cell_ref,
    instance_of,
    pair,
    question_of,
    slot,
)
from coi_tui.model.address import place as place_name
from coi_tui.model.content import CandidateList, CardContent, Note
from coi_tui.model.document import MethodDocument, ProposalWarning
from coi_tui.model.entries import Decision
from coi_tui.model.errors import UsageError
from coi_tui.model.state import State
from coi_tui.model.text import count, listed

_TREND = re.compile(r"([1-9]\d?)/t(\d{1,2})")

TEXTS = {
    "asked": "questions",
    "dir": "direction",
    "rivals": "rivals",
    "idea": "idea",
    "lit": "literature",
    "nov": "novelty",
    "exp": "experiment",
    "review": "review",
    "proposal": "proposal",
}
"""The texts of a branch, as its tree calls them."""


class ChainOfIdeas(SketchMethod):
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
        "sketches",
        "ideas",
    )
    kinds, shared_kinds = KINDS, WALL_KINDS
    tasks = MappingProxyType(
        {
            READING: ReadingListTask,
            "Q": QuestionsTask,
            CANDIDATES: NeighbourCandidates,
            VERDICTS: RelevanceTask,
            SUMMARY: CardTask,
            "trend": TREND,
            "dir": DIRECTION,
            "rivals": partial(RivalsTask, thought=thought),
            **WALL_TASKS,
            "sketch": SKETCH,
            "idea": work_out(citable_chain),
        }
    )

    evidence = staticmethod(chain_evidence)

    def __init__(self, instance: str = "", tools: ServiceSet | None = None) -> None:
        self._anchors = AnchorCandidates(tools)
        self._ahead = NeighbourCandidates(tools, ahead=True)
        super().__init__(instance, tools)

    def task(self, address: str) -> Task | None:
        at = cell_ref(address)
        of_anchor = at.kind == CANDIDATES and at.pos == 0
        return self._anchors if of_anchor else super().task(address)

    @property
    def every_task(self) -> list[Task]:
        return [self._anchors, *super().every_task]

    def branches(self, state: State) -> list[Branch]:
        return active(state)

    # -- what is wanted

    def working(self, state: State, scope: Scope) -> list[Branch]:
        """The branches whose sketches are worked out; in a run of all branches those of the wall
        too."""
        due, wall = to_work_out(state), wall_of(state)
        if not sketches(state):
            due = [*active(state), *state.branches_of(wall)] if wall else active(state)
        bare = set() if picked(state) else {*active(state)} - assigned(state).keys()
        own = [b for b in super().working(state, scope) if b in due or b in bare]
        rest = [b for b in due if wall and instance_of(b) == wall and b not in state.parked]
        return own if scope.branches else [*own, *rest]

    def drafted(self, view: View, branch: Branch) -> bool:
        return bool(view.scope.branches) or chosen(view.state)

    def idea_comes(self, view: View, branch: Branch) -> bool:
        """No text is made from a chain that still grows."""
        if instance_of(branch):
            return chosen(view.state)
        chain = Chains.of(view.state).chain(branch)
        return bool(chain) and not _reachable(view.state, branch, view.scope, view.failed)

    def wanted_first(self, view: View, last: str) -> Iterable[Want]:
        """A card may be wanted twice, then by the stricter want."""
        found: dict[str, Want] = {}
        growth = self._wanted_growth(view) if "chains" in self.up_to(last) else ()
        for want in (*growth, *super().wanted_first(view, last)):
            found.setdefault(want.address, want)
        return found.values()

    def _course_to(
        self,
        state: State,
        last: str,
        scope: Scope,
        failed: Failed = NO_FAILURES,
        *,
        supposed: bool = False,
    ) -> Iterator[Planned]:
        """What is known to come of each branch; ``supposed``: with as many papers as the bounds
        leave room for."""
        reached = self.up_to(last)
        for branch in filter(scope.holds, active(state)):
            every = self._of_branch(state, branch, scope, failed, supposed=supposed)
            yield from (one for one in every if one.stage in reached)
        if (wall := wall_of(state)) and not scope.branches:
            complete = supposed or not any(_waits(state, b, scope, failed) for b in active(state))
            of_wall = wall_course(state, wall, complete=complete)
            yield from (one for one in of_wall if one.stage in reached)

    def _of_branch(
        self, state: State, branch: Branch, scope: Scope, failed: Failed, *, supposed: bool
    ) -> Iterator[Planned]:
        yield from _of_anchor(state, branch, failed)
        chain = Chains.of(state).chain(branch)
        grows = not chain or bool(_reachable(state, branch, scope, failed))
        new = range(0)
        if supposed and grows and branch not in scope.closed:
            room, first = bounds_of(state).length - max(1, len(chain)), (chain or [0])[-1] + 1
            new = range(first, first + (min(room, 1) if scope.side else room))
        yield from _of_papers(state, branch, chain or ([0] if supposed else []), new)
        if supposed or not grows:
            if bounds_of(state).direction:
                yield Planned(cell_at(branch, "dir"), "directions")
            yield from (Planned(one, "sketches") for one in of_chain(branch))

    def _wanted_growth(self, view: View) -> Iterator[Want]:
        """For an empty place lists, verdicts and the card they rest on must be of what is there
        now, or the wave waits for ever. What a list asks for is asked beside the reading of that
        card."""
        state = view.state
        for place in self._places(view):
            unread = (
                place.side == "backward" and state.in_use(attached_to(place.tip, SUMMARY)) is None
            )
            ahead = Want(place.cands, self._ahead, "missing", "chains")
            yield ahead if unread else self.want(place.cands, "chains", "stale")
            again = self._found(view, place)[0] == "again"
            yield self.want(place.rel, "chains", "always" if again else "stale")
        for branch in self.in_scope(view):
            for place in _reachable(state, branch, view.scope, view.failed):
                if place.side == "backward":
                    yield self.want(attached_to(place.tip, SUMMARY), "chains", "stale")

    def dead(self, view: View, branch: Branch) -> bool:
        """Something failed in this job that the branch's idea is made from."""
        if instance_of(branch):
            return super().dead(view, branch)
        failed = [a for a in view.failed if a == question_of(branch) or a.startswith(f"{branch}/")]
        at = map(cell_ref, failed)
        if any(one.kind not in LISTS or one.pos == 0 for one in at):
            return True
        return (
            not Chains.of(view.state).chain(branch)
            and self._found(view, Place(branch))[0] == "none"
        )

    # -- what is decided by rule

    def _places(self, view: View) -> list[Place]:
        """The next places of all chains that this wave is about. An anchor without neighbours looks
        forward first, where it may: forward candidates wait for no card, which is read meanwhile."""
        wave: list[Place] = []
        for branch in self.in_scope(view):
            places = _reachable(view.state, branch, view.scope, view.failed)
            forward = any(place.pos == 1 for place in places)
            wave += [place for place in places if not (forward and place.pos == -1)]
        return wave

    def _found(self, view: View, place: Place) -> Finding:
        return finding(view.state, place, view.failed)

    def settle(self, view: View, until: str) -> Sequence[Decision]:
        reached = self.up_to(until)
        anchors = [Place(b) for b in self.in_scope(view) if not Chains.of(view.state).chain(b)]
        decided = self._decided(view, anchors) if "anchors" in reached else []
        if "chains" in reached and not any(self._pending(view, anchor) for anchor in anchors):
            decided = decided or self._decided(view, self._places(view))
        if not decided and "trends" in reached and not self._places(view):
            decided = [one for b in self.in_scope(view) for one in _unlinked(view, b)]
        return decided or super().settle(view, until)

    def _pending(self, view: View, place: Place) -> bool:
        running = place.cands in view.running or place.rel in view.running
        return running or self._found(view, place)[0] == "pending"

    def _decided(self, view: View, places: Sequence[Place]) -> list[Decision]:
        """One wave: no paper before all lists and verdicts are in; then the lower branch goes
        first, and forward before backward. A side that lists nobody to judge ends at once: what it
        leaves to the other side belongs to the same wave."""
        waits = any(self._pending(view, place) for place in places)
        taken: set[str] = set()
        decided: list[Decision] = []
        for place in places:
            found, what = finding(view.state, place, view.failed, taken)
            if waits and (found != "none" or view.state.in_use(place.rel) is not None):
                continue
            if found == "take":
                taken.add(what)
                decided.append(proposal(view.state, place, what))
            # A paper wanted twice goes to the side that is first; the other judges further in the
            # next wave, and does not end. Without an anchor there is no side to end.
            elif found == "none" and place.pos and self._found(view, place)[0] != "take":
                decided.append(ending(view.state, place, what))
        return decided

    # -- what it declares

    def outline(self, state: State, failed: Failed) -> Iterator[OutlineRow]:
        there = {*sketches(state)}
        for branch in state.branches_of(""):
            asked = state.read(question_of(branch), Note)
            question = asked.text if asked is not None else "no question yet"
            yield OutlineRow(str(branch), 0, str(branch), question, True, branch in state.parked)
            yield OutlineRow(question_of(branch), 1, title=question)
            yield from _chain_rows(state, branch, failed)
            source = f"CoI chain of {len(Chains.of(state).chain(branch))}"
            for part, title in TEXTS.items():
                of_idea = source if part == "idea" else ""
                if of_idea:
                    # one row says that there are fewer than were asked for
                    first, *more = of_chain(branch)
                    shown = (first, *(one for one in more if one in there))
                    yield from (OutlineRow(one, 1, title="sketch") for one in shown)
                yield OutlineRow(cell_at(branch, part), 1, title=title, source=of_idea)

    def document(self, state: State, branches: Sequence[Branch]) -> MethodDocument:
        """Its warnings, and papers that were not read in full."""
        slots = [s for branch in branches for s in Chains.of(state).filled(branch)]
        cards = (state.read(attached_to(s.address, SUMMARY), CardContent) for s in slots)
        sources = Counter(card.source for card in cards if card and card.source != "full text")
        partly = [
            f"{count(n, 'card')} from {f'the {kind} only' if kind else 'an unnamed text'}"
            for kind, n in sorted(sources.items())
        ]
        return MethodDocument(
            warnings=tuple(one for branch in branches for one in _warnings(state, branch)),
            limits=(f"Without the full text: {listed(partly)}.",) if partly else (),
        )

    def stop_growing(self, state: State, address: str, reason: str) -> Decision | None:
        at = cell_ref(address)
        found = next((p for p in open_places(state, at.branch) if p.pos == at.pos), None)
        return ending(state, found, reason) if found is not None else None

    # -- the generate menu

    def options(self, state: State, address: str) -> Iterator[MenuOption]:
        """The lines for the branch of a row; for a row of the whole session only what starts all
        branches."""
        at = cell_ref(address)
        branch = at.owner
        scope = Scope((branch,) if branch else ())
        if at.kind in ("topic", "Q"):
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
        yield from _of_whole_chain(state, branch)
        yield from options_of_idea(state, branch)

    def retry(self, state: State, address: str) -> MenuOption | None:
        """A list or verdict for an empty slot by a run for that slot alone."""
        at = cell_ref(address)
        if at.kind not in LISTS or Chains.of(state).slot(at.slot).paper is not None:
            return None
        if at.pos == 0:
            return MenuOption("", "anchor", until="anchors", scope=Scope((at.branch,)))
        scope = Scope((at.branch,), Place(at.branch, at.pos).side, at.pos)
        return MenuOption("", "neighbour", until="cards", scope=scope)

    def alias(self, state: State, text: str) -> str:
        """``1/t0`` is the oldest pair of the chain as it is now."""
        if (m := _TREND.fullmatch(text)) is None:
            return ""
        trends, number = Chains.of(state).pairs(int(m[1])), int(m[2])
        if number < len(trends):
            return trends[number]
        raise UsageError(
            f"Branch {m[1]} has {count(len(trends), 'trend')}.",
            "They count from t0, the oldest pair.",
        )

    def closed(self, state: State) -> tuple[Branch, ...]:
        """Those whose idea is there, and a person accepted it or every paper of the chain."""

        def decided(branch: Branch) -> bool:
            idea, papers = state.cell(cell_at(branch, "idea")), Chains.of(state).filled(branch)
            accepted = bool(papers) and all(slot.verdict != "proposed" for slot in papers)
            there = state.in_use(idea.address) is not None and branch not in state.parked
            return there and (idea.lock is not None or idea.accepted or accepted)

        return tuple(filter(decided, state.branches_of("")))

    # -- why branches came to less

    def came_short(self, state: State) -> str:
        """Chains that were grown and stayed below the minimum, but for parked ones."""
        chains = Chains.of(state)
        grown = {branch for branch, _ in chains.ends if chains.chain(branch)} - state.parked
        short = [b for b in state.branches_of("") if b in grown and chains.is_short(b)]
        if not short:
            return ""
        named = ", ".join(f"{b} ({count(len(chains.chain(b)), 'paper')})" for b in short)
        ideas = "its idea" if len(short) == 1 else "an idea of theirs"
        return f"Short of {chains.least_papers} papers: branch{'es' * (len(short) > 1)} {named}; {ideas} leads the arena only if you choose it."

    def shortfall(self, state: State) -> str:
        """One sentence about anchors that were not found, with what their lists say."""
        branches = [b for b in state.branches_of("") if b not in state.parked]
        if without := [b for b in branches if not Chains.of(state).chain(b)]:
            lists = [state.read(Place(b).cands, CandidateList) for b in without]
            notes = dict.fromkeys(listed.note for listed in lists if listed is not None)
            names = ", ".join(map(str, without))
            advice = "Try other words, another topic, or pin a paper you know."
            return " ".join(filter(None, (f"Branches without an anchor: {names}.", *notes, advice)))
        return super().shortfall(state)


METHOD = ChainOfIdeas


def _of_anchor(state: State, branch: Branch, failed: Failed) -> Iterator[Planned]:
    """The question, and while there is no anchor the reading list and its candidates."""
    yield Planned(question_of(branch), "questions")
    chain, anchor = Chains.of(state).chain(branch), Place(branch)
    if not chain or state.in_use(READING) is not None:
        yield Planned(READING, "anchors", when="stale")
    if not chain:
        again = finding(state, anchor, failed)[0] == "again"
        yield Planned(anchor.cands, "anchors", when="always" if again else "stale")


def _of_papers(
    state: State, branch: Branch, places: Sequence[int], new: range
) -> Iterator[Planned]:
    """Lists and verdicts of ``new`` places; cards and trends of these and of the others."""
    for pos in new:
        yield Planned(Place(branch, pos).cands, "chains", 0)
        yield Planned(Place(branch, pos).rel, "chains", 0)
    for pos in (*places, *new):
        yield Planned(attached_to(slot(branch, pos), SUMMARY), "cards", int(pos not in new))
    for older in Chains.of(state).pairs(branch):
        # one without a link is made again for the paper that took the place
        trend = state.read(older, Note)
        yield Planned(older, "trends", when="missing" if trend is None or trend.linked else "stale")
    yield from (Planned(pair(branch, pos - 1), "trends", 0) for pos in new)


def _reachable(state: State, branch: Branch, scope: Scope, failed: Failed) -> list[Place]:
    """The next places of a branch that a job may fill."""
    places = open_places(state, branch, failed) if branch not in scope.closed else []
    return [place for place in places if scope.reaches(place.side, place.pos)]


NO_LINK = "the trend found no link"


def _unlinked(view: View, branch: Branch) -> Iterator[Decision]:
    """The paper on the far side of the first trend without a link gives its place to the next
    candidate, once a place; not one that a person put there or accepted. Trends are waited for."""
    state, chains = view.state, Chains.of(view.state)
    pairs = chains.pairs(branch)
    if not view.running.isdisjoint(pairs):
        return
    gone = (item for item in chains.shelf if item.branch == branch)
    tried = {item.pos for item in gone if item.reason == NO_LINK}
    for at in pairs:
        trend = state.read(at, Note)
        place = chains.slot(slot(branch, at.newer if at.newer > 0 else at.pos))
        judged = trend is not None and not trend.linked and state.cell(at).lock is None
        if judged and place.verdict == "proposed" and place.pos not in tried:
            value = {"paper": place.paper}
            yield Decision(
                actor="coi", action="reject", address=place.address, value=value, reason=NO_LINK
            )
            return


def _waits(state: State, branch: Branch, scope: Scope, failed: Failed) -> bool:
    """Whether the chain of a branch, or its anchor, may still come in a job."""
    if any(a == question_of(branch) or a.startswith(f"{branch}/") for a in failed):
        return False
    if not Chains.of(state).chain(branch):
        return finding(state, Place(branch), failed)[0] != "none"
    return bool(_reachable(state, branch, scope, failed))


def _chain_rows(state: State, branch: Branch, failed: Failed) -> Iterator[OutlineRow]:
    """Papers, cards and trends old to new, also beyond gaps; and the empty places at the ends that
    have candidates, once had a paper, or where a search failed: one can be chosen or pinned
    there."""
    chains = Chains.of(state)
    places, chain = [0, *(s.pos for s in chains.filled(branch))], chains.chain(branch)
    inside = range(min(places), max(places) + 1)
    left = {item.pos for item in chains.shelf if item.branch == branch}
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
        if chains.slot(address).paper is not None:
            yield OutlineRow(attached_to(address, SUMMARY), 2, title="card")
        if pos in inside and pos + 1 in inside:
            yield OutlineRow(pair(branch, pos), 1, title="trend")


def _warnings(state: State, branch: Branch) -> Iterator[ProposalWarning]:
    """A chain that is too short or has gaps, and links that no source confirms."""
    chain = Chains.of(state).in_chain(branch)
    minimum = bounds_of(state).minimum
    if len(chain) < minimum:
        short = count(len(chain), "paper")
        text = f"the chain of branch {branch} has {short}; the minimum is {minimum}."
        yield ProposalWarning("Short chain", text, (str(branch),))
    if beyond := tuple(s.address for s in Chains.of(state).filled(branch) if s not in chain):
        text = f"not part of the chain, because beyond a gap: {listed(beyond)}."
        yield ProposalWarning("Gap", text, beyond)
    # a citation without evidence is none that could be relied on
    sound = [s.reason.link == "cites" and bool(s.reason.evidence or s.reason.source) for s in chain]
    if weak := tuple(s.address for s, ok in zip(chain, sound, strict=True) if s.pos and not ok):
        text = f"at {listed(weak)} no source confirms that the newer paper cites the older one."
        yield ProposalWarning("Unconfirmed link", text, weak)


def _of_whole_chain(state: State, branch: Branch) -> Iterator[MenuOption]:
    """The chain to its full length, and the texts that are made from it."""
    length, chain = count(bounds_of(state).length, "paper"), Chains.of(state).chain(branch)
    anchors = None if chain else state.read(Place(branch).cands, CandidateList)
    searched = anchors is not None and not anchors.entries
    bare = "no paper was found for its anchor; f asks in other words" if searched else ""
    yield MenuOption("c", "whole chain", f"to {length}", "cards", Scope((branch,)), off=bare)
    grows = not chain or bool(open_places(state, branch))
    needed = bare or ("it needs a chain of two papers; c makes one" if grows else "")
    made: list[str] = [attached_to(slot(branch, pos), SUMMARY) for pos in chain]
    made += Chains.of(state).pairs(branch)
    for key, what, parts in (
        ("t", "trends", []),
        ("d", "future direction", [cell_at(branch, "dir")]),
        ("k", "sketches", [cell_at(branch, "rivals"), *of_chain(branch)]),
        ("i", "idea draft", [cell_at(branch, "idea")]),
    ):
        # a text with whatever it is made from that is missing or not up to date
        made += parts
        alone = "" if parts else "its one paper has no neighbour; p puts one beside it"
        off = (needed or alone) if len(chain) < 2 else ""
        yield MenuOption(
            key,
            what,
            addresses=() if off else tuple(made),
            plan_title=f"Make {what} of branch {branch}",
            off=off,
        )


def _neighbour(state: State, branch: Branch, key: str, side: Side, what: str) -> MenuOption:
    found = next((p for p in open_places(state, branch) if p.side == side), None)
    if found is None:
        return MenuOption(key, what, off=stopped(state, branch, side))
    return MenuOption(key, what, found.slot, "cards", Scope((branch,), side, found.pos))
