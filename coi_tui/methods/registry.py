"""The methods that this program knows, built in or from installed packages, and all methods of one
session as the engine and the screens see them.

A package names the ``MethodSpec`` of its method as an entry point of the group
``coi_tui.methods``; a method of this package is one line in ``METHODS``.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from importlib.metadata import entry_points
from typing import Any

from pydantic import BaseModel, create_model

from coi_tui.config import Settings
from coi_tui.engine.declarations import (
    EVERYTHING,
    CellKind,
    Forecast,
    MenuOption,
    OutlineRow,
    Scope,
    Task,
    View,
    Want,
)
from coi_tui.engine.method_spec import API_VERSION, MethodSpec
from coi_tui.methods import coi, derived, imitate, news, nova, one_call, scipip, virsci, wall
from coi_tui.methods.base.cell_table import is_made
from coi_tui.methods.base.idea_settings import IdeaSettings
from coi_tui.methods.base.rewrite import RewriteTask
from coi_tui.methods.branched import BranchedMethod
from coi_tui.methods.chain.chains import Chains
from coi_tui.methods.chain.slots import VERDICTS
from coi_tui.methods.evidence.reading_list import ReadingListTask
from coi_tui.methods.ideas.bad_cases import BadCases
from coi_tui.methods.ideas.clarify import ASKED, waits_for_answers, with_answers
from coi_tui.methods.ideas.kinds import BRANCH, SESSION_KINDS
from coi_tui.methods.ideas.matches import (
    ARENA,
    MatchTask,
    matches_forecast,
    matches_wanted,
    of_one_call,
    with_one_call,
)
from coi_tui.methods.ideas.model_drafts import ModelDraftsTask
from coi_tui.methods.ideas.stages import IDEA_STAGES
from coi_tui.methods.services import ServiceSet
from coi_tui.model.address import (
    READING,
    Branch,
    CellRef,
    attached_to,
    branch_order,
    cell_at,
    cell_ref,
    in_order,
    instance_of,
)
from coi_tui.model.content import Content
from coi_tui.model.document import MethodDocument
from coi_tui.model.entries import Decision, Version
from coi_tui.model.errors import UsageError
from coi_tui.model.state import Component, Computed, State
from coi_tui.model.suggest import did_you_mean
from coi_tui.model.text import Fields
from coi_tui.prompts.loader import add_folder

FIRST = coi.SPEC.name
"""The method with numbered branches: what a session runs unless another was asked for."""


METHODS = {
    spec.name: spec
    for spec in (
        coi.SPEC,
        scipip.SPEC,
        nova.SPEC,
        imitate.SPEC,
        virsci.SPEC,
        one_call.SPEC,
        wall.SPEC,
    )
}
"""Every method by its name, those of installed packages once one was asked for. The ``spec`` of a
built-in method imports the rest of its folder when a session has it."""

BY_DECISION = {derived.SPEC.name: derived.SPEC}
"""Methods that a decision about an idea adds: nobody chooses one of these by its name."""

GROUP = "coi_tui.methods"


def register(spec: MethodSpec) -> None:
    """Make a method known that is not part of this package, with its prompts and its drafts.
    Raises UsageError where it cannot be."""
    if wrong := misdeclared(spec):
        raise UsageError(wrong, "Its author can mend that.")
    METHODS[spec.name] = spec
    if spec.prompts is not None:
        add_folder(spec.prompts)
    if spec.drafts is not None:
        spec.drafts()


def misdeclared(spec: MethodSpec) -> str:
    """Why a method of a package cannot be registered; empty where it can."""
    if spec.api != API_VERSION:
        return f"{spec.name} is made for version {spec.api} of coi_tui.plugin; this is version {API_VERSION}."
    if not re.fullmatch("[B-PR-WYZ]", spec.letter):
        return f"{spec.name} has the letter {spec.letter!r}; it must be one capital letter but A, Q and X."
    for other in (*METHODS.values(), *BY_DECISION.values()):
        if other.name != spec.name and other.letter == spec.letter:
            return f"{spec.name} has the letter {spec.letter}, which is that of {other.name}."
    if keyed := [verb.name for verb in spec.verbs() if verb.key]:
        return f"{spec.name} has a key for {keyed[0]}; keys of what a package adds are set by the person ([keys])."
    if spec.section and spec.section in Settings.model_fields:
        return (
            f"{spec.name} has the settings section {spec.section}, which is one of coi-tui's own."
        )
    return ""


@lru_cache(maxsize=1)
def broken_plugins() -> tuple[str, ...]:
    """Register the methods of installed packages, once; a sentence for each that cannot be."""
    wrong = []
    for point in entry_points(group=GROUP):
        package = f"{point.dist.name} {point.dist.version}" if point.dist else point.value
        try:
            spec = point.load()
            if not isinstance(spec, MethodSpec):
                raise UsageError(f"{point.value} is not a MethodSpec.")
            register(replace(spec, package=package))
        except Exception as error:  # noqa: BLE001 - whatever a package does wrong stops nothing
            cause = " ".join(str(error).split()) or type(error).__name__
            wrong.append(f"The method {point.name} of {package} could not be loaded: {cause}")
    return tuple(wrong)


def every_method() -> Mapping[str, MethodSpec]:
    """The methods by name, those of installed packages too."""
    broken_plugins()
    return METHODS


def _find(name: str) -> MethodSpec | None:
    """The method of exactly that name; installed packages are asked only where none is built in."""
    known = METHODS.get(name) or BY_DECISION.get(name)
    return known or (every_method().get(name) if name else None)


def register_drafts() -> None:
    """Register every draft of the built-in drafter under its prompt's name; once more does no
    harm."""
    for spec in every_method().values():
        if spec.drafts is not None:
            spec.drafts()


def spec_of(name: str) -> MethodSpec:
    """The method of a name, as people write it: case aside, its short name too; the usual one for
    the empty name.

    Raises UsageError naming those there are.
    """
    wanted = name.strip().casefold() or FIRST.casefold()
    for known in (dict(METHODS), every_method()):
        for spec in known.values():
            if wanted in (spec.name.casefold(), spec.short.casefold()):
                return spec
    hint = did_you_mean(name, METHODS, f"The methods are: {', '.join(METHODS)}.")
    raise UsageError(f"Unknown method: {name.strip()[:40]!r}.", hint)


def stages_of(name: str = "") -> tuple[str, ...]:
    """The stages of a method by its name, in order; of the usual one for the empty name. Raises
    UsageError for an unknown one."""
    spec = spec_of(name)
    method: BranchedMethod = spec.make(None, f"{spec.letter}1" if spec.letter else "")
    return method.stages


def settings_model() -> type[Settings]:
    """The settings of the program with a section for each method that declares one."""
    sections: Fields = {
        spec.section: (spec.settings, spec.settings())
        for spec in every_method().values()
        if spec.section
    }
    return create_model("Settings", __base__=Settings, **sections)


def settings_of(spec: MethodSpec, settings: Settings) -> BaseModel:
    """What a person has set for a method; its defaults where the settings have no section of it."""
    found = settings.section(spec.section)
    return found if isinstance(found, spec.settings) else spec.settings()


def methods_to_add() -> dict[str, str]:
    """The methods that can be added to a session besides the one it began with, by name, each with
    what it does."""
    return {spec.name: spec.about for spec in every_method().values() if spec.letter}


def unknown_methods(first: str, state: State) -> list[str]:
    """The methods that a session holds and that are not installed here, each with the package that
    it came from, where that is known."""
    packages = {one.method: one.package for one in state.instances.values()}
    return [
        f"{name} ({package})" if (package := packages.get(name, "")) else name
        for name in dict.fromkeys([first, *packages])
        if name and _find(name) is None
    ]


COMPONENTS: tuple[type[Component], ...] = (BadCases, news.Seen)
"""What all methods keep of the log besides cells."""


def components_of(first: str, entries: Iterable[Decision | Version]) -> tuple[type[Component], ...]:
    """The components that the log of a session may have: those of the methods of this program, and
    of the installed ones where it began with one or was given one."""
    named = {first} | {
        str(e.value.get("method"))
        for e in entries
        if isinstance(e, Decision) and e.action == "method"
    }
    specs = METHODS if named <= {*METHODS, *BY_DECISION} else every_method()
    own = (one for spec in specs.values() for one in spec.components)
    return tuple(dict.fromkeys((*COMPONENTS, *own)))


class UnknownMethod(BranchedMethod):
    """A method that is not installed: what a session has of it is shown as it is stored, and nothing
    can be made."""

    own_stages = ("ideas",)

    def __init__(self, name: str, instance: str, state: State) -> None:
        super().__init__(instance, None)
        self.name = self.short = name
        self._state = state

    def _stored(self) -> Iterator[tuple[CellRef, Version]]:
        """Its cells with the version in use of each, in the order of their making."""
        for address in self._state.cells:
            at, version = cell_ref(address), self._state.in_use(address)
            if at.instance == self.instance and at.kind != "match" and version is not None:
                yield at, version

    @property
    def kinds(self) -> Sequence[CellKind]:
        fields: dict[str, Fields] = {}
        for at, version in self._stored():
            fields.setdefault(at.kind, {}).update(dict.fromkeys(version.content, (Any, None)))
        models = {part: create_model("Stored", __base__=Content, **f) for part, f in fields.items()}
        own = (CellKind(part, "", part, model, has_verdict=False) for part, model in models.items())
        return (BRANCH, *own)

    def outline(self, state: State, failed: Mapping[str, str]) -> Iterator[OutlineRow]:
        return (OutlineRow(str(at), 1, title=at.kind) for at, _ in self._stored())

    def task(self, address: str) -> Task | None:
        return None

    def wanted(self, view: View, until: str) -> Sequence[Want]:
        return ()

    def settle(self, view: View, until: str) -> Sequence[Decision]:
        return ()

    def options(self, state: State, address: str) -> Iterator[MenuOption]:
        return iter(())


def spec_in_session(name: str) -> MethodSpec:
    """The method of a session by its name. One that is not installed is shown, and makes
    nothing."""
    return _find(name) or MethodSpec(
        name, name, "", IdeaSettings, lambda _, instance: UnknownMethod(name, instance, State())
    )


class SessionMethods:
    """Every method of a session as one: each cell is made by the method that it belongs to; matches
    and the reading list are common to all.

    ``first`` is the method that the session began with; others are the instances of the state.
    """

    def __init__(self, first: str = FIRST, tools: ServiceSet | None = None) -> None:
        self._tools = tools
        self._begin(State())
        self._common: dict[str, Task] = {
            "match": MatchTask(tools),
            READING: ReadingListTask(tools),
            news.KIND.name: news.NewsTask(tools),
        }
        self._made: dict[tuple[str, str], BranchedMethod] = {}
        self._session_kinds = {kind.name: kind for kind in (*SESSION_KINDS, news.KIND)}
        self._names = {"": FIRST} if first == FIRST else {}

    def _begin(self, state: State) -> None:
        """What is found of addresses is of one state."""
        self._state = state
        self._kinds, self._of = Computed(self._kind), Computed(self._owner)

    def follow(self, state: State) -> SessionMethods:
        """The same for a state, with its instances and what was asked of its texts; the methods
        that were made are shared."""
        new = copy.copy(self)
        new._begin(state)
        new._names = {
            **({"": FIRST} if "" in self._names else {}),
            **{name: one.method for name, one in state.instances.items()},
        }
        return new

    @property
    def instances(self) -> Mapping[str, BranchedMethod]:
        """The methods by the names of their instances, in their order; the one with numbered
        branches first, under the empty name."""
        found = ((name, self.of_instance(name)) for name in self._names)
        return {name: method for name, method in found if method is not None}

    def of_instance(self, instance: str) -> BranchedMethod | None:
        """The method behind an instance; None where the session has none of that name."""
        key = instance, name = instance, self._names.get(instance, "")
        if key in self._made:
            return self._made[key]
        if (spec := _find(name)) is None:
            return UnknownMethod(name, instance, self._state) if name else None
        self._made[key] = spec.make(self._tools, instance)
        return self._made[key]

    def of(self, address: str) -> BranchedMethod | None:
        """The method that a cell belongs to; None for cells of the whole session."""
        return self._of[address]

    def _owner(self, address: str) -> BranchedMethod | None:
        at = cell_ref(address)
        return self.of_instance(at.instance) if at.owner else None

    def short_of(self, address: str) -> str:
        """The short name of the method that a row belongs to; of all methods for a row of the whole
        session."""
        own = self.of(address) if address else None
        methods = [own] if own is not None else self.instances.values()
        return ", ".join(dict.fromkeys(method.short for method in methods))

    def kind(self, address: str) -> CellKind:
        """What is declared of the cell at an address."""
        return self._kinds[address]

    def _kind(self, address: str) -> CellKind:
        at, method = cell_ref(address), self.of(address)
        named = method.kinds_by_name if method is not None else {}
        found = self._session_kinds.get(at.kind) or named.get(at.kind)
        if found is not None and found.is_written_as(at):
            return found
        return CellKind(at.kind, "", at.kind, has_verdict=False, declared=False)

    def is_active(self, state: State, at: CellRef) -> bool:
        """Whether a cell counts for now, by its kind."""
        return self.kind(at).is_active(state, at)

    def every_kind(self) -> list[CellKind]:
        """All kinds of cells that the session may hold."""
        return [
            *self._session_kinds.values(),
            *(kind for method in self.instances.values() for kind in method.kinds),
        ]

    def order(self, address: str) -> tuple[Any, ...]:
        """A key that sorts addresses as the tree shows them: topic, instance by instance and branch
        by branch, matches at the end."""
        at, method = cell_ref(address), self.of(address)
        kinds = [kind.name for kind in method.kinds] if method is not None else []

        def place(items: list[str], one: str) -> int:
            return items.index(one) if one in items else len(items)

        return (
            0 if not at.branch else 2 if at.kind == "match" else 1,
            place(list(self._names), at.instance),
            branch_order(at.branch),
            place(kinds, at.kind),
            at.pos,
            branch_order(at.rival),
            at.numbers,
            address,
        )

    def list_of(self, row: str) -> CellRef | None:
        """The list of candidates that is attached to what a row is about; None where there is
        none."""
        every = (attached_to(row, name) for name in self.kind(row).attached)
        return next((one for one in every if self.kind(one).role == "candidates"), None)

    def alias(self, text: str) -> str:
        """The address that a short name of a cell means now, where a method has one; else empty."""
        found = (method.alias(self._state, text.strip()) for method in self.instances.values())
        return next(filter(None, found), "")

    # -- the engine's protocol

    @property
    def stages(self) -> tuple[str, ...]:
        """The stages of the first method."""
        return next(iter(self.instances.values())).stages if self.instances else ()

    def stages_of(self, instance: str) -> tuple[str, ...]:
        """The stages of one method, or of the arena; none for an unknown one."""
        if instance == ARENA:
            return ("selection",)
        method = self.of_instance(instance)
        return method.stages if method is not None else ()

    def task(self, address: str) -> Task | None:
        method = self.of(address)
        own = self._common.get(cell_ref(address).kind) or (
            method.task(address) if method is not None else None
        )
        return self._asked(address, own) if own is not None else None

    def _asked(self, address: str, task: Task) -> Task:
        """The task of a cell with what a person answered before it or asked of its text; another
        task that makes it from the text in use has that there."""
        method, kind = self.of(address), self.kind(address)
        task = with_answers(address, task, kind)
        if not self._state.cell(address).wishes:
            return task
        own = method.task(address) if method is not None else None
        return (
            RewriteTask(task, kind, self._tools)
            if own is not None and own.name == task.name
            else task
        )

    def named(self, name: str, address: str) -> Task | None:
        """The task of that name of the method that the cell belongs to."""
        if name == ModelDraftsTask.name:
            return ModelDraftsTask(self.task)
        method = self.of(address)
        return method.named(name) if method is not None else None

    def maker(self, address: str, name: str = "") -> Task | None:
        """The task that makes a cell: its own, or the one of that name."""
        return self.named(name, address) if name else self.task(address)

    def wanted(self, view: View, until: str) -> Sequence[Want]:
        if view.scope.instance == ARENA:
            return matches_wanted(view, view.state.ideas(), self._common["match"])
        state, instance = view.state, view.scope.instance
        method = self.of_instance(instance)
        if method is None:
            return ()
        wanted = list(method.wanted(view, until))
        if any(is_made(state, b, "idea") for b in state.branches_of(instance)):
            plain = (cell_at(b, "idea") for b in self._plain(state, until, view.scope))
            wanted += [
                Want(address, task, stage="ideas")
                for address in plain
                if (task := self.task(address)) is not None
            ]
        if chosen := self._chosen_elsewhere(state, until, view.scope):
            wanted += self.wanted(replace(view, scope=chosen), until)
        if state.bounds(IdeaSettings, instance).ask_first:
            ask = method.task_of(cell_at(instance or 1, ASKED))
            asks = (waits_for_answers(view, want, ask) for want in wanted)
            wanted = [want for want in asks if want is not None]
        return [
            replace(want, task=self._asked(want.address, self._own(want, method)))
            for want in wanted
        ]

    def _plain(self, state: State, until: str, scope: Scope) -> list[Branch]:
        """The branches of One call that a run of another method to its ideas or further makes as
        well, once it has an idea."""
        own = state.branches_of(scope.instance)
        return (
            with_one_call(state, own, scope)[len(own) :] if until in ("ideas", *IDEA_STAGES) else []
        )

    def _chosen_elsewhere(self, state: State, until: str, scope: Scope) -> Scope | None:
        """The idea that the person chose, where a run of all branches of the first method comes to
        its plan and the idea is of another: then the plan is for that one."""
        first, pick = next(iter(self._names), ""), state.pick
        whole = scope.instance == first and not scope.branches and until in IDEA_STAGES[2:]
        if pick is None or not whole or pick in (*state.branches_of(first), *of_one_call(state)):
            return None
        return Scope((pick,), instance=instance_of(pick))

    def _own(self, want: Want, method: BranchedMethod) -> Task:
        """The task of the method that a wanted cell belongs to: a run of another may want the
        review of One call's plan."""
        owner = self.of(want.address)
        return (owner and owner is not method and owner.named(want.task.name)) or want.task

    def settle(self, view: View, until: str) -> Sequence[Decision]:
        method = self.of_instance(view.scope.instance)
        return method.settle(view, until) if method is not None else ()

    def forecast(self, state: State, until: str, scope: Scope = EVERYTHING) -> Sequence[Forecast]:
        if scope.instance == ARENA:
            return [matches_forecast(state, state.ideas(), self._common["match"])]
        method = self.of_instance(scope.instance)
        lines = list(method.forecast(state, until, scope)) if method is not None else []
        for address in (cell_at(branch, "idea") for branch in self._plain(state, until, scope)):
            if state.in_use(address) is None and (task := self.task(address)) is not None:
                why = "the plain call that the others are compared with: topic and criteria in, idea and plan out"
                lines.append(Forecast("ideas", "One call", why, task.cost(state, address)))
        if chosen := self._chosen_elsewhere(state, until, scope):
            lines += self.forecast(state, until, chosen)
        return lines

    # -- what is declared

    def outline(self, state: State, failed: Mapping[str, str]) -> Iterable[OutlineRow]:
        """The rows of every method, one method after the other."""
        for instance, method in self.instances.items():
            if instance:
                yield OutlineRow(instance, 0, instance, method.name, heading=True)
            yield from method.outline(state, failed)

    def document(self, state: State, branches: Sequence[Branch]) -> MethodDocument:
        """What the methods of these branches contribute to a proposal about them."""
        out = MethodDocument()
        for instance, method in self.instances.items():
            if own := [b for b in branches if instance_of(b) == instance]:
                found = method.document(state, own)
                out += replace(found, cells=_appendix(state, method, own, found.cells))
        return out

    def options(self, state: State, address: str) -> Iterable[MenuOption]:
        """What can be generated from a row: by its own method, or for a row of the whole session by
        each."""
        method = self.of(address)
        for one in [method] if method is not None else list(self.instances.values()):
            yield from one.options(state, address)


