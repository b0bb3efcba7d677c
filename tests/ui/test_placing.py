"""Choosing a candidate and pinning a paper: what it would change is on the screen before it is done."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import Input

from coi_tui.model.papers import Paper
from coi_tui.screens.papers.paper_lists import CandidatesScreen
from coi_tui.screens.papers.paper_sheets import PinSheet
from coi_tui.screens.sheets.confirm_sheet import ConfirmSheet
from coi_tui.screens.sheets.text_sheets import ReasonSheet
from coi_tui.screens.workbench.workbench import WorkbenchScreen
from coi_tui.session.queries.row import Verdict

from .helpers import Trip, demo
from .test_layout import SIZES, whole_footer

COT = "2201.11903"


async def open_picker(t: Trip, address: str) -> CandidatesScreen:
    await t.go(address)
    await t.press("c")
    screen = await t.on(CandidatesScreen)
    await t.until(lambda: screen.lines.option_count == screen.count, "the rows")
    return screen


async def settle(t: Trip, screen: CandidatesScreen) -> None:
    """Wait until the preview is that of the row under the cursor."""
    await t.until(
        lambda: screen.chosen is not None and screen.about_pane.key == screen.chosen.paper,
        "the preview",
    )


async def choose_free(t: Trip, screen: CandidatesScreen) -> str:
    """Go to a candidate that may be chosen; gives its paper."""
    for n, entry in enumerate(screen.list.entries):
        screen.lines.highlighted = n
        await settle(t, screen)
        if not screen.why_off("choose"):
            return entry.paper
    raise AssertionError("no candidate can be chosen")


async def test_check_08_a_candidate_is_chosen_after_its_preview(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="directions") as t:
        screen = await open_picker(t, "1/0")
        log = len(t.bench.session.core.journal.entries)
        paper = await choose_free(t, screen)
        assert "IF YOU USE THIS" in screen.about_pane.text
        assert "becomes stale: " in screen.about_pane.text
        assert "nothing runs now" in screen.about_pane.text
        ahead = screen.preview(screen.list.entries[screen.at or 0])
        assert len(t.bench.session.core.journal.entries) == log, "looking writes nothing"
        await t.press("enter")
        await t.on(WorkbenchScreen)
        assert t.bench.session.state.slot("1/0").paper == paper
        assert t.row("1/0").verdict is Verdict.ACCEPTED
        assert "u undoes it" in t.status
        for address in ahead.detaches:
            assert t.bench.session.state.slot(address).paper is None
        assert t.bench.session.core.spent().calls == len(
            [c for c in t.bench.session.core.file.calls() if c.kind == "chat"]
        )
        await t.press("u")
        assert t.bench.session.state.slot("1/0").paper != paper


async def test_escape_chooses_nothing_and_what_stands_there_is_marked(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="chains") as t:
        log = len(t.bench.session.core.journal.entries)
        screen = await open_picker(t, "1/0")
        here = next(
            n for n, e in enumerate(screen.list.entries) if e.flags[:1] == ("here now, proposed",)
        )
        screen.lines.highlighted = here
        await settle(t, screen)
        assert "It stands here already" in screen.about_pane.text
        await t.press("enter")
        assert isinstance(t.app.screen, CandidatesScreen)
        assert "it is already in this slot" in t.text
        await t.press("escape")
        await t.on(WorkbenchScreen)
        assert len(t.bench.session.core.journal.entries) == log


async def test_a_rejected_candidate_is_marked_and_can_be_chosen_again(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="anchors") as t:
        await t.go("1/0")
        paper = t.bench.session.state.slot("1/0").paper
        await t.press("x")
        await t.on(ReasonSheet)
        await t.write("survey")
        await t.press("enter")
        await t.on(WorkbenchScreen)
        screen = await open_picker(t, "1/0")
        n = next(n for n, e in enumerate(screen.list.entries) if e.paper == paper)
        assert screen.list.entries[n].mark == "x"
        assert "rejected: survey" in t.text
        screen.lines.highlighted = n
        await settle(t, screen)
        await t.press("enter")
        await t.on(WorkbenchScreen)
        assert t.bench.session.state.slot("1/0").paper == paper


async def test_check_12_an_illegal_candidate_says_why(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="chains") as t:
        session = t.bench.session
        branch = next(b for b in session.state.branches if 1 in session.state.chain(b))
        paper = session.state.paper_at(branch, 1)
        assert paper is not None
        session.decisions.reject(f"{branch}/+1")
        session.decisions.pin(f"{branch}/0", paper)
        t.bench.refresh_rows()
        screen = await open_picker(t, f"{branch}/+1")
        screen.lines.highlighted = next(
            n for n, e in enumerate(screen.list.entries) if e.paper == paper.id
        )
        await settle(t, screen)
        assert "in this chain at 0" in t.text
        assert "CANNOT STAND HERE" in screen.about_pane.text
        before = session.state.seq
        await t.press("enter")
        assert session.state.seq == before
        assert "in this chain already" in " ".join(screen.about_pane.text.split())


async def test_a_branch_without_anchor_and_a_text(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="questions") as t:
        await t.go("Q1")
        await t.press("c")
        screen = await t.on(CandidatesScreen)
        assert screen.address == "1/0"
        await t.until(lambda: "no candidates here yet" in t.text, "the empty state")
        await t.press("enter")
        assert "there are no candidates" in t.text
        await t.press("escape")
        await t.on(WorkbenchScreen)
        await t.go("topic")
        await t.press("c")
        assert "this is a text" in t.status


async def test_an_emptied_end_of_a_chain_keeps_its_row(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="chains") as t:
        session = t.bench.session
        branch = next(b for b in session.state.branches if len(session.state.chain(b)) > 1)
        tip = session.state.filled(branch)[-1].address
        session.decisions.reject(tip)
        t.bench.refresh_rows()
        assert t.row(tip).verdict is Verdict.EMPTY
        screen = await open_picker(t, tip)
        paper = await choose_free(t, screen)
        await t.press("enter")
        await t.on(WorkbenchScreen)
        assert session.state.slot(tip).paper == paper


@pytest.mark.parametrize(
    "text", [COT, f"10.48550/arXiv.{COT}", f"https://arxiv.org/abs/{COT}v1", f"arXiv:{COT}v6"]
)
async def test_check_10_pin_by_id_or_url(tmp_path: Path, text: str) -> None:
    async with demo(tmp_path, stage="questions") as t:
        await t.go("1/0")
        await t.press("p")
        sheet = await t.on(PinSheet)
        sheet.query_one("#reason", Input).value = text
        await t.press("enter")
        await t.until(lambda: sheet.chosen is not None and sheet.ready, "the paper")
        assert "Chain" in t.text
        assert "If you pin this" in t.text
        assert t.bench.session.state.slot("1/0").paper is None, "looking pins nothing"
        await t.press("enter")
        await t.on(WorkbenchScreen)
        assert t.row("1/0").verdict is Verdict.PINNED
        assert COT in (t.bench.session.state.slot("1/0").paper or "")


async def test_check_10_several_titles_give_a_list_and_none_keeps_the_text(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="questions") as t:
        await t.go("1")
        await t.press("p")
        sheet = await t.on(PinSheet)
        await t.write("zzz unknown")
        await t.press("enter")
        await t.until(lambda: not sheet.looking and "No paper was found" in t.text, "the reason")
        assert sheet.said == "zzz unknown"
        sheet.query_one("#reason", Input).value = "chain of thought"
        await t.press("enter")
        await t.until(lambda: len(sheet.papers) > 1 and sheet.ready, "the list")
        assert sheet.chosen is None
        await t.press("enter")
        assert isinstance(t.app.screen, PinSheet), "none is guessed"
        await t.press("down", "down")
        assert sheet.chosen == sheet.papers[1]
        assert "If you pin this" in t.text
        await t.press("enter")
        await t.on(WorkbenchScreen)
        assert t.bench.session.state.slot("1/0").verdict == "pinned"


async def test_check_11_and_12_a_pin_says_its_link_and_what_forbids_it(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="chains") as t:
        session = t.bench.session
        branch = next(
            b
            for b in session.state.branches
            if len(session.state.chain(b)) > 1 and session.state.chain(b)[-1] > 0
        )
        tip = session.state.filled(branch)[-1].address
        early = Paper(
            id="arXiv:0001.00001",
            ids={"arXiv": "0001.00001"},
            title="Very [bold]early[/bold]",
            year=1950,
        )
        late = early.model_copy(
            update={
                "id": "arXiv:0001.00002",
                "ids": {"arXiv": "0001.00002"},
                "title": "Very late",
                "year": 2050,
            }
        )
        session.core.journal.papers.update({p.id: p for p in (early, late)})
        session.state.papers = dict(session.core.journal.papers)
        await t.go(tip)
        await t.press("p")
        sheet = await t.on(PinSheet)
        sheet.query_one("#reason", Input).value = "0001.00001"
        await t.press("enter")
        await t.until(lambda: sheet.chosen is not None and sheet.ready, "the paper")
        assert "Very [bold]early[/bold]" in t.text
        assert "older than its predecessor" in t.text
        await t.press("enter")
        assert isinstance(t.app.screen, PinSheet)
        sheet.query_one("#reason", Input).value = "0001.00002"
        await t.press("enter")
        await t.until(lambda: sheet.chosen is not None and sheet.ready, "the paper")
        assert "placed by you" in t.text
        await t.press("enter")
        await t.on(WorkbenchScreen)
        assert session.state.slot(tip).why["link"] == "placed by you"


async def test_a_pinned_paper_is_replaced_only_after_a_yes(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="anchors") as t:
        session = t.bench.session
        pinned = session.state.slot("1/0").paper
        assert pinned is not None
        session.decisions.pin("1/0", session.state.papers[pinned])
        t.bench.refresh_rows()
        screen = await open_picker(t, "1/0")
        await choose_free(t, screen)
        assert "replaces the paper that you pinned" in screen.about_pane.text
        await t.press("enter")
        await t.on(ConfirmSheet)
        await t.press("enter")
        await t.on(CandidatesScreen)
        assert session.state.slot("1/0").paper == pinned
        await t.press("enter")
        await t.on(ConfirmSheet)
        await t.press("y")
        await t.on(WorkbenchScreen)
        assert session.state.slot("1/0").paper != pinned


@pytest.mark.parametrize("size", SIZES)
async def test_check_37_picker_and_pin_sheet_fit(tmp_path: Path, size: tuple[int, int]) -> None:
    async with demo(tmp_path, size, stage="chains") as t:
        await t.bench.action_act("pane_1")
        t.bench.chain.go("1/0")
        await t.press("c")
        screen = await t.on(CandidatesScreen)
        await settle(t, screen)
        whole_footer(t)
        assert "[1] Candidates" in t.text
        assert "[2] Preview" in t.text
        await t.press("p")
        sheet = await t.on(PinSheet)
        sheet.query_one("#reason", Input).value = COT
        await t.press("enter")
        await t.until(lambda: sheet.chosen is not None and sheet.ready, "the paper")
        await t.pilot.pause(0.1)
        whole_footer(t)
        assert "Read as arXiv id" in t.text


async def test_what_changed_after_the_preview_is_looked_at_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        CandidatesScreen, "_watch", lambda _screen: None
    )  # the key comes before the list has taken the change
    async with demo(tmp_path, stage="chains") as t:
        session = t.bench.session
        screen = await open_picker(t, "1/0")
        paper = await choose_free(t, screen)
        session.decisions.note("topic", "something else happened")
        log = session.state.seq
        await t.press("enter")
        assert session.state.seq == log
        assert "changed in the meantime" in t.text
        assert screen.chosen is not None
        assert screen.chosen.paper == paper
        await t.press("enter")
        await t.on(WorkbenchScreen)
        assert session.state.slot("1/0").paper == paper


async def test_check_40_hostile_and_wide_titles_keep_the_columns(tmp_path: Path) -> None:
    async with demo(tmp_path, (80, 24), stage="anchors") as t:
        session = t.bench.session
        odd = "[/b] 研究想法 [@click=app.quit]x[/] e\u0301\u0301 \u05d0\u05d1\u05d2 title"
        for paper in list(session.core.journal.papers.values()):
            session.core.journal.papers[paper.id] = paper.model_copy(update={"title": odd})
        session.state.papers = dict(session.core.journal.papers)
        screen = await open_picker(t, "1/0")
        await settle(t, screen)
        assert odd in screen.about_pane.text
        for row in screen.lines.texts:
            assert row.cell_length <= screen.lines.room
        assert "[/b]" in t.text
