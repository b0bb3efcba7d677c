"""COI-12: what a novelty report shows: claims by paper, failed searches by name, and the person's
own verdict and notes beside it."""

from pathlib import Path
from typing import Any

import pytest

from coi_tui.methods.ideas.bad_cases import BadCases
from coi_tui.model.content import NoveltyReport
from coi_tui.model.document import Table, listing
from coi_tui.present.cells import claim_name
from coi_tui.present.comparisons import compared
from coi_tui.present.plain_text import parts
from coi_tui.present.snapshot import WITH_APPENDIX
from coi_tui.services.llm.chat import ChatRequest
from tests.support.desk import ONE, Desk, copy_of
from tests.support.script import HashModel, Say, close_match, verdicts
from tests.support.world import MemorySource

SHORT = ONE.model_copy(update={"length": 3, "forward": 1, "backward": 1})


def checked(tmp_path: Path, *words: str) -> Desk:
    """A session whose report has these verdicts on its papers in turn."""
    desk = copy_of(tmp_path, "one", "ideas")
    desk.model.say["coi_novelty_verdicts"] = verdicts(*words)
    desk.run("novelty")
    return desk


def test_the_document_has_a_row_a_paper_with_the_passage_for_each_claim(tmp_path: Path) -> None:
    desk = checked(tmp_path, "partial", "not close")
    report = desk.state.read("1/nov", NoveltyReport)
    assert report is not None
    table = listing(desk.session.document("1/nov"))
    assert isinstance(table, Table)
    assert [row.paper for row in table.rows] == [row.paper for row in report.papers]
    assert table.rows[0].cells[2] == "~."
    assert table.rows[-1].cells[2] == "//"
    told = dict(parts(table.rows[0].blocks))
    first, second = (f"Claim {claim_name(n, one)}" for n, one in enumerate(report.claims, 1))
    assert told[first] == f"overlaps: “{table.rows[0].cells[-1]}”"
    assert second not in told, "a claim without a passage has its sign in the row"


def silent(of: int, otherwise: Say) -> Say:
    """A judge to whom the first ``of`` papers say nothing of any claim."""

    def say(request: ChatRequest) -> dict[str, Any]:
        reply = otherwise(request)
        rows = reply["verdicts"]
        return {"verdicts": [{**row, "claims": []} for row in rows[:of]] + rows[of:]}

    return say


def test_papers_beside_the_point_are_counted_and_not_shown(tmp_path: Path) -> None:
    desk = copy_of(tmp_path, "one", "ideas")
    desk.model.say["coi_novelty_verdicts"] = silent(2, verdicts("partial"))
    desk.run("novelty")
    report = desk.state.read("1/nov", NoveltyReport)
    assert report is not None
    assert report.verdict == "partial"
    rows = compared(desk.state, 1)
    assert len(rows) == len(report.papers) - 2
    assert "2 papers more found" in desk.session.exports.text("md", WITH_APPENDIX)
    left_out = next(row.paper for row in report.papers if row not in rows)
    desk.session.decide("judge", "1/nov", {"paper": left_out, "judgement": "same idea"})
    assert left_out in [row.paper for row in compared(desk.state, 1)]


def test_own_verdict_and_notes_are_kept_through_a_re_check_and_stand_in_the_export(
    tmp_path: Path,
) -> None:
    desk = checked(tmp_path, "not close")
    session = desk.session
    paper = compared(session.state, 1)[0].paper
    session.decide("judge", "1/nov", {"paper": paper, "judgement": "overlaps, differs"})
    session.decide("judge", "1/nov", {"paper": paper, "note": "cite it in the introduction"})
    session.decide("judge", "1/nov", {"judgement": "partial"})
    assert session.freshness("1/nov").status == "fresh"
    desk.refresh(["1/nov"], again=True)
    desk = desk.reopen()
    state = desk.state
    assert (state.judged[1, paper], state.judged_notes[1, paper]) == (
        "overlaps, differs",
        "cite it in the introduction",
    )
    assert state.own_verdict(1) == "partial"
    text = desk.session.exports.text("md", WITH_APPENDIX)
    assert "overlaps, differs" in text
    assert "cite it in the introduction" in text
    desk.session.decide("judge", "1/nov", {"paper": paper, "note": ""})
    assert desk.state.judged[1, paper] == "overlaps, differs", (
        "a note says nothing about the judgement"
    )
    assert desk.state.judged_notes == {}
    desk.session.undo()
    desk.session.decide("judge", "1/nov", {"judgement": ""})
    assert desk.state.judged_notes[1, paper] == "cite it in the introduction"
    assert desk.state.own_verdict(1) == ""


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
    for row in compared(desk.state, 1):
        desk.session.decide("judge", "1/nov", {"paper": row.paper, "judgement": judgement})
    desk.source = MemorySource(
        desk.world, finds=lambda _query: [row.paper for row in compared(desk.state, 1)]
    )
    desk.model.say["coi_novelty_verdicts"] = close_match
    before = len(desk.state.cell("1/idea").versions)
    desk.refresh(["1/nov"], again=True)
    assert desk.content("1/nov")["verdict"] == "close match"
    desk.run("novelty")
    assert (
        len(desk.state.cell("1/idea").versions) > before
        or bool(BadCases.of(desk.state).of_branch(1))
    ) == redrafted
