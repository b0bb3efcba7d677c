"""What a method from another package is made with. `docs/add-a-method.md` shows how; a package
names its `MethodSpec` as an entry point of the group `coi_tui.methods`.

Everything else in coi-tui may change without notice. `API_VERSION` changes when a method made for
the version before would fail.
"""

from coi_tui.engine.declarations import Cost, Result
from coi_tui.engine.freshness import Inputs
from coi_tui.engine.method_spec import API_VERSION, MethodSpec
from coi_tui.engine.verb import Target, Verb, VerbArgs
from coi_tui.methods.base.cell_table import kinds_of
from coi_tui.methods.base.idea_settings import IdeaSettings
from coi_tui.methods.base.reads import TOPIC, reading
from coi_tui.methods.base.reply_models import Idea, Reply, Words
from coi_tui.methods.base.task import MethodTask, TextTask, result
from coi_tui.methods.branched import BranchedMethod
from coi_tui.methods.ideas.kinds import idea
from coi_tui.model.address import CellRef, cell_at
from coi_tui.model.state import Component, Held, State

__all__ = [
    "API_VERSION",
    "TOPIC",
    "BranchedMethod",
    "CellRef",
    "Component",
    "Cost",
    "Held",
    "Idea",
    "IdeaSettings",
    "Inputs",
    "MethodSpec",
    "MethodTask",
    "Reply",
    "Result",
    "State",
    "Target",
    "TextTask",
    "Verb",
    "VerbArgs",
    "Words",
    "cell_at",
    "idea",
    "kinds_of",
    "reading",
    "result",
]
