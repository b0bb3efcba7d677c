"""Attaching a PDF of one's own on the workbench and in the reader."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import Input

from coi_tui.config import Keys, LlmSettings, Settings
from coi_tui.screens.papers.paper_sheets import AttachSheet
from coi_tui.screens.papers.reader_screen import ReaderScreen
from coi_tui.screens.runs.plan_screens import PlanSheet
from coi_tui.screens.workbench.workbench import WorkbenchScreen
from coi_tui.session import row_wording
from coi_tui.session.papers.imported_pdfs import read_pdf
from coi_tui.session.queries.history import log
from tests.support.own_pdfs import pdf_of
from tests.support.pdfs import drawing_only
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
    await t.until(lambda: not sheet.reading or t.app.screen is not sheet, "the PDF to be read")


async def test_a_wrong_path_keeps_the_sheet_with_the_reason_and_a_right_one_attaches(
    tmp_path: Path,
) -> None:
    async with demo(tmp_path, stage="cards") as t:
        sheet = await asked(t, "1/0.card")
        assert "sent only in the prompt that reads" in " ".join(t.text.split())
        await t.press("enter")
        assert "type or paste a path first" in t.text
        scan = file_in(tmp_path, "scan.pdf")
        scan.write_bytes(drawing_only("scan").data)
        for said, why in (
            ("/no/such.pdf", "There is no file /no/such.pdf"),
            (str(tmp_path), "is a folder"),
            (str(scan), "seems to be a scan"),
        ):
            await give(t, sheet, said)
            assert t.app.screen is sheet
            assert why in " ".join(t.text.split())
        await give(t, sheet, f"'{file_in(tmp_path)}'")
        await t.on(WorkbenchScreen)
        assert "Attached my paper.pdf to 1/0." in t.status
        assert "do not show this title" in t.status
        assert row_wording.note(t.row("1/0.card")) == "stale"
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
            lambda: row_wording.note(t.row("1/0.card")) != "stale", "the card to be fresh again"
        )


async def test_the_reader_shows_it_and_takes_it_too(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="cards") as t:
        await t.go("1/0")
        await t.press("o")
        screen = await t.on(ReaderScreen)
        await t.until(lambda: screen.reading is not None, "the text")
        title = screen.paper.title
        await t.press("a")
        sheet = await t.on(AttachSheet)
        await give(t, sheet, str(file_in(tmp_path, title=title)))
        await t.on(ReaderScreen)
        await t.until(
            lambda: screen.reading is not None and screen.reading.kind == "full text",
            "the PDF's text",
        )
        assert WORD in screen.area.text
        assert "your PDF my paper.pdf" in t.text
        assert "do not show this title" not in t.text
        await t.press("escape")
        await t.on(WorkbenchScreen)
        assert row_wording.note(t.row("1/0.card")) == "stale"


async def test_the_reader_takes_no_pdf_for_a_paper_that_the_row_does_not_hold(
    tmp_path: Path,
) -> None:
    """A candidate, a paper on the shelf, one that a report names: at the row itself stands another paper, or none, which ended the app."""
    async with demo(tmp_path, stage="cards") as t:
        state = t.bench.session.state
        held = {state.slot(key).paper for key in ("1/0", "2/0", "3/0")}
        other = next(paper for key, paper in state.papers.items() if key not in held)
        for address in ("1/0", "reading", "1/nov", ""):
            screen = ReaderScreen(t.bench.controller, other, address)
            t.app.push_screen(screen)
            await t.until(lambda screen=screen: screen.reading is not None, "the text")  # type: ignore[misc]
            await t.press("a")
            await t.idle()
            assert t.app.screen is screen
            assert "put it into one or pin it first" in t.text
            await t.press("escape")


async def test_escape_while_reading_attaches_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import asyncio

    from coi_tui.session.papers.papers import Papers

    begun = asyncio.Event()

    async def never(_self: Papers, _said: str) -> object:
        begun.set()
        await asyncio.Event().wait()
        raise AssertionError

    monkeypatch.setattr(Papers, "read_pdf", never)
    async with demo(tmp_path, stage="anchors") as t:
        sheet = await asked(t)
        sheet.query_one(Input).value = str(file_in(tmp_path))
        await t.press("enter")
        await t.until(begun.is_set, "the reading to begin")
        assert "Reading the PDF" in t.text
        await t.press("escape")
        await t.on(WorkbenchScreen)
        await t.idle()
        assert t.bench.session.state.attached == {}
        assert t.status == "Nothing was attached."


async def test_a_row_without_a_paper_says_so(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="anchors") as t:
        await t.go("topic")
        await t.bench.action_act("attach")
        assert "this row holds no paper" in t.status


@pytest.mark.parametrize("size", [(120, 36), (80, 24), (60, 16)])
async def test_everything_of_the_sheet_is_there_at_every_size(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async with demo(tmp_path, size, stage="anchors") as t:
        sheet = await asked(t)
        await give(
            t,
            sheet,
            "/a/path/that/is/quite/long/and/goes/on/and/on/through/many/folders/to/a/file/that/is/not.pdf",
        )
        box = sheet.query_one("#body").region
        said = " ".join(
            " ".join(
                line[box.x + 1 : box.right - 1] for line in t.lines[box.y : box.bottom]
            ).split()
        )
        for words in (
            "Attach your PDF to 1/0",
            "There is no file",
            "Check the name",
            "Enter",
            "Esc",
        ):
            assert words in said, words


async def test_the_plan_sheet_tells_of_the_pdf_and_of_the_time_on_own_hardware(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with demo(tmp_path, (80, 24), stage="cards") as t:
        s = t.bench.session
        monkeypatch.setattr(type(s.core), "offline", property(lambda _: False))
        s.settings, s.core.keys = (
            Settings(llm=LlmSettings(base_url="http://localhost:11434")),
            Keys(llm="sk-any"),
        )
        s.decisions.attach("1/0", await read_pdf("mine.pdf", pdf_of("Some title")))
        t.bench.refresh_rows()
        await t.go("1/0.card")
        await t.press("r")
        await t.on(PlanSheet)
        await t.until(lambda: "Total" in t.text, "the plan")
        said = " ".join(t.text.replace("║", " ").split())
        assert (
            "the text of your own PDFs (1 attached here), each only in the prompt that reads it"
            in said
            or "your PDF mine.pdf" in said
        )
        assert "Time not known yet for this server" in said
