"""A tiny method that the program does not have: questions, a search, and three ideas. It is
registered by ``register(TOY)``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from coi_tui.engine.declarations import CellKind, EditableField, MethodSpec
from coi_tui.engine.reads import Inputs, Read
from coi_tui.engine.steps import Cost, Made, Result, Step, View, Want
from coi_tui.llm.drafter import register as draft
from coi_tui.methods.services import ServiceSet
from coi_tui.methods.shared import kinds
from coi_tui.methods.shared.base import MethodStep
from coi_tui.methods.shared.branched import BranchedMethod
from coi_tui.methods.shared.reads import TOPIC
from coi_tui.methods.shared.replies import Reply, Words
from coi_tui.model.address import parse_address, ref
from coi_tui.model.content import Content
from coi_tui.model.state import State
from coi_tui.model.views import TableRow, TableView


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


class AskStep(MethodStep):
    """Questions from the topic."""

    name, prompts = "toy questions", ("toy_questions",)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        return (TOPIC,)

    def cost(self, state: State, address: str) -> Cost:
        return Cost("main", (1, 2), (100, 400), (50, 200))

    async def run(self, ctx: Any, inputs: Inputs) -> Result:
        services = self.services(ctx)
        asked = await services.ask("toy_questions", {"topic": inputs.one("topic")}, ToyQuestions)
        return Result(
            (Made(inputs.address, asked.value.model_dump(), services.origin, asked.recipe),)
        )


class SearchStep(MethodStep):
    """Papers for the questions."""

    name = "toy search"

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        return (
            TOPIC,
            Read("questions", ref(f"{parse_address(address).instance}/asking", "questions")),
        )

    def cost(self, state: State, address: str) -> Cost:
        return Cost(searches=(1, 1))

    async def run(self, ctx: Any, inputs: Inputs) -> Result:
        found = await self.services(ctx).source().search(" ".join(inputs.one("questions")), 3)
        rows = [{"paper": p.id, "title": p.title} for p in found.papers]
        return Result(
            (Made(inputs.address, {"papers": rows}, "source", {"source": found.source}),),
            tuple(found.papers),
        )


class ToyIdeaStep(MethodStep):
    """One idea a branch, from all that was found."""

    name, prompts = "toy idea", ("toy_idea",)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        instance = parse_address(address).instance
        return (
            TOPIC,
            Read("questions", ref(f"{instance}/asking", "questions")),
            Read("papers", ref(f"{instance}/hits", "papers")),
        )

    def cost(self, state: State, address: str) -> Cost:
        return Cost("main", (1, 2), (200, 800), (100, 400))

    async def run(self, ctx: Any, inputs: Inputs) -> Result:
        services, at = self.services(ctx), parse_address(inputs.address)
        titles = [row["title"] for row in inputs.one("papers")]
        number = str(at.branch).rpartition("/")[2]
        values = {
            "topic": inputs.one("topic"),
            "number": number,
            "questions": inputs.one("questions"),
            "titles": titles,
        }
        asked = await services.ask("toy_idea", values, ToyIdea)
        return Result(
            (Made(inputs.address, asked.value.model_dump(), services.origin, asked.recipe),)
        )


def _table(state: State, address: str) -> TableView:
    hits = state.read(address, Hits) or Hits()
    rows = (
        TableRow(h["paper"], (str(n), h["title"]), (("FOUND", "By the toy's search."),), h["paper"])
        for n, h in enumerate(hits.papers, 1)
    )
    return TableView(("rank", "title"), tuple(rows))


class Toy(BranchedMethod):
    """Questions, one search, three ideas."""

    name, short = "Toy", "Toy"
    own_stages = ("asking", "looking", "ideas")
    own_kinds = (
        CellKind(
            "asking",
            "T1/asking",
            "Questions asked",
            Asking,
            "toy questions",
            "asking",
            "question",
            kinds.OF_TEXT,
            (EditableField("questions", form="lines"),),
            "asking",
            shared=True,
        ),
        CellKind(
            "hits",
            "T1/hits",
            "Papers found",
            Hits,
            "toy search",
            "looking",
            "candidates",
            kinds.OF_LIST,
            label="hits",
            shown=_table,
            has_verdict=False,
            shared=True,
        ),
        kinds.idea("toy idea", "ideas"),
    )

    def make_steps(self, tools: ServiceSet | None) -> dict[str, Step]:
        return {"asking": AskStep(tools), "hits": SearchStep(tools), "idea": ToyIdeaStep(tools)}

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
