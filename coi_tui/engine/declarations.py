"""What a method is to the rest of the program, which can show, edit, run and export it without
knowing it by name: the tasks that the engine runs, and what the method declares.

A method is a table of **cell kinds**, its settings, its rows in the tree, its part of the proposal,
what can be generated from a row, and (by the engine's own protocol) its stages and tasks."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, Protocol, get_args, get_origin

from coi_tui.engine.context import Context
from coi_tui.engine.freshness import Freshness, FreshnessEvaluator, Inputs, Read
from coi_tui.literature.citations import with_short_marks
from coi_tui.model.address import Branch, CellRef, cell_ref
from coi_tui.model.content import Content, Named
from coi_tui.model.document import (
    Block,
    Bullets,
    Passage,
    RowChange,
    RowKey,
    Section,
)
from coi_tui.model.entries import Action, Decision, Origin, Version
from coi_tui.model.errors import UsageError
from coi_tui.model.papers import Paper
from coi_tui.model.state import State

Span = tuple[int, int]
"""The least and the most."""


@dataclass(frozen=True)
class NewVersion:
    """One version that a task made. ``address`` may be another than the task's own where one call
    writes several cells.

    ``alternative_because``: why it is only an alternative to another version of the same result; empty for one
    that may be used. ``calls`` with ``cost_usd``: where they are not those of the whole task.
    """

    address: str
    content: Mapping[str, Any]
    origin: Origin
    recipe: Mapping[str, Any] = field(default_factory=dict)
    parents: tuple[int, ...] = ()
    alternative_because: str = ""
    calls: tuple[int, ...] = ()
    cost_usd: float | None = None


@dataclass(frozen=True)
class Result:
    """What a task gives back: versions, and the records of papers it met."""

    made: tuple[NewVersion, ...]
    papers: tuple[Paper, ...] = ()


@dataclass(frozen=True)
class Cost:
    """What a task may ask of services: calls of models with the tokens (characters / 4) of their
    prompts and replies together, and searches, each from the least to the most."""

    role: Literal["main", "reader", "none"] = "none"
    calls: Span = (0, 0)
    prompt_tokens: Span = (0, 0)
    reply_tokens: Span = (0, 0)
    searches: Span = (0, 0)

    @property
    def _spans(self) -> tuple[Span, Span, Span, Span]:
        return self.calls, self.prompt_tokens, self.reply_tokens, self.searches

    def times(self, low: int, high: int) -> Cost:
        """The cost of doing it ``low`` to ``high`` times."""
        return Cost(self.role, *((a * low, b * high) for a, b in self._spans))

    def __add__(self, other: Cost) -> Cost:
        """The cost of both, under the role of the first that asks a model."""
        pairs = zip(self._spans, other._spans, strict=True)
        role = self.role if self.role != "none" else other.role
        return Cost(role, *((a[0] + b[0], a[1] + b[1]) for a, b in pairs))


class Task(Protocol):
    """A unit of work that makes the cell at an address from what it reads, and from nothing
    else."""

    @property
    def name(self) -> str: ...

    @property
    def prompts(self) -> tuple[str, ...]:
        """Names of the prompts it may send."""

    def reads(self, state: State, address: str, /) -> tuple[Read, ...]:
        """The only source of dependencies: freshness, planner, ``why`` and the benchmark's chain of
        calls all use it."""

    def cost(self, state: State, address: str) -> Cost: ...

    async def run(self, ctx: Context, inputs: Inputs) -> Result: ...


@dataclass(frozen=True)
class Want:
    """A cell that a job should make. ``when``: only where it is missing, also where it is not
    fresh, or in any case."""

    address: str
    task: Task
    when: Literal["missing", "stale", "always"] = "missing"
    stage: str = ""
    why: str = ""


@dataclass(frozen=True)
class Scope:
    """What a job may touch. ``branches`` empty is all of them; ``side`` empty is both ends of a
    chain. ``instance`` names the method that runs (``S1``); empty is the one with numbered
    branches.

    ``furthest`` bounds the places of that side: nothing is put beyond it.
    """

    branches: tuple[Branch, ...] = ()
    side: Literal["", "forward", "backward"] = ""
    furthest: int = 0
    instance: str = ""
    closed: tuple[Branch, ...] = ()
    """Branches whose chains are finished: the job puts no paper into them."""

    def holds(self, branch: Branch) -> bool:
        """True for a branch that the job is for."""
        return not self.branches or branch in self.branches

    def reaches(self, side: str, pos: int) -> bool:
        """True for a place that the job may fill."""
        return not self.side or (side == self.side and abs(pos) <= abs(self.furthest))


EVERYTHING = Scope()


@dataclass(frozen=True)
class View:
    """What a method sees when it says what comes next."""

    state: State
    fresh: Mapping[str, Freshness]
    failed: Mapping[str, str]
    running: frozenset[str]
    scope: Scope = EVERYTHING


@dataclass(frozen=True)
class Forecast:
    """One line of a plan for work whose extent is not known yet."""

    stage: str
    what: str
    why: str
    cost: Cost


class Method(Protocol):
    """A method that the engine can run: its stages, its tasks, and what is wanted next.

    What else a method declares (its kinds of cells, its rows in the tree, its part of the proposal)
    is in ``methods/branched.py``.
    """

    @property
    def stages(self) -> tuple[str, ...]: ...

    def task(self, address: str) -> Task | None:
        """The task that makes the cell at an address; None for what only a person or ``settle``
        writes."""

    def named(self, name: str, address: str) -> Task | None:
        """A task by its name, for a cell that more than one task can make; None where there is none
        of that name for it."""

    def wanted(self, view: View, until: str) -> Sequence[Want]:
        """Cells that should exist by the end of stage ``until``, as far as the state allows to
        say."""

    def kind(self, address: str) -> CellKind:
        """What is declared of the cell at an address."""

    def is_active(self, state: State, at: CellRef, /) -> bool:
        """Whether a cell counts for now, by its kind."""

    def settle(self, view: View, until: str) -> Sequence[Decision]:
        """Machine decisions that follow from the state now; must not depend on who finished
        first."""

    def forecast(self, state: State, until: str, scope: Scope = EVERYTHING) -> Sequence[Forecast]:
        """What a run up to a stage may take, a line a stage."""


ViewName = Literal["novelty", "match", "review", "wall"]
"""Screens with keys of their own, for cells that all methods share."""

Role = Literal[
    "",
    "question",
    "candidates",
    "reading",
    "verdicts",
    "summary",
    "sketch",
    "idea",
    "novelty",
    "bad cases",
    "experiment",
    "review",
    "match",
    "people",
    "rivals",
]
"""What a cell is for, where a feature that all methods share looks for it: an idea meets others in
matches, whoever made it.

