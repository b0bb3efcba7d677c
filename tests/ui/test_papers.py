"""Candidates, pins, searches, PDFs."""

from pathlib import Path

import pytest
from textual.widgets import Input

from coi_tui.screens.base import ConfirmSheet
from coi_tui.screens.paper_screens import AttachSheet, CandidatesScreen, FoundScreen, PinSheet
from coi_tui.screens.reader_screen import ReaderScreen
from coi_tui.screens.run_sheets import PlanSheet
from coi_tui.screens.sheets import AskText
from coi_tui.screens.workbench import WorkbenchScreen
from coi_tui.session import wording
from coi_tui.session.queries.history import log
from tests.support.desk import chains, version_at
from tests.support.pdfs import drawing_only, pdf_of

from .helpers import Trip, demo


async def open_picker(t: Trip, address: str) -> CandidatesScreen:
    screen = await t.to(CandidatesScreen, "c", at=address)
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


async def test_several_titles_give_a_list_and_none_keeps_the_text(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="questions") as t:
        sheet = await t.to(PinSheet, "p", at="1")
        await t.write("zzz unknown")
        await t.press("enter")
        await t.until(lambda: not sheet.busy and "No paper was found" in t.text, "the reason")
        assert sheet.typed == "zzz unknown"
        sheet.query_one("#reason", Input).value = "chain of thought"
        found = await t.to(FoundScreen, "enter")
        assert len(found.items) > 1
        await t.to(PinSheet, "escape")
        assert sheet.typed == "chain of thought"
        found = await t.to(FoundScreen, "enter")
        await t.to(WorkbenchScreen, "j", "enter")
        slot = chains(t.bench.session).slot("1/0")
        assert (slot.paper, slot.verdict) == (found.items[1].id, "pinned")


async def test_a_pinned_paper_is_replaced_only_after_a_yes(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="anchors") as t:
        session = t.bench.session
        pinned = chains(session).slot("1/0").paper
        assert pinned is not None
        session.decide("pin", "1/0", paper=session.state.papers[pinned])
        t.bench.refresh_rows()
        screen = await open_picker(t, "1/0")
        await choose_free(t, screen)
        assert "replaces the paper that you pinned" in screen.about_pane.text
        await t.to(ConfirmSheet, "enter")
        await t.to(CandidatesScreen, "enter")
        assert chains(session).slot("1/0").paper == pinned
        await t.to(ConfirmSheet, "enter")
        await t.to(WorkbenchScreen, "y")
        assert chains(session).slot("1/0").paper != pinned


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
        await t.to(WorkbenchScreen, "enter")
        assert chains(session).slot("1/0").paper == paper


async def test_f_searches_the_anchor_with_other_words_after_a_plan(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="anchors") as t:
        session = t.bench.session
        before = session.state.in_use("1/0.cands")
        await t.go("1/0")
        await t.press("a")
        sheet = await t.to(AskText, "f", at="1/0")
        sheet.query_one(Input).value = "dense passage retrieval"
        await t.to(PlanSheet, "enter")
        assert session.state.value("Q1#text") == "dense passage retrieval"
        assert session.state.in_use("1/0.cands") == before
        accepted = chains(session).slot("1/0").paper
        await t.run()
        after = version_at(session, "1/0.cands")
        assert before is not None
        assert after.seq != before.seq
        assert chains(session).slot("1/0").paper == accepted
        await t.go("topic")
        await t.press("f")
        assert "go to a paper's row" in t.status


async def test_candidates_are_sorted_filtered_read_and_searched_again(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="anchors") as t:
        screen = await t.to(CandidatesScreen, "c", at="1/0")
        await t.until(lambda: screen.at is not None, "the rows")
        ranked = [e.paper for e in screen.list.entries]
        await t.press("m")
        years = [e.year or 0 for e in screen.list.entries]
        assert years == sorted(years, reverse=True)
        await t.press("m")
        cites = [e.citations if e.citations is not None else -1 for e in screen.list.entries]
        assert cites == sorted(cites, reverse=True)
        await t.press("m")
        assert [e.paper for e in screen.list.entries] == ranked
        word = screen.list.entries[2].title.split()[0].lower()
        await t.to(AskText, "slash")
        await t.write(word)
        await t.to(CandidatesScreen, "enter")
        assert 0 < len(screen.list.entries) < len(ranked)
        await t.to(AskText, "slash")
        await t.to(CandidatesScreen, "ctrl+u", "enter")
        await t.until(
            lambda: screen.at is not None and len(screen.list.entries) == len(ranked), "all of them"
        )
        await t.to(ReaderScreen, "o")
        await t.to(CandidatesScreen, "escape")
        await t.to(AskText, "f")


WORD = "quixotical"


async def asked(t: Trip, address: str = "1/0") -> AttachSheet:
    await t.go(address)
    await t.bench.action_act("attach")
    return await t.on(AttachSheet)


def file_in(folder: Path, name: str = "my paper.pdf", title: str = "Some other title") -> Path:
    file = folder / "Down loads" / name
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(pdf_of(title, WORD))
    return file


async def give(t: Trip, sheet: AttachSheet, said: str) -> None:
    sheet.query_one(Input).value = said
    await t.press("enter")
    await t.until(lambda: not sheet.busy or t.app.screen is not sheet, "the PDF to be read")


async def test_a_wrong_path_keeps_the_sheet_with_the_reason_and_a_right_one_attaches(
    tmp_path: Path,
) -> None:
    async with demo(tmp_path, stage="cards") as t:
        sheet = await asked(t, "1/0.card")
        assert "sent only in the prompt that reads" in " ".join(t.text.split())
        await t.press("enter")
        assert "type or paste a path first" in t.text
        scan = file_in(tmp_path, "scan.pdf")
        scan.write_bytes(drawing_only().data)
        await give(t, sheet, str(scan))
        assert t.app.screen is sheet
        assert "holds no text" in " ".join(t.text.split())
        await give(t, sheet, f"'{file_in(tmp_path)}'")
        await t.on(WorkbenchScreen)
        assert "Attached to 1/0: my paper.pdf." in t.status
        assert "does not show this title" in t.status
        assert wording.note(t.row("1/0.card")) == "stale"
        state = t.bench.session.state
        assert log(state, t.bench.session.journal.entries)[0].about.startswith(
            "your PDF my paper.pdf of"
        )
        await t.go("1/0")
        assert "my paper.pdf, attached to this paper; the card was read without it" in " ".join(
            t.bench.detail.text.split()
        )
        await t.press("u")
        await t.until(
            lambda: wording.note(t.row("1/0.card")) != "stale", "the card to be fresh again"
        )
