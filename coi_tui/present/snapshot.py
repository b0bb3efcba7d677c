"""What an export is made from: a session at the moment of its export, and the references collected
while it is written (COI-16)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from coi_tui.arena.ratings import Standing
from coi_tui.methods.registry import SessionMethods, spec_in_session
from coi_tui.model.address import PAIR, QUESTION, Branch, parse_address, place
from coi_tui.model.calls import Call, Failure
from coi_tui.model.document import MethodDocument, Section
from coi_tui.model.entries import Decision, Version
from coi_tui.model.fold import undone_groups
from coi_tui.model.state import State
from coi_tui.present.bibliography import Bibliography
from coi_tui.present.options import ProposalOptions
from coi_tui.present.titles import NamedWork, named_works, own_words


@dataclass(frozen=True)
class SessionSnapshot:
    """A session at the moment of its export.

    ``fresh``: status word by address (fresh, kept, stale, upstream, missing); ``stopped``: why a
    side of a chain ended, by branch and
    ``forward`` or ``backward``; ``failures``: cause by address; ``failed_checks``: those of novelty
    reports that stand, by address;
    ``calls`` without their replies; ``branch``: that of the idea which the proposal is about, None
    where none has been chosen yet;
    ``every``: every idea is told in full.
    """

    name: str
    method: str
    exported_at: str
    state: State
    fresh: Mapping[str, str] = field(default_factory=dict)
    stopped: Mapping[tuple[Branch, str], str] = field(default_factory=dict)
    standings: Sequence[Standing] = ()
    calls: Sequence[Call] = ()
    decisions: Sequence[Decision] = ()
    failures: Mapping[str, str] = field(default_factory=dict)
    failed_checks: Mapping[str, Failure] = field(default_factory=dict)
    damage: Sequence[str] = ()
    """What of the session file is not as it was written, a sentence each."""
    branch: Branch | None = None
    every: bool = False
    methods: SessionMethods = field(default_factory=SessionMethods)
    document: MethodDocument = field(default_factory=lambda: MethodDocument(()))
    """What the methods say about the branches shown."""

    @property
    def shown(self) -> list[Branch]:
        """Branches told in full: that of the chosen idea; all of them while there is none, or where
        every idea is asked for."""
        return [self.branch] if self.branch is not None and not self.every else self.state.branches

    @property
    def undone(self) -> set[str]:
        """Groups of decisions that were undone."""
        return undone_groups(self.decisions)

    @property
    def matches(self) -> list[str]:
        """Addresses of the matches that have a result, in order."""
        found = [
            a
            for a in self.state.cells
            if parse_address(a).part == "match" and self.state.in_use(a) is not None
        ]
        return sorted(found, key=parse_address)

    @cached_property
    def in_use(self) -> dict[str, Version]:
        """The version in use of every cell that has one, by address."""
        found = (
            (address, self.state.in_use(address))
            for address in sorted(self.state.cells, key=parse_address)
        )
        return {address: version for address, version in found if version is not None}

    @property
    def bounds_by_method(self) -> dict[str, dict[str, int]]:
        """The bounds of each method by the name of its instance, as this session has them, else
        their defaults."""
        found = {}
        for instance, method in self.methods.instances.items():
            held = self.state.settings_of(instance)
            defaults = spec_in_session(method.name).settings().model_dump()
            found[instance] = {
                name: held.get(name, value)
                for name, value in defaults.items()
                if type(value) is int
            }
        return found


NOT_MADE = "Not made yet."


class ExportContext:
    """What every part of an export is written from: snapshot and options, and the bibliography,
    which grows on the way."""

    def __init__(self, snapshot: SessionSnapshot, options: ProposalOptions | None = None) -> None:
        self.snapshot = snapshot
        self.options = options or ProposalOptions()
        self.state = snapshot.state
        self.bibliography = Bibliography(snapshot.state.papers, pandoc=self.options.pandoc)

    @cached_property
    def own_words(self) -> frozenset[str]:
        """What the texts may quote without naming a paper."""
        return own_words(self.state)

    @cached_property
    def works(self) -> list[NamedWork]:
        """The works that the texts shown name."""
        return named_works(
            self.state, self.snapshot.shown, self.snapshot.document.sections, self.bibliography
        )

    @property
    def unverified(self) -> list[NamedWork]:
        """Those that are no paper of the session."""
        return [work for work in self.works if work.paper is None]

    def cite_works(self) -> None:
        """Give a number to every paper that a text names, so that it stands in the references."""
        for work in self.works:
            if work.paper is not None:
                self.bibliography.number(work.paper)

    @property
    def top(self) -> int:
        """The level of the headings of the parts: pandoc takes the title from the head of the file,
        so that they are the first level."""
        return 1 if self.options.pandoc else 2

    def method_sections(self, branch: Branch) -> list[Section]:
        """The method's sections about a branch."""
        return [section for section in self.snapshot.document.sections if section.branch == branch]


def name_of(snapshot: SessionSnapshot, address: str) -> str:
    """A part of a session in words: ``the card of 1/-1``, ``the trend from 1/0 to 1/+1``."""
    at, kind = parse_address(address), snapshot.methods.kind(address)
    title = kind.title.lower() if kind is not None else at.part
    if at.part == "slot":
        return f"the paper at {address}"
    if at.attached:
        return f"the {title} of {at.slot}"
    if at.part == PAIR:
        return f"the {title} from {at.branch}/{place(at.pos)} to {at.branch}/{place(at.newer)}"
    if at.part == "match":
        return f"the match of ideas {at.branch} and {at.other}"
    return (
        f"question {at.branch}"
        if at.part == QUESTION
        else f"the {title}{f' of branch {at.branch}' if at.branch else ''}"
    )
