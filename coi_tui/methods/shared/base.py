"""What the steps of all methods share."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from coi_tui.engine.declarations import Cost
from coi_tui.model.errors import CoiError
from coi_tui.model.state import State

if TYPE_CHECKING:
    from coi_tui.engine.context import Context
    from coi_tui.methods.services import Services, ServiceSet


class MethodTask:
    """A step that writes its own address. Without services it can say what it reads and costs, but
    not run."""

    name: ClassVar[str] = ""
    prompts: ClassVar[tuple[str, ...]] = ()

    def __init__(self, tools: ServiceSet | None = None) -> None:
        self._tools = tools

    def writes(self, state: State, address: str) -> tuple[str, ...]:
        return (address,)

    def cost(self, state: State, address: str) -> Cost:
        return Cost()

    def services(self, ctx: Context) -> Services:
        if self._tools is None:
            raise CoiError(
                "No services are set up for this session.", "Open it with services to run steps."
            )
        from coi_tui.methods.services import Services  # a session that is only looked at needs none

        return Services(self._tools, ctx)
