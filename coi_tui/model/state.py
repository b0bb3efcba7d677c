"""The state of a session as the fold gives it: cells, which version is in use, marks and notes; and
components, which are what methods keep of the log besides. What is cached is of this state alone.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, NamedTuple, Self, TypeVar

from pydantic import BaseModel

from coi_tui.model.address import (
    Branch,
    CellRef,
    branch_name,
    branch_order,
    cell_at,
    cell_ref,
    instance_of,
    ref,
    split_ref,
)
from coi_tui.model.content import Content
from coi_tui.model.entries import Decision, Version
from coi_tui.model.papers import Paper
from coi_tui.model.text import Values, digest

B = TypeVar("B", bound=BaseModel)
C = TypeVar("C", bound=Content)
V = TypeVar("V")
WISHES = "wishes"
"""What a person asked of a text, as if it were a field of it; there only where something was
asked."""
REJECTED = "rejected"
"""A rejected text with the reason, as if it were a field of it; there only while it is rejected."""
HUNCH = "topic#hunch"
"""The researcher's hunch about the topic, which counts only where the session sends it to models."""


@dataclass(frozen=True)
class Cell:
    """A text and its versions, by their sequence numbers.

    ``taken``: machine versions that came into use when they were committed; ``beside``: those that
    became alternatives, with the reason.
    ``lock``: the version that a person wrote, adopted or accepted; nothing takes its place by
    itself. ``wishes``: what a person asked of the text, the last one at the end; ``asked_by`` is
    the decision that said it, ``chosen_by`` that which last put a version into use.
    ``reason``: why it was rejected; ``silent``: it is no input of anything any more; ``picked``:
    chosen among many to be worked out; ``fell``: why it did not hold when it was.
    """

    address: str
    versions: tuple[int, ...] = ()
    taken: tuple[int, ...] = ()
    beside: Mapping[int, str] = field(default_factory=dict)
    lock: int | None = None
    accepted: bool = False
    rejected: bool = False
    protected: bool = False
    kept: Mapping[str, str | None] | None = None
    kept_by: int = 0
    wishes: tuple[str, ...] = ()
    asked_by: int = 0
    chosen_by: int = 0
    reason: str = ""
    silent: bool = False
    picked: bool = False
    fell: str = ""


@dataclass(frozen=True)
class Instance:
    """A method that was added to a session after its first one: its name, how many branches it has,
    and its other settings."""

    method: str
    branches: int = 0
    settings: Values = field(default_factory=dict)
    package: str = ""
    """Name and version of the package that the method came from; empty for a built-in one."""


@dataclass(frozen=True)
class Held:
    """What stands at a reference that a component holds, as its row shows it and decisions about it
    need it.

    ``label`` is its short name in the tree, ``role`` what it is there for; ``note`` comes before the
    paper's title. ``proposed_by`` is the origin of the version that proposed it. ``wanted``: whether
    a run would look for something where nothing is.
    """

    label: str
    paper: str | None = None
    verdict: Literal["empty", "proposed", "accepted", "pinned"] = "empty"
    role: str = ""
    note: str = ""
    proposed_by: str = ""
    by_person: bool = False
    protected: bool = False
    wanted: bool = False


class Aside(NamedTuple):
    """A paper that left its place, or was refused one, and can come back."""

    where: str
    paper: str
    why: str


