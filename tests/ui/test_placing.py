"""Choosing a candidate and pinning a paper: what it would change is on the screen before it is
done."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import Input

from coi_tui.model.papers import Paper
from coi_tui.screens.papers import CandidatesScreen, FoundScreen, PinSheet
from coi_tui.screens.sheets import ConfirmSheet
from coi_tui.screens.workbench import WorkbenchScreen
from coi_tui.session.wording import Verdict

from .helpers import Trip, demo

COT = "2201.11903"


async def open_picker(t: Trip, address: str) -> CandidatesScreen:
    await t.go(address)
    await t.press("c")
    screen = await t.on(CandidatesScreen)
    await t.until(lambda: screen.lines.option_count == len(screen.items), "the rows")
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
        assert "If you use this" in screen.about_pane.text
        assert "akes stale " in screen.about_pane.text
        ahead = screen.preview(t.bench.session.state.papers[paper])
        assert len(t.bench.session.core.journal.entries) == log, "looking writes nothing"
        await t.press("enter")
        await t.on(WorkbenchScreen)
        assert t.bench.session.state.slot("1/0").paper == paper
        assert t.row("1/0").verdict is Verdict.ACCEPTED
        assert "u undoes it" in t.status
        for address in ahead.changes.of("detached"):
            assert t.bench.session.state.slot(address).paper is None
        assert t.bench.session.core.spent().calls == len(
            [c for c in t.bench.session.core.file.calls() if c.kind == "chat"]
        )
        await t.press("u")
        assert t.bench.session.state.slot("1/0").paper != paper


async def look_up(t: Trip, address: str, text: str) -> FoundScreen:
    await t.go(address)
    await t.press("p")
    await t.on(PinSheet)
    await t.write(text)
    await t.press("enter")
    screen = await t.on(FoundScreen)
    await t.until(lambda: screen.about_pane.key, "the preview")
    return screen


async def test_check_10_pin_by_url(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="questions") as t:
        await look_up(t, "1/0", f"https://arxiv.org/abs/{COT}v1")
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
        await t.until(lambda: not sheet.busy and "No paper was found" in t.text, "the reason")
        assert sheet.typed == "zzz unknown"
        sheet.query_one("#reason", Input).value = "chain of thought"
        await t.press("enter")
        found = await t.on(FoundScreen)
        assert len(found.items) > 1
        await t.press("escape")
        await t.on(PinSheet)
        assert sheet.typed == "chain of thought"
        await t.press("enter")
        found = await t.on(FoundScreen)
        await t.press("j", "enter")
        await t.on(WorkbenchScreen)
        slot = t.bench.session.state.slot("1/0")
        assert (slot.paper, slot.verdict) == (found.items[1].id, "pinned")


async def test_check_12_a_pin_says_what_forbids_it(tmp_path: Path) -> None:
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
        session.core.journal.papers.update({early.id: early})
        session.state.papers = dict(session.core.journal.papers)
        found = await look_up(t, tip, "0001.00001")
        assert "Very [bold]early[/bold]" in t.text
        assert "older than its predecessor" in found.about_pane.text
        await t.press("enter")
        assert t.app.screen is found


async def test_a_pinned_paper_is_replaced_only_after_a_yes(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="anchors") as t:
        session = t.bench.session
        pinned = session.state.slot("1/0").paper
        assert pinned is not None
        session.decide("pin", "1/0", paper=session.state.papers[pinned])
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
        session.decide("note", "topic", "something else happened")
        log = session.state.seq
        await t.press("enter")
        assert session.state.seq == log
        assert "has changed" in t.text
        assert screen.chosen is not None
        assert screen.chosen.paper == paper
        await t.press("enter")
        await t.on(WorkbenchScreen)
        assert session.state.slot("1/0").paper == paper
