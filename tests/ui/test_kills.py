"""``kill -9`` on a real process while a person types; kills during runs are in ``tests/e2e`` and ``benchmarks.kills``."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from coi_tui.config import Keys, Settings
from coi_tui.paths import paths
from coi_tui.session.session import Session
from tests.support.terminal import app, on_new_session

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs POSIX signals")


def reopened(home: Path) -> Session:
    session = Session.open(
        "demo", paths=paths({"COI_HOME": str(home)}), settings=Settings(), keys=Keys()
    )
    assert session.read_only_reason == ""
    assert session.verify() == []
    return session


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
