"""``kill -9`` on a real process while a person types, while a run goes on, and after an undo: what
had been said stays said."""

from __future__ import annotations

import signal
import sqlite3
import time
from pathlib import Path

import pytest

from coi_tui.config import Keys, Settings
from coi_tui.paths import paths
from coi_tui.session.session import Session
from tests.support.terminal import Terminal, app, on_new_session, start_run

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs POSIX signals")


def reopened(home: Path) -> Session:
    session = Session.open(
        "demo", paths=paths({"COI_HOME": str(home)}), settings=Settings(), keys=Keys()
    )
    assert session.read_only_reason == ""
    assert session.verify() == []
    return session


def logged(home: Path) -> list[tuple[int, str]]:
    """What another reader of the file sees in the log now."""
    file = home / "data" / "sessions" / "demo.coi.db"
    connection = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
    try:
        return [
            (int(seq), str(text))
            for seq, text in connection.execute("SELECT seq, json FROM log ORDER BY seq")
        ]
    finally:
        connection.close()


def note(terminal: Terminal, home: Path, text: str) -> None:
    """A private note on the row, one decision."""
    mark = terminal.mark
    terminal.type(":")
    terminal.sees("Search for commands", mark)
    terminal.type("note: a private")
    terminal.sees("never sent", mark)
    time.sleep(0.5)
    terminal.type("\r")
    terminal.sees("sent to a model", mark)
    typed = -1.0

    def painted() -> bool:
        """The text stands in the sheet. Keys that come before a sheet is ready are dropped, so it
        is typed again until it does."""
        nonlocal typed, mark
        if time.monotonic() - typed > 2.0:
            terminal.type("\x15")
            time.sleep(0.2)  # a burst of keys may overtake it, which goes by way of the screen
            mark, typed = terminal.mark, time.monotonic()
            terminal.type(text)
        return terminal.shows(text, mark)

    terminal.until(painted, f"the note {text!r} in its sheet")
    terminal.type("\r")
    terminal.until(lambda: any(text in entry for _, entry in logged(home)), "the note in the file")


def test_check_02_a_kill_during_a_run_loses_no_finished_call_and_no_decision(
    tmp_path: Path,
) -> None:
    with on_new_session(tmp_path, "demo") as terminal:
        terminal.sees("Press g to choose")
        note(terminal, tmp_path, "before the run")
        start_run(terminal)
        terminal.until(lambda: len(logged(tmp_path)) > 8, "the run to have committed something")
        before = logged(tmp_path)
        terminal.kill()
    with reopened(tmp_path) as session:
        after = dict(logged(tmp_path))
        assert [seq for seq, text in before if after.get(seq) != text] == []
        assert session.state.notes["topic"] == "before the run"


def test_check_02_a_kill_after_an_undo_keeps_the_undo(tmp_path: Path) -> None:
    with on_new_session(tmp_path, "demo") as terminal:
        terminal.sees("Press g to choose")
        note(terminal, tmp_path, "first")
        note(terminal, tmp_path, "second")
        mark = terminal.mark
        terminal.type("u")
        terminal.sees("Undone", mark)
        terminal.kill()
    with reopened(tmp_path) as session:
        assert session.state.notes["topic"] == "first"
        assert session.undo_stack.labels()[1], "what was undone can be done again"


def test_check_02_a_kill_during_typing_loses_at_most_a_second_and_the_editor_is_open_again(
    tmp_path: Path,
) -> None:
    with on_new_session(tmp_path, "demo") as terminal:
        terminal.sees("Press g to choose")
        terminal.type("e")
        terminal.sees("Your text")
        mark = terminal.mark
        terminal.type(" one two three")
        terminal.sees("draft kept", mark)
        terminal.type(" four")  # within the last second
        terminal.kill()
    with reopened(tmp_path) as session:
        kept = session.edits.draft("topic")
        assert kept is not None
        assert str(session.state.value("topic#text")) in kept
        assert " one two three" in kept
    with app(tmp_path, "--session", "demo") as terminal:
        terminal.sees("unsaved draft")
        terminal.sees("two three")  # "one" ends the line above
        terminal.type("\x1b")
        terminal.sees("draft")
        terminal.type("\x11")
        terminal.end()
