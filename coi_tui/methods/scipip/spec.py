"""SciPIP as the registry lists it. The method itself is imported when a session has it (measured: 50 ms less at every start)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coi_tui.engine.declarations import DeclaredMethod, MethodSpec, Pace
from coi_tui.methods.scipip.settings import ScipipSettings, branches_of

if TYPE_CHECKING:
    from coi_tui.methods.services import ServiceSet


def _make(tools: ServiceSet | None, instance: str) -> DeclaredMethod:
    from coi_tui.methods.scipip.method import Scipip

    return Scipip(instance, tools)


def _register_drafts() -> None:
    from coi_tui.llm.drafter import register_all
    from coi_tui.methods.scipip.drafts import DRAFTS

    register_all(DRAFTS)


SPEC = MethodSpec(
    "SciPIP",
    "SciPIP",
    "S",
    ScipipSettings,
    _make,
    branches_of,
    _register_drafts,
    section="scipip",
    about="ideas from papers found by meaning, entities and co-citation",
    paces=(
        Pace("decision", "stop at every decision", "one stage at a time"),
        Pace("stage", "stop before the ideas", "background to papers, then waits", "retrieval"),
        Pace("idea", "run to the first ideas", "one plan; it still stops at the budget", "ideas"),
    ),
)
