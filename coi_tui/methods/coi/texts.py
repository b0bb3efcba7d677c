"""COI-8, COI-11: trends between neighbours, and the idea of a whole chain."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coi_tui.engine.reads import Inputs, Read
from coi_tui.engine.steps import Cost, Made, Result
from coi_tui.methods.coi.replies import FinalIdea, IdeaDraft, Trend
from coi_tui.methods.shared.base import MethodStep
from coi_tui.methods.shared.evidence import chain_of, short
from coi_tui.methods.shared.reads import (
    TOPIC,
    card_fields,
    chain_cards,
    chain_papers,
    paper,
    rivals,
)
from coi_tui.model.address import CANDIDATES, Branch, parse_address, ref, slot
from coi_tui.model.content import CandidateList
from coi_tui.model.state import State

if TYPE_CHECKING:
    from coi_tui.engine.context import Context

TREND_OF_CARD = ("problem", "move", "method", "evidence", "limits")
IDEA_OF_CARD = ("problem", "move", "method", "use", "limits")
"""The fields of a card that trends, and those that ideas, are made from."""


def chain_trends(state: State, branch: Branch) -> list[Read]:
    """The trends between neighbours of the chain."""
    return [Read("trends", ref(address, "text")) for address in state.pairs(branch)]


class TrendStep(MethodStep):
    """One call a pair, so that a pair's trend depends on its two cards, and the sentences in which
    one cites the other, alone."""

    name = "trend"
    prompts = ("coi_trend",)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        at = parse_address(address)
        fields, outer = (
            (*TREND_OF_CARD, "source"),
            slot(at.branch, at.newer if at.newer > 0 else at.pos),
        )
        return (
            TOPIC,
            paper("older_paper", at.branch, at.pos),
            paper("newer_paper", at.branch, at.newer),
            *card_fields("older", at.branch, at.pos, fields),
            *card_fields("newer", at.branch, at.newer, fields),
            Read("listed", ref(f"{outer}.{CANDIDATES}", "of"), optional=True, parent=True),
            Read("candidates", ref(f"{outer}.{CANDIDATES}", "entries"), optional=True, parent=True),
        )

    def cost(self, state: State, address: str) -> Cost:
        return Cost("main", (1, 2), (1_150, 2_300), (260, 520))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services = self.services(ctx)
        sides = {
            name: {**short(inputs.one(f"{name}_paper")), **inputs.fields(name)}
            for name in ("older", "newer")
        }
        values = {"topic": inputs.one("topic"), **sides, "citing": _citing(inputs)}
        asked = await services.ask("coi_trend", values, Trend)
        return Result((Made(inputs.address, asked.value.content(), services.origin, asked.recipe),))


def _citing(inputs: Inputs) -> list[str]:
    """The sentences in which the newer paper cites the older one, where the list of candidates
    between the two has some."""
    pair = {inputs.one("older_paper").id, inputs.one("newer_paper").id}
    rows = CandidateList.from_held({"entries": inputs.one("candidates") or []}).entries
    return next((row.citing for row in rows if {row.paper, inputs.one("listed")} == pair), [])


class IdeaStep(MethodStep):
    """Candidates, of which one is written out; then what is wrong with that draft, and the whole
    idea anew."""

    name = "idea"
    prompts = ("coi_idea", "coi_final_idea")

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        branch = parse_address(address).branch
        return (
            TOPIC,
            *chain_papers(state, branch),
            *chain_cards(state, branch, IDEA_OF_CARD),
            *chain_trends(state, branch),
            Read("direction", ref(f"{branch}/dir", "text")),
            rivals("rivals", branch),
            Read("bad_cases", ref(f"{branch}/bad", "cases"), optional=True),
        )

    def cost(self, state: State, address: str) -> Cost:
        return Cost("main", (2, 4), (6_500, 13_000), (1_700, 3_400))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services = self.services(ctx)
        shared = {
            "topic": inputs.one("topic"),
            "chain": chain_of(inputs),
            "trends": [text for _, text in inputs.all("trends")],
            "direction": inputs.one("direction"),
            "rivals": inputs.one("rivals") or [],
            "bad_cases": inputs.one("bad_cases") or [],
        }
        draft = await services.ask("coi_idea", shared, IdeaDraft)
        services.at(1)
        attacked = {name: shared[name] for name in ("topic", "direction", "rivals", "bad_cases")}
        papers = [{"title": one["title"], "year": one["year"]} for one in shared["chain"]]
        final = await services.ask(
            "coi_final_idea",
            {**attacked, "papers": papers, "draft": draft.value.content()},
            FinalIdea,
        )
        content = final.value.content()
        recipe = {
            **final.recipe,
            "draft": {**draft.recipe, **draft.value.content()},
            "faults": content.pop("faults"),
        }
        return Result((Made(inputs.address, content, services.origin, recipe),))
