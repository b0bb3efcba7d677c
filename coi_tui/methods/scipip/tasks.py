"""SCI-1, SCI-10 to SCI-13: background, brainstorm, papers read, problem, first ideas, filter,
improvement, and the ideas worked out."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from coi_tui.engine.declarations import Cost, Result
from coi_tui.engine.freshness import Inputs, Read
from coi_tui.methods.base.reads import HUNCH, TOPIC, reading
from coi_tui.methods.base.replies import Idea
from coi_tui.methods.base.task import (
    MethodTask,
    TextTask,
    Values,
    every_end,
    known,
    one_call,
    result,
    values_of,
)
from coi_tui.methods.evidence.papers import READING_PROMPT, read_paper, records_of
from coi_tui.methods.evidence.reading_list import ReadingListTask
from coi_tui.methods.ideas.rivals import RivalsTask
from coi_tui.methods.scipip.contents import (
    Background,
    Brainstorm,
    Filtered,
    FirstIdeas,
    Improved,
    Inspiration,
    Problem,
)
from coi_tui.methods.scipip.retrieval import ENTITIES, NearestTask, RetrievalTask
from coi_tui.methods.scipip.settings import bounds_of
from coi_tui.model.address import READING
from coi_tui.model.errors import CoiError
from coi_tui.model.state import State
from coi_tui.services.llm.chat import Choices

if TYPE_CHECKING:
    from coi_tui.engine.context import Context

KEPT = 6
"""Ideas that the filter keeps at most; five or six are asked for (SCI-10)."""
CUES = 20
"""Entities shown as cue words at most."""
FIELDS = ("problem", "move", "method", "evidence", "use", "limits")
"""What prompts are shown of a paper that was read."""
BACKGROUND = "background={instance}/background#text"
RECORDS = "records={instance}/records#papers"
thought = reading(
    "thought={instance}/background#text", "thought={instance}/improved#ideas.{number}"
)
"""What the idea of a branch will be made from."""


class RecordsTask(MethodTask):
    """SCI-1: a card of each paper picked, by the call that Chain of Ideas reads papers with, so
    that none is paid for twice.

    All readings run side by side and all are waited for. A paper that cannot be read stays in the
    list with the reason.
    """

    name, prompts = "scipip records", (READING_PROMPT,)

    reads = staticmethod(reading(TOPIC, "picked={instance}/retrieved#picked"))

    def cost(self, state: State, address: str) -> Cost:
        most = bounds_of(state, address).picked
        return one_call((600, 41_000), (200, 1_200), "reader").times(1, most)

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, papers = self.services(ctx), known(ctx.state, inputs.one("picked"))
        topic = str(inputs.one("topic"))
        ends = await asyncio.gather(
            *(read_paper(services, topic, paper) for paper in papers), return_exceptions=True
        )
        rows: list[dict[str, Any]] = []
        recipe: Mapping[str, Any] = {}
        for paper, end in zip(papers, ends, strict=True):
            row: dict[str, Any] = {"paper": paper.id, "title": paper.title, "year": paper.year}
            if not isinstance(end, BaseException):
                rows.append({**row, **end.content})
                recipe = recipe or end.recipe
            elif type(end) is CoiError:
                rows.append({**row, "unread": str(end)})
            else:  # a service, a reply, the budget: the step fails, and what was read is stored
                raise end
        if all(row.get("unread") for row in rows):
            raise CoiError(
                "None of the papers used can be read.",
                "Use others in the table of papers, then run again.",
            )
        return result(inputs, {"papers": rows}, services.origin, recipe)


def _papers(inputs: Inputs) -> list[dict[str, Any]]:
    """The papers that were read, as prompts show them."""
    return [
        {
            "title": row["title"],
            "year": row.get("year"),
            **{name: row.get(name, "") for name in FIELDS},
        }
        for row in records_of(inputs)
    ]


def _with_papers(ctx: Context, inputs: Inputs) -> dict[str, Any]:
    return {**values_of(ctx, inputs), "papers": _papers(inputs)}


class InspiredTask(MethodTask):
    """SCI-13: what the method of each paper suggests for the background; papers that suggest
    nothing are stored as such.

    Every answer is waited for, however late it comes.
    """

    name, prompts = "scipip inspirations", ("scipip_inspiration",)

    reads = staticmethod(reading(BACKGROUND, RECORDS))

    def cost(self, state: State, address: str) -> Cost:
        most = bounds_of(state, address).picked
        return one_call((700, 1_600), (60, 250)).times(1, most)

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, background = self.services(ctx), inputs.one("background")
        asked = await every_end(
            services.ask(
                "scipip_inspiration", {"background": background, "papers": [paper]}, Inspiration
            )
            for paper in _papers(inputs)
        )
        rows = [
            {"name": row["title"], "description": one.value.text}
            for row, one in zip(records_of(inputs), asked, strict=True)
        ]
        if not any(row["description"] for row in rows):
            raise CoiError(
                "No paper suggested anything for this background.",
                "Use the direct path, or other papers.",
            )
        return result(inputs, {"papers": rows}, services.origin, asked[0].recipe)


# -- first ideas


def _first_reads(state: State, address: str) -> tuple[Read, ...]:
    """By the path of the instance: problem and papers, or what papers suggest."""
    if bounds_of(state, address).path == "inspiration":
        return reading(BACKGROUND, "inspired={instance}/inspired#papers")(state, address)
    return reading(
        BACKGROUND,
        "problem={instance}/problem#text",
        "reasons?={instance}/problem#reasons",
        RECORDS,
        "cues?={instance}/retrieved#entities",
    )(state, address)


def _first_values(ctx: Context, inputs: Inputs) -> Values:
    absent = {"problem": "", "reasons": [], "cues": [], "inspired": []}
    values = {**absent, **_with_papers(ctx, inputs)}
    inspirations = [row for row in values["inspired"] if row["description"]]
    return {**values, "cues": values["cues"][:CUES], "inspirations": inspirations}


# -- filter and improvement


def candidates(inputs: Inputs) -> dict[str, str]:
    """The ideas that were read and in modes B and C the brainstorm, each text once under a label:
    I1 of papers, B1 of the brainstorm."""
    found: dict[str, str] = {}
    for letter, name in (("I", "ideas"), ("B", "directions")):
        lines = next((value for _, value in inputs.all(name)), None) or []
        for n, text in enumerate(map(str, lines), 1):
            found.setdefault(text.strip(), f"{letter}{n}")
    return {label: text for text, label in found.items()}


def _merged(state: State, address: str) -> tuple[Read, ...]:
    """First ideas, and in modes B and C the brainstorm."""
    brainstorm = ["directions={instance}/brainstorm#directions"]
    with_it = brainstorm if bounds_of(state, address).mode != "A" else []
    return reading("ideas={instance}/first#ideas", *with_it)(state, address)


def _to_judge(ctx: Context, inputs: Inputs) -> dict[str, Any]:
    texts = candidates(inputs)
    if not texts:
        raise CoiError("There is no idea to go on from.", "Write one, then run again.")
    return {
        "background": inputs.one("background"),
        "ideas": [{"id": label, "text": text} for label, text in texts.items()],
    }


def partition(said: Filtered, texts: Mapping[str, str]) -> dict[str, Any]:
    """What stays, with its own text, and why each stays or goes. An idea without a verdict goes,
    which is said."""
    verdicts = {one.id: one for one in said.judged if one.id in texts}
    kept = [label for label, one in verdicts.items() if one.keep][:KEPT]
    reasons = {label: one.reason for label, one in verdicts.items()}
    for label, one in verdicts.items():
        if one.keep and label not in kept:
            reasons[label] = f"more than {KEPT} were to stay: {one.reason}"
    order = [*kept, *(label for label in texts if label not in kept)]
    why = {texts[label]: reasons.get(label, "the model gave no verdict on it") for label in order}
    return {
        "kept": [texts[label] for label in kept],
        "judged": [{"name": text, "description": said} for text, said in why.items()],
    }


def _improved(ctx: Context, inputs: Inputs, said: Improved) -> Values:
    texts, ideas = candidates(inputs), said.ideas[: bounds_of(ctx.state, inputs.address).branches]
    return {
        "ideas": [{"name": one.title, "description": one.text} for one in ideas],
        "sources": [
            [texts[label] for label in dict.fromkeys(one.sources) if label in texts]
            for one in ideas
        ],
    }


def _improved_reads(state: State, address: str) -> tuple[Read, ...]:
    inspired = bounds_of(state, address).path == "inspiration"
    ideas = _merged if inspired else "ideas={instance}/filtered#kept"
    return reading(BACKGROUND, ideas)(state, address)


# -- the ideas


def _idea(ctx: Context, inputs: Inputs, said: Idea) -> Values:
    """With what it was made of as its origin."""
    sources = inputs.one("sources") or []
    origin = "\n".join(["Made from:", *(f"- {text}" for text in sources)]) if sources else ""
    return {**said.content(), "origin": origin}


_TEXTS: Mapping[str, TextTask[Any]] = {
    "background": TextTask(
        "scipip background",
        "scipip_background",
        Background,
        reading(TOPIC, HUNCH),
        one_call((350, 900), (120, 400)),
    ),
    "brainstorm": TextTask(
        "scipip brainstorm",
        "scipip_brainstorm",
        Brainstorm,
        reading(BACKGROUND),
        one_call((350, 900), (150, 500)),
    ),
    "problem": TextTask(
        "scipip problem",
        "scipip_problem",
        Problem,
        reading(BACKGROUND, RECORDS),
        one_call((1_500, 9_000), (150, 600)),
        _with_papers,
    ),
    "first": TextTask(
        "scipip first ideas",
        "scipip_ideas",
        FirstIdeas,
        _first_reads,
        one_call((1_700, 10_000), (500, 1_800)),
        _first_values,
    ),
    "filtered": TextTask(
        "scipip filter",
        "scipip_filter",
        Filtered,
        reading(BACKGROUND, _merged),
        one_call((900, 3_000), (300, 1_000)),
        lambda ctx, inputs: {
            **_to_judge(ctx, inputs),
            "keep": min(KEPT, len(candidates(inputs))),
        },
        lambda ctx, inputs, said: partition(said, candidates(inputs)),
        check=lambda ctx, inputs, said: (
            None
            if any(one.keep and one.id in candidates(inputs) for one in said.judged)
            else "no idea is kept under a label that the task shows"
        ),
        choices=lambda values: Choices("judged", "id", [one["id"] for one in values["ideas"]]),
    ),
    "improved": TextTask(
        "scipip improve",
        "scipip_improve",
        Improved,
        _improved_reads,
        one_call((800, 2_500), (500, 1_800)),
        lambda ctx, inputs: {
            **_to_judge(ctx, inputs),
            "count": bounds_of(ctx.state, inputs.address).branches,
        },
        _improved,
    ),
    "idea": TextTask(
        "scipip idea",
        "scipip_detail",
        Idea,
        reading(
            BACKGROUND,
            "idea={instance}/improved#ideas.{number}",
            "sources?={instance}/improved#sources.{number}",
            RECORDS,
            "rivals?={branch}/rivals#works",
            "bad_cases?={branch}/bad#cases",
        ),
        one_call((1_800, 10_000), (600, 2_500)),
        lambda ctx, inputs: {
            **_with_papers(ctx, inputs),
            "idea": "\n\n".join(inputs.one("idea").values()),
        },
        _idea,
    ),
}
TASKS: Mapping[str, Any] = {
    READING: ReadingListTask,
    "nearest": NearestTask,
    "entities": ENTITIES,
    "retrieved": RetrievalTask,
    "records": RecordsTask,
    "inspired": InspiredTask,
    "rivals": lambda tools: RivalsTask(tools, thought),
    **_TEXTS,
}
