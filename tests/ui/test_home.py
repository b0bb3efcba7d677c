"""The session list."""

from __future__ import annotations

from pathlib import Path

from coi_tui.config import Keys, Settings
from coi_tui.screens.commands import CommandSheet
from coi_tui.screens.forms import TopicSheet
from coi_tui.screens.home import HomeScreen
from coi_tui.screens.sheets import MessageSheet
from coi_tui.screens.workbench import WorkbenchScreen
from coi_tui.session.session import Session

from .helpers import TOPIC, places, trip


async def test_damaged_newer_and_held_sessions_are_shown_in_words(tmp_path: Path) -> None:
    folder = places(tmp_path).sessions
    held = Session.create(
        "held", TOPIC, paths=places(tmp_path), settings=Settings(), keys=Keys(), offline=True
    )
    (folder / "broken.coi.db").write_bytes(b"no database at all, only words" * 40)
    async with trip(tmp_path, (80, 24)) as t:
        assert "! damaged" in t.text
        assert "open elsewhere" in t.text
        home = await t.on(HomeScreen)
        await t.press(*["down"] * [p.name for p in home.items].index("broken"), "enter")
        await t.on(MessageSheet)
        assert "broken" in t.text
        await t.press("escape")
        await t.on(HomeScreen)
        await t.press("home", *["down"] * [p.name for p in home.items].index("held"), "enter")
        bench = await t.on(WorkbenchScreen)
        await t.until(lambda: "Read-only" in t.text, "the word")
        await t.press("e")
        assert "read-only" in t.status
        assert bench.session.read_only_reason
    held.close()


async def test_the_list_of_commands_filters_at_every_letter_and_runs_the_one_chosen(
    tmp_path: Path,
) -> None:
    """Letters that are keys elsewhere (``q``, ``y``, ``n``) are words of the filter."""
    async with trip(tmp_path, (80, 24)) as t:
        await t.press("question_mark")
        sheet = await t.on(CommandSheet)
        await t.press(*"queny")
        assert (sheet.words, sheet.shown) == ("queny", [])
        await t.press("ctrl+u", *"start topic")
        assert len(sheet.shown) == 1
        await t.press("escape")
        await t.until(lambda: not sheet.words and len(sheet.shown) > 9, "the filter to end")
        await t.press("down", "pagedown", "up", "pageup", "escape")
        await t.on(HomeScreen)
        await t.press("ctrl+p", *"start topic", "enter")
        await t.on(TopicSheet)


async def test_the_list_shows_the_short_name_of_a_method(tmp_path: Path) -> None:
    for method in ("Imitate-and-Evolve", ""):
        Session.create(
            method or "usual",
            TOPIC,
            paths=places(tmp_path),
            settings=Settings(),
            keys=Keys(),
            offline=True,
            method=method,
        ).close()
    async with trip(tmp_path) as t:
        assert {"CoI", "Imitate"} <= set(t.text.split())
        assert "Imitat…" not in t.text
