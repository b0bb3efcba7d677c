"""The critical path of a session: the longest chain of calls that had to wait for each other, from
``reads`` and observed durations.

Versions are the nodes. A version waits for the versions of the cells that its step reads (parents
included; ``held`` and ``taken`` only prevent duplicates and are left out). Calls of one stage
number of a step run side by side, stages follow each other. Chains grow in waves: nothing is judged
before the candidate lists of all open sides are in, and a slot waits for the verdicts of its whole
wave, an anchor for the lists of all questions, so that no outcome depends on who finished first.
The card of a paper waits for the verdict that took it and for no other of the wave. A candidate
list's own fetching waits for the slots alone, its ranking for the card as well, and for all
verdicts before it: the first backward list is made after the first forward places are decided. The
method also makes two choices that must be waited for: only ideas with a novelty report are matched
(a close match would be drafted anew), and only the winner of all matches gets a plan.
``choices=False`` leaves them out, for the bound by ``reads`` alone. When calls really ran plays no
part, so that code which runs them one after the other cannot lengthen the path it is measured by.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from coi_tui.methods.coi.method import ChainOfIdeas
from coi_tui.methods.registry import METHODS
from coi_tui.model.address import parse_address
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
        methods = [
            ChainOfIdeas(),
            *(METHODS[held.method].make(None, name) for name, held in state.instances.items()),
        ]
        self.steps = {step.name: step for method in reversed(methods) for step in method.steps}
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
        at = parse_address(version.address)
        waits = self._waits(version)
        if at.part == "cands" and at.pos != 0:
            waits["list"] = (self._add_list(version, [c for c in calls if c.stage == 0], waits),)
            waits["wave"] = self._before(version.seq, "rel")
            calls = [c for c in calls if c.stage > 0]
        if self.choices:
            waits["choice"] = self._choice(version)
        after = tuple(dict.fromkeys(name for names in waits.values() for name in names))
        self.nodes[key] = Node(version.address, after, _stages(calls))

    def _calls_of(self, version: Version) -> list[Call]:
        """The calls that a version rests on. Where the first was made for another cell, whose
        question was the same, its stage there says nothing of this step, for which it was the
        first."""
        found = [self.calls[i] for i in version.calls if i in self.calls]
        if found and found[0].address != version.address:
            found[0] = found[0].model_copy(update={"stage": 0})
        return found

    def _add_list(
        self, version: Version, calls: Sequence[Call], waits: Mapping[str, tuple[str, ...]]
    ) -> str:
        """A node for the fetching of a candidate list, which waits for the slots alone; its
        name."""
        slots = tuple(
            name
            for ref, names in waits.items()
            if parse_address(ref.partition("#")[0]).part != "card"
            for name in names
        )
        name = f"v{version.seq} list"
        self.nodes[name] = Node(f"{version.address} list", slots, _stages(calls))
        return name

    def _choice(self, version: Version) -> tuple[str, ...]:
        """The novelty reports that admit an idea to the matches, and the matches that name the
        winner."""
        part = parse_address(version.address).part
        before = (
            {"match": ("nov",), "exp": ("nov", "match")}.get(part, ())
            if version.recipe.get("step") != "refine"
            else ()
        )
        return tuple(
            f"v{v.seq}"
            for v in self.state.versions.values()
            if v.seq < version.seq and parse_address(v.address).part in before
        )

    def _waits(self, version: Version) -> dict[str, tuple[str, ...]]:
        """What the version waits for, by the reference through which it does."""
        step = self.steps.get(str(version.recipe.get("step", "")))
        if step is None:
            return {}
        names = {read.ref: read.name for read in step.reads(self.state, version.address)}
        part = parse_address(version.address).part
        found = {
            ref: self._behind(source, of_card=part == "card")
            for ref, source in version.sources.items()
            if names.get(ref, "") not in GUARDS and ref in names
        }
        if part == "rel":
            found["wave"] = self._before(version.seq, "cands")
        return found

    def _behind(self, source: str, *, of_card: bool) -> tuple[str, ...]:
        """The node behind a source: a version itself, or what a decision about a slot waited
        for."""
        if not source.startswith("d"):
            return (source,)
        decision = self.decisions.get(int(source[1:]))
        why = decision.value.get("why", {}) if decision is not None else {}
        if decision is None or not isinstance(why, dict):
            return ()
        if "rel" in why:
            return (f"v{why['rel']}",) if of_card else self._before(decision.seq, "rel", "cands")
        return self._before(decision.seq, "cands") if "cands" in why else ()

    def _before(self, seq: int, *parts: str) -> tuple[str, ...]:
        """The lists or verdicts of all branches up to a place of the log: of its wave, and of
        earlier ones, which came before anyway."""
        return tuple(
            f"v{v.seq}"
            for v in self.state.versions.values()
            if v.seq < seq and parse_address(v.address).part in parts
        )


def _stages(calls: Sequence[Call]) -> tuple[tuple[float, int, bool], ...]:
    groups: dict[int, list[Call]] = {}
    for call in calls:
        groups.setdefault(call.stage, []).append(call)
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
