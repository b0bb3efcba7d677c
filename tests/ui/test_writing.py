"""The editor, versions, and what an edit makes stale."""

import contextlib
import math
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from textual.app import App, SuspendNotSupported
from textual.widgets import TextArea

from coi_tui.screens import base
from coi_tui.screens.base import ConfirmSheet
from coi_tui.screens.edit_screen import EditScreen
from coi_tui.screens.history_screen import HistoryScreen
from coi_tui.screens.run_sheets import PlanSheet
from coi_tui.screens.sheets import MessageSheet
from coi_tui.screens.workbench import WorkbenchScreen
from coi_tui.session.runs.runner import Runs
from coi_tui.session.wording import Verdict
from tests.support.desk import copy_of, version_at

from .helpers import Trip, demo


def trend(t: Trip) -> str:
    return next(a for a in t.bench.chain.rows if ".." in a)


def test_the_effect_of_saving_is_what_saving_does(tmp_path: Path) -> None:
    desk = copy_of(tmp_path)
    session = desk.session
    for address in ("1/dir", "topic", "1/idea", next(a for a in session.state.cells if ".." in a)):
        text = session.edits.text_of(address).rstrip("\n") + " and more\n"
        told = session.edits.effect(address, text)
        assert told.problem == ""
        before = {a for a, f in session.fresh.items() if f.status in ("stale", "upstream")}
        session.edits.save(address, text)
        now = {a: f.status for a, f in session.fresh.items() if a not in before and a != address}
        texts = {a: s for a, s in now.items() if session.state.in_use(a) is not None}
        assert set(told.stale) == {a for a, s in texts.items() if s in ("stale", "upstream")}
        session.undo()
    assert session.edits.effect("1/dir", "   ").problem
    wording = session.edits.effect("1/dir", "## text\nother words\n\n## note\n", wording_only=True)
    assert wording.stale == ()


