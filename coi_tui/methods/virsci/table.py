"""Steps of everybody at the table: what the person's seat says is written by nobody else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coi_tui.engine.reads import Inputs, Read
from coi_tui.engine.steps import Result
from coi_tui.methods.shared.text_task import R, TextTask
from coi_tui.methods.virsci import course
from coi_tui.model.errors import CoiError
from coi_tui.model.state import State

if TYPE_CHECKING:
    from coi_tui.engine.context import Context


class SeatTask(TextTask[R]):
    """A call for what one seat says. The person's own words are made from nothing, so that nothing
    makes them stale."""

    def reads(self, state: State, address: str) -> tuple[Read, ...]:
        return () if course.is_yours(state, address) else super().reads(state, address)

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        if course.is_yours(ctx.state, inputs.address):
            raise CoiError(
                f"{inputs.address} is yours to write.", "Press e on it, or use `coi edit`."
            )
        return await super().run(ctx, inputs)
