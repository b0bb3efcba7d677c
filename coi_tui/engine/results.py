"""What a step's result and its failure become in the log."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

from coi_tui.engine.context import Context
from coi_tui.engine.declarations import Result, Task
from coi_tui.engine.freshness import Inputs, meanings_now
from coi_tui.model.calls import Failure
from coi_tui.model.entries import Decision, Version, meanings_of
from coi_tui.model.errors import CoiError, ReplyError, ServiceError
from coi_tui.model.fold import LATE
from coi_tui.model.state import State

log = logging.getLogger(__name__)


def versions_of(
    step: Task, inputs: Inputs, ctx: Context, result: Result
) -> Callable[[State, int], Sequence[Decision | Version]]:
    """Builds the versions to add at the moment of the commit; where an input changed meanwhile they
    are alternatives to the one in use."""

    def build(state: State, _next: int) -> list[Decision | Version]:
        now = meanings_now(state, step.reads(state, inputs.address), parents=True)
        late = LATE if now != dict(inputs.everything) else ""
        return [
            Version(
                actor="coi",
                address=made.address,
                content=dict(made.content),
                meanings=meanings_of(made.content),
                origin=made.origin,
                parents=made.parents,
                inputs=dict(inputs.hashes),
                sources=dict(inputs.sources),
                recipe={
                    "step": step.name,
                    **made.recipe,
                    **({"changes": list(dict.fromkeys(ctx.changed))} if ctx.changed else {}),
                },
                calls=tuple(dict.fromkeys(ctx.used)),
                cost_usd=ctx.cost_usd,
                beside=late or made.beside,
            )
            for made in result.made
        ]

    return build


def failure_of(
    error: BaseException, address: str, step: str, ctx: Context, job: int, time: str
) -> Failure:
    """The record of a failed step: its cause in a sentence. A reply that could not be read is not
    taken again on a retry."""
    kind, keys = "unexpected", ()  # type: tuple[str, tuple[str, ...]]
    if isinstance(error, CoiError):
        cause = str(error)
        kind = error.kind if isinstance(error, ServiceError) else type(error).__name__
    else:
        log.error("step %s at %s failed unexpectedly", step, address, exc_info=error)
        cause = (
            f"The step stopped with an unexpected {type(error).__name__}; the log has the details."
        )
    if isinstance(error, ReplyError):
        kind, keys = "reply", tuple(dict.fromkeys(ctx.keys))
    said = error.said if isinstance(error, ServiceError) else ""
    return Failure(
        address=address, step=step, cause=cause, said=said, kind=kind, keys=keys, time=time, job=job
    )