class Component:
    """What a method keeps of the log besides cells, such as the places of a chain; it is declared in
    ``MethodSpec.components``.

    ``kinds`` are those that it holds itself: no cell stands at them, and decisions about them are
    its own. ``folds`` are its actions: each changes it, or says why it has no effect any more.
    """

    kinds: ClassVar[frozenset[str]] = frozenset()
    folds: ClassVar[Mapping[str, Callable[[Any, Decision], str | None]]] = {}

    def __init__(self, state: State) -> None:
        self.state = state

    @classmethod
    def of(cls, state: State) -> Self:
        """That of a state; an empty one where the session has none of it."""
        found = state.components.get(cls) or state.component(cls)
        assert isinstance(found, cls)
        return found

    def copied(self, state: State) -> Self:
        """The same for a copy of the state; dicts are copied, everything else never changes."""
        new = copy.copy(self)
        new.state = state
        new.__dict__.update({k: dict(v) for k, v in vars(self).items() if type(v) is dict})
        return new

    def forget(self) -> None:
        """Drop what was computed; the fold calls it after each change."""

    # -- what its kinds hold

    def value(self, at: CellRef, field: str) -> Any:
        """The value of a field, or None when absent."""
        return None

    def identity(self, at: CellRef, field: str) -> Any:
        """What the meaning of the value depends on; the value itself unless a part stands for
        it."""
        return self.value(at, field)

    def source(self, at: CellRef, field: str) -> str:
        """The log entry that supplied it (``d7``), or empty."""
        return ""

    def papers(self) -> Mapping[CellRef, str]:
        """The papers that it holds, by id, each under the reference at which it stands."""
        return {}

    def held(self, at: CellRef) -> Held | None:
        """What stands at a reference, also where that is nothing; None for one that has no row."""
        return None

    def left_out(self, at: CellRef) -> str:
        """Why what stands there is not accepted together with others; empty where it is."""
        return ""

    def recorded(self, at: CellRef, action: str) -> Values:
        """What a decision about it records besides the action."""
        return {}

    def aside(self) -> Sequence[Aside]:
        """The papers that left their places."""
        return ()

    def steered(self) -> object:
        """What a person steers of it, to be compared with that of another state."""
        return self.papers()

    def follows(self, at: CellRef) -> Iterable[CellRef]:
        """The cells that what stands there was chosen from and still follows."""
        return ()

    # -- what it says of cells

    def branches(self) -> Iterable[Branch]:
        """The branches that the log has, besides those that the settings say."""
        return ()

    def is_outdated(self, version: Version) -> bool:
        """Whether a version does not know what it would be told now, although all of its inputs are
        what they were."""
        return False

    def is_of_another(self, version: Version) -> bool:
        """Whether a version is about something else than what stands at its place now, so that it
        is not in use, whoever wrote it."""
        return False


class Computed(dict[str, V]):
    """What is worked out of a key when it is first asked for; a look costs no call."""

    def __init__(self, find: Callable[[str], V]) -> None:
        super().__init__()
        self._find = find

    def __missing__(self, key: str) -> V:
        found = self[key] = self._find(key)
        return found


