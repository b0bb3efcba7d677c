"""VirSci as the registry lists it. The method itself is imported when a session has it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coi_tui.engine.declarations import DeclaredMethod, MethodSpec, Pace
from coi_tui.methods.virsci.settings import VirSciSettings, branches_of

if TYPE_CHECKING:
    from coi_tui.methods.services import ServiceSet


def _make(tools: ServiceSet | None, instance: str) -> DeclaredMethod:
    from coi_tui.methods.virsci.method import VirSci

    return VirSci(instance, tools)


def _register_drafts() -> None:
    from coi_tui.llm.drafter import register_all
    from coi_tui.methods.virsci.drafts import DRAFTS

    register_all(DRAFTS)


SPEC = MethodSpec(
    "VirSci",
    "VirSci",
    "V",
    VirSciSettings,
    _make,
    branches_of,
    _register_drafts,
    section="virsci",
    about="a team of scientists that discusses, votes and writes an abstract",
    paces=(
        Pace("decision", "stop at every decision", "one turn at a time"),
        Pace("stage", "stop after the team", "you look at who is at the table", "team"),
        Pace("idea", "run to the abstract", "one plan; it still stops at the budget", "ideas"),
    ),
)
