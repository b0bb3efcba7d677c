"""Further drafts of a direction or an idea, one by each of several models of the same server. They
stand beside the text in use until a person chooses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from coi_tui.engine.context import Context
from coi_tui.engine.declarations import Cost, NewVersion, Result, Task
from coi_tui.engine.freshness import Inputs, Reads
from coi_tui.methods.base.task import MethodTask, gather_all
from coi_tui.model.errors import ReplyError
from coi_tui.model.state import State
from coi_tui.model.text import digest

MODELS = "models"
"""What the models are given as, separated by commas."""
TO_CHOOSE = "a draft to choose from"


class ModelDraftsTask(MethodTask):
    """The task of a cell once for each model, side by side.

    Their versions are committed together, in an order that says nothing of the models or of how
    long each took. Where one fails nothing is committed; what the others answered is stored, and
    costs nothing the next time.
    """

    name = "further drafts"

    def __init__(self, task: Callable[[str], Task | None]) -> None:
        super().__init__()
        self._task = task

    def own(self, address: str) -> Task:
        task = self._task(address)
        assert task is not None  # only cells that a task makes are planned
        return task

    def reads(self, state: State, address: str) -> Reads:
        return self.own(address).reads(state, address)

    def cost(self, state: State, address: str) -> Cost:
        return self.own(address).cost(state, address)

    async def run(self, ctx: Context, inputs: Inputs) -> Result:
        address, task = inputs.address, self.own(inputs.address)

        async def by(model: str) -> NewVersion:
            # no sample: a model drafts once from the same inputs, and its answers are found again
            own = replace(ctx, model=model, sample=0, used=[], keys=[])
            try:
                made = (await task.run(own, inputs)).made
            except ReplyError:
                ctx.keys += own.keys
                raise
            found = next(one for one in made if one.address == address)
            used, cost = tuple(dict.fromkeys(own.used)), own.cost_usd
            return replace(found, alternative_because=TO_CHOOSE, calls=used, cost_usd=cost)

        made = await gather_all(map(by, ctx.given[MODELS].split(", ")))
        return Result(tuple(sorted(made, key=lambda one: digest(dict(one.content)))))
