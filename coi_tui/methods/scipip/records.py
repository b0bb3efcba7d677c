"""SCI-1, SCI-13: what is read of the papers picked, and what each of them suggests."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from coi_tui.engine.reads import Inputs, Read
from coi_tui.engine.steps import Cost, Expected, Made, Result
from coi_tui.methods.scipip import reads
from coi_tui.methods.scipip.replies import Inspiration
from coi_tui.methods.scipip.settings import bounds_of
from coi_tui.methods.shared.base import MethodStep
from coi_tui.methods.shared.paper_reading import ABSTRACT, READING_PROMPT, REPLY, read_paper
from coi_tui.methods.shared.reads import TOPIC
from coi_tui.model.address import parse_address
from coi_tui.model.errors import CoiError
from coi_tui.model.state import State

if TYPE_CHECKING:
    from coi_tui.engine.context import Context

FIELDS = ("problem", "move", "method", "evidence", "use", "limits")
"""What prompts are shown of a record."""


class RecordsStep(MethodStep):
    """SCI-1: a card of each paper picked, by the call that Chain of Ideas reads papers with, so that none is paid for twice.

    All readings run side by side and all are waited for. A paper that cannot be read stays in the list with the reason.
    """

    name, prompts = "scipip records", (READING_PROMPT,)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        return (TOPIC, reads.of(address, "retrieved", "picked"))

    def cost(self, state: State, address: str) -> Cost:
        most = bounds_of(state, parse_address(address).instance).picked
        one = Cost(
            "reader", (1, 2), (600, 41_000), (200, 1_200), expected=Expected(1, ABSTRACT, REPLY)
        )
        return one.times(1, most, most)

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, papers = (
            self.services(ctx),
            [ctx.state.papers[p] for p in inputs.one("picked") if p in ctx.state.papers],
        )
        topic = str(inputs.one("topic"))
        ends = await asyncio.gather(
            *(read_paper(services, topic, paper) for paper in papers), return_exceptions=True
        )
        rows: list[dict[str, Any]] = []
        recipe: dict[str, Any] = {}
        for paper, end in zip(papers, ends, strict=True):
            row: dict[str, Any] = {"paper": paper.id, "title": paper.title, "year": paper.year}
            if isinstance(end, BaseException):
                if (
                    type(end) is not CoiError
                ):  # a service, a reply, the budget: the step fails, and what was read is kept
                    raise end
                rows.append({**row, "unread": str(end)})
                continue
            rows.append({**row, **end.content})
            recipe = recipe or dict(end.recipe)
        if all(row.get("unread") for row in rows):
            raise CoiError(
                "None of the papers used can be read.", "Pin others in the choices, then run again."
            )
        return Result((Made(inputs.address, {"papers": rows}, services.origin, recipe),))


def shown(inputs: Inputs) -> list[dict[str, Any]]:
    """The records that were read, as prompts show them."""
    rows = [row for row in inputs.one("records") or [] if not row.get("unread")]
    return [
        {
            "title": row["title"],
            "year": row.get("year"),
            **{name: row.get(name, "") for name in FIELDS},
        }
        for row in rows
    ]


class InspiredStep(MethodStep):
    """SCI-13: what the method of each paper suggests for the background; papers that suggest nothing are kept as such.

    Every answer is waited for, however late it comes.
    """

    name, prompts = "scipip inspirations", ("scipip_inspiration",)

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        return (reads.background(address), reads.records(address))

    def cost(self, state: State, address: str) -> Cost:
        most = bounds_of(state, parse_address(address).instance).picked
        return Cost("main", (1, 2), (700, 1_600), (60, 250)).times(1, most, most)

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        services, papers = self.services(ctx), shown(inputs)
        ids = [row["paper"] for row in inputs.one("records") if not row.get("unread")]
        values = [{"background": inputs.one("background"), "papers": [paper]} for paper in papers]
        ends = await asyncio.gather(
            *(services.ask("scipip_inspiration", one, Inspiration) for one in values),
            return_exceptions=True,
        )
        rows: list[dict[str, Any]] = []
        recipe: dict[str, Any] = {}
        for paper, title, end in zip(ids, (p["title"] for p in papers), ends, strict=True):
            if isinstance(end, BaseException):
                raise end
            said = (end.value.inspiration or "").strip()
            rows.append(
                {
                    "paper": paper,
                    "title": title,
                    "inspiration": "" if said.casefold().rstrip(".") in ("none", "null") else said,
                }
            )
            recipe = recipe or dict(end.recipe)
        if not any(row["inspiration"] for row in rows):
            raise CoiError(
                "No paper suggested anything for this background.",
                "Use the direct path, or pin other papers.",
            )
        return Result((Made(inputs.address, {"papers": rows}, services.origin, recipe),))