``people``: its task asks services for the authors of the session's papers, which a plan says before
it is run.
"""

Form = Literal["text", "lines", "pairs"]


@dataclass(frozen=True)
class EditableField:
    """A field that a person may edit. ``form``: running text, a list of lines, or a list of ``name:
    description`` lines."""

    name: str
    title: str = ""
    form: Form = "text"

    @property
    def heading(self) -> str:
        return self.title or self.name.replace("_", " ").capitalize()


def fields_of(content: type[Content], names: Iterable[str]) -> tuple[EditableField, ...]:
    """Fields of a content that a person may edit, in the form that follows from the type: texts
    line by line, named things as pairs. Raises UsageError for one that cannot be edited."""
    found = []
    for name in names:
        declared = content.model_fields.get(name)
        if declared is None:
            raise UsageError(f"The content {content.__name__} has no field {name}.")
        form: Form = "text"
        if get_origin(declared.annotation) is list:
            item = get_args(declared.annotation)[0]
            item = get_args(item)[0] if get_origin(item) is Annotated else item
            form = "lines" if item is str else "pairs"
            if form == "pairs" and not {"name", "description"} <= set(item.model_fields):
                raise UsageError(
                    f"The field {name} of {content.__name__} cannot be edited: its items are neither texts nor names with descriptions."
                )
        found.append(EditableField(name, declared.title or "", form))
    return tuple(found)


def item_text(value: object) -> str:
    """An item of a list as a line: ``name: description`` for what is named."""
    if isinstance(value, Named):
        return f"{value.name.rstrip('.')}: {value.description}" if value.description else value.name
    return str(value)


@dataclass(frozen=True)
class CellKind:
    """One kind of cell. ``name`` is the part of its addresses, ``pattern`` how those look
    (``1/idea``), ``title`` what it is called.

    ``content``: the model that its contents fit; None where no content is kept. ``task``: the name
    of the task that makes it; empty for what only a person writes, or what sums up others.
    ``decisions``: what a person may decide about it. ``label`` and ``caption`` are its short name
    in the tree and its line there; ``document`` what there is to read of it, where that is not
    simply its fields: a table or a transcript in it opens on a screen of its own.
    """

    name: str
    pattern: str
    title: str
    content: type[Content] | None = None
    task: str = ""
    stage: str = ""
    role: Role = ""
    decisions: frozenset[Action] = frozenset()
    fields: tuple[EditableField, ...] = ()
    label: str = ""
    caption: Callable[[Any], str] | None = None
    """Is given a content as the kind's model; ``caption_of`` does that."""
    document: Callable[[State, str], Iterable[Block]] | None = None
    explain: Callable[[State, str, Callable[[int], str]], Iterable[str]] | None = None
    """Where what is no version comes from, in sentences (``why``); the last argument gives the time
    of a decision, as the end of a sentence."""
    remarks: Callable[[State, Version], Iterable[str]] = lambda _, __: ()
    """What there is to say of a version besides how it was made."""
    view: ViewName | None = None
    row_change: Callable[[State, str, str, RowKey], RowChange | None] | None = None
    """What a key does on a row of the table in its document: the state, its address, the row's key,
    and the key's; None for nothing."""
    has_verdict: bool = True
    """Whether the tree shows it as undecided until a person accepts it."""
    attached: tuple[str, ...] = ()
    """The kinds of cells attached to it whose runs and failures its row shows."""
    has_row: bool = True
    """False for what a machine chooses from: it stands behind the row that it is attached to."""
    optional: bool = False
    """Whether the tree leaves its row out while nothing was made."""
    shared: bool = False
    """Whether it belongs to the instance (``S1/hits``) and not to one of its branches."""
    declared: bool = True
    """False for the kind of a cell that no method of the session declares."""
    is_active: Callable[[State, CellRef], bool] = lambda _, __: True
    """Whether a cell counts for now: an inactive one is no row, and is not made or refreshed."""
    writes_idea: bool = False
    """Whether an idea is written in it, so that its prompts are shown what the person has for the
    work."""
    main: str = "text"
    """The field that a text without headings stands for, where there are several; where there is
    none of that name, none does."""

    def is_written_as(self, at: CellRef) -> bool:
        """Whether a reference has the form that references to this kind have."""
        return not self.pattern or cell_ref(self.pattern).form == at.form

    @property
    def editable(self) -> bool:
        return bool(self.fields)

    @property
    def main_field(self) -> EditableField | None:
        """The field that a plain text stands for: the only one, or the main one; None where a plain
        text says nothing."""
        only = len(self.fields) == 1
        return next((field for field in self.fields if only or field.name == self.main), None)

    def fields_document(self, state: State, address: str) -> Iterator[Block]:
        """The editable fields of the version in use, or whatever its content has where none are
        declared, each under its title; running text has none, and what is empty is left out."""
        version = state.in_use(address)
        if version is None or self.content is None:
            return
        content = state.content(version, self.content)
        declared = [
            EditableField(name, field.title or "")
            for name, field in self.content.model_fields.items()
            if name in content.model_fields_set
        ]
        for one in self.fields or declared:
            value = getattr(content, one.name)
            block: Block
            if value in (None, "", [], {}):
                continue
            if isinstance(value, list):
                block = Bullets(tuple(map(item_text, value)))
            else:
                block = Passage(address, str(value), version.origin)
            yield block if one.name == "text" else Section(one.heading, (block,))

    def caption_of(self, state: State, version: Version) -> str | None:
        """The line of a version in the tree: its caption, else its title, its main text or the items
        of its first list, with papers by authors and year; None where there is none."""
        if self.content is None:
            return None
        content = state.content(version, self.content)
        if self.caption is not None:
            return self.caption(content)
        text = getattr(content, "title", "") or getattr(content, self.main, "")
        items = next((value for _, value in content if isinstance(value, list)), [])
        named = (one if isinstance(one, str) else _name_of(state, one) for one in items)
        line = " ".join(str(text).split()) or "; ".join(filter(None, named))
        return with_short_marks(line, state.papers) or None


