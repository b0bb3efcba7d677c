"""The base of tasks, and tasks declared as a row of a table: a prompt, what it reads, what it answers,
and what the cell then holds."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Literal, NamedTuple, TypeVar, cast

from coi_tui.engine.context import Context
from coi_tui.engine.declarations import Cost, NewVersion, Result, Task
from coi_tui.engine.freshness import Inputs
from coi_tui.methods.base.reads import ReadsOf, rules
from coi_tui.methods.base.reply_models import Reply
from coi_tui.methods.chain.chains import Chains
from coi_tui.methods.services import Services, ServiceSet
from coi_tui.model.criteria import left_out
from coi_tui.model.entries import Origin
from coi_tui.model.errors import CoiError
from coi_tui.model.papers import Paper
from coi_tui.model.state import State
from coi_tui.model.text import Values as Values
from coi_tui.model.text import first_sentences
from coi_tui.services.llm.chat import Choices


@dataclass(eq=False)
class MethodTask:
    """A task that writes its own address. Without services it can say what it reads and costs, but
    not run."""

    tools: ServiceSet | None = None
    name = ""
    prompts: ClassVar[tuple[str, ...]] = ()
    size: ClassVar[Cost] = Cost()
    """What it takes, where that is the same in every state."""

    def cost(self, state: State, address: str) -> Cost:
        return self.size

    def services(self, ctx: Context) -> Services:
        if self.tools is None:
            raise CoiError(
                "No services are set up for this session.", "Open it with services to run tasks."
            )
        return Services(self.tools, ctx)


@dataclass(frozen=True)
class WrappedTask:
    """A task made of another one, its ``own``."""

    own: Task

    @property
    def name(self) -> str:
        return self.own.name

    @property
    def prompts(self) -> tuple[str, ...]:
        return self.own.prompts

    def cost(self, state: State, address: str) -> Cost:
        return self.own.cost(state, address)


class Planned(NamedTuple):
    """A cell that a run makes, and its stage. ``least`` is 0 where it may not come.
    ``when``: as of a ``Want``."""

    address: str
    stage: str
    least: int = 1
    when: Literal["missing", "stale", "always"] = "missing"


R = TypeVar("R", bound=Reply)
T = TypeVar("T")

ABSTRACT = 1_200
"""Characters of an abstract that a prompt shows at most."""


def values_of(ctx: Context, inputs: Inputs) -> dict[str, Any]:
    """Every read under its name; several fields of a cell under one name as an object. Absent ones
    are empty texts."""
    names = Counter(read.name for read in inputs.reads)
    return {
        name: inputs.fields(name) if number > 1 else inputs.first(name)
        for name, number in names.items()
    }


def one_call(
    prompt: tuple[int, int], reply: tuple[int, int], role: Literal["main", "reader"] = "main"
) -> Cost:
    """What one call takes in tokens, the least and the most; a reply that cannot be read is asked
    for once more."""
    return Cost(role, (1, 2), prompt, reply)


USUAL_SIZE = one_call((400, 4_000), (150, 1_500))


def as_content(ctx: Context, inputs: Inputs, reply: Reply) -> Values:
    """The reply as its cell stores it: without the reasoning."""
    return reply.model_dump(exclude={"reasoning"})


@dataclass(frozen=True)
class TextTask(Generic[R]):
    """A call of a language model for one cell: its ``prompt``, the model of its ``reply``, which
    is what the cell holds, and what it ``reads``. The prompt gets each read under its name.

    Where that is not enough, ``size``: what it takes; ``values``: the inputs of the prompt;
    ``content``: what the cell holds, from the reply.

    ``check``: a reason why a reply cannot be used; ``choices``: the labels that it may name.
    """

    name: str
    prompt: str
    reply: type[R]
    reads: ReadsOf
    size: Cost | Callable[[State, str], Cost] = USUAL_SIZE
    values: Callable[[Context, Inputs], Values] = values_of
    content: Callable[[Context, Inputs, R], Values] = as_content
    check: Callable[[Context, Inputs, R], str | None] | None = None
    choices: Callable[[Values], Choices] | None = None
    tools: ServiceSet | None = None

    @property
    def prompts(self) -> tuple[str, ...]:
        return (self.prompt,)

    def cost(self, state: State, address: str) -> Cost:
        return self.size if isinstance(self.size, Cost) else self.size(state, address)

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, values = MethodTask(self.tools).services(ctx), self.values(ctx, inputs)
        check = self.check
        asked = await services.ask(
            self.prompt,
            values,
            self.reply,
            None if check is None else lambda reply: check(ctx, inputs, reply),
            self.choices(values) if self.choices is not None else None,
        )
        return result(inputs, self.content(ctx, inputs, asked.value), services.origin, asked.recipe)


def result(
    inputs: Inputs,
    content: Values,
    origin: Origin,
    recipe: Values | None = None,
    papers: Iterable[Paper] = (),
) -> Result:
    """The result of a task that writes its own cell."""
    return Result((NewVersion(inputs.address, content, origin, recipe or {}),), tuple(papers))


# -- papers and searches


def known(state: State, papers: Iterable[str]) -> list[Paper]:
    """Those of some ids that the session has records of."""
    return [state.papers[paper] for paper in papers if paper in state.papers]


def by_id(papers: Iterable[Paper]) -> dict[str, Paper]:
    """Papers by their ids; of each the last record."""
    return {paper.id: paper for paper in papers}


def papers_of(state: State, rows: Iterable[Values]) -> list[Paper]:
    """The papers of some rows."""
    return known(state, (row["paper"] for row in rows))


def admitted(state: State, inputs: Inputs, papers: Iterable[Paper]) -> list[Paper]:
    """Papers, each once, that the session has not rejected everywhere and that its criteria
    admit."""
    asked, rejected = rules(inputs), Chains.of(state).rejected(0)
    found = by_id(papers)
    return [p for p in found.values() if p.id not in rejected and not left_out(p, asked)]


def shown(papers: Iterable[Paper], letter: str = "P") -> list[dict[str, Any]]:
    """Papers with labels, as prompts show them."""
    return [
        {
            "id": f"{letter}{n}",
            "paper": p.id,
            "title": p.title,
            "year": p.year,
            "abstract": first_sentences(p.abstract or "", ABSTRACT),
        }
        for n, p in enumerate(papers, 1)
    ]


async def gather_all(calls: Iterable[Awaitable[T]]) -> list[T]:
    """The results of calls side by side. All are waited for, so that what was answered is stored;
    then the first error is raised."""
    ends = await asyncio.gather(*calls, return_exceptions=True)
    for end in ends:
        if isinstance(end, BaseException):
            raise end
    return cast("list[T]", ends)
