"""For the tests of a method in a package of its own: ``check_method(SPEC)``."""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from coi_tui.config import Keys, Settings
from coi_tui.engine.declarations import CellKind, Task
from coi_tui.engine.method_spec import MethodSpec
from coi_tui.engine.text_parts import to_text
from coi_tui.methods import registry
from coi_tui.methods.base.task import TextTask, as_content
from coi_tui.methods.branched import BranchedMethod
from coi_tui.methods.ideas.kinds import SESSION_KINDS
from coi_tui.methods.ideas.stages import IDEA_STAGES
from coi_tui.model.address import branch_name, cell_ref, ref, split_ref
from coi_tui.model.content import Content, IdeaContent
from coi_tui.model.entries import Version
from coi_tui.model.errors import CoiError, UsageError, problem
from coi_tui.model.state import WISHES, State
from coi_tui.model.text import listed
from coi_tui.paths import Paths
from coi_tui.prompts import loader
from coi_tui.services.llm import offline
from coi_tui.session.environment import Environment
from coi_tui.session.session import Session

TOPIC = "memory of language models that retrieve"


def check_method(spec: MethodSpec) -> None:
    """Check a method: its addresses, stages, prompts, replies and reads, a run without network and
    model, and an edit with its undo. Raises AssertionError with a sentence for each mistake."""
    with _registered(spec) as wrong:
        found = [wrong] if wrong else list(dict.fromkeys(_declared(spec)))
        if not found:
            found = list(_run(spec))
    if found:
        raise AssertionError("\n".join(found))


@contextlib.contextmanager
def _registered(spec: MethodSpec) -> Iterator[str]:
    """The method is known in the block; the value is why it cannot be."""
    tables: Sequence[Any] = (registry.METHODS, offline.DRAFTS, loader.ADDED)
    before = [table.copy() for table in tables]
    try:
        registry.register(spec)
        yield ""
    except UsageError as error:
        yield error.message
    finally:
        for table, content in zip(tables, before, strict=True):
            table.clear()
            (table.extend if isinstance(table, list) else table.update)(content)


# -- what is declared


def _declared(spec: MethodSpec) -> Iterator[str]:
    method: Any = spec.make(None, f"{spec.letter}1")
    own = tuple(method.stages[: -len(IDEA_STAGES)])
    if not own or own[-1] != "ideas":
        yield f"The last of the stages of {spec.name} ({listed(own)}) is not ideas."
    kinds = [kind for kind in method.kinds if kind in getattr(method, "own_kinds", method.kinds)]
    if not any(kind.role == "idea" for kind in kinds):
        yield f"{spec.name} has no cell for an idea: add idea(TASK, 'ideas') to its kinds."
    for kind in kinds:
        yield from _of_kind(spec, method, kind)
    for part, task in method.by_part.items():
        if part not in {kind.name for kind in (*kinds, *SESSION_KINDS, *method.kinds)}:
            yield f"The task {task.name} makes the cell {part}, which no kind declares."
    yield from _of_prompts(spec, method)


def _of_kind(spec: MethodSpec, method: Any, kind: CellKind) -> Iterator[str]:
    cell = f"The cell {kind.name}"
    instance = f"{spec.letter}1"
    owner = instance if kind.shared else str(branch_name(instance, 1))
    address = "/".join((owner, kind.name))
    try:
        if cell_ref(address).kind != kind.name:
            raise UsageError("")
    except UsageError:
        yield f"{cell} cannot have that name: {address} is no address (two to twelve small letters, no name of coi-tui's own)."
        return
    if kind.task and kind.stage not in method.stages:
        yield f"{cell} has the stage {kind.stage!r}, which is none of {listed(method.own_stages)}."
    task = method.by_part.get(kind.name)
    if kind.task and task is None:
        yield f"{cell} is made by {kind.task!r}, and the tasks have no line for {kind.name}."
    elif task is not None and kind.task != task.name:
        yield f"{cell} is made by {kind.task!r}, and the task in its line is {task.name!r}."
    if kind.content is not None and task is not None:
        yield from _of_reads(method, address, task)
        yield from _of_reply(cell, kind.content, task)


def _of_reply(cell: str, content: type[Content], task: Task) -> Iterator[str]:
    """What a reply has and the content of its cell would lose."""
    if isinstance(task, TextTask) and task.reply is not content and task.content is as_content:
        missing = set(task.reply.model_fields) - set(content.model_fields) - {"reasoning"}
        if missing:
            yield f"{cell} would lose {listed(sorted(missing))} of the reply {task.reply.__name__}."


