"""SciPIP as the registry lists it."""

from coi_tui.engine.declarations import Pace
from coi_tui.methods.scipip.settings import ScipipSettings
from coi_tui.methods.shared.packaged import packaged

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
