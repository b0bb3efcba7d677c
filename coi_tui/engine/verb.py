"""What a decision is: a ``Verb`` with its rule, its effect and its words, at a ``Target``. Methods
declare those about what is their own (``MethodSpec.verbs``)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from coi_tui.config import Settings
from coi_tui.engine.declarations import CellKind, Task
from coi_tui.engine.freshness import Freshness
from coi_tui.engine.journal import Journal
from coi_tui.model.address import Branch, cell_ref
from coi_tui.model.entries import Action, Decision, Version
from coi_tui.model.errors import UsageError
from coi_tui.model.papers import Paper
from coi_tui.model.state import Cell, Held, State

NOT_MADE = "nothing has been made here yet"
NO_BRANCH = "this row belongs to no branch; take a row that does, such as 1/idea"
NO_PAPER = "this row holds no paper"


class Services(Protocol):
    """Which services a job would use now: the sources of papers by name, and whether a language
    model writes (else why not)."""

    @property
    def source(self) -> str: ...

    @property
    def online_model(self) -> bool: ...

    @property
    def why(self) -> str: ...


class Methods(Protocol):
    """What the methods of a session say of an address."""

    def kind(self, address: str, /) -> CellKind: ...

    def task(self, address: str, /) -> Task | None: ...

    def of(self, address: str, /) -> Any: ...


class Desk(Protocol):
    """The part of a session that the rules and effects of verbs ask."""

    journal: Journal
    failed: dict[str, str]
    settings: Settings
    clock: Callable[[], str]

    @property
    def state(self) -> State: ...

    @property
    def methods(self) -> Methods: ...

    @property
    def setup(self) -> Services: ...

    @property
    def offline(self) -> bool: ...

    def freshness(self, address: str, /) -> Freshness: ...

    def inputs_now(self, address: str, /) -> dict[str, str | None]: ...


class Target:
    """A row, with what rules and effects ask of it."""

    def __init__(self, core: Desk, address: str) -> None:
        self.core, self.state, self.address = core, core.state, address
        self.at = cell_ref(address)
        self.kind = core.methods.kind(address)
        self.cell: Cell = self.state.cell(address)
        self.version: Version | None = self.state.in_use(address) or self.state.offered(address)
        """The text in use, else the one that another program proposes."""
        self.branch: Branch = self.at.owner
        self.holder = self.state.holders.get(self.at.kind)
        """The component that holds what stands there; None for a text."""
        self.held: Held | None = self.state.held(self.at)

    def recorded(self, action: Action) -> dict[str, Any]:
        """What a decision about what a component holds records."""
        return dict(self.holder.recorded(self.at, action)) if self.holder is not None else {}

    def entry(
        self, action: Action, value: Mapping[str, Any] | None = None, at: str = ""
    ) -> Decision:
        """A decision of the person's about this row, or about another address."""
        return Decision(actor="you", action=action, address=at or self.address, value=value or {})


@dataclass(frozen=True)
class VerbArgs:
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
Effect = Callable[[Target, VerbArgs], Sequence[Decision | Version]]


def allowed(_: Target) -> str:
    """The rule of what is allowed everywhere, or refused by its effect."""
    return ""


@dataclass(frozen=True)
class Verb:
    """What a person can do at a row. Without ``effect`` it opens a screen or plans a job, and only
    its rule and words are here.

    ``label``, ``help``, ``key`` and ``footer`` are those of its key; without a label it
    has none. ``done`` and ``question`` are sentences with {at}, {branch}, {because} and,
    of an idea, {chosen}.
    ``explained`` says what it does before a reason is asked for. ``needs``: the value that the
    command line asks for; ``command``: it is a verb of ``coi decide``.
    """

    name: str
    rule: Rule = allowed
    effect: Effect | None = None
    label: str = ""
    help: str = ""
    key: str = ""
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
    about: Callable[[Target], str] = lambda t: t.address
    """The row that it decides about, where that is not the one where the person is."""
    reads: bool = False
    """It changes nothing, so a read-only session allows it."""
    quiet: Callable[[Target], bool] = lambda _: False
    """Whether it certainly changes no other row, so that nothing has to be rehearsed."""
    goes_on: bool = False
    """Whether the cursor goes on to the next row that asks."""

    @property
    def on_command_line(self) -> bool:
        return self.effect is not None and self.command

    def sentence(self, text: str, target: Target, reason: str = "") -> str:
        because = f": {reason}" if reason else ""
        chosen = f"{self.about(target)} is your idea now." if target.kind.role == "idea" else ""
        return text.format(
            at=self.about(target), branch=target.branch, because=because, chosen=chosen
        ).rstrip()


def require(verb: Verb, target: Target) -> None:
    """Raises UsageError with the reason where a verb is not allowed at a row."""
    if reason := verb.rule(target):
        raise UsageError(f"{verb.about(target)}: {reason}.", verb.hint)


def is_named(target: Target, paper: str, text: str) -> bool:
    """Whether an id, or at least four letters of a title, mean this paper."""
    known, text = target.state.papers.get(paper), text.casefold()
    title = known.title.casefold() if known is not None else ""
    return paper.casefold() == text or (len(text) > 3 and text in title)