def _name_of(state: State, item: Any) -> str:
    """What an item of a list is called: its title, its name, or the title of its paper."""
    paper = state.papers.get(getattr(item, "paper", ""))
    known = getattr(item, "title", "") or getattr(item, "name", "")
    return str(known or (paper.title if paper is not None else ""))


@dataclass(frozen=True)
class OutlineRow:
    """A row of the tree: what stands there, how deep, and its words where the cell's own kind does
    not give them.

    ``heading`` marks a row that only sums up those below it; ``parked`` is said of it.
    ``source``: of an idea, its method in short and what the method made the idea from; shown beside the ideas
    of other methods.
    """

    address: str
    depth: int
    label: str = ""
    title: str = ""
    heading: bool = False
    parked: bool = False
    source: str = ""


@dataclass(frozen=True)
class MenuOption:
    """One line of the generate menu: a run up to the stage ``until`` within ``scope``, or the texts
    at ``addresses`` in their order; where a ``task`` is named, by that one and even where they are
    up to date.

    ``key`` is the letter that it answers to; where it is empty, the menu gives the line a letter
    that nothing else there has. ``off`` is the reason why it is not offered now, in a few words.
    """

    key: str
    what: str
    note: str = ""
    until: str = ""
    scope: Scope = EVERYTHING
    addresses: tuple[str, ...] = ()
    plan_title: str = ""
    off: str = ""
    task: str = ""


