"""What a second reader decided otherwise, on one screen with the reasons of both."""

from pathlib import Path

from coi_tui.config import Keys, Settings
from coi_tui.screens.history_screen import HistoryScreen, LogScreen, ReadersScreen
from coi_tui.screens.workbench import WorkbenchScreen
from coi_tui.session.environment import Environment
from coi_tui.session.programs import Program
from coi_tui.session.second_reader import load_review, merge, write_review
from coi_tui.session.session import Session
from tests.support.desk import paths_in, version_at

from .helpers import demo, seeded


async def test_conflicts_stand_on_one_screen_and_lead_to_their_rows(tmp_path: Path) -> None:
    async with demo(tmp_path / "one", size=(80, 24), stage="selection") as t:
        session, path = t.bench.session, tmp_path / "ana.coi.db"
        assert t.bench.why_off("readers") == "no second reader has sent anything"
        session.decide("accept", "1/0", reason="it began there")
        session.decide("accept", "2/0")
        write_review(session, "Ana", path)
        env = Environment(paths_in(tmp_path / "two"), Settings(offline=True), Keys())
        with Session.open(str(path), env) as ana:
            ana.decide("reject", "1/0", reason="not ours")
            ana.decide("accept", "2/0")
        assert merge(session, *load_review(path)) == 2
        await t.command("readers")
        screen = await t.on(ReadersScreen)
        await t.until(lambda: screen.at is not None, "the rows")
        assert [one.key[1] for one in screen.items] == ["1/0"]
        for words in ("1 decided differently", "it began there", "not ours", "1 of 2 alike"):
            assert words in t.text, words
        await t.to(WorkbenchScreen, "enter")
        await t.until(lambda: t.bench.address == "1/0", "the row")
        await t.to(LogScreen, "l")
        await t.until(lambda: "by others" in t.text, "the log")
        assert "Ana" in t.text


async def test_what_a_program_proposes_is_seen_and_used_by_its_key(tmp_path: Path) -> None:
    await seeded(tmp_path, "selection")
    by = Program(Environment(paths_in(tmp_path), Settings(offline=True), Keys()), "agent:editor")
    async with demo(tmp_path) as t:
        session = t.bench.session
        await t.go("1/dir")
        await by.call(
            "propose_text", session="demo", address="1/dir", text="Theirs.", reason="short"
        )
        await t.until(lambda: "editor proposes at 1/dir" in t.text, "word of it")
        await t.until(lambda: "editor: v2: short" in t.text, "the proposal")
        await t.to(HistoryScreen, "h")
        await t.press("up")
        await t.until(lambda: "v2, by another reader or program" in t.text, "the version")
        await t.change("a", lambda: isinstance(t.app.screen, WorkbenchScreen), "its use")
        used = version_at(session, "1/dir")
        assert (used.actor, used.content["text"]) == ("agent:editor", "Theirs.")
        assert "by another reader or program" in t.text
