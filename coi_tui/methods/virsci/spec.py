"""VirSci as the registry lists it."""

from coi_tui.engine.declarations import Pace
from coi_tui.methods.base.settings import packaged
from coi_tui.methods.virsci.settings import VirSciSettings

SPEC = packaged(
    "VirSci",
    "VirSci",
    "V",
    VirSciSettings,
    "a team of scientists that discusses, votes and writes an abstract",
    Pace("decision", "stop at every decision", "one turn at a time"),
    Pace("stage", "stop after the team", "you look at who is at the table", "team"),
    Pace("idea", "run to the abstract", "one plan; it still stops at the budget", "ideas"),
)
