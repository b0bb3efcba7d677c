"""Signals and kills on a real terminal."""

import signal
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from coi_tui.session.session import Session
from tests.support.desk import bare
from tests.support.terminal import (
    ENTER_SCREEN,
    LEAVE_SCREEN,
    MOUSE_OFF,
    SHOW_CURSOR,
    Terminal,
    app,
    on_new_session,
    start_run,
)

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="needs POSIX signals")


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    with on_new_session(tmp_path, "demo") as t:
        t.sees("Press g to choose")
        yield t


def reopened(home: Path) -> Session:
    """The demo session after the process is gone; it must be ours to write, and sound."""
    session = Session.open("demo", bare(home))
    assert session.read_only_reason == ""
    assert session.verify() == []
    return session


def restored(output: bytes) -> None:
    """The last words to the terminal: mouse off, the first screen back, the cursor shown."""
    assert output.rindex(LEAVE_SCREEN) > output.rindex(ENTER_SCREEN)
    assert output.rindex(SHOW_CURSOR) > output.rindex(b"\x1b[?25l")
    assert output.rindex(MOUSE_OFF) > output.rindex(b"\x1b[?1000h")


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_app_as_leaving_does(
    terminal: Terminal, tmp_path: Path, number: int
) -> None:
    terminal.type("/words to find")  # / opens a sheet
    terminal.sees("goes to the first row")
    terminal.signal(number)
    assert terminal.end(10) == 128 + number
    restored(terminal.output)
    reopened(tmp_path).close()


def test_a_signal_during_a_run_keeps_what_was_finished(terminal: Terminal, tmp_path: Path) -> None:
    start_run(terminal)
    terminal.signal(signal.SIGTERM)
    assert terminal.end(15) == 128 + signal.SIGTERM
    restored(terminal.output)
    with reopened(tmp_path) as session:
        assert session.file.job_events(), "the run had begun"


def test_a_closed_window_ends_the_app(terminal: Terminal, tmp_path: Path) -> None:
    terminal.hang_up()
    terminal.end(15)
    reopened(tmp_path).close()


def test_suspend_gives_the_terminal_back_and_returns(terminal: Terminal, tmp_path: Path) -> None:
    terminal.type("\x1a")
    terminal.until(lambda: terminal.stopped, "the process to sleep")
    terminal.until(lambda: LEAVE_SCREEN in terminal.output, "the terminal to be given back")
    restored(terminal.output)
    mark = terminal.mark
    terminal.signal(signal.SIGCONT)
    terminal.sees("Press g to choose", mark)
    assert ENTER_SCREEN in terminal.since(mark)
    mark = terminal.mark
    terminal.type("?")
    terminal.sees("Keys and commands", mark)
    terminal.type("\x11")
    assert terminal.end(10) == 0
    reopened(tmp_path).close()


def test_suspend_is_a_key_of_the_text_where_one_is_typed(terminal: Terminal) -> None:
    mark = terminal.mark
    terminal.type("/")
    terminal.sees("goes to the first row", mark)
    terminal.type("\x1a")
    mark = terminal.mark
    terminal.type("abcdef")
    terminal.until(
        lambda: "f" in terminal.since(mark).decode("utf-8", "replace"), "the field to take letters"
    )
    assert not terminal.stopped


@pytest.mark.skipif(
    not Path("/proc/self/task").exists(), reason="threads of another process are counted in /proc"
)
def test_a_continue_without_a_sleep_begins_no_second_reader_of_keys(terminal: Terminal) -> None:
    """As the system sends one with SIGHUP when a window is closed: the second reader kept the
    process alive, and busy, for ever."""
    help_and_back(terminal)
    time.sleep(2)  # a thread of the program's own begins a while after the first frame
    before = len(list(Path(f"/proc/{terminal.pid}/task").iterdir()))
    mark = terminal.mark
    terminal.signal(signal.SIGCONT)
    terminal.until(lambda: terminal.since(mark), "the screen to be drawn again")
    help_and_back(terminal)
    assert len(list(Path(f"/proc/{terminal.pid}/task").iterdir())) <= before
    terminal.hang_up()
    terminal.end(15)


def help_and_back(terminal: Terminal) -> None:
    mark = terminal.mark
    terminal.type("?")
    terminal.sees("Keys and commands", mark)
    mark = terminal.mark
    terminal.type("\x1b")  # what comes right after it would be one key with it
    terminal.sees("q sessions", mark)


def test_stopped_in_the_midst_of_frames_it_comes_back(terminal: Terminal) -> None:
    for _ in range(5):
        terminal.type("jkjk")
        terminal.signal(signal.SIGTSTP)
        terminal.until(lambda: terminal.stopped, "the process to sleep")
        begun = terminal.output.count(ENTER_SCREEN)
        terminal.signal(signal.SIGCONT)
        terminal.until(
            partial(entered_more_often, terminal, begun), "the terminal to be taken again"
        )
    mark = terminal.mark
    terminal.type("?")
    terminal.sees("Keys and commands", mark)


def entered_more_often(terminal: Terminal, than: int) -> bool:
    return terminal.output.count(ENTER_SCREEN) > than


def test_a_kill_during_typing_loses_at_most_a_second_and_the_editor_is_open_again(
    tmp_path: Path,
) -> None:
    with on_new_session(tmp_path, "demo") as terminal:
        terminal.sees("Press g to choose")
        terminal.type("e")
        terminal.sees("Your text")
        mark = terminal.mark
        terminal.type(" one two three")
        terminal.sees("draft saved", mark)
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
        mark = terminal.mark
        terminal.type("\x1b")
        terminal.sees("q sessions", mark)
        terminal.type("\x11")
        terminal.end()
