"""What a decision is: a ``Verb`` with its rule, its effect and its words, at a ``Target``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from coi_tui.engine.declarations import CellKind
from coi_tui.model.address import Branch, parse_address, slot_of
from coi_tui.model.entries import Action, Decision, Version
from coi_tui.model.errors import UsageError
from coi_tui.model.papers import Paper
from coi_tui.model.state import Cell, Slot
from coi_tui.session.core import SessionCore

NOT_MADE = "nothing has been made here yet"
NO_BRANCH = "this row belongs to no branch"
NO_PAPER = "this row holds no paper"


class Target:
    """A row, with what rules and effects ask of it."""

    def __init__(self, core: SessionCore, address: str) -> None:
        self.core, self.state, self.address = core, core.state, address
        self.at = parse_address(address)
        self.kind: CellKind | None = core.methods.kind(address)
        self.cell: Cell = self.state.cell(address)
        self.version: Version | None = self.state.in_use(address)
        self.place = slot_of(address)
        """The slot whose candidates the row is about; empty where there is none."""
        self.slot: Slot | None = self.state.slot(self.place) if self.place else None
        self.branch: Branch = 0 if self.at.part == "match" else self.at.branch

    @property
    def is_slot(self) -> bool:
        return self.at.part == "slot" and self.slot is not None

    @property
    def paper(self) -> str | None:
        """The paper that a slot or its card is about."""
        about = self.slot is not None and self.at.part in ("slot", "card")
        return self.slot.paper if self.slot is not None and about else None

    def entry(
        self, action: Action, value: Mapping[str, Any] | None = None, at: str = ""
    ) -> Decision:
        """A decision of the person's about this row, or about another address."""
        return Decision(actor="you", action=action, address=at or self.address, value=value or {})


@dataclass(frozen=True)
class Given:
    """What a person says with a decision; ``paper``: the paper that it is about, looked up
    before."""

    value: Any = None
    paper: Paper | None = None
    reason: str = ""

    @property
    def text(self) -> str:
        return "" if self.value is None else str(self.value).strip()


Rule = Callable[[Target], str]
"""Why something may not be done at a row, as a clause; empty where it may."""
Effect = Callable[[Target, Given], Sequence[Decision | Version]]


def allowed(_: Target) -> str:
    """The rule of what is allowed everywhere, or refused by its effect."""
    return ""


@dataclass(frozen=True)
class Verb:
    """What a person can do at a row. Without ``effect`` it opens a screen or plans a job, and only
    its rule and words are here.

    ``label``, ``help``, ``key``, ``group`` and ``footer`` are those of its key; without a label it
    has none. ``done`` and ``question`` are sentences with {at}, {branch} and {because}.
    ``explained`` says what it does before a reason is asked for. ``needs``: the value that the
    command line asks for; ``command``: it is a verb of ``coi decide``.
    """

    name: str
    rule: Rule = allowed
    effect: Effect | None = None
    label: str = ""
    help: str = ""
    key: str = ""
    group: str = "DECIDE"
    footer: int = 0
    done: str = ""
    question: str = ""
    explained: Callable[[Target], str] | None = None
    needs: str = ""
    looks_up: bool = False
    """Whether the value names a paper that is looked up first."""
    command: bool = True
    hint: str = ""
    opposite: str = ""
    """The verb that its key stands for where this one has been done."""
    of_branch: bool = False
    of_place: bool = False
    runs: bool = False
    """It plans a job, and one runs at a time."""
    reads: bool = False
    """It changes nothing, so a read-only session allows it."""
    quiet: Callable[[Target], bool] = lambda _: False
    """Whether it certainly changes no other row, so that nothing has to be rehearsed."""
    goes_on: bool = False
    """Whether the cursor goes on to the next row that asks."""

    @property
    def on_command_line(self) -> bool:
        return self.effect is not None and self.command

    def own(self, target: Target) -> str:
        """The row that is decided about: a whole branch, a place in a chain, or the row itself."""
        if self.of_branch:
            return str(target.branch)
        return (target.place if self.of_place else "") or target.address

    def sentence(self, text: str, target: Target, reason: str = "") -> str:
        because = f": {reason}" if reason else ""
        return text.format(at=self.own(target), branch=target.branch, because=because)


def require(verb: Verb, target: Target) -> None:
    """Raises UsageError with the reason where a verb is not allowed at a row."""
    if reason := verb.rule(target):
        raise UsageError(f"{verb.own(target)}: {reason}.", verb.hint)


def is_named(target: Target, paper: str, text: str) -> bool:
    """Whether an id, or at least four letters of a title, mean this paper."""
    known, text = target.state.papers.get(paper), text.casefold()
    title = known.title.casefold() if known is not None else ""
    return paper.casefold() == text or (len(text) > 3 and text in title)
