"""NOVA-9: a seed becomes a proposal: a first version, its method split into modules that are worked out one by one, then the final one."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from coi_tui.engine.reads import Inputs, Read
from coi_tui.engine.steps import Cost, Expected, Made, Result
from coi_tui.methods.nova import reads
from coi_tui.methods.nova.contents import (
    ChoiceContent,
    DiversityContent,
    FoundContent,
    InitialContent,
)
from coi_tui.methods.nova.replies import InitialProposal, MethodModules, ModuleDetail
from coi_tui.methods.nova.target import shown
from coi_tui.methods.shared.base import MethodStep
from coi_tui.methods.shared.reads import rivals
from coi_tui.methods.shared.replies import Idea
from coi_tui.model.address import Branch, instance_of, parse_address, ref
from coi_tui.model.state import State

if TYPE_CHECKING:
    from coi_tui.engine.context import Context

MOST_PAPERS = 8
"""Papers that a first proposal is written beside: those that the seed rests on, then those that its search plan found."""
_ITEM = re.compile(r"\s*(?:[A-Z]\d+/)?(?:seed)?\s*(\d+(?:\.\d+)*)(?![\w.]*\w)", re.IGNORECASE)
INITIAL = ("name", "problem", "existing", "motivation", "method", "experiment")


# -- which seed becomes which proposal ----------------------------------------------------------------------------------


def seed_of(state: State, branch: Branch) -> str:
    """The number of the seed that a branch works out; empty where there is none for it.

    A person says so, line by line for the first branches. A branch with a proposal keeps its seed. The other branches take the seeds that
    a person accepted, then one of each group, those that are taken left out.
    """
    branches = [
        b for b in state.branches_of(instance_of(branch)) if b == branch or b not in state.parked
    ]
    settled = _settled(state, branches)
    left = [item for item in _offered(state, instance_of(branch)) if item not in settled.values()]
    free = [b for b in branches if b not in settled]
    return {**dict(zip(free, left, strict=False)), **settled}.get(branch, "")


def _settled(state: State, branches: Iterable[Branch]) -> dict[Branch, str]:
    """The seeds that a person named, and those that proposals keep; no seed twice."""
    named: dict[Branch, str] = {}
    for branch in branches:
        if (item := _named(state, branch)) and item not in named.values():
            named[branch] = item
    kept = {
        branch: item
        for branch in branches
        if branch not in named and (item := _kept(state, branch))
    }
    return named | {branch: item for branch, item in kept.items() if item not in named.values()}


def _named(state: State, branch: Branch) -> str:
    """The living seed that a person named for the branch."""
    instance, number = instance_of(branch), int(str(branch).rpartition("/")[2])
    choice = state.read(f"{instance}/choice", ChoiceContent) or ChoiceContent()
    said = [item_of(line) for line in choice.proposals]
    item = said[number - 1] if number <= len(said) else ""
    return item if item and item in reads.living(state, instance) else ""


def _kept(state: State, branch: Branch) -> str:
    made = state.read(f"{branch}/initial", InitialContent)
    return (
        made.seed
        if made is not None and made.seed in reads.living(state, instance_of(branch))
        else ""
    )


def _offered(state: State, instance: str) -> list[str]:
    """The seeds for which proposals are written, in this order."""
    found = state.read(f"{instance}/diversity", DiversityContent)
    living = reads.living(state, instance)
    return list(
        dict.fromkeys(
            item
            for item in (*reads.starred(state, instance), *(found.picks if found else ()))
            if item in living
        )
    )


def item_of(line: str) -> str:
    """The number of a seed in what a person wrote: ``2.1``, ``seed2.1``, ``N1/seed 2.1 its title``."""
    found = _ITEM.match(line)
    return found[1] if found else ""


# -- the steps ----------------------------------------------------------------------------------------------------------


class InitialStep(MethodStep):
    """The seed as a first proposal, beside the papers that it rests on: problem, existing methods, motivation, method, experiment."""

    name, prompts = "nova initial", ("nova_initial",)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        branch = parse_address(address).branch
        item, instance = seed_of(state, branch), instance_of(branch)
        if not item:
            return (reads.of(address, "diversity", "picks"),)
        cell = reads.seed(instance, item)
        papers = Read("papers", ref(cell, "papers"), optional=True)
        above = reads.parent_of(item)
        found = (
            (reads.of(address, f"found{above}", "items", "found", optional=True),) if above else ()
        )
        return (
            *reads.target(address),
            *(Read("seed", ref(cell, field)) for field in ("title", "text")),
            papers,
            *found,
        )

    def cost(self, state: State, address: str) -> Cost:
        return Cost("main", (1, 2), (900, 6_000), (500, 2_000))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services = self.services(ctx)
        item = seed_of(ctx.state, parse_address(inputs.address).branch)
        papers = [ctx.state.papers[p] for p in _papers(inputs) if p in ctx.state.papers][
            :MOST_PAPERS
        ]
        values = {
            **reads.target_values(inputs),
            "seed": inputs.fields("seed"),
            "papers": shown(papers),
        }
        asked = await services.ask("nova_initial", values, InitialProposal)
        content = {**asked.value.content(), "seed": item, "papers": [paper.id for paper in papers]}
        return Result((Made(inputs.address, content, services.origin, asked.recipe),))


def _papers(inputs: Inputs) -> Iterable[str]:
    """The papers that the seed rests on, then those that were found for it, each once."""
    own = inputs.one("papers") or []
    found = FoundContent.from_held({"items": next((items for _, items in inputs.all("found")), [])})
    return dict.fromkeys([*own, *found.papers()])


def _initial(address: str, *names: str) -> tuple[Read, ...]:
    cell = f"{parse_address(address).branch}/initial"
    return tuple(
        Read("proposal", ref(cell, name), optional=name in ("name", "existing")) for name in names
    )


class ModulesStep(MethodStep):
    """The method split into modules, one call; then each worked out in a call of its own, side by side."""

    name, prompts = "nova modules", ("nova_modules", "nova_module")

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        return _initial(address, "name", "problem", "method")

    def cost(self, state: State, address: str) -> Cost:
        return Cost(
            "main", (3, 12), (1_500, 12_000), (600, 6_000), expected=Expected(4, 2_400, 1_400)
        )

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, proposal = self.services(ctx), inputs.fields("proposal")
        split = await services.ask("nova_modules", {"proposal": proposal}, MethodModules)
        parts = [part.model_dump() for part in split.value.modules]
        services.at(1)
        values: Mapping[str, Any] = {"proposal": proposal, "modules": parts}
        worked_out = await asyncio.gather(
            *(
                services.ask("nova_module", {**values, "module": part}, ModuleDetail)
                for part in parts
            )
        )
        modules = [
            {"name": part["name"], "description": said.value.text}
            for part, said in zip(parts, worked_out, strict=True)
        ]
        return Result((Made(inputs.address, {"modules": modules}, services.origin, split.recipe),))


class ProposalStep(MethodStep):
    """The final proposal, an idea like any other; it keeps clear of what a novelty check held against a draft."""

    name, prompts = "nova proposal", ("nova_proposal",)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        branch = parse_address(address).branch
        return (
            *reads.target(address),
            *_initial(address, *INITIAL),
            Read("modules", ref(f"{branch}/modules", "modules")),
            rivals("rivals", branch),
            Read("bad_cases", ref(f"{branch}/bad", "cases"), optional=True),
            Read("of", ref(f"{branch}/initial", "seed"), parent=True),
        )

    def cost(self, state: State, address: str) -> Cost:
        return Cost("main", (1, 2), (1_800, 8_000), (900, 3_500))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services = self.services(ctx)
        values = {
            **reads.target_values(inputs),
            "proposal": inputs.fields("proposal"),
            "modules": inputs.one("modules"),
            "rivals": inputs.one("rivals") or [],
            "bad_cases": inputs.one("bad_cases") or [],
        }
        asked = await services.ask("nova_proposal", values, Idea)
        content = {**asked.value.content(), "origin": _origin(inputs)}
        return Result((Made(inputs.address, content, services.origin, asked.recipe),))


def _origin(inputs: Inputs) -> str:
    """From which seed the proposal comes, and from which seeds that one came."""
    line = reads.line_of(str(inputs.one("of") or ""))
    return f"Worked out from seed {', which replaced seed '.join(line)}." if line else ""
