"""What the steps of everybody at the table share: a seat of the person's is written by nobody else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from coi_tui.engine.reads import Inputs, Read
from coi_tui.engine.steps import Made, Result
from coi_tui.methods.shared.base import MethodStep
from coi_tui.methods.virsci import course
from coi_tui.model.criteria import left_out
from coi_tui.model.errors import CoiError
from coi_tui.model.papers import Paper
from coi_tui.model.state import State

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from coi_tui.engine.context import Context
    from coi_tui.model.criteria import Criteria


class TableStep(MethodStep):
    """A step that writes what one seat says. ``needs`` are its reads, ``words`` its content."""

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        """What it is made from; the person's own words are made from nothing, so that nothing makes them stale."""
        return () if course.is_yours(state, address) else self.needs(state, address)

    def needs(self, state: State, address: str) -> tuple[Read, ...]:
        raise NotImplementedError

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        if course.is_yours(ctx.state, inputs.address):
            raise CoiError(
                f"{inputs.address} is yours to write.", "Press e on it, or use `coi edit`."
            )
        content, recipe = await self.words(ctx, inputs)
        return Result((Made(inputs.address, content, self.services(ctx).origin, recipe),))

    async def words(
        self, ctx: Context, inputs: Inputs
    ) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
        """The content of the cell, and how it was made."""
        raise NotImplementedError


def usable(state: State, rules: Criteria, papers: Iterable[Paper]) -> list[Paper]:
    """Papers that the session has not rejected everywhere and that its criteria admit."""
    rejected = state.rejected(0)
    return [paper for paper in papers if paper.id not in rejected and not left_out(paper, rules)]
