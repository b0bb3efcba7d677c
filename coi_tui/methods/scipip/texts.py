"""SCI-10 to SCI-13: background, brainstorm, problem, first ideas, filter, improvement, and the ideas worked out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from coi_tui.engine.reads import Inputs, Read
from coi_tui.engine.steps import Cost, Made, Result
from coi_tui.llm.reply_schemas import Choices
from coi_tui.methods.scipip import reads
from coi_tui.methods.scipip.records import shown
from coi_tui.methods.scipip.replies import (
    Background,
    Brainstorm,
    Filtered,
    FirstIdeas,
    Improved,
    Problem,
)
from coi_tui.methods.scipip.settings import ScipipSettings, bounds_of
from coi_tui.methods.shared.base import MethodStep
from coi_tui.methods.shared.reads import HUNCH, TOPIC, rivals
from coi_tui.methods.shared.replies import Idea
from coi_tui.model.address import parse_address, ref
from coi_tui.model.errors import CoiError
from coi_tui.model.state import State

if TYPE_CHECKING:
    from coi_tui.engine.context import Context

KEPT = 6
"""Ideas that the filter keeps at most; five or six are asked for (SCI-10)."""
CUES = 20
"""Entities shown as cue words at most."""


def _bounds(state: State, address: str) -> ScipipSettings:
    return bounds_of(state, parse_address(address).instance)


class BackgroundStep(MethodStep):
    """From the topic; a person may write it."""

    name, prompts = "scipip background", ("scipip_background",)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        return (TOPIC, HUNCH)

    def cost(self, state: State, address: str) -> Cost:
        return Cost("main", (1, 2), (350, 900), (120, 400))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services = self.services(ctx)
        values = {"topic": inputs.one("topic"), "hunch": inputs.one("hunch") or ""}
        asked = await services.ask("scipip_background", values, Background)
        return Result((Made(inputs.address, asked.value.content(), services.origin, asked.recipe),))


class BrainstormStep(MethodStep):
    """SCI-11: four to six directions from the background alone."""

    name, prompts = "scipip brainstorm", ("scipip_brainstorm",)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        return (reads.background(address),)

    def cost(self, state: State, address: str) -> Cost:
        return Cost("main", (1, 2), (350, 900), (150, 500))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services = self.services(ctx)
        asked = await services.ask(
            "scipip_brainstorm", {"background": inputs.one("background")}, Brainstorm
        )
        return Result((Made(inputs.address, asked.value.content(), services.origin, asked.recipe),))


class ProblemStep(MethodStep):
    """SCI-10: the problem that the background calls for, with reasons."""

    name, prompts = "scipip problem", ("scipip_problem",)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        return (reads.background(address), reads.records(address))

    def cost(self, state: State, address: str) -> Cost:
        return Cost("main", (1, 2), (1_500, 9_000), (150, 600))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services = self.services(ctx)
        asked = await services.ask(
            "scipip_problem",
            {"background": inputs.one("background"), "papers": shown(inputs)},
            Problem,
        )
        return Result((Made(inputs.address, asked.value.content(), services.origin, asked.recipe),))


class FirstIdeasStep(MethodStep):
    """SCI-10: about ten first ideas from problem and papers; on the inspiration path three or four from what papers suggest (SCI-13)."""

    name, prompts = "scipip first ideas", ("scipip_ideas", "scipip_inspired_ideas")

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        if _bounds(state, address).path == "inspiration":
            return (reads.background(address), reads.of(address, "inspired", "papers", "inspired"))
        return (
            reads.background(address),
            reads.of(address, "problem", "text", "problem"),
            reads.of(address, "problem", "reasons", optional=True),
            reads.records(address),
            reads.of(address, "retrieved", "entities", "cues", optional=True),
        )

    def cost(self, state: State, address: str) -> Cost:
        return Cost("main", (1, 2), (1_700, 10_000), (500, 1_800))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services = self.services(ctx)
        values: dict[str, Any] = {"background": inputs.one("background")}
        if any(read.name == "inspired" for read in inputs.reads):
            rows = [row for row in inputs.one("inspired") if row.get("inspiration")]
            values["inspirations"] = [
                {"title": row["title"], "inspiration": row["inspiration"]} for row in rows
            ]
            asked = await services.ask("scipip_inspired_ideas", values, FirstIdeas)
        else:
            values |= {
                "problem": inputs.one("problem"),
                "reasons": reads.lines(inputs, "reasons"),
                "papers": shown(inputs),
            }
            values["cues"] = reads.lines(inputs, "cues")[:CUES]
            asked = await services.ask("scipip_ideas", values, FirstIdeas)
        return Result((Made(inputs.address, asked.value.content(), services.origin, asked.recipe),))


def candidates(inputs: Inputs) -> dict[str, str]:
    """The first ideas, and in modes B and C the brainstorm, each text once under a label: I1 of papers, B1 of the brainstorm."""
    found = {f"I{n}": text for n, text in enumerate(reads.lines(inputs, "ideas"), start=1)}
    if any(read.name == "directions" for read in inputs.reads):
        found |= {
            f"B{n}": text for n, text in enumerate(reads.lines(inputs, "directions"), start=1)
        }
    off = set(reads.lines(inputs, "ideas_off"))
    found = {label: text for label, text in found.items() if text not in off}
    seen: dict[str, str] = {}
    for label, text in found.items():
        seen.setdefault(text.strip(), label)
    return {label: text for text, label in seen.items()}


def _candidate_reads(state: State, address: str) -> tuple[Read, ...]:
    merged = _bounds(state, address).mode != "A"
    brainstorm = (reads.of(address, "brainstorm", "directions"),) if merged else ()
    return (
        reads.of(address, "first", "ideas"),
        *brainstorm,
        reads.of(address, "choice", "ideas_off", optional=True),
    )


class FilterStep(MethodStep):
    """SCI-10, SCI-11: five or six of the first ideas and the brainstorm stay, word for word; every one that goes has its reason."""

    name, prompts = "scipip filter", ("scipip_filter",)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        return (reads.background(address), *_candidate_reads(state, address))

    def cost(self, state: State, address: str) -> Cost:
        return Cost("main", (1, 2), (900, 3_000), (300, 1_000))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, texts = self.services(ctx), candidates(inputs)
        if not texts:
            raise CoiError("No first idea is left.", "Take one in again, then run again.")
        values = {
            "background": inputs.one("background"),
            "keep": min(KEPT, len(texts)),
            "ideas": labelled(texts),
        }
        asked = await services.ask(
            "scipip_filter",
            values,
            Filtered,
            lambda said: _unusable(said, texts),
            Choices("judged", "id", list(texts)),
        )
        return Result(
            (Made(inputs.address, sorted_out(asked.value, texts), services.origin, asked.recipe),)
        )


def labelled(texts: Mapping[str, str]) -> list[dict[str, str]]:
    return [{"id": label, "text": text} for label, text in texts.items()]


def _unusable(said: Filtered, texts: Mapping[str, str]) -> str | None:
    known = any(verdict.keep and verdict.id in texts for verdict in said.judged)
    return None if known else "no idea is kept under a label that the task shows"


def sorted_out(said: Filtered, texts: Mapping[str, str]) -> dict[str, Any]:
    """What stays with its own text, and what goes with the reason. An idea without a verdict goes, which is said."""
    verdicts = {verdict.id: verdict for verdict in reversed(said.judged) if verdict.id in texts}
    order = [verdict.id for verdict in said.judged if verdict.id in verdicts and verdict.keep]
    kept = list(dict.fromkeys(order))[:KEPT]
    dropped = []
    for label, text in texts.items():
        if label in kept:
            continue
        verdict = verdicts.get(label)
        reason = "the model gave no verdict on it" if verdict is None else verdict.reason
        reason = (
            f"more than {KEPT} were to stay: {reason}"
            if verdict is not None and verdict.keep
            else reason
        )
        dropped.append({"name": text, "description": reason})
    reasons = [{"name": texts[label], "description": verdicts[label].reason} for label in kept]
    return {"kept": [texts[label] for label in kept], "dropped": dropped, "reasons": reasons}


class ImproveStep(MethodStep):
    """SCI-10: the ideas that stay become two to four; on the inspiration path they are joined with the brainstorm (SCI-13)."""

    name, prompts = "scipip improve", ("scipip_improve",)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        if _bounds(state, address).path == "inspiration":
            return (reads.background(address), *_candidate_reads(state, address))
        return (reads.background(address), reads.of(address, "filtered", "kept"))

    def cost(self, state: State, address: str) -> Cost:
        return Cost("main", (1, 2), (800, 2_500), (500, 1_800))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, bounds = self.services(ctx), _bounds(ctx.state, inputs.address)
        kept = any(read.name == "kept" for read in inputs.reads)
        texts = (
            {f"I{n}": t for n, t in enumerate(reads.lines(inputs, "kept"), start=1)}
            if kept
            else candidates(inputs)
        )
        if not texts:
            raise CoiError(
                "No idea is left to improve.", "Write one into the ideas that stay, then run again."
            )
        values = {
            "background": inputs.one("background"),
            "ideas": labelled(texts),
            "count": bounds.branches,
        }
        asked = await services.ask("scipip_improve", values, Improved)
        content: dict[str, Any] = {}
        for n, idea in enumerate(asked.value.ideas[: bounds.branches], start=1):
            content[f"idea{n}"] = f"{idea.title}\n\n{idea.text}"
            content[f"sources{n}"] = [
                texts[label] for label in dict.fromkeys(idea.sources) if label in texts
            ]
        return Result((Made(inputs.address, content, services.origin, asked.recipe),))


class IdeaStep(MethodStep):
    """An improved idea worked out; its origin says which ideas it was made of."""

    name, prompts = "scipip idea", ("scipip_detail",)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        branch = str(parse_address(address).branch)
        number = branch.rpartition("/")[2]
        return (
            reads.background(address),
            reads.of(address, "improved", f"idea{number}", "idea"),
            reads.of(address, "improved", f"sources{number}", "sources", optional=True),
            reads.records(address),
            rivals("rivals", parse_address(address).branch),
            Read("bad_cases", ref(f"{branch}/bad", "cases"), optional=True),
        )

    def cost(self, state: State, address: str) -> Cost:
        return Cost("main", (1, 2), (1_800, 10_000), (600, 2_500))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services = self.services(ctx)
        values = {
            "background": inputs.one("background"),
            "idea": inputs.one("idea"),
            "papers": shown(inputs),
            "rivals": inputs.one("rivals") or [],
            "bad_cases": inputs.one("bad_cases") or [],
        }
        asked = await services.ask("scipip_detail", values, Idea)
        content = {**asked.value.content(), "origin": _origin(reads.lines(inputs, "sources"))}
        return Result((Made(inputs.address, content, services.origin, asked.recipe),))


def _origin(sources: Sequence[str]) -> str:
    return "\n".join(["Made from:", *(f"- {text}" for text in sources)]) if sources else ""
