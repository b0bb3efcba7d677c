"""Chain of Ideas as the registry lists it."""

from coi_tui.engine.declarations import Pace
from coi_tui.methods.base.settings import packaged
from coi_tui.methods.coi.settings import CoiSettings

SPEC = packaged(
    "Chain of Ideas",
    "CoI",
    "",
    CoiSettings,
    "",
    Pace("decision", "stop at every decision", "anchors, each neighbour, trends, idea", "anchors"),
    Pace("stage", "stop once a stage", "proposes whole chains, then waits", "chains"),
    Pace("idea", "run to the first idea", "one plan; it still stops at the budget", "ideas"),
)
