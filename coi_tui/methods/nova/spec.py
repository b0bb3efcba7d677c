"""Nova as the registry lists it. The method itself is imported when a session has it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coi_tui.engine.declarations import DeclaredMethod, MethodSpec, Pace
from coi_tui.methods.nova.settings import NovaSettings, branches_of

if TYPE_CHECKING:
    from coi_tui.methods.services import ServiceSet


def _make(tools: ServiceSet | None, instance: str) -> DeclaredMethod:
    from coi_tui.methods.nova.method import Nova

    return Nova(instance, tools)


def _register_drafts() -> None:
    from coi_tui.llm.drafter import register_all
    from coi_tui.methods.nova.drafts import DRAFTS

    register_all(DRAFTS)


SPEC = MethodSpec(
    "Nova",
    "Nova",
    "N",
    NovaSettings,
    _make,
    branches_of,
    _register_drafts,
    section="nova",
    about="seed ideas, replaced by new ones after each round of searches",
    paces=(
        Pace("decision", "stop at every decision", "one stage at a time"),
        Pace("stage", "stop at the first search plans", "target to plans, then waits", "plans-1"),
        Pace("idea", "run to the first ideas", "one plan; it still stops at the budget", "ideas"),
    ),
)