def _has_part(chains: Chains, at: CellRef) -> bool:
    """Whether a cell has a part of its own in an appendix."""
    if at.form == "attached":  # the other cells of a paper are shown with it
        return at.kind == VERDICTS
    waits = at.form == "pair" and at not in chains.pairs(at.branch)
    return not (at.item or at.kind == "proposal" or waits)


def _appendix(
    state: State, method: BranchedMethod, branches: Sequence[Branch], numbered: Sequence[str]
) -> tuple[str, ...]:
    """The cells that a proposal about some branches of a method shows, in the order of its kinds:
    the papers of the chains, and what was made; of the numbered cells only these."""
    order = {kind.name: n for n, kind in enumerate(method.kinds)}
    inside = {*branches, *map(instance_of, branches)} - {""}
    chains = Chains.of(state)
    found = {one for one in numbered if state.in_use(one) is not None}
    found |= {one.address for b in branches for one in chains.in_chain(b)}
    found |= {str(b) for b in branches if "branch" in order}
    for at in map(cell_ref, state.cells):
        own = at.branch in inside and at.kind in order and state.in_use(at) is not None
        found.update([at] if own and _has_part(chains, at) else [])

    def place(address: str) -> tuple[Any, ...]:
        at = cell_ref(address)
        return branch_order(at.branch), order.get(at.kind, len(order)), in_order(at)

    return tuple(sorted(found, key=place))
