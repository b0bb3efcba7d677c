"""Attaching a PDF of one's own on the workbench and in the reader."""

from __future__ import annotations

from pathlib import Path

from textual.widgets import Input

from coi_tui.screens.papers.paper_sheets import AttachSheet
from coi_tui.screens.workbench.workbench import WorkbenchScreen
from coi_tui.session import wording
from coi_tui.session.queries.history import log
from tests.support.pdfs import drawing_only, pdf_of
from tests.ui.helpers import Trip, demo

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
        assert "Attached my paper.pdf to 1/0." in t.status
        assert "does not show this title" in t.status
        assert wording.note(t.row("1/0.card")) == "stale"
        state = t.bench.session.state
        assert log(state, t.bench.session.core.journal.entries)[0].about.startswith(
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