@dataclass(eq=False)
class PendingInputs:
    """What is about to change in one state, and what ``failed`` in this job. What holds above a cell
    is found once: many cells stand on the same few."""

    method: Method
    state: State
    cells: set[str]
    failed: Container[str] = ()
    _above: dict[str, bool] = field(default_factory=dict, init=False)
    _lost: dict[str, bool] = field(default_factory=dict, init=False)

    def _inputs(self, address: str) -> list[Read]:
        task = self.method.task(address)
        reads = task.reads(self.state, address) if task is not None else ()
        return [r for r in reads if not r.parent and r.cell != address]

    def above(self, address: str) -> bool:
        """True when something further up will be made in this job, so that this input may still
        change."""
        if address not in self._above:
            cells = {r.cell for r in self._inputs(address) if not self.without(r)}
            self._above[address] = any(cell in self.cells or self.above(cell) for cell in cells)
        return self._above[address]

    def without(self, read: Read) -> bool:
        """True for an input that is done without: it is not there, and cannot come in this job."""
        missing = read.best_effort and self.state.value(read.ref) is None
        return missing and self._cannot_come(read.cell)

    def _cannot_come(self, address: str) -> bool:
        if address not in self._lost:
            cells = {r.cell for r in self._inputs(address) if not r.best_effort}
            self._lost[address] = address in self.failed or any(map(self._cannot_come, cells))
        return self._lost[address]


def is_due(want: Want, fresh: Freshness) -> bool:
    """Whether a cell that is wanted is to be made, as fresh as it is."""
    if want.when == "missing":
        return fresh.status == "missing"
    if want.when == "stale":
        # what only waits for something above it has the same inputs still
        return fresh.status in ("stale", "missing") and not fresh.choice_waits
    return True


def is_ready(want: Want, state: State, pending: PendingInputs) -> bool:
    """All required inputs are there, and none of what it reads is about to change."""
    return not any(
        (read.cell != want.address and (read.cell in pending.cells or pending.above(read.cell)))
        or not (read.optional or state.value(read.ref) is not None)
        for read in want.task.reads(state, want.address)
        if not pending.without(read)
    )


def stage_to_run(
    method: Method,
    state: State,
    fresh: Mapping[str, Freshness],
    stages: Sequence[str],
    scope: Scope,
) -> str:
    """The stage at which a run to the last of ``stages`` would begin now; empty where it would find
    nothing to do."""
    view = View(state, fresh, {}, frozenset(), scope)
    examine = FreshnessEvaluator(state, method.task)
    wants = [
        w
        for w in method.wanted(view, stages[-1])
        if is_due(w, fresh.get(w.address) or examine(w.address))
    ]
    pending = PendingInputs(method, state, {w.address for w in wants})
    first = next((w for w in wants if is_ready(w, state, pending)), None)
    if first is not None:
        return first.stage
    return next((stage for stage in stages if method.settle(view, stage)), "")