@pytest.fixture
def outside(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """Makes a program the editor; suspending the app does nothing, since no terminal is there."""

    @contextlib.contextmanager
    def suspend(self: App[Any]) -> Iterator[None]:
        yield

    monkeypatch.setattr(App, "suspend", suspend)
    monkeypatch.delenv("VISUAL", raising=False)

    def program(body: str) -> None:
        path = tmp_path / "my editor.sh"
        path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        monkeypatch.setenv("EDITOR", f"'{path}'")

    return program


async def test_my_own_editor_and_back_with_typing_undo(tmp_path: Path, outside: Any) -> None:
    outside(
        'printf "\\nwritten outside [/b] \\033[31m" >> "$1"; cp "$1" "$1.seen" && mv "$1.seen" "'
        + str(tmp_path / "seen")
        + '"'
    )
    async with demo(tmp_path, stage="ideas") as t:
        address = trend(t)
        before = t.bench.session.edits.text_of(address)
        screen = await t.to(EditScreen, "e", at=address)
        await t.press("ctrl+g")
        await t.until(lambda: "written outside [/b]" in screen.text, "the text from outside")
        assert "\x1b" not in screen.text
        assert "coi-tui:" not in screen.text
        assert screen.text.startswith(before)
        seen = (tmp_path / "seen").read_text(encoding="utf-8")
        assert address in seen.splitlines()[0]
        assert before in seen
        await t.press("ctrl+z")
        assert screen.text == before, "typing undo takes it back"
        await t.to(WorkbenchScreen, "ctrl+y", "ctrl+s")
        assert "written outside" in t.bench.session.edits.text_of(address)


async def test_a_failing_or_missing_editor_keeps_draft_and_screen(
    tmp_path: Path, outside: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside('printf "half a thought" >> "$1"; exit 3')
    async with demo(tmp_path, stage="ideas") as t:
        address = trend(t)
        screen = await t.to(EditScreen, "e", at=address)
        await t.press("ctrl+g")
        await t.until(lambda: "code 3" in t.text, "the word about the failure")
        assert t.app.screen is screen
        assert "half a thought" in (t.bench.session.edits.draft(address) or "")
        kept = screen.text
        monkeypatch.setenv("EDITOR", "/nowhere/at-all")
        await t.press("ctrl+g")
        await t.until(lambda: "could not be edited" in t.text, "the missing editor")
        assert (t.app.screen, screen.text) == (screen, kept)
        outside("exit 0")

        def refuse(self: App[Any]) -> Any:
            raise SuspendNotSupported

        monkeypatch.setattr(App, "suspend", refuse)
        await t.press("ctrl+g")
        await t.until(lambda: "cannot hand over" in t.text, "the terminal that cannot")
        assert (t.app.screen, screen.text) == (screen, kept)
        await t.to(WorkbenchScreen, "escape")


async def test_two_versions_part_by_part_and_a_merge_with_two_parents(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="ideas") as t:
        address, session = trend(t), t.bench.session
        made = version_at(session, address)
        screen = await t.to(EditScreen, "e", at=address)
        screen.query_one(TextArea).text = "My own first paragraph.\n\nMy second one."
        await t.to(WorkbenchScreen, "ctrl+s")
        history = await t.to(HistoryScreen, "d")
        await t.until(lambda: "{+My own" in history.about_pane.text, "the difference")
        assert history.here.seq == made.seq
        await t.to(EditScreen, "m")
        t.app.screen.query_one(TextArea).text = "My first.\n\nTheir second."
        await t.to(WorkbenchScreen, "ctrl+s")
        merged = version_at(session, address)
        assert merged.origin == "merged"
        assert len(merged.parents) == 2
        await t.press("u")
        assert session.edits.text_of(address).startswith("My own first")


async def test_a_text_that_cannot_be_read_back_keeps_the_editor_open(tmp_path: Path) -> None:
    async with demo(tmp_path) as t:
        screen = await t.to(EditScreen, "e")
        screen.query_one(TextArea).text = "   "
        await t.press("ctrl+s")
        assert isinstance(t.app.screen, EditScreen)
        assert "empty" in t.text
        await t.to(WorkbenchScreen, "escape")
        assert t.bench.session.edits.draft("topic") == "   ", "what was typed is kept"
        screen = await t.to(EditScreen, "e")
        screen.do_discard()
        await t.on(ConfirmSheet)
        await t.to(EditScreen, "enter")
        screen.do_discard()
        await t.on(ConfirmSheet)
        await t.to(WorkbenchScreen, "y")
        assert t.bench.session.edits.draft("topic") is None


async def test_a_key_pressed_before_the_sheet_is_drawn_runs_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(base, "GRACE", math.inf)  # on a busy machine the second key may come late
    async with demo(tmp_path) as t:
        plan = t.bench.session.planner.to_stage("questions")
        t.bench.ask(PlanSheet(plan), t.bench.start)
        await t.pilot.press("enter", "enter")
        assert t.bench.controller.job is None
        sheet = t.app.screen
        assert isinstance(sheet, PlanSheet)
        sheet.listens_from = 0.0
        await t.to(WorkbenchScreen, "escape")
        assert t.bench.controller.job is None
        assert t.bench.session.file.job_events() == []


async def test_new_rows_move_neither_cursor_nor_folds(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="chains") as t:
        slot = next(a for a in t.bench.chain.rows if a.startswith("2/") and a.endswith("/0"))
        await t.go("1")
        await t.press("left")
        assert t.bench.chain.nodes["1"].is_collapsed
        await t.go(slot)
        await t.run_to("trends")
        assert t.bench.chain.address == slot
        assert t.bench.chain.nodes["1"].is_collapsed
        await t.press("a")
        assert t.bench.chain.rows[slot].verdict is Verdict.ACCEPTED


async def test_an_error_of_a_worker_is_shown_and_ends_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with demo(tmp_path) as t:

        async def broken(*args: object, **kwargs: object) -> None:
            raise RuntimeError("[/red] out of the blue")

        monkeypatch.setattr(Runs, "run", broken)
        t.bench.start(t.bench.session.planner.to_stage("questions"))
        await t.on(MessageSheet)
        assert "RuntimeError: [/red] out of the blue" in t.text
        bench = await t.to(WorkbenchScreen, "escape")
        assert not bench.controller.busy
        await t.press("w")
