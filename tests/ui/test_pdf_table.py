"""A folder of PDFs in the app: the table, what the key that asks the sources sends, and decisions row by row."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from benchmarks.faults import QUICK
from benchmarks.standins import Settings as StandInSettings
from benchmarks.standins import StandIns, make_corpus
from coi_tui.app import CoiApp
from coi_tui.config import Keys, Settings, SourceSettings
from coi_tui.screens.home.home_screen import HomeScreen
from coi_tui.screens.home.paper_import import PapersSheet
from coi_tui.screens.papers.pdf_table import NamePdfSheet, PdfTableScreen
from coi_tui.session.papers.imported import own_papers, texts_held
from tests.support.own_pdfs import pdf_of
from tests.ui.helpers import Trip, places, trip

KNOWN = [p for p in make_corpus().papers if len(p.title) > 40][:3]


def folder_of(tmp_path: Path) -> Path:
    folder = tmp_path / "my pdfs"
    folder.mkdir()
    (folder / "1 stamp.pdf").write_bytes(
        pdf_of(KNOWN[0].title, stamp=f"arXiv:{KNOWN[0].arxiv}v1 [cs.AI] 1 Mar 2022")
    )
    (folder / "2 title.pdf").write_bytes(pdf_of(KNOWN[1].title, people=", ".join(KNOWN[1].authors)))
    (folder / "3 others.pdf").write_bytes(pdf_of(KNOWN[2].title, people="Cy Baz"))
    (folder / "4 own.pdf").write_bytes(pdf_of("Notes that nobody has catalogued"))
    (folder / "5 page.pdf").write_bytes(b"<html>")
    return folder


async def table(t: Trip, folder: Path) -> PdfTableScreen:
    await t.press("p")
    await t.on(PapersSheet)
    await t.write(str(folder))
    await t.press("enter")
    screen = await t.on(PdfTableScreen)
    await t.until(lambda: not screen.busy and screen.row is not None, "the PDFs to be read")
    return screen


async def test_the_sources_are_asked_by_a_key_the_sure_are_taken_by_one_and_the_rest_one_by_one(
    tmp_path: Path,
) -> None:
    async with StandIns(StandInSettings(latency=QUICK)) as pair:
        app = CoiApp(
            places(tmp_path),
            Settings(semantic_scholar=SourceSettings(base_url=pair.s2_url, pace_s=0)),
            Keys(),
        )
        async with app.run_test(size=(120, 36)) as pilot:
            t = Trip(app, pilot)
            await t.idle()
            screen = await table(t, folder_of(tmp_path))
            assert not pair.log.entries, "nobody is asked before a key says so"
            assert (
                "c asks: Semantic Scholar gets 1 id and 4 titles found in 4 of these PDFs."
                in " ".join(t.text.split())
            )
            await t.press("c")
            await t.until(lambda: not screen.busy, "the sources to answer")
            assert pair.log.entries
            assert [row.state for row in screen.folder.rows] == [
                "sure",
                "title",
                "ask",
                "ask",
                "unread",
            ]
            await t.press("a")
            await t.until(
                lambda: (
                    [row.state for row in screen.folder.rows]
                    == ["new", "new", "ask", "ask", "unread"]
                ),
                "the sure ones",
            )
            await t.until(lambda: screen.at == 2, "the cursor on the next question")
            assert "does not name that paper's authors" in " ".join(t.text.split())
            await t.press("enter")
            await t.until(lambda: screen.folder.rows[2].state == "new", "the suggestion")
            await t.press("t")
            await t.on(NamePdfSheet)
            await t.write("10.5555/mine")
            await t.press("enter")
            await t.until(lambda: screen.folder.rows[3].state == "new", "the id that was typed")
            await t.press("escape")
            await t.on(HomeScreen)
            assert "5 PDFs: 4 imported as new papers, 1 could not be read." in t.text
        app.sessions.close_all()
    kept = own_papers(places(tmp_path))
    assert [p.title for p in kept][:3] == [p.title for p in KNOWN]
    assert kept[3].id == "DOI:10.5555/mine"
    assert len(texts_held(places(tmp_path))) == 4


async def test_offline_nothing_is_asked_and_rows_are_left_out_or_taken_as_they_are(
    tmp_path: Path,
) -> None:
    async with trip(tmp_path, (80, 24)) as t:
        screen = await table(t, folder_of(tmp_path))
        await t.press("c")
        assert "no source is online" in t.text
        assert [row.state for row in screen.folder.rows] == ["sure", "ask", "ask", "ask", "unread"]
        await t.press("j", "x")
        await t.until(
            lambda: screen.folder.rows[1].state == "out" and screen.at == 2,
            "the row to be left out",
        )
        await t.press("equals_sign")
        await t.until(lambda: screen.folder.rows[2].state == "new", "the row to be taken as it is")
        await t.press("enter")
        assert "there is no suggestion; t types which paper it is" in t.text
        await t.press("escape")
        await t.on(HomeScreen)
    assert [p.title for p in own_papers(places(tmp_path))] == [KNOWN[2].title]


def shows(t: Trip, text: str) -> bool:
    return text in t.text


async def test_a_list_of_papers_is_imported_at_once_and_a_wrong_path_told(tmp_path: Path) -> None:
    file = tmp_path / "mine.ris"
    file.write_text("TY  - JOUR\nTI  - A paper of mine\nPY  - 2020\nER  - \n", encoding="utf-8")
    async with trip(tmp_path) as t:
        for said, told in (
            (str(file), "mine.ris: 1 new, 0 already known, 0 left out."),
            ("/no/such", "There is no file /no/such"),
        ):
            await t.press("p")
            await t.on(PapersSheet)
            await t.write(said)
            await t.press("enter")
            await t.on(HomeScreen)
            await t.until(partial(shows, t, told), told)
