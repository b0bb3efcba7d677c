"""What a session says of its cells, computed again from its log alone."""

from coi_tui.engine.freshness import FreshnessCache
from coi_tui.methods.registry import SessionMethods
from coi_tui.model.fold import undo_stacks
from coi_tui.session.queries.rows import marks_of, tree_rows
from coi_tui.session.session import Session
from tests.support.folding import fold


def assert_as_from_scratch(session: Session) -> None:
    """The state that decisions have led to is what folding the whole log gives."""
    state = fold(session.journal.entries, session.journal.papers)
    methods = SessionMethods(session.first_method).follow(state)
    fresh = FreshnessCache(lambda _: methods).of(state)
    assert list(session.fresh.items()) == list(fresh.items())
    assert session.rows() == tree_rows(state, methods, fresh, marks_of(session))
    assert session.journal.undo_stacks == undo_stacks(session.journal.entries)
