"""Own papers in the app: a list at once, PDFs by the ids that they name, the others listed."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from coi_tui.app import CoiApp
from coi_tui.config import Keys, Settings, SourceSettings
from coi_tui.screens.home.home_screen import HomeScreen
from coi_tui.screens.sheets.confirm_sheet import MessageSheet
from coi_tui.screens.sheets.text_sheets import AskText
from coi_tui.session.papers.imported import own_papers, stored_texts
from tests.support.own_pdfs import pdf_of
from tests.support.standins import QUICK, StandIns, make_corpus
from tests.support.standins import Settings as StandInSettings
from tests.ui.helpers import Trip, places, trip


def shows(t: Trip, text: str) -> bool:
    return text in " ".join(t.text.split())


async def add(t: Trip, said: str) -> None:
    await t.press("p")
    await t.on(AskText)
    await t.write(said)
    await t.press("enter")


async def test_pdfs_are_added_by_their_ids_and_the_others_are_listed(tmp_path: Path) -> None:
    known = next(p for p in make_corpus().papers if len(p.title) > 40)
    folder = tmp_path / "my pdfs"
    folder.mkdir()
    (folder / "1 stamp.pdf").write_bytes(
        pdf_of(known.title, stamp=f"arXiv:{known.arxiv}v1 [cs.AI] 1 Mar 2022")
    )
    (folder / "2 own.pdf").write_bytes(pdf_of("Notes that nobody has catalogued"))
    async with StandIns(StandInSettings(latency=QUICK)) as pair:
        app = CoiApp(
            places(tmp_path),
            Settings(semantic_scholar=SourceSettings(base_url=pair.s2_url, pace_s=0)),
            Keys(),
        )
        async with app.run_test(size=(120, 36)) as pilot:
            t = Trip(app, pilot)
            await t.idle()
            await t.press("p")
            await t.on(AskText)
            assert shows(t, "What is not known here is sent to Semantic Scholar")
            assert not pair.log.entries, "nobody is asked before a path was given"
            await t.write(str(folder))
            await t.press("enter")
            await t.on(MessageSheet)
            assert shows(t, "names no DOI or arXiv id on its first page")
            await t.press("escape")
            await t.on(HomeScreen)
            assert shows(t, "1 of 2 PDFs added.")
        app.sessions.close_all()
    assert [p.title for p in own_papers(places(tmp_path))] == [known.title]
    assert len(stored_texts(places(tmp_path))) == 1


async def test_a_list_of_papers_is_imported_at_once_and_a_wrong_path_told(tmp_path: Path) -> None:
    file = tmp_path / "mine.ris"
    file.write_text("TY  - JOUR\nTI  - A paper of mine\nPY  - 2020\nER  - \n", encoding="utf-8")
    async with trip(tmp_path) as t:
        for said, told in (
            (str(file), "mine.ris: 1 new, 0 already known, 0 left out."),
            ("/no/such", "There is no file /no/such"),
        ):
            await add(t, said)
            await t.on(HomeScreen)
            await t.until(partial(shows, t, told), told)
