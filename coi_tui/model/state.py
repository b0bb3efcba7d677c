"""The state of a session as the fold gives it: what is in each slot, which version is in use, what
is on the shelf. What is cached is of this state alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, Literal, TypeVar

from pydantic import BaseModel

from coi_tui.model.address import (
    CANDIDATES,
    QUESTION,
    VERDICTS,
    Branch,
    branch_order,
    instance_of,
    pair,
    parse_address,
    ref,
    slot,
    split_ref,
)
from coi_tui.model.content import Content, SlotReason
from coi_tui.model.criteria import REF
from coi_tui.model.entries import Decision, Version
from coi_tui.model.papers import Paper
from coi_tui.model.text import Values, digest

B = TypeVar("B", bound=BaseModel)
C = TypeVar("C", bound=Content)
SlotVerdict = Literal["empty", "proposed", "accepted", "pinned"]
Side = Literal["forward", "backward"]
ShelfKind = Literal["rejected", "replaced", "detached", "late"]
LISTS = (CANDIDATES, VERDICTS)
"""What a machine may choose from; these follow the session's criteria."""
WISHES = "wishes"
"""What a person asked of a text, as if it were a field of it; there only where something was
asked."""
REJECTED = "rejected"
"""A rejected text with the reason, as if it were a field of it; there only while it is rejected."""
HUNCH = "topic#hunch"
"""The researcher's hunch about the topic, which counts only where the session sends it to models."""
PDF = "pdf"
"""The field of a slot that is the PDF attached to its paper; there only while one is."""


@dataclass(frozen=True)
class Slot:
    """A place in a chain. ``why`` says how the paper came there: rank, candidate list version, link
    kind and evidence."""

    branch: Branch
    pos: int
    paper: str | None = None
    verdict: SlotVerdict = "empty"
    why: Values = field(default_factory=dict)
    protected: bool = False
    since: int = 0

    @property
    def address(self) -> str:
        return slot(self.branch, self.pos)

    @property
    def reason(self) -> SlotReason:
        """``why`` as its model."""
        return SlotReason.from_stored(self.why)


@dataclass(frozen=True)
class ShelfItem:
    """A paper that was in a slot, or was refused one, and can come back. ``branch`` 0: excluded from
    the session, it was in none."""

    paper: str
    branch: Branch
    pos: int
    kind: ShelfKind
    reason: str
    verdict: SlotVerdict
    why: Values
    seq: int

    @property
    def everywhere(self) -> bool:
        """Whether it was rejected for the whole session."""
        return self.kind == "rejected" and bool(self.why.get("everywhere"))

    @property
    def where(self) -> str:
        """The slot that it left; ``all`` for a paper that is excluded from the session."""
        return slot(self.branch, self.pos) if self.branch else "all"


@dataclass(frozen=True)
class SideEnd:
    """Why one side of a chain stopped growing; holds while the tip is the paper it was said of."""

    side: Side
    tip_pos: int
    tip: str
    reason: str


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
class BadCase:
    """A paper that an earlier draft came too close to (COI-11): why, what the two ``shared``, and
    that draft's ``idea`` in short."""

    report: int
    paper: str
    title: str
    reason: str
    idea: str = ""
    shared: str = ""

    @property
    def for_prompt(self) -> dict[str, str]:
        """What the next draft's prompt has of it."""
        more = {"idea": self.idea, "shared": self.shared}
        known = {name: text for name, text in more.items() if text}
        return {"title": self.title, "reason": self.reason, **known}


@dataclass(frozen=True)
class Instance:
    """A method that was added to a session after its first one: its name, how many branches it has,
    and its other settings."""

    method: str
    branches: int = 0
    settings: Values = field(default_factory=dict)
    package: str = ""
    """Name and version of the package that the method came from; empty for a built-in one."""


