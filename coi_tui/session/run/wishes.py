"""What of the researcher's wishes a plan sends to the model."""

from __future__ import annotations

from coi_tui.methods.coi.reads import MOST_TURNED_DOWN
from coi_tui.model.criteria import REF
from coi_tui.model.state import State


def told_of_wishes(state: State) -> list[str]:
    """One line for the plan where verdicts on papers will be told of criteria or of reasons for rejecting; else none."""
    reasons = len(state.turned_down()[-MOST_TURNED_DOWN:])
    parts = ["your criteria"] if state.meaning(REF) is not None else []
    if reasons:
        parts.append(f"your {reasons} {'reason' if reasons == 1 else 'reasons'} for rejecting papers")
    return [f"with verdicts on papers: {' and '.join(parts)}"] if parts else []
