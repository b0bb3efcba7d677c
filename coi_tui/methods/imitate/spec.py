"""Imitate-and-Evolve as the registry lists it."""

from coi_tui.engine.declarations import Pace
from coi_tui.methods.base.settings import packaged
from coi_tui.methods.imitate.settings import ImitateSettings

SPEC = packaged(
    "Imitate-and-Evolve",
    "Imitate",
    "E",
    ImitateSettings,
    "a manuscript that imitates two papers and grows section by section",
    Pace("decision", "stop at every decision", "one stage at a time"),
    Pace("stage", "stop at the plan", "request to plan, then waits", "plan"),
    Pace("idea", "run to the manuscript", "one plan; it still stops at the budget", "ideas"),
)
