"""Questions to the researcher before a direction or an idea is drafted; the draft reads what was
answered, and that of an idea what the researcher has for the work."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from pydantic import Field, model_validator

from coi_tui.engine.context import Context
from coi_tui.engine.declarations import CellKind, Result, Task, View, Want
from coi_tui.engine.freshness import Inputs, Read, Reads
from coi_tui.methods.base.idea_settings import IdeaSettings
from coi_tui.methods.base.reads import known_means, means
from coi_tui.methods.base.reply_models import Aside, Reasoned, Words
from coi_tui.methods.base.rewrite import material
from coi_tui.methods.base.task import MethodTask, WrappedTask, one_call, result
from coi_tui.model.address import Branch, cell_at, cell_ref, ref
from coi_tui.model.state import State

ASKED = "asked"
"""The cell of a branch with the questions, in which a person writes the answers."""
DRAFTS = ("dir", "idea")
"""The cells that a person may be asked before, the first one first."""


class Clarification(Reasoned):
    """At most three questions, or one counterexample."""

    questions: list[Words] = Field(max_length=3)
    counterexample: Aside

    @model_validator(mode="after")
    def _says_something(self) -> Clarification:
        if not self.questions and not self.counterexample.strip():
            raise ValueError("neither a question nor a counterexample")
        return self


@dataclass(eq=False)
class ClarifyTask(MethodTask):
    """One call that sees what the next draft of the branch is made from. What it asks does not grow
    stale: it was asked once, and answered."""

    task: Callable[[str], Task | None] = field(kw_only=True)
    name, prompts = "ask first", ("ask_first",)
    size = one_call((400, 5_000), (80, 300))

    def reads(self, state: State, address: str) -> Reads:
        branch = cell_ref(address).branch
        tasks = {cell_at(branch, part): self.task(cell_at(branch, part)) for part in DRAFTS}
        drafts = {at: task for at, task in tasks.items() if task is not None}
        at = next((at for at in drafts if state.in_use(at) is None), next(iter(drafts)))
        reads = AnsweredTask(drafts[at]).reads(state, at) + means(state, at)
        return tuple(read._replace(parent=True, once=True) for read in dict.fromkeys(reads))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services = self.services(ctx)
        asked = await services.ask("ask_first", {"material": material(inputs)}, Clarification)
        lines = [f"{n}. {text}" for n, text in enumerate(asked.value.questions, 1)]
        text = "\n\n".join(lines) or asked.value.counterexample
        return result(inputs, {"text": f"{text}\n"}, services.origin, asked.recipe)


def answered(state: State, branch: Branch) -> Reads:
    """What a person answered before a draft of the branch, where they did."""
    version = state.in_use(cell_at(branch, ASKED))
    there = version is not None and version.by_person
    return (Read(ASKED, ref(cell_at(branch, ASKED), "text")),) if there else ()


def unanswered(state: State, instance: str) -> list[str]:
    """Questions that a draft of a method waits for."""
    if not state.bounds(IdeaSettings, instance).ask_first:
        return []
    return [
        cell_at(branch, ASKED)
        for branch in state.branches_of(instance)
        if branch not in state.parked
        and state.in_use(cell_at(branch, ASKED)) is not None
        and not answered(state, branch)
        and state.in_use(cell_at(branch, "idea")) is None
    ]


@dataclass(frozen=True)
class AnsweredTask(WrappedTask):
    """The task ``own`` of a draft, each of whose prompts shows the answers, and where an idea is
    written the means; the plan follows them."""

    writes_idea: bool = False

    def reads(self, state: State, address: str) -> Reads:
        own, at = self.own.reads(state, address), cell_ref(address)
        known = self.writes_idea and "means" not in {read.name for read in own}
        said = answered(state, at.branch) if at.kind in DRAFTS else ()
        return (*own, *said, *(known_means(state, address) if known else ()))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        said = {name: "\n".join(text for _, text in inputs.all(name)) for name in ("means", ASKED)}
        ctx.said = {name: text for name, text in said.items() if text}
        return await self.own.run(ctx, inputs)


def with_answers(address: str, task: Task, kind: CellKind) -> Task:
    """The task of a draft with what the researcher said before it; any other task as it is."""
    draft = kind.writes_idea or cell_ref(address).kind in DRAFTS
    return AnsweredTask(task, kind.writes_idea) if draft else task


def waits_for_answers(view: View, want: Want, ask: Task) -> Want | None:
    """In the place of a draft that is missing, the questions before it; None where they wait for an
    answer."""
    at = cell_ref(want.address)
    if at.kind not in DRAFTS or want.when != "missing" or view.state.in_use(want.address):
        return want
    if answered(view.state, at.branch):
        return want
    asked = cell_at(at.branch, ASKED)
    if view.state.in_use(asked) is not None or asked in view.failed:
        return None
    return Want(asked, ask, "missing", want.stage, "questions to you before the draft")
