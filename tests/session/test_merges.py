"""A paragraph of one idea in a draft of another: where it is put, and both ideas as parents of what is saved."""

from __future__ import annotations

from pathlib import Path

import pytest

from coi_tui.engine.text_parts import from_text, to_text
from coi_tui.methods.coi.kinds import KINDS
from coi_tui.model.errors import UsageError
from coi_tui.session.decisions.merges import Paragraph, with_paragraph
from coi_tui.session.queries.history import versions
from tests.support.desk import copy_of

IDEA = next(kind for kind in KINDS if kind.name == "idea")
DIRECTION = next(kind for kind in KINDS if kind.name == "dir")
CONTENT = {"title": "A title", "motivation": "Why.\n\nAnd why.", "contributions": ["one"], "method": "", "final": "The idea."}


@pytest.mark.parametrize(
    ("paragraph", "field", "expected"),
    [
        (Paragraph("motivation", "More."), "motivation", "Why.\n\nAnd why.\n\nMore."),
        (Paragraph("contributions", "two\nlines"), "contributions", ["one", "two\nlines"]),
        (Paragraph("method", "## method"), "method", "## method"),
        (Paragraph("final", "Last."), "final", "The idea.\n\nLast."),
        (Paragraph("nowhere", "Last."), "final", "The idea.\n\nLast."),
    ],
)
def test_a_paragraph_goes_to_the_end_of_its_field_and_changes_no_other(paragraph: Paragraph, field: str, expected: object) -> None:
    text, line = with_paragraph(IDEA, to_text(IDEA, CONTENT), paragraph)
    assert paragraph.text.split("\n")[0] in text.split("\n")[line]
    read = from_text(IDEA, "1/idea", text, CONTENT)
    assert read[field] == expected
    assert all(read[name] == value for name, value in CONTENT.items() if name != field)


def test_a_field_that_is_not_there_any_more_comes_back_below_the_text() -> None:
    assert with_paragraph(DIRECTION, "Only running text.", Paragraph("note", "A note.")) == ("Only running text.\n\n## note\nA note.\n", 2)


def test_a_merged_idea_has_both_as_parents_and_undo_takes_it_back(tmp_path: Path) -> None:
    session = copy_of(tmp_path, "small").session
    one, two = session.state.in_use("1/idea"), session.state.in_use("2/idea")
    assert one is not None
    assert two is not None
    paragraph = session.merges.paragraphs("2/idea")[0]
    draft = session.merges.draft("2/idea", paragraph, "1/idea")
    session.edits.save_draft("1/idea", draft.text, {}, draft.beside)
    assert session.edits.draft_beside("1/idea") == two.seq, "a draft that is taken up another day has both parents still"
    decision = session.edits.merge("1/idea", draft.text, draft.beside, reason=draft.reason)
    session.edits.drop_draft("1/idea")
    assert session.edits.draft_beside("1/idea") is None
    merged = session.state.in_use("1/idea")
    assert merged is not None
    assert (merged.origin, merged.parents) == ("merged", (one.seq, two.seq))
    assert decision.reason == f"with a paragraph of 2/idea v1 ({paragraph.field})"
    assert versions(session.state, "1/idea")[0].parents == ("v1", "2/idea v1")
    assert session.core.freshness("1/nov").status == "stale"
    assert session.verify() == []
    session.undo_stack.undo()
    assert session.state.in_use("1/idea") == one


def test_only_ideas_go_into_ideas(tmp_path: Path) -> None:
    session = copy_of(tmp_path, "small").session
    plan = next(v for a in ("1/exp", "2/exp") if (v := session.state.in_use(a)) is not None)
    for beside in (plan.seq, 99999):
        with pytest.raises(UsageError):
            session.edits.merge("1/idea", session.edits.text_of("1/idea"), beside)
    with pytest.raises(UsageError):
        session.merges.draft("1/idea", Paragraph("final", "x"), "1/idea")
