"""Imitate-and-Evolve as the registry lists it. The method itself is imported when a session has it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coi_tui.engine.declarations import DeclaredMethod, MethodSpec, Pace
from coi_tui.methods.imitate.settings import ImitateSettings, branches_of

if TYPE_CHECKING:
    from coi_tui.methods.services import ServiceSet


def _make(tools: ServiceSet | None, instance: str) -> DeclaredMethod:
    from coi_tui.methods.imitate.method import ImitateAndEvolve

    return ImitateAndEvolve(instance, tools)


def _register_drafts() -> None:
    from coi_tui.llm.drafter import register_all
    from coi_tui.methods.imitate.drafts import DRAFTS

    register_all(DRAFTS)


SPEC = MethodSpec(
    "Imitate-and-Evolve",
    "Imitate",
    "E",
    ImitateSettings,
    _make,
    branches_of,
    _register_drafts,
    section="imitate",
    about="a manuscript that imitates two papers and grows section by section",
    paces=(
        Pace("decision", "stop at every decision", "one stage at a time"),
        Pace("stage", "stop at the plan", "request to plan, then waits", "plan"),
        Pace("idea", "run to the manuscript", "one plan; it still stops at the budget", "ideas"),
    ),
)