class State:
    """An immutable view of a session; ``fold`` and ``apply`` make new ones.

    ``shared`` maps the numbers of versions that a fork shares to those of the log. ``components`` are
    what methods keep of the log besides cells. ``papers`` are the records of every paper the session
    knows; they are facts, not decisions.
    """

    def __init__(self, components: Iterable[type[Component]] = ()) -> None:
        self.seq = 0
        self.components: dict[type[Component], Component] = {}
        self.holders: dict[str, Component] = {}
        """By each kind that no cell stands at the component that holds it."""
        for kind in components:
            self._hold(kind, kind(self))
        self.settings: Values = {}
        self.cells: dict[str, Cell] = {}
        self.versions: dict[int, Version] = {}
        self.instances: Mapping[str, Instance] = {}
        """Methods besides the one with numbered branches, by the name of their instance (``S1``)."""
        self.points: dict[tuple[Branch, int, int], str] = {}
        self.dismissals: dict[tuple[Branch, int, int], str] = {}
        """The reason for each dismissed point, where one was given."""
        self.own_points: dict[tuple[Branch, int], tuple[Values, ...]] = {}
        """Points that a person added to a review, by branch and version of the review."""
        self.judged: dict[tuple[Branch, str], str] = {}
        """What the researcher says of a paper that a branch's novelty reports compared; by paper,
        so that it survives a re-check.

        With an empty paper: the researcher's verdict on the idea itself."""
        self.judged_notes: dict[tuple[Branch, str], str] = {}
        """The researcher's note on such a paper, which is in the export with the
        judgement."""
        self.votes: dict[tuple[str, str], Branch] = {}
        """The researcher's votes by match and criterion: the branch of the better idea, 0 for a tie;
        on two sketches by their addresses: that of the better one."""
        self.parked: frozenset[Branch] = frozenset()
        self.pick: Branch | None = None
        self.notes: dict[str, str] = {}
        self.offers: Mapping[int, Decision] = {}
        """What other programs propose, by entry: a text, a paper for a place, a review point."""
        self.void: tuple[tuple[int, str], ...] = ()
        self.shared: dict[int, int] = {}
        self.papers: Mapping[str, Paper] = {}
        self._contents: dict[tuple[int, type[Content]], tuple[Version, Content]] = {}
        """Contents that were read, by version and model, with the version itself; copies of a state
        share them."""
        self._use: Computed[int | None] = Computed(self._find_in_use)
        self.meanings: Computed[str | None] = Computed(self._find_meaning)
        """The meaning hash behind a reference to a field, or None when absent."""
        self._branches: list[Branch] = []

    def copy(self) -> State:
        new = State()
        new.__dict__.update(self.__dict__)
        for name, part in vars(self).items():
            if type(part) is dict and name not in ("papers", "_contents"):
                setattr(new, name, dict(part))
        for kind, component in self.components.items():
            new._hold(kind, component.copied(new))
        new.forget()
        return new

    def forget(self) -> None:
        """Drop what was computed; the fold calls it after each change."""
        self._use, self._branches = Computed(self._find_in_use), []
        self.meanings = Computed(self._find_meaning)
        for component in self.components.values():
            component.forget()

    def component(self, kind: type[Component]) -> Component:
        """A new component, which nothing was folded into."""
        self._hold(kind, kind(self))
        return self.components[kind]

    def _hold(self, kind: type[Component], component: Component) -> None:
        self.components[kind] = component
        self.holders.update(dict.fromkeys(kind.kinds, component))

    def held(self, at: CellRef) -> Held | None:
        """What stands at a reference that a component holds; None for a cell, and for what has no
        row."""
        holder = self.holders.get(at.kind)
        return holder.held(at) if holder is not None else None

    def held_papers(self) -> dict[CellRef, str]:
        """The papers that components hold, by id, each under the reference at which it stands."""
        every = self.components.values()
        return {at: paper for component in every for at, paper in component.papers().items()}

    # -- what is in use

    def cell(self, address: str) -> Cell:
        return self.cells.get(address) or Cell(address)

    def showing(self, address: str, seq: int) -> State:
        """This state as if another version of a text were in use: to show it, not to build on
        it."""
        new = self.copy()
        new._use[address] = seq
        return new

    def in_use(self, address: str) -> Version | None:
        """The version in use: the person's, else the newest whose inputs are what is in use now,
        else the newest that was taken.

        That an earlier version comes back when its inputs do is what makes undo exact while results
        paid for stay. One made from a shorter chain gives way to one made from all of its papers
        and more, once those are there again.
        """
        seq = self._use[address]
        return self.versions[seq] if seq is not None else None

    def offered(self, address: str) -> Version | None:
        """The newest text that another program proposes for a cell where none is in use."""
        if self.in_use(address) is not None:
            return None
        found = [one.value.get("version", 0) for one in self.offers_at(address)]
        return self.versions.get(max(found, default=0))

    def offers_at(self, address: str) -> list[Decision]:
        """What other programs propose for a cell or a place, the oldest first."""
        return [one for one in self.offers.values() if one.address == address]

    def read(self, address: str, model: type[C]) -> C | None:
        """The content of the version in use, as its model; None where there is no version."""
        version = self.in_use(address)
        return self.content(version, model) if version is not None else None

    def content(self, version: Version, model: type[C]) -> C:
        """The content of any version as its model, read once."""
        known = self._contents.get((version.seq, model))
        if known is None or known[0] is not version:
            known = self._contents[version.seq, model] = (
                version,
                model.from_stored(version.content),
            )
        content = known[1]
        assert isinstance(content, model)
        return content

    def _find_in_use(self, address: str) -> int | None:
        """A person's version, else the newest machine's one made from what is in use now (an older
        one where it was made from more papers of the chain), else the newest that was taken."""
        cell = self.cell(address)
        if (lock := self.lock_of(cell)) is not None:
            return lock
        best: Version | None = None
        for seq in reversed(cell.versions):
            version = self.versions[seq]
            if version.by_person or version.alternative_because or not self.matches(version):
                continue
            if best is None or self._has_more(version, best):
                best = version
        if best is not None:
            return best.seq
        taken = (seq for seq in reversed(cell.taken) if not self._is_of_another(seq))
        return next(taken, None)

    def _has_more(self, version: Version, other: Version) -> bool:
        """True when it was made from everything that the other was made from, and from more of what
        a component holds (further papers of the chain)."""
        extra = version.inputs.keys() - other.inputs.keys()
        return version.inputs.keys() > other.inputs.keys() and any(
            split_ref(name)[0].kind in self.holders for name in extra
        )

    def lock_of(self, cell: Cell) -> int | None:
        """The version that a person holds in use; what is about something else than stands there now
        waits (a card, while another paper is in its slot)."""
        return None if cell.lock is None or self._is_of_another(cell.lock) else cell.lock

    def _is_of_another(self, seq: int) -> bool:
        version = self.versions[seq]
        return any(one.is_of_another(version) for one in self.components.values())

    def matches(self, version: Version) -> bool:
        """True when every input that the version was made from has the same meaning now, and it
        knows what was asked of its text and whatever a component asks for."""
        for name, was in version.inputs.items():
            if self.meanings[name] != was:
                return False
        for component in self.components.values():
            if component.is_outdated(version):
                return False
        address = version.address
        return not self.cell(address).wishes or ref(address, WISHES) in version.inputs

    def value(self, name: str) -> Any:
        """The value behind a reference (``1/idea#title``), or None when absent. A slot's ``paper``
        gives the Paper."""
        at, field_name = split_ref(name)
        if (holder := self.holders.get(at.kind)) is not None:
            return holder.value(at, field_name)
        if field_name == WISHES:
            return list(self.cell(at).wishes) or None
        if self.cell(at).silent or field_name == REJECTED:
            return self._turned_down(at) if field_name == REJECTED else None
        if name == HUNCH and not self.settings.get("send_hunch"):
            return None
        version = self.in_use(at)
        return value_at(version.content, field_name) if version else None

    def _turned_down(self, address: str) -> dict[str, Any] | None:
        """A text that was rejected, or fell, with the reason; without a version it asks nothing."""
        cell, version = self.cell(address), self.in_use(address)
        if not (cell.rejected or cell.fell) or version is None:
            return None
        return {**version.content, "reason": cell.reason if cell.rejected else cell.fell}

    def meaning(self, name: str) -> str | None:
        """The meaning hash behind a reference, or None when absent."""
        return self.meanings[name]

    def _find_meaning(self, name: str) -> str | None:
        at, field_name = split_ref(name)
        if (holder := self.holders.get(at.kind)) is not None:
            found = holder.identity(at, field_name)
            return digest(found) if found else None
        if field_name in (WISHES, REJECTED) or name == HUNCH or self.cell(at).silent:
            value = self.value(name)
            return digest(value) if value else None
        version = self.in_use(at)
        if version is None or "." not in field_name:
            return version.meanings.get(field_name) if version else None
        return self._meaning_of_item(version, field_name)

    def _meaning_of_item(self, version: Version, field_name: str) -> str | None:
        """The meaning hash of an item of a list. One that was saved as wording only means what it
        meant in the version before."""
        field, meaning = field_name.partition(".")[0], version.meanings
        while meaning.get(field) != digest(version.content.get(field)):
            before = (self.versions[seq] for seq in version.parents if seq in self.versions)
            older = next((v for v in before if v.meanings.get(field) == meaning.get(field)), None)
            if older is None:
                break
            version = older
        value = value_at(version.content, field_name)
        return digest(value) if value is not None else None

    def source(self, name: str) -> str:
        """Which log entry supplies a reference now: ``v12``, ``d7``, or empty."""
        at, field_name = split_ref(name)
        if field_name == WISHES:
            return f"d{self.cell(at).asked_by}"
        if (holder := self.holders.get(at.kind)) is not None:
            return holder.source(at, field_name)
        version = self.in_use(at)
        return f"v{version.seq}" if version else ""

    # -- branches

    def settings_of(self, instance: str) -> Values:
        """The settings that hold in an instance: its own, then those of the session. An empty name
        is that of no instance."""
        own = self.instances.get(instance)
        return {**self.settings, **own.settings} if own is not None else self.settings

    def bounds(self, model: type[B], address: str = "") -> B:
        """The settings of a model as they hold for a cell or an instance, or for the session; a
        missing one takes the default."""
        found = self.settings_of(cell_ref(address).instance if address else "")
        known = {name: found[name] for name in model.model_fields if name in found}
        return model.model_validate(known)

    @property
    def branches(self) -> list[Branch]:
        """All branches: as many as the settings of each method say, and any that a component has; the
        methods in the order they were added."""
        if self._branches:
            return self._branches
        found: set[Branch] = set(range(1, int(self.settings.get("branches", 0)) + 1))
        for name, own in self.instances.items():
            found |= {branch_name(name, n) for n in range(1, own.branches + 1)}
        for component in self.components.values():
            found |= set(component.branches())
        place = {name: n for n, name in enumerate(self.instances, start=1)}
        self._branches = sorted(
            found, key=lambda b: (place.get(instance_of(b), 0), branch_order(b))
        )
        return self._branches

    def branches_of(self, instance: str) -> list[Branch]:
        """The branches of one method instance; those with numbers for the empty name."""
        return [b for b in self.branches if instance_of(b) == instance]

    def ideas(self) -> list[Branch]:
        """The branches that have an idea in use and are not parked: those that can meet in a
        match."""
        there = (b for b in self.branches if b not in self.parked)
        return [b for b in there if self.in_use(cell_at(b, "idea")) is not None]

    def own_verdict(self, branch: Branch) -> str:
        """The researcher's own verdict on how close earlier work comes to an idea; empty where
        there is none."""
        return self.judged.get((branch, ""), "")


