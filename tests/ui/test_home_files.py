"""Sessions as files on the list: archived and brought back, filtered, duplicated, imported,
restored, deleted. Nothing is lost."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from coi_tui.config import Keys, Settings
from coi_tui.model.errors import StoreError, UsageError
from coi_tui.screens.home.home_screen import HomeScreen
from coi_tui.screens.sheets.confirm_sheet import ConfirmSheet
from coi_tui.screens.sheets.text_sheets import AskText
from coi_tui.screens.workbench.workbench import WorkbenchScreen
from coi_tui.session import files as session_files
from coi_tui.session.session import Session
from coi_tui.store.summary import peek
from tests.support.state_dump import dump

from .helpers import Trip, places, trip

NAMES = ("alpha", "beta", "gamma")


def make(folder: Path, *names: str) -> None:
    for name in names:
        Session.create(
            name,
            f"the topic of {name} and its neighbours",
            paths=places(folder),
            settings=Settings(),
            keys=Keys(),
            offline=True,
        ).close()


async def on(t: Trip, name: str) -> HomeScreen:
    home = await t.on(HomeScreen)
    await t.until(lambda: name in [p.name for p in home.items], f"{name} in the list")
    home.query_one("#lines").highlighted = [p.name for p in home.items].index(name)  # type: ignore[attr-defined]
    await t.pilot.pause()
    return home


async def test_putting_away_hides_and_x_brings_back(tmp_path: Path) -> None:
    make(tmp_path, *NAMES)
    async with trip(tmp_path) as t:
        home = await on(t, "beta")
        await t.press("x")
        await t.until(lambda: len(home.items) == 2, "it to be hidden")
        assert "1 archived" in t.text
        assert peek(places(tmp_path).sessions / "beta.coi.db").archived
        await t.press("z")
        await on(t, "beta")
        assert "(archived) beta" in t.text
        await t.press("x")
        await t.until(
            lambda: not peek(places(tmp_path).sessions / "beta.coi.db").archived, "it to be back"
        )
        await t.press("enter")
        bench = await t.on(WorkbenchScreen)
        assert bench.session.verify() == []


async def test_the_list_is_filtered_by_words(tmp_path: Path) -> None:
    make(tmp_path, *NAMES)
    async with trip(tmp_path, (80, 24)) as t:
        home = await on(t, "beta")
        for words, shown in (("gam", ["gamma"]), ("zz", []), ("", list(NAMES))):
            await t.press("slash")
            await t.on(AskText)
            await t.press("ctrl+u", *words, "enter")
            await t.on(HomeScreen)
            assert sorted(p.name for p in home.items) == sorted(shown)


async def test_a_file_someone_sent_is_copied_in_and_stays_where_it_is(tmp_path: Path) -> None:
    make(tmp_path / "other", "alpha")
    sent = tmp_path / "from [red] a colleague.coi.db"
    shutil.copy(places(tmp_path / "other").sessions / "alpha.coi.db", sent)
    before = sent.read_bytes()
    async with trip(tmp_path) as t:
        await t.press("i")
        await t.on(AskText)
        await t.write(str(sent))
        await t.press("enter")
        home = await t.on(HomeScreen)
        await t.until(lambda: len(home.items) == 1, "the session")
        assert "Imported as from-red-a-colleague" in t.text
        assert sent.read_bytes() == before
        await t.press("enter")
        bench = await t.on(WorkbenchScreen)
        assert bench.session.state.value("topic#text") == "the topic of alpha and its neighbours"


@pytest.mark.parametrize(
    ("make_it", "words"),
    [
        (lambda p: None, "There is no file"),
        (lambda p: p.mkdir(), "is a folder"),
        (lambda p: p.write_bytes(b"only words " * 500), "is not a session file"),
    ],
)
def test_what_cannot_be_imported_is_told_in_a_sentence(tmp_path: Path, make_it, words: str) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "x.coi.db"
    make_it(file)
    with pytest.raises((UsageError, StoreError)) as caught:
        session_files.import_session(places(tmp_path), str(file))
    assert words in caught.value.message
    assert (
        not list(places(tmp_path).sessions.glob("*"))
        if places(tmp_path).sessions.exists()
        else True
    )


async def test_a_damaged_session_is_restored_from_its_last_whole_copy(tmp_path: Path) -> None:
    make(tmp_path, "alpha")
    with Session.open("alpha", paths=places(tmp_path), settings=Settings(), keys=Keys()) as session:
        session.core.file.backup_now()
        state, path = dump(session.state), session.core.file.path
    path.write_bytes(path.read_bytes()[:900] + b"\x00" * 6000)
    async with trip(tmp_path) as t:
        home = await t.on(HomeScreen)
        await t.until(lambda: "offers to restore it" in t.text, "the state of the row")
        await t.press("enter")
        await t.on(ConfirmSheet)
        await t.press("enter")  # no is the default
        await t.on(HomeScreen)
        assert home.items[0].state == "damaged"
        await t.press("enter")
        await t.on(ConfirmSheet)
        await t.press("y")
        await t.on(HomeScreen)
        await t.until(
            lambda: bool(home.items) and home.items[0].state == "ok", "the session to be whole"
        )
        await t.press("enter")
        bench = await t.on(WorkbenchScreen)
        assert dump(bench.session.state) == state
        assert list(path.parent.glob("alpha.coi.db.replaced-*")), "the damaged file is kept"
