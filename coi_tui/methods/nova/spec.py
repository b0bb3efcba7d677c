"""Nova as the registry lists it."""

from coi_tui.engine.declarations import Pace
from coi_tui.methods.base.settings import packaged
from coi_tui.methods.nova.settings import NovaSettings

SPEC = packaged(
    "Nova",
    "Nova",
    "N",
    NovaSettings,
    "seed ideas, replaced by new ones after each round of searches",
    Pace("decision", "stop at every decision", "one stage at a time"),
    Pace("stage", "stop at the first search plans", "target to plans, then waits", "plans-1"),
    Pace("idea", "run to the first ideas", "one plan; it still stops at the budget", "ideas"),
)
