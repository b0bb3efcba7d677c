"""What the one call answers."""

from __future__ import annotations

from coi_tui.methods.shared.replies import Experiment, Idea


class IdeaAndPlan(Experiment, Idea):
    """The whole answer: an idea, then the plan of its experiment."""