def version_number(state: State, address: str, seq: int) -> int:
    """How the version with this entry number is counted among those of its cell, from 1; 0 where it
    is none of them.

    A fork shares versions of its origin: they are found by the number that the log gives them, too.
    """
    known = ((own, state.shared.get(own, own)) for own in state.cell(address).versions)
    return next((number for number, names in enumerate(known, start=1) if seq in names), 0)


def version_name(state: State, address: str, seq: int) -> str:
    """A version as it is shown: ``v2`` for the second one that a cell has had; ``entry 43`` for one
    that is not of this cell."""
    number = version_number(state, address, seq)
    return f"v{number}" if number else f"entry {abs(seq)}"


def parent_name(state: State, address: str, seq: int) -> str:
    """A version that a text was made from: ``v1`` of the same cell, ``2/idea v1`` of another
    one."""
    version = state.versions.get(seq)
    if version_number(state, address, seq) or version is None or version.address == address:
        return version_name(state, address, seq)
    return f"{version.address} {version_name(state, version.address, seq)}"


def value_at(content: Values, path: str) -> Any:
    """What a content has at a path: a field, or an item of its list, counted from 1 (``tasks.3``,
    ``ideas.2.title``); None where there is none."""
    found: Any = content
    for step in path.split("."):
        if isinstance(found, Mapping):
            found = found.get(step)
        elif isinstance(found, list) and step.isdecimal() and 0 < int(step) <= len(found):
            found = found[int(step) - 1]
        else:
            return None
    return found
