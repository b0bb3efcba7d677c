"""SciPIP as the registry lists it."""

from coi_tui.engine.declarations import Pace
from coi_tui.methods.base.settings import packaged
from coi_tui.methods.scipip.settings import ScipipSettings

SPEC = packaged(
    "SciPIP",
    "SciPIP",
    "S",
    ScipipSettings,
    "ideas from papers found by meaning, entities and co-citation",
    Pace("decision", "stop at every decision", "one stage at a time"),
    Pace("stage", "stop before the ideas", "background to papers, then waits", "retrieval"),
    Pace("idea", "run to the first ideas", "one plan; it still stops at the budget", "ideas"),
)
