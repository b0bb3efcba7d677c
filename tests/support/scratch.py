"""What a session says of its cells, worked out with nothing that was known before: what is kept up
with its changes must equal it."""

from __future__ import annotations

from coi_tui.engine.freshness import (
    FollowedFreshness,
    Freshness,
    FreshnessEvaluator,
    counts,
    there,
)
from coi_tui.methods.registry import SessionMethods
from coi_tui.model.address import parse_address
from coi_tui.model.fold import fold
from coi_tui.session.core import SessionCore
from coi_tui.session.decisions.impact import UndoStack
from coi_tui.session.queries.rows import Marks, TreeRows
from coi_tui.session.session import Session
from coi_tui.session.wording import Row


def from_scratch(core: SessionCore) -> tuple[list[tuple[str, Freshness]], list[Row]]:
    """Freshness, in its order, and the rows of the tree, from the log alone."""
    state = fold(core.journal.entries, core.journal.papers)
    methods = SessionMethods(core.first_method).follow(state)
    marks = Marks(
        core.still_failed,
        core.running,
        core.drafting,
        {a: failure.cause for a, failure in core.failed_checks.items()},
    )
    rows = TreeRows(FollowedFreshness(lambda _: methods.step)).of(state, methods, marks)
    evaluate, branches = FreshnessEvaluator(state, methods.step), there(state)
    living = [at for at in state.cells if counts(state, parse_address(at), branches)]
    filled = [at for at, slot in state.slots.items() if slot.paper]
    return [(at, evaluate(at)) for at in [*living, *filled]], rows


def assert_as_from_scratch(session: Session) -> None:
    """What the session has kept is what working it out anew gives."""
    fresh, rows = from_scratch(session.core)
    assert list(session.core.fresh.items()) == fresh
    assert session.queries.rows() == rows
    assert session.undo_stack.labels() == UndoStack(session.core).labels()
