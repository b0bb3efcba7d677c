"""COI-3: a paper becomes a card."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coi_tui.engine.declarations import Cost, Made, Result
from coi_tui.engine.freshness import Inputs
from coi_tui.methods.base.task import MethodTask
from coi_tui.methods.coi import growth as reads
from coi_tui.methods.coi.growth import bounds_of
from coi_tui.methods.evidence.papers import (
    ABSTRACT,
    FULL_TEXT,
    LONGEST,
    READING_PROMPT,
    REPLY,
    UNKNOWN,
    read_paper,
)
from coi_tui.model.address import parse_address, slot
from coi_tui.model.papers import Paper
from coi_tui.model.state import State
from coi_tui.services.pdf.full_text import pdf_urls

if TYPE_CHECKING:
    from coi_tui.engine.context import Context
    from coi_tui.methods.services import Services

CITING = 100
CITED = 500
"""Rows of a citation list and of a reference list that are looked at; the list says so when it is
longer.

References must be seen whole to find the titles that a card names (COI-5)."""


class CardTask(MethodTask):
    """One reading call a paper, by the reader model; full text where it can be had, else the
    abstract, labelled."""

    name = "card"
    prompts = (READING_PROMPT,)
    reads = staticmethod(reads.card)

    def cost(self, state: State, address: str) -> Cost:
        at = parse_address(address)
        held = state.slot(str(at.slot)).paper or ""
        own = state.attached.get(held) if at.part == "card" else None
        if own is not None:
            size = 600 + -(-min(int(own["chars"]), LONGEST) // 4)
        else:
            found = state.papers.get(held)
            size = UNKNOWN if found is None else FULL_TEXT if pdf_urls(found) else ABSTRACT
        return Cost("reader", (1, 2), (size, 2 * size), (REPLY, 2 * REPLY))

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        found: Paper = inputs.one("paper")
        self.list_ahead(ctx, inputs.address, found)
        read = await read_paper(self.services(ctx), str(inputs.one("topic")), found)
        return Result((Made(inputs.address, read.content, read.origin, read.recipe),))

    def list_ahead(self, ctx: Context, address: str, found: Paper) -> None:
        """Fetch the list that the next place outward is chosen from, where the chain will grow from
        here."""
        at, bounds = parse_address(address), bounds_of(ctx.state)
        share = bounds.forward if at.pos > 0 else bounds.backward
        if abs(at.pos) < min(share, bounds.length - 1):
            outward = at.pos + (1 if at.pos > 0 else -1)
            under = ctx.for_cell(f"{slot(at.branch, outward)}.cands", "candidates")
            ctx.ahead(_fetch(self.services(under), found, outward))


async def _fetch(services: Services, found: Paper, outward: int) -> None:
    source = services.source(stage=0)
    await (source.citations(found, CITING) if outward > 0 else source.references(found, CITED))
