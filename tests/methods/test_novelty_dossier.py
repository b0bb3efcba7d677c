"""COI-12: what a novelty report shows: claims by paper, failed searches by name, and the person's
own verdict and notes beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

from coi_tui.methods.shared.claim_table import claim_table
from coi_tui.model.content import NoveltyReport
from coi_tui.present.options import WITH_APPENDIX
from coi_tui.session.queries.comparisons import compared
from tests.support.desk import ONE, Desk, copy_of
from tests.support.script import HashModel, close_match, verdicts
from tests.support.world import MemorySource

SHORT = ONE.model_copy(update={"length": 3, "forward": 1, "backward": 1})


def checked(tmp_path: Path, *words: str) -> Desk:
    """A session whose report has these verdicts on its papers in turn."""
    desk = copy_of(tmp_path, "one", "ideas")
    desk.model.say["coi_novelty_verdicts"] = verdicts(*words)
    desk.run("novelty")
    return desk


def test_the_table_has_a_row_a_paper_and_a_column_a_claim_with_the_passage(tmp_path: Path) -> None:
    desk = checked(tmp_path, "partial", "not close")
    report = desk.session.state.read("1/nov", NoveltyReport)
    assert report is not None
    table = claim_table(desk.session.state, "1/nov")
    assert desk.session.queries.content_view("1/nov") == table
    assert [column.split(":")[0] for column in table.columns] == ["1 mechanism", "2 problem"]
    assert [row.paper for row in table.rows] == [row.paper for row in report.papers]
    assert [cell.mark for cell in table.rows[0].cells] == ["overlaps", "-"]
    assert [cell.mark for cell in table.rows[-1].cells] == ["different", "different"]
    assert table.rows[0].cells[0].text.startswith(f"“{table.rows[0].name}”")
    assert table.rows[0].cells[1].text.startswith("no passage found")
    assert compared(desk.session.state, 1)[0].marks == "~."


def test_check_31_own_verdict_and_notes_are_kept_through_a_re_check_and_stand_in_the_export(
    tmp_path: Path,
) -> None:
    desk = checked(tmp_path, "not close")
    session = desk.session
    paper = compared(session.state, 1)[0].paper
    session.decide("judge", "1/nov", {"paper": paper, "judgement": "overlaps, differs"})
    session.decide("judge", "1/nov", {"paper": paper, "note": "cite it in the introduction"})
    session.decide("judge", "1/nov", {"judgement": "partial"})
    assert session.core.freshness("1/nov").status == "fresh"
    desk.refresh(["1/nov"], again=True)
    desk = desk.reopen()
    state = desk.session.state
    assert (state.judged[1, paper], state.judged_notes[1, paper]) == (
        "overlaps, differs",
        "cite it in the introduction",
    )
    assert state.own_verdict(1) == "partial"
    text = desk.session.exports.text("md", WITH_APPENDIX)
    assert "The researcher's own verdict on the idea: partial." in text
    assert (
        "The researcher's judgement: overlaps, differs. The researcher's note: cite it in the introduction."
        in text
    )
    desk.session.decide("judge", "1/nov", {"paper": paper, "note": ""})
    assert desk.session.state.judged[1, paper] == "overlaps, differs", (
        "a note says nothing about the judgement"
    )
    assert desk.session.state.judged_notes == {}
    desk.session.undo_stack.undo()
    desk.session.decide("judge", "1/nov", {"judgement": ""})
    assert desk.session.state.judged_notes[1, paper] == "cite it in the introduction"
    assert desk.session.state.own_verdict(1) == ""


@pytest.mark.parametrize(
    ("judgement", "redrafted"),
    [("overlaps, differs", False), ("unrelated", False), ("same idea", True)],
)
def test_a_close_match_that_the_person_judged_apart_drives_no_redraft(
    tmp_path: Path, judgement: str, redrafted: bool
) -> None:
    rounds = SHORT.model_copy(update={"novelty_rounds": 4, "branches": 1})
    desk = Desk.new(tmp_path, rounds, HashModel({"coi_novelty_verdicts": verdicts("not close")}))
    desk.run("novelty")
    for row in compared(desk.session.state, 1):
        desk.session.decide("judge", "1/nov", {"paper": row.paper, "judgement": judgement})
    desk.source = MemorySource(
        desk.world, finds=lambda _query: [row.paper for row in compared(desk.session.state, 1)]
    )
    desk.model.say["coi_novelty_verdicts"] = close_match
    before = len(desk.session.state.cell("1/idea").versions)
    desk.refresh(["1/nov"], again=True)
    assert desk.content("1/nov")["verdict"] == "close match"
    desk.run("novelty")
    assert (
        len(desk.session.state.cell("1/idea").versions) > before
        or bool(desk.session.state.bad.get(1))
    ) == redrafted