class State:
    """An immutable view of a session; ``fold`` and ``apply`` make new ones.

    ``forks`` maps a branch to (origin, place) where it was forked off; ``shared`` the numbers of
    versions it shares to those of the log.
    ``papers`` are the records of every paper the session knows; they are facts, not decisions.
    """

    def __init__(self) -> None:
        self.seq = 0
        self.settings: Values = {}
        self.cells: dict[str, Cell] = {}
        self.versions: dict[int, Version] = {}
        self.slots: dict[str, Slot] = {}
        self.places: dict[Branch, tuple[str, ...]] = {}
        """The addresses in ``slots`` of each branch, as ``put`` notes them."""
        self.instances: Mapping[str, Instance] = {}
        """Methods besides the one with numbered branches, by the name of their instance (``S1``)."""
        self.ends: dict[tuple[Branch, Side], SideEnd] = {}
        self.shelf: tuple[ShelfItem, ...] = ()
        self.bad: dict[Branch, tuple[BadCase, ...]] = {}
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
        self.attached: Mapping[str, Mapping[str, str]] = {}
        """The researcher's own PDF of a paper, by paper id: the hash of its bytes, its name, its
        characters, the decision."""
        self.parked: frozenset[Branch] = frozenset()
        self.pick: Branch | None = None
        self.notes: dict[str, str] = {}
        self.offers: Mapping[int, Decision] = {}
        """What other programs propose, by entry: a text, a paper for a place, a review point."""
        self.void: tuple[tuple[int, str], ...] = ()
        self.forks: dict[Branch, tuple[Branch, int]] = {}
        self.shared: dict[int, int] = {}
        self.papers: Mapping[str, Paper] = {}
        self._contents: dict[tuple[int, type[Content]], tuple[Version, Content]] = {}
        """Contents that were read, by version and model, with the version itself; copies of a state
        share them."""
        self._use: dict[str, int | None] = {}
        self._meaning: dict[str, str | None] = {}
        self._chains: dict[Branch, list[int]] = {}
        self._branches: list[Branch] = []

    def copy(self) -> State:
        new = State()
        new.__dict__.update(self.__dict__)
        for name, part in vars(self).items():
            if type(part) is dict and name not in ("papers", "_contents"):
                setattr(new, name, dict(part))
        new.forget()
        return new

    def forget(self) -> None:
        """Drop what was computed; the fold calls it after each change."""
        self._use, self._meaning, self._chains, self._branches = {}, {}, {}, []

    # -- what is in use

    def cell(self, address: str) -> Cell:
        return self.cells.get(address) or Cell(address)

    def showing(self, address: str, seq: int) -> State:
        """This state as if another version of a text were in use: to show it, not to build on
        it."""
        new = self.copy()
        new._use[address] = seq
        return new

    def slot(self, address: str) -> Slot:
        found = self.slots.get(address)
        if found is not None:
            return found
        parsed = parse_address(address)
        return Slot(parsed.branch, parsed.pos)

    def put(self, address: str, place: Slot) -> None:
        """Set one slot of a state that the fold is building."""
        if address not in self.slots:
            self.places[place.branch] = (*self.places.get(place.branch, ()), address)
        self.slots[address] = place

    def places_of(self, branch: Branch) -> list[Slot]:
        """The slots of a branch that hold a paper or once did."""
        return [self.slots[address] for address in self.places.get(branch, ())]

    def in_use(self, address: str) -> Version | None:
        """The version in use: the person's, else the newest whose inputs are what is in use now,
        else the newest that was taken.

        That an earlier version comes back when its inputs do is what makes undo exact while results
        paid for stay. One made from a shorter chain gives way to one made from all of its papers
        and more, once those are there again.
        """
        if address not in self._use:
            self._use[address] = self._find_in_use(self.cell(address))
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

    def _find_in_use(self, cell: Cell) -> int | None:
        """A person's version, else the newest machine's one made from what is in use now (an older
        one where it was made from more papers of the chain), else the newest that was taken."""
        if (lock := self.lock_of(cell)) is not None:
            return lock
        best: Version | None = None
        for seq in reversed(cell.versions):
            version = self.versions[seq]
            if version.by_person or version.alternative_because or not self.matches(version):
                continue
            if best is None or _from_more_places(version, best):
                best = version
        if best is not None:
            return best.seq
        taken = (seq for seq in reversed(cell.taken) if not self._of_another_paper(seq))
        return next(taken, None)

    def lock_of(self, cell: Cell) -> int | None:
        """The version that a person holds in use; a card that a person wrote waits while another
        paper is in its slot."""
        return None if cell.lock is None or self._of_another_paper(cell.lock) else cell.lock

    def _of_another_paper(self, seq: int) -> bool:
        """True for what was read from (or written about) a paper which is not the one in its slot
        now."""
        version = self.versions[seq]
        at = parse_address(version.address)
        name = ref(str(at.slot), "paper")
        return at.attached and version.inputs.get(name, now := self.meaning(name)) != now

    def matches(self, version: Version) -> bool:
        """True when every input that the version was made from has the same meaning now, and it
        knows the criteria of its list and what was asked of its text."""
        of_list = parse_address(version.address).part in LISTS
        if of_list and REF not in version.inputs and self.meaning(REF) is not None:
            return False
        if self.cell(version.address).wishes and ref(version.address, WISHES) not in version.inputs:
            return False
        for name, was in version.inputs.items():  # noqa: SIM110 - runs thousands of times a key
            if self.meaning(name) != was:
                return False
        return True

    def value(self, name: str) -> Any:
        """The value behind a reference (``1/idea#title``), or None when absent. A slot's ``paper``
        gives the Paper."""
        address, field_name = split_ref(name)
        at = parse_address(address)
        if at.part == "slot":
            paper = self.slot(address).paper or ""
            return self.attached.get(paper) if field_name == PDF else self.papers.get(paper)
        if at.part == "bad":
            return [case.for_prompt for case in self.bad.get(at.branch, ())] or None
        if at.part == "shelf":
            return self.turned_down() or None
        if field_name == WISHES:
            return list(self.cell(address).wishes) or None
        if self.cell(address).silent or field_name == REJECTED:
            return self._turned_down(address) if field_name == REJECTED else None
        if name == HUNCH and not self.settings.get("send_hunch"):
            return None
        version = self.in_use(address)
        return value_at(version.content, field_name) if version else None

    def _turned_down(self, address: str) -> dict[str, Any] | None:
        """A text that was rejected, or fell, with the reason; without a version it asks nothing."""
        cell, version = self.cell(address), self.in_use(address)
        if not (cell.rejected or cell.fell) or version is None:
            return None
        return {**version.content, "reason": cell.reason if cell.rejected else cell.fell}

    def meaning(self, name: str) -> str | None:
        """The meaning hash behind a reference, or None when absent."""
        if name not in self._meaning:
            self._meaning[name] = self._find_meaning(name)
        return self._meaning[name]

    def _find_meaning(self, name: str) -> str | None:
        address, field_name = split_ref(name)
        part = parse_address(address).part
        if part == "slot":
            paper = self.slot(address).paper
            if field_name == PDF:
                paper = self.attached.get(paper or "", {}).get("pdf")
            return digest(paper) if paper else None
        if (
            part in ("bad", "shelf")
            or field_name in (WISHES, REJECTED)
            or name == HUNCH
            or self.cell(address).silent
        ):
            value = self.value(name)
            return digest(value) if value else None
        version = self.in_use(address)
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
        address, field_name = split_ref(name)
        if field_name == WISHES:
            return f"d{self.cell(address).asked_by}"
        if parse_address(address).part == "slot":
            place = self.slot(address)
            if field_name == PDF:
                return self.attached.get(place.paper or "", {}).get("by", "")
            return f"d{place.since}" if place.paper else ""
        version = self.in_use(address)
        return f"v{version.seq}" if version else ""

    # -- chains

    def settings_of(self, instance: str) -> Values:
        """The settings that hold in an instance: its own, then those of the session. An empty name
        is that of no instance."""
        own = self.instances.get(instance)
        return {**self.settings, **own.settings} if own is not None else self.settings

    def bounds(self, model: type[B], address: str = "") -> B:
        """The settings of a model as they hold for a cell or an instance, or for the session; a
        missing one takes the default."""
        found = self.settings_of(parse_address(address).instance if address else "")
        known = {name: found[name] for name in model.model_fields if name in found}
        return model.model_validate(known)

    @property
    def branches(self) -> list[Branch]:
        """All branches: as many as the settings of each method say, and any with a number that hold
        a slot, or a question; the methods in the order they were added."""
        if self._branches:
            return self._branches
        found: set[Branch] = set(range(1, int(self.settings.get("branches", 0)) + 1))
        for name, own in self.instances.items():
            found |= {f"{name}/{n}" for n in range(1, own.branches + 1)}
        found |= {
            place.branch
            for place in self.slots.values()
            if place.paper and not instance_of(place.branch)
        }
        found |= {
            parse_address(a).branch for a in self.cells if a[0] == QUESTION and self.in_use(a)
        }
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
        return [b for b in there if self.in_use(f"{b}/idea") is not None]

    def chain(self, branch: Branch) -> list[int]:
        """Places of the chain: the gapless run of filled slots around 0; empty when the anchor
        is."""
        if branch not in self._chains:
            held = {place.pos for place in self.places_of(branch) if place.paper}
            low = high = 0
            while low - 1 in held:
                low -= 1
            while high + 1 in held:
                high += 1
            self._chains[branch] = list(range(low, high + 1)) if 0 in held else []
        return self._chains[branch]

    @property
    def least_papers(self) -> int:
        """The fewest papers of a chain that is not called short: the session's minimum, where its
        bounds allow that many at all."""
        names = ("minimum", "length", "forward", "backward")
        least, length, forward, backward = (int(self.settings.get(name, 0)) for name in names)
        return min(least, length, 1 + forward + backward)

    def is_short(self, branch: Branch) -> bool:
        """Whether the chain of a branch has too few papers; only numbered branches grow a chain."""
        return not instance_of(branch) and len(self.chain(branch)) < self.least_papers

    def filled(self, branch: Branch) -> list[Slot]:
        """Every filled slot of a branch, old to new, also those beyond a gap."""
        return sorted([s for s in self.places_of(branch) if s.paper], key=attrgetter("pos"))

    def paper_at(self, branch: Branch, pos: int) -> Paper | None:
        paper = self.slot(slot(branch, pos)).paper
        return self.papers.get(paper) if paper else None

    def pairs(self, branch: Branch) -> list[str]:
        """Addresses of the chain's pairs of neighbours, the oldest first."""
        return [pair(branch, pos) for pos in self.chain(branch)[:-1]]

    def rejected(self, branch: Branch) -> set[str]:
        """Papers not to be proposed in this branch: rejected here, or rejected everywhere in the
        session."""
        return {
            item.paper
            for item in self.shelf
            if item.kind == "rejected" and (item.branch == branch or item.everywhere)
        }

    def own_verdict(self, branch: Branch) -> str:
        """The researcher's own verdict on how close earlier work comes to an idea; empty where
        there is none."""
        return self.judged.get((branch, ""), "")

    def turned_down(self) -> list[dict[str, str]]:
        """Papers that were rejected with a reason, the newest last, each once: what a person does
        not want."""
        rejected = {i.paper: i for i in self.shelf if i.kind == "rejected" and i.reason}
        known = {key: self.papers.get(key) for key in rejected}
        return [
            {"title": paper.title if paper else key, "reason": rejected[key].reason}
            for key, paper in known.items()
        ]

    def end(self, branch: Branch, side: Side) -> SideEnd | None:
        """The reason why a side stopped, if it still speaks of the chain's present tip."""
        end, places = self.ends.get((branch, side)), self.chain(branch)
        if end is None or not places:
            return None
        tip = places[-1] if side == "forward" else places[0]
        return end if tip == end.tip_pos and self.slot(slot(branch, tip)).paper == end.tip else None


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
    """What a content has at a path: a field, or an item of its list, counted from 1 (``steps.3``,
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


def _from_more_places(version: Version, other: Version) -> bool:
    """True when it was made from everything that the other was made from, and from further papers
    of the chain."""
    extra = version.inputs.keys() - other.inputs.keys()
    return version.inputs.keys() > other.inputs.keys() and any(
        parse_address(split_ref(name)[0]).part == "slot" for name in extra
    )
