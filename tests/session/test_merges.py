"""A text made of two ideas: both are parents of what is saved."""

from __future__ import annotations

from pathlib import Path

import pytest

from coi_tui.model.errors import UsageError
from coi_tui.session.queries.history import versions
from tests.support.desk import copy_of


def test_a_merged_idea_has_both_as_parents_and_undo_takes_it_back(tmp_path: Path) -> None:
    session = copy_of(tmp_path, "small").session
    one, two = session.state.in_use("1/idea"), session.state.in_use("2/idea")
    assert one is not None
    assert two is not None
    text = session.edits.text_of("1/idea").replace("## final\n", "## final\nOf both. ")
    decision = session.edits.save("1/idea", text, other=two.seq, reason="why")
    merged = session.state.in_use("1/idea")
    assert merged is not None
    assert (merged.origin, merged.parents) == ("merged", (one.seq, two.seq))
    assert decision.reason == "why"
    assert versions(session.state, "1/idea")[0].parents == ("v1", "2/idea v1")
    assert session.freshness("A/1-2").status == "stale"
    assert session.verify() == []
    session.undo()
    assert session.state.in_use("1/idea") == one


def test_only_ideas_go_into_ideas(tmp_path: Path) -> None:
    session = copy_of(tmp_path, "small").session
    plan = next(v for a in ("1/exp", "2/exp") if (v := session.state.in_use(a)) is not None)
    for beside in (plan.seq, 99999):
        with pytest.raises(UsageError):
            session.edits.save("1/idea", session.edits.text_of("1/idea"), other=beside)
