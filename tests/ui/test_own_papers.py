"""The screen of own papers: read, filtered, opened; what takes more of them in."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from coi_tui.config import Settings
from coi_tui.paths import Paths
from coi_tui.screens import own_papers_screen as subject
from coi_tui.screens.base import ConfirmSheet
from coi_tui.screens.home import HomeScreen
from coi_tui.screens.own_papers_screen import OwnPapersScreen
from coi_tui.screens.reader_screen import ReaderScreen
from coi_tui.screens.sheets import AskChoice, AskText, MessageSheet
from coi_tui.session.papers.own_papers import import_papers, own_papers
from tests.support.standins.http_server import StandIn
from tests.support.standins.zotero import ZoteroService, filled

from .helpers import Trip, places, trip

SIZES = [(120, 36), (80, 24), (60, 16)]
LIST = r"""
@article{wei, title={Chain-of-Thought Prompting Elicits Reasoning in Large Language Models}, author={Wei, Jason}, year=2022, eprint={2201.11903}}
@article{gates, title={Gates that [bold]weigh[/bold] evidence}, author={Bar, Ann}, year=2021, doi={10.1234/gates}, abstract={We weigh.}}
@misc{foo, title={Notes on shelves}, author={Foo, Bo}}
"""


def filled_with_a_list(folder: Path) -> None:
    (folder / "group.bib").write_text(LIST, encoding="utf-8")
    import_papers(places(folder), folder / "group.bib")


async def opened(t: Trip) -> OwnPapersScreen:
    screen = await t.to(OwnPapersScreen, "m")
    await t.until(lambda: screen.loaded, "the papers")
    return screen


@asynccontextmanager
async def zotero(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[ZoteroService]:
    """A Zotero with a library of five items, two of them in a collection."""
    service = ZoteroService()
    service.shelves["users/0"] = shelf = filled(5)
    shelf.collect("FEWSHOTS", "Few-shot")
    for key in list(shelf.items)[:2]:
        shelf.put(key, collections=["FEWSHOTS"])
    async with StandIn(service) as server:
        monkeypatch.setenv("COI_ZOTERO_URL", f"{server.url}/api")
        yield service


@pytest.mark.parametrize("size", SIZES)
async def test_a_paper_is_found_read_and_opened_elsewhere(
    tmp_path: Path, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = list[str]()
    monkeypatch.delenv("SSH_CONNECTION", raising=False)
    monkeypatch.setattr("webbrowser.open", pages.append)
    filled_with_a_list(tmp_path)
    async with trip(tmp_path, size) as t:
        screen = await opened(t)
        assert len(screen.items) == 3
        await t.to(AskText, "slash")
        await t.write("bar 2021")
        await t.to(OwnPapersScreen, "enter")
        await t.until(lambda: screen.about_pane.key == "DOI:10.1234/gates", "the text")
        assert "1 of 3" in t.text
        assert "Gates that [bold]weigh[/bold] evidence" in screen.about_pane.text
        assert "no links known" in screen.about_pane.text
        await t.press("o")
        await t.until(lambda: pages, "the page")
        assert pages == ["https://doi.org/10.1234/gates"]
        reader = await t.to(ReaderScreen, "enter")
        await t.until(lambda: reader.reading is not None, "the text")
        assert "We weigh." in t.text
        assert "row" in reader.why_off("pin_reference")
        await t.to(OwnPapersScreen, "escape")
        await t.to(HomeScreen, "escape")


async def test_a_collection_is_taken_then_what_changed_and_trouble_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with zotero(monkeypatch) as service, trip(tmp_path, (80, 24)) as t:
        screen = await opened(t)
        assert "z takes a collection" in t.text
        assert screen.why_off("sync")
        sheet = await t.to(AskChoice, "z")
        assert [one.name.strip() for one in sheet.items] == ["My Library", "Few-shot"]
        await t.press("down", "enter")
        await t.until(lambda: len(screen.items) == 2, "the papers of the collection")
        await t.idle()
        assert "2 new" in t.text
        assert "Zotero read just now" in t.text
        service.shelf.put("NEWNEWNE", title="A new one", collections=["FEWSHOTS"])
        service.shelf.put("NOTITLES", title="", collections=["FEWSHOTS"])
        await t.to(MessageSheet, "s")
        assert "left out: item NOTITLES" in t.text
        assert len(own_papers(places(tmp_path))) == 3
        await t.to(OwnPapersScreen, "escape")
        service.off = True
        await t.press("s")
        await t.until(lambda: "lets no other program read" in t.text, "the sentence")
        await t.until(lambda: not screen.busy, "the end")
        await t.press("z")
        await t.until(lambda: "lets no other program read" in t.text, "the sentence")
        assert len(screen.items) == 3


async def test_what_runs_ends_with_the_screen_and_only_one_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = asyncio.Event()

    async def take(paths: Paths, wanted: object) -> AsyncIterator[str]:
        try:
            yield "Few-shot: 7 new"
            await asyncio.Event().wait()
        finally:
            ended.set()

    monkeypatch.setattr(subject, "take", take)
    async with zotero(monkeypatch), trip(tmp_path) as t:
        screen = await opened(t)
        await t.to(AskChoice, "z")
        await t.press("enter")
        await t.until(lambda: "7 new" in t.text, "the line")
        assert screen.why_off("zotero") == "the last one still runs"
        await t.to(HomeScreen, "escape")
        await asyncio.wait_for(ended.wait(), 20)
        screen = await opened(t)
        assert not screen.why_off("zotero")


async def test_links_are_asked_for_only_after_a_yes_that_knows_what_is_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = list[list[str]]()

    async def ask(env: object, papers: list[object]) -> AsyncIterator[str]:
        asked.append([one.id for one in papers])  # type: ignore[attr-defined]
        yield "2 of 2 asked"

    monkeypatch.setattr(subject, "ask_links", ask)
    filled_with_a_list(tmp_path)
    async with trip(tmp_path, settings=Settings(source="openalex")) as t:
        await opened(t)
        await t.to(ConfirmSheet, "l")
        assert "The ids of 2 papers to OpenAlex" in " ".join(t.text.split())
        await t.to(OwnPapersScreen, "enter")
        await t.until(lambda: "Nobody was asked" in t.text, "the sentence")
        assert asked == []
        await t.to(ConfirmSheet, "l")
        await t.press("y")
        await t.until(lambda: "2 of 2 asked" in t.text, "the end")
        assert asked == [["arXiv:2201.11903", "DOI:10.1234/gates"]]
