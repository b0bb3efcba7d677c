"""A tiny method that the program does not have: questions, a search, and three ideas. It is
registered by ``register(TOY)``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from coi_tui.engine.declarations import Cost, MethodSpec, Result, Task, View, Want
from coi_tui.engine.freshness import Inputs
from coi_tui.methods.base.cell_table import held, kinds_of, row, table
from coi_tui.methods.base.reads import TOPIC, reading
from coi_tui.methods.base.replies import Reply, Words
from coi_tui.methods.base.task import MethodTask, TextTask, one_call, result, values_of
from coi_tui.methods.branched import BranchedMethod
from coi_tui.methods.ideas import kinds
from coi_tui.methods.services import ServiceSet
from coi_tui.model.content import Content
from coi_tui.model.document import Block
from coi_tui.model.state import State
from coi_tui.services.llm.drafter import register as draft


class ToySettings(BaseModel):
    """How many ideas an instance has."""

    ideas: int = 3


class ToyQuestions(Reply):
    """What to search for."""

    questions: list[Words]


class ToyIdea(Reply):
    """One idea."""

    title: Words
    final: Words


class Asking(Content):
    """The questions that are kept."""

    questions: list[str] = []


class Hits(Content):
    """The papers that were found."""

    papers: list[dict[str, Any]] = []


class SearchTask(MethodTask):
    """Papers for the questions."""

    name = "toy search"

    reads = staticmethod(reading(TOPIC, "questions={instance}/asking#questions"))

    def cost(self, state: State, address: str) -> Cost:
        return Cost(searches=(1, 1))

    async def run(self, ctx: Any, inputs: Inputs) -> Result:
        found = await self.services(ctx).source().search(" ".join(inputs.one("questions")), 3)
        rows = [{"paper": p.id, "title": p.title} for p in found.papers]
        return result(inputs, {"papers": rows}, "source", {"source": found.source}, found.papers)


QUESTIONS = TextTask(
    "toy questions",
    "toy_questions",
    ToyQuestions,
    reading(TOPIC),
    one_call((100, 400), (50, 200)),
)
IDEA = TextTask(
    "toy idea",
    "toy_idea",
    ToyIdea,
    reading(TOPIC, "questions={instance}/asking#questions", "papers={instance}/hits#papers"),
    one_call((200, 800), (100, 400)),
    lambda ctx, inputs: {
        **values_of(ctx, inputs),
        "number": inputs.address.split("/")[1],
        "titles": [row["title"] for row in inputs.one("papers")],
    },
)
"""One idea a branch, from all that was found."""


def _table(state: State, address: str) -> Iterator[Block]:
    rows = (
        row(h["paper"], n, h["title"], paper=h["paper"], found="By the toy's search.")
        for n, h in enumerate(held(state, address, Hits).papers, 1)
    )
    return table("rank|title", rows)


kind = kinds_of("T")


class Toy(BranchedMethod):
    """Questions, one search, three ideas."""

    name, short = "Toy", "Toy"
    own_stages = ("asking", "looking", "ideas")
    own_kinds = (
        kind(
            "asking",
            "Questions asked",
            Asking,
            "toy questions",
            "asking",
            "questions",
            role="question",
        ),
        kind(
            "hits",
            "Papers found",
            Hits,
            "toy search",
            "looking",
            role="candidates",
            document=_table,
        ),
        kinds.idea("toy idea", "ideas"),
    )

    def make_tasks(self, tools: ServiceSet | None) -> dict[str, Task]:
        return {"asking": QUESTIONS.by(tools), "hits": SearchTask(tools), "idea": IDEA.by(tools)}

    def wanted_first(self, view: View, last: str) -> Iterable[Want]:
        yield self.want(f"{self.instance}/asking", "asking")
        if last != "asking":
            yield self.want(f"{self.instance}/hits", "looking")


@draft("toy_questions")
def _questions(values: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "questions": [f"What is known of {values['topic']}?", f"What is open in {values['topic']}?"]
    }


@draft("toy_idea")
def _idea(values: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "title": f"Toy idea {values['number']}",
        "final": f"Idea {values['number']} of {len(values['titles'])} papers.",
    }


TOY = MethodSpec(
    "Toy",
    "Toy",
    "T",
    ToySettings,
    lambda tools, instance: Toy(instance, tools),
    lambda bounds: int(getattr(bounds, "ideas", 3)),
    prompts=Path(__file__).parent / "prompts",
    about="numbered ideas, for tests",
)
