"""NOVA-5 to NOVA-7: a round for each seed: plan what to look for, search for it, and new seeds that replace the old one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from coi_tui.engine.reads import Inputs, Read
from coi_tui.engine.steps import Cost, Expected, Made, Result
from coi_tui.methods.nova import reads
from coi_tui.methods.nova.contents import SEARCH, FoundContent, PlanContent
from coi_tui.methods.nova.replies import NewSeed, NewSeeds, SearchPlan
from coi_tui.methods.nova.settings import bounds_of
from coi_tui.methods.nova.target import shown
from coi_tui.methods.shared.base import MethodStep
from coi_tui.methods.shared.candidate_rows import search_record
from coi_tui.methods.shared.reads import criteria, rules
from coi_tui.model.address import parse_address, ref
from coi_tui.model.criteria import left_out
from coi_tui.model.errors import CoiError
from coi_tui.model.papers import Paper
from coi_tui.model.state import State

if TYPE_CHECKING:
    from coi_tui.engine.context import Context
    from coi_tui.literature.types import SearchResult


def _seed(address: str, item: str) -> tuple[Read, ...]:
    cell = reads.seed(parse_address(address).instance, item)
    return (Read("seed_title", ref(cell, "title")), Read("seed_text", ref(cell, "text")))


def _seed_values(inputs: Inputs) -> dict[str, Any]:
    return {"seed": {"title": inputs.one("seed_title"), "text": inputs.one("seed_text")}}


class PlanStep(MethodStep):
    """NOVA-5: what to look for so that the seed can become better and less like what there is; it waits to be edited before it runs."""

    name, prompts = "nova plan", ("nova_plan",)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        return (
            reads.of(address, "target", "title", "target_title"),
            *_seed(address, parse_address(address).item),
        )

    def cost(self, state: State, address: str) -> Cost:
        return Cost("main", (1, 2), (500, 1_100), (300, 900))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, bounds = (
            self.services(ctx),
            bounds_of(ctx.state, parse_address(inputs.address).instance),
        )
        values = {
            "target_title": inputs.one("target_title"),
            **_seed_values(inputs),
            "count": bounds.lines,
        }
        asked = await services.ask("nova_plan", values, SearchPlan)
        items = [
            {
                "name": line.title,
                "description": line.keywords,
                "thinking": line.thinking,
                "rationale": line.rationale,
            }
            for line in asked.value.lines[: bounds.lines]
        ]
        return Result(
            (Made(inputs.address, {"items": items, "off": []}, services.origin, asked.recipe),)
        )


class FoundStep(MethodStep):
    """NOVA-6: a search for each line of the plan that is not switched off, side by side.

    A search that finds nothing is kept as such. One that fails fails the step; what the others found is kept and not asked for again.
    """

    name = "nova search"

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        plan = f"plan{parse_address(address).item}"
        known = reads.of(address, "target", "paper", "known", optional=True)
        return (
            reads.of(address, plan, "items"),
            reads.of(address, plan, "off", optional=True),
            known,
            *criteria(state),
        )

    def cost(self, state: State, address: str) -> Cost:
        at = parse_address(address)
        plan = state.read(f"{at.instance}/plan{at.item}", PlanContent)
        searches = len(plan.on()) if plan is not None else bounds_of(state, at.instance).lines
        return Cost(searches=(searches if plan is not None else 1, searches))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, bounds = (
            self.services(ctx),
            bounds_of(ctx.state, parse_address(inputs.address).instance),
        )
        plan = PlanContent.from_held(
            {"items": inputs.one("items") or [], "off": inputs.one("off") or []}
        )
        lines = plan.on()
        if not lines:
            raise CoiError(
                "Every line of this plan is switched off.", "Switch one on, or drop the seed."
            )
        source = services.source(stage=0)
        answers = await _every_end([source.search(line.query, bounds.papers) for line in lines])
        usable = [_usable(ctx.state, inputs, answer.papers) for answer in answers]
        items = [
            {"name": line.name, "query": line.query, "papers": [p.id for p in papers]}
            for line, papers in zip(lines, usable, strict=True)
        ]
        if not any(usable):
            lacking = next((answer.lacking for answer in answers if answer.lacking), "")
            raise CoiError(
                lacking or "The searches of this plan found nothing.",
                "Edit the lines of the plan, then run again.",
            )
        content = {"items": items, "tries": [search_record(answer) for answer in answers]}
        papers = {p.id: p for row in usable for p in row}
        return Result(
            (Made(inputs.address, content, "source", {"source": source.name}),),
            tuple(papers.values()),
        )


def _usable(state: State, inputs: Inputs, papers: Sequence[Paper]) -> list[Paper]:
    """Papers that the session has not rejected everywhere and that its criteria admit; the target itself brings nothing new."""
    asked, rejected = rules(inputs), {*state.rejected(0), inputs.one("known")}
    return [p for p in papers if p.id not in rejected and not left_out(p, asked)]


async def _every_end(searches: Sequence[Awaitable[SearchResult]]) -> list[SearchResult]:
    """What all searches found. Each is waited for, so that what was answered is kept; then the first error is raised."""
    ends = await asyncio.gather(*searches, return_exceptions=True)
    for end in ends:
        if isinstance(end, BaseException):
            raise end
    return [end for end in ends if not isinstance(end, BaseException)]


class NewSeedStep(MethodStep):
    """NOVA-7: one call writes all seeds that replace an old one; each cell takes its own, is edited and dropped alone."""

    name, prompts = "nova new seeds", ("nova_new_seeds",)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        above = reads.parent_of(parse_address(address).item)
        return (
            *reads.target(address),
            *_seed(address, above),
            reads.of(address, f"found{above}", "items", "found"),
        )

    def cost(self, state: State, address: str) -> Cost:
        first = parse_address(address).item.endswith(".1")  # it asks for all that replace one seed
        most = Cost("main", (1 if first else 0, 2), (1_500, 9_000), (400, 1_500))
        return most if first else Cost("main", (0, 2), (0, 9_000), (0, 1_500), expected=Expected())

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, at = self.services(ctx), parse_address(inputs.address)
        above, number = reads.parent_of(at.item), int(at.item.rpartition(".")[2])
        each = bounds_of(ctx.state, at.instance).each
        found = FoundContent.from_held({"items": inputs.one("found") or []})
        papers = [ctx.state.papers[p] for p in found.papers() if p in ctx.state.papers]
        labels = {f"P{n}": paper.id for n, paper in enumerate(papers, start=1)}
        there = reads.existing(ctx.state, at.instance, above)
        values = {
            **reads.target_values(inputs),
            **_seed_values(inputs),
            "existing": there,
            "papers": _found(found, papers),
            "count": each,
        }
        asked = await services.ask(
            "nova_new_seeds", values, NewSeeds, lambda said: _too_few(said, each)
        )
        content = _content(asked.value.ideas[number - 1], labels)
        return Result(
            (
                Made(
                    inputs.address,
                    content,
                    services.origin,
                    {**asked.recipe, "avoided": [row["address"] for row in there]},
                ),
            )
        )


def _found(found: FoundContent, papers: Sequence[Paper]) -> list[dict[str, Any]]:
    """The papers with labels, each with the first line of the plan that found it."""
    first: dict[str, str] = {}
    for item in found.items:
        for paper in item.papers:
            first.setdefault(paper, item.name)
    return [
        {**row, "line": first.get(paper.id, "")}
        for row, paper in zip(shown(papers), papers, strict=True)
    ]


def _too_few(said: NewSeeds, each: int) -> str | None:
    return (
        f"{each} ideas are asked for, and there are {len(said.ideas)}"
        if len(said.ideas) < each
        else None
    )


def _content(said: NewSeed, labels: Mapping[str, str]) -> dict[str, Any]:
    papers = [labels[label] for label in dict.fromkeys(said.papers) if label in labels]
    return {
        "title": said.title,
        "text": said.text,
        "source": SEARCH,
        "theory": "",
        "thinking": said.thinking,
        "papers": papers,
    }
