"""The critical path of a session: the longest chain of calls that had to wait for each other, from
``reads`` and observed durations.

Versions are the nodes. A version waits for the versions of the cells that its step reads (parents
included; ``elsewhere`` and ``taken`` only prevent duplicates and are left out). Calls of one stage
number of a step run side by side, stages follow each other; a batch names ids that other answers of
its stage gave, and follows these, as a model follows what it reads. A wait for a service's own
limit is part of its call.

What a decision waited for counts as well. A paper is given to a place once all verdicts of the wave
are in, an anchor once the lists of all questions are, so that no outcome depends on who finished
first; a side of which nobody can be judged ends with its list. A candidate list is fetched once its
place is open: a side may grow beyond its share when the other has ended, and the first predecessor
is looked for when the first successor is decided. The card of the tip only orders the list. A
direction waits until its chain has ended.

The method also makes choices that must be waited for: the next sketch comes where one did not hold; only ideas with a novelty report are matched
(a close match would be drafted anew), only the winner of all matches gets a plan and is searched
against, One call is checked for novelty once it has won, and a proposal is made of the plan whose
refinement was scored. ``choices=False`` leaves them out, for the bound by ``reads`` alone. When
calls really ran plays no part, so that code which runs them one after the other cannot lengthen the
path it is measured by.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from coi_tui.arena.pairing import due_pairs
from coi_tui.methods.coi.growth import Place, bounds_of
from coi_tui.methods.coi.method import ChainOfIdeas
from coi_tui.methods.ideas.matches import of_one_call
from coi_tui.methods.registry import METHODS
from coi_tui.model.address import CellRef, cell_ref, instance_of, match_of
from coi_tui.model.entries import Call, Decision, Version
from coi_tui.model.state import State

GUARDS = frozenset({"elsewhere", "taken"})


@dataclass(frozen=True)
class Node:
    """Some work: what it waits for, and its stages, each with its longest call and the number of
    calls."""

    name: str
    after: tuple[str, ...]
    stages: tuple[tuple[float, int, bool], ...]

    @property
    def seconds(self) -> float:
        return sum(longest for longest, _, _ in self.stages)

    @property
    def calls(self) -> int:
        return len(self.stages)

    @property
    def chats(self) -> int:
        return sum(chat for _, _, chat in self.stages)


@dataclass
class Chain:
    """The longest chain, first to last."""

    nodes: list[Node] = field(default_factory=list)

    @property
    def seconds(self) -> float:
        return sum(node.seconds for node in self.nodes)

    @property
    def chats(self) -> int:
        return sum(node.chats for node in self.nodes)

    def lines(self) -> list[str]:
        """A line a cell that has calls: cell, dependent calls, seconds, and the sum so far."""
        out, total = [], 0.0
        for node in self.nodes:
            if node.stages:
                total += node.seconds
                out.append(
                    f"{node.name:16} {node.chats} model, {node.calls - node.chats} other  {node.seconds:6.2f} s  {total:6.2f} s"
                )
        return out


class Graph:
    """The nodes of a finished session. Versions up to the entry ``since`` were there before: they
    are waited for no longer."""

    def __init__(
        self,
        state: State,
        decisions: Sequence[Decision],
        calls: Sequence[Call],
        *,
        choices: bool = True,
        since: int = 0,
    ) -> None:
        self.state = state
        self.choices = choices
        self.calls = {call.id: call for call in calls}
        self.decisions = {d.seq: d for d in decisions}
        methods = {"": ChainOfIdeas()} | {
            name: METHODS[held.method].make(None, name) for name, held in state.instances.items()
        }
        self.steps = {
            (name, step.name): step for name, one in methods.items() for step in one.every_task
        }
        # several methods have steps of one name: each branch has those of its own
        self.shared = {name: step for (_, name), step in reversed(self.steps.items())}
        self.nodes: dict[str, Node] = {}
        for version in state.versions.values():
            if version.seq > since:
                self._add(version)

    def longest(self) -> Chain:
        """The chain that ends last."""
        ends: dict[str, float] = {}
        before: dict[str, str | None] = {}

        def end(name: str) -> float:
            if name not in ends:
                node = self.nodes[name]
                before[name] = max(
                    (a for a in node.after if a in self.nodes), key=end, default=None
                )
                previous = before[name]
                ends[name] = node.seconds + (end(previous) if previous is not None else 0.0)
            return ends[name]

        chain: list[Node] = []
        at: str | None = max(self.nodes, key=end, default=None)
        while at is not None:
            chain.insert(0, self.nodes[at])
            at = before[at]
        return Chain(chain)

    def _add(self, version: Version) -> None:
        key, calls = f"v{version.seq}", self._calls_of(version)
        at = cell_ref(version.address)
        waits = self._waits(version)
        after = tuple(dict.fromkeys(name for names in waits.values() for name in names))
        if at.kind == "cands" and at.pos != 0:
            slots = [name for ref, names in waits.items() if ".card#" not in ref for name in names]
            opened = (*slots, *self._opened(at, version.seq))
            self.nodes[f"{key} list"] = Node(f"{version.address} list", opened, _stages(calls))
            after, calls = (*after, f"{key} list"), []
        self.nodes[key] = Node(version.address, after, _stages(calls))

    def _calls_of(self, version: Version) -> list[Call]:
        """The calls that a version rests on. Where the first was made for another cell, whose
        question was the same, its stage there says nothing of this step, for which it was the
        first."""
        found = [self.calls[i] for i in version.calls if i in self.calls]
        if found and found[0].address != version.address:
            found[0] = found[0].model_copy(update={"stage": 0})
        return found

    def _waits(self, version: Version) -> dict[str, tuple[str, ...]]:
        """What the version waits for, by the reference through which it does."""
        name = str(version.recipe.get("step", ""))
        branch = cell_ref(version.address).branch
        step = self.steps.get((instance_of(branch), name)) or self.shared.get(name)
        if step is None:
            return {}
        names = {read.ref: read.name for read in step.reads(self.state, version.address)}
        found = {
            ref: (source,) if source.startswith("v") else self._behind(int(source[1:]))
            for ref, source in version.sources.items()
            if ref in names and names[ref] not in GUARDS
        }
        at = cell_ref(version.address)
        if at.kind == "dir":
            found["ends"] = self._ends(at, version.seq, ("forward", "backward"))
        if self.choices and at.kind in ("idea", "rivals"):  # the sketch before did not hold
            every = self.state.cell(f"{at.branch}/idea").versions
            found["fell"] = tuple(f"v{seq}" for seq in every if seq < version.seq)
        if self.choices and at.kind == "match":  # those that lead meet once the ring has
            ring = {match_of(*pair) for pair in due_pairs(self.state.ideas(), {}).pairs}
            if version.address not in ring:
                rows = (v for v in self.state.versions.values() if v.seq < version.seq)
                found["ring"] = tuple(f"v{v.seq}" for v in rows if v.address in ring)
        if self.choices:
            found["choice"] = self._before(version.seq, *self._choice(at, step.name))
        return found

    def _choice(self, at: CellRef, step: str) -> tuple[str, ...]:
        """The parts whose texts decide whether a cell is made at all."""
        if step == "search against" or (at.kind == "nov" and at.branch in of_one_call(self.state)):
            return ("match",)
        if step == "refine":
            return ()
        return {"match": ("nov",), "exp": ("nov", "match"), "proposal": ("exp",)}.get(at.kind, ())

    def _behind(self, seq: int) -> tuple[str, ...]:
        """What a decision about a place of a chain waited for."""
        decision = self.decisions.get(seq)
        if decision is None or decision.actor != "coi" or decision.action not in ("propose", "end"):
            return ()
        at, value = cell_ref(decision.address), decision.value
        if decision.action == "end":
            beyond = 1 if value["side"] == "forward" else -1
            place = Place(at.branch, value["tip_pos"] + beyond)
            own = {v.address: v.seq for v in self.state.versions.values() if v.seq < seq}
            if place.rel not in own:
                return (f"v{own[place.cands]}",) if place.cands in own else ()
        elif at.pos == 0:
            return self._before(seq, "cands")
        return self._before(seq, "rel", "cands")

    def _opened(self, at: CellRef, seq: int) -> tuple[str, ...]:
        """What let a place be looked for, besides the paper next to it."""
        place = Place(at.branch, at.pos)
        beyond_share = abs(at.pos) > getattr(bounds_of(self.state), place.side)
        other = "backward" if at.pos > 0 else "forward"
        ends = self._ends(at, seq, (other,)) if beyond_share or at.pos == -1 else ()
        first = Place(at.branch, 1).slot if at.pos == -1 else ""
        taken = (d.seq for d in self.decisions.values() if d.address == first and d.seq < seq)
        return (*ends, *(name for number in taken for name in self._behind(number)))

    def _ends(self, at: CellRef, seq: int, sides: Sequence[str]) -> tuple[str, ...]:
        """What the ends of some sides of a chain waited for."""
        return tuple(
            name
            for d in self.decisions.values()
            if d.action == "end" and d.address == str(at.branch) and d.seq < seq
            if d.value["side"] in sides
            for name in self._behind(d.seq)
        )

    def _before(self, seq: int, *parts: str) -> tuple[str, ...]:
        """The texts of these parts of all branches up to a place of the log: of a wave, and of
        earlier ones, which came before anyway."""
        return tuple(
            f"v{v.seq}"
            for v in self.state.versions.values()
            if v.seq < seq and cell_ref(v.address).kind in parts
        )


def _stages(calls: Sequence[Call]) -> tuple[tuple[float, int, bool], ...]:
    groups: dict[tuple[int, bool, bool, bool], list[Call]] = {}
    for call in calls:
        batch, again = call.request.get("method") == "POST", bool(call.request.get("reask"))
        groups.setdefault((call.stage, call.kind == "chat", batch, again), []).append(call)
    return tuple(
        (max(c.seconds for c in group), len(group), any(c.kind == "chat" for c in group))
        for _, group in sorted(groups.items())
    )


def longest_chain(
    state: State,
    decisions: Sequence[Decision],
    calls: Sequence[Call],
    *,
    choices: bool = True,
    since: int = 0,
) -> Chain:
    """The longest chain of a session, of what came after the entry ``since``. ``seconds`` of a call
    are those observed."""
    return Graph(state, decisions, calls, choices=choices, since=since).longest()