def _of_reads(method: BranchedMethod, address: str, task: Task) -> Iterator[str]:
    """Reads that lead nowhere."""
    try:
        found = task.reads(State(), address)
    except (CoiError, LookupError, AttributeError, TypeError, ValueError) as error:
        yield f"The reads of the task {task.name} cannot be found: {type(error).__name__}: {error}."
        return
    kinds = {kind.name: kind for kind in (*SESSION_KINDS, *method.kinds)}
    for read in found:
        where = f"The task {task.name} reads {read.ref}"
        try:
            cell, field = split_ref(read.ref)
        except UsageError:
            yield f"{where}, and {read.ref.partition('#')[0]!r} is no address."
            continue
        part = cell.kind
        kind = kinds.get(part)
        if kind is None:
            yield f"{where}, and the cell {part} is declared by no kind."
        elif kind.content is not None and field.split(".")[0] not in (
            *kind.content.model_fields,
            "hunch",
            WISHES,
        ):
            yield f"{where}, and {kind.name} has no field {field!r}."


def _of_prompts(spec: MethodSpec, method: Any) -> Iterator[str]:
    """Prompts that no task names, and those that cannot be read or have another reply; whether one
    can be filled in a run shows."""
    files = {file.stem for file in spec.prompts.glob("*.md")} if spec.prompts else set()
    own = [t for name, t in method.by_part.items() if any(k.name == name for k in method.own_kinds)]
    named = {prompt: task for task in own for prompt in task.prompts}
    for name in sorted(files - named.keys()):
        yield f"The prompt {name} is in the folder, and no task names it."
    for name, task in named.items():
        try:
            prompt = loader.Prompts().get(name)
        except CoiError as error:
            yield f"The prompt {name} of the task {task.name} cannot be used: {error.message}"
            continue
        if isinstance(task, TextTask) and prompt.reply != task.reply.__name__:
            yield f"The prompt {name} says its reply is {prompt.reply}, and the task {task.name} reads {task.reply.__name__}."


# -- a run


def _run(spec: MethodSpec) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        paths = Paths(home / "data", home / "config", home / "cache")
        env = Environment(paths, Settings(offline=True), Keys())
        with Session.create("check", TOPIC, env, offline=True, method=spec.name) as session:
            try:
                outcome = asyncio.run(session.runs.run(session.planner.to_stage("ideas")))
            except Exception as error:  # noqa: BLE001 - whatever the method does wrong
                yield f"A run without network ended with {type(error).__name__}: {error}."
                return
            for address, failure in session.failed.items():
                yield f"The cell {address} could not be made in a run without network: {failure}"
            if outcome.state == "done":
                yield from _made(session, f"{spec.letter}1")
                yield from _edited(session, f"{spec.letter}1")


def _made(session: Session, instance: str) -> Iterator[str]:
    method, state = session.methods.of_instance(instance), session.state
    assert method is not None
    made = {cell_ref(a).kind: a for a in state.cells if cell_ref(a).instance == instance}
    before_ideas = method.stages[: method.stages.index("ideas") + 1]
    for kind in method.kinds:
        wanted = kind.task and kind.stage in before_ideas and kind.stage != "rivals"
        if wanted and not kind.optional and kind.name not in made:
            yield f"The cell {kind.name} was not made by a run to the ideas: no stage wants it."
    for address in made.values():
        if (version := state.in_use(address)) is not None:
            yield from _of_content(session.methods.kind(address), version)


def _of_content(kind: CellKind, version: Version) -> Iterator[str]:
    """What was made and does not fit what is declared."""
    if kind.content is None:
        return
    made = f"What was made for {version.address}"
    try:
        kind.content.model_validate(version.content)
    except ValidationError as error:
        yield f"{made} does not fit its content: {problem(error)}."
    for extra in sorted(version.content.keys() - kind.content.model_fields.keys()):
        yield f"{made} has {extra}, which its content does not have."
    if kind.role == "idea" and not IdeaContent.from_stored(version.content).final:
        yield f"The idea {version.address} has no text in `final`."


def _readers(session: Session, name: str) -> Iterator[str]:
    """The cells whose tasks read a field."""
    for cell in session.state.cells:
        task = session.methods.task(cell)
        reads = task.reads(session.state, cell) if task is not None else ()
        if any(read.ref == name and not read.parent for read in reads):
            yield cell


def _edited(session: Session, instance: str) -> Iterator[str]:
    """An edit of each text must reach what reads it, and its undo must take that back."""
    for address in list(session.state.cells):
        kind, version = session.methods.kind(address), session.state.in_use(address)
        if cell_ref(address).instance != instance or version is None:
            continue
        if not kind.editable or not kind.main_field:
            continue
        before = session.fresh
        readers = [*_readers(session, ref(address, kind.main_field.name))]
        try:
            session.edits.save(address, to_text(kind, version.content).rstrip() + " Edited.")
        except CoiError as error:
            yield f"The text of {address} cannot be edited: {error.message}"
            continue
        for reader in readers:
            if reader in before and session.fresh[reader].ok:
                yield f"An edit of {address} does not make {reader} stale, which reads it."
        session.undo()
        if session.fresh != before:
            yield f"Undoing an edit of {address} does not bring back what was up to date before."
