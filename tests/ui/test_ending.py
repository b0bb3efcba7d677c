"""Errors nobody expected, broken input, closed windows, what an import costs."""

import logging
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from benchmarks.terminal_fuzz import ANSWERS_EVERY, fuzz, make_home
from coi_tui import app as application
from coi_tui.model.errors import CoiError, StoreError
from coi_tui.process import LogFormatter, record
from coi_tui.screens.terminal import PAUSE
from coi_tui.session.session import Session
from tests.support.desk import bare
from tests.support.terminal import LEAVE_SCREEN, Terminal, environment, on_new_session, words

from .helpers import demo

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="needs a pseudo-terminal")


SECRET = "words-of-a-person"
FAULTY = f"""
import sys
def fail(*args, **kwargs):
    secret = {SECRET!r}
    raise ValueError("in the message: " + secret)
"""
START = "\nfrom coi_tui.__main__ import main\nmain()\n"
FAULTS = {
    "in a handler": "from coi_tui.screens.base import CoiScreen\nCoiScreen.do_help = fail",
    "in a frame": "from coi_tui.widgets.panes import StatusLines\nStatusLines.render = fail",
    "before the first frame": "from coi_tui.app import CoiApp\nCoiApp.get_default_screen = fail",
    "in a worker": "from coi_tui.app import CoiApp\nasync def work(): fail()\nCoiApp.begin = lambda app: app.run_worker(work())",
}


def ended(home: Path, fault: str) -> tuple[int, str]:
    """The exit code of an app with a fault on a session, and what stands on the terminal after
    it."""
    on_new_session(home, "demo").__exit__(None, None, None)
    arguments = [sys.executable, "-c", FAULTY + fault + START, "--session", "demo"]
    with Terminal(arguments, environment(home)) as terminal:
        if fault == FAULTS["in a handler"]:
            terminal.sees("Press g to choose")
            terminal.type("?")
        code = terminal.end()
        terminal.until(lambda: terminal.shows("details are in"), "the sentence")
        return code, words(terminal.output.rpartition(LEAVE_SCREEN)[2])


@pytest.mark.parametrize("where", FAULTS)
def test_an_error_that_nobody_expected_is_one_sentence_and_exit_1(
    tmp_path: Path, where: str
) -> None:
    code, said = ended(tmp_path, FAULTS[where])
    assert code == 1
    log = tmp_path / "cache" / "coi.log"
    lines = [line for line in said.splitlines() if line.strip()]
    assert lines == [
        f"Unexpected error (ValueError). Finished work is saved; details are in {log}."
    ]
    kept = log.read_text("utf-8")
    assert "ValueError" in kept
    assert "__main__:5 fail" in kept
    assert SECRET not in kept
    with Session.open("demo", bare(tmp_path)) as session:
        assert session.verify() == []
        assert session.read_only_reason == ""


@pytest.mark.parametrize("module", ["click", "coi_tui.app"])
def test_an_interrupt_during_an_import_is_a_sentence(tmp_path: Path, module: str) -> None:
    hook = f"""
import sys
class Interrupted:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupted())
"""
    # the app asks for a terminal before it is imported
    terminal, of_program = os.openpty()
    ran = subprocess.run(
        [sys.executable, "-c", hook + START, "demo"],
        env=environment(tmp_path),
        stdin=of_program,
        stdout=of_program,
        stderr=of_program,
        timeout=60,
        check=False,
    )
    said = os.read(terminal, 4096).decode().strip()
    os.close(of_program)
    os.close(terminal)
    assert (ran.returncode, said) == (130, "Interrupted; finished work is saved.")


NO_KEYS = (
    b"\xff",
    b"\xed\xa0\x80",
    b"\x1b[1114112u",
    b"\x1b[::;u",
    b"\x1b[48;36;120;0;0t\x1b[<0;5;5M",
)
"""No UTF-8, a half of a pair, numbers out of range, no numbers, a terminal of no pixels with a
click in it."""


def test_bytes_that_are_no_key_end_nothing(tmp_path: Path) -> None:
    log = tmp_path / "cache" / "coi.log"
    with on_new_session(tmp_path, "demo") as terminal:
        terminal.sees("Press g to choose")
        for sent in NO_KEYS:
            before = log.stat().st_size
            terminal.type(sent)
            terminal.until(partial(grown, log, before), f"{sent!r} to be dropped")
            time.sleep(PAUSE)
            answers(terminal, "\x10", "Keys and commands", terminal.mark)
            # read together with what comes next, an Esc would be the Alt of it
            answers(terminal, "\x1b", "Press g to choose", terminal.mark)
        terminal.type("\x11")
        assert terminal.end() == 0


def grown(file: Path, size: int) -> bool:
    return file.stat().st_size > size


def answers(terminal: Terminal, key: str, text: str, mark: int = 0) -> None:
    """Press a key until it is answered: bytes that cannot be read take with them what comes right
    after."""
    presses = iter(range(10**6))

    def answered() -> bool:
        if next(presses) % 100 == 0:
            terminal.type(key)
        return terminal.shows(text, mark)

    terminal.until(answered, f"an answer to {key!r}")


def test_the_rest_of_a_paste_that_cannot_be_read_is_no_key(tmp_path: Path) -> None:
    with on_new_session(tmp_path, "demo") as terminal:
        terminal.sees("Press g to choose")
        mark = terminal.mark
        terminal.type(b"\x1b[200~" + b"x" * 3000 + b"\xff" + b"?" * 6000)
        log = tmp_path / "cache" / "coi.log"
        terminal.until(lambda: "dropped" in log.read_text("utf-8"), "the bytes to be dropped")
        terminal.type("\x1b[201~")
        time.sleep(PAUSE)
        answers(terminal, "/", "goes to the first row")
        assert not terminal.shows("Keys and commands", mark), "a ? of the paste opened the help"


def test_the_record_names_kinds_and_places_of_all_causes() -> None:
    try:
        try:
            raise KeyError(SECRET)
        except KeyError as cause:
            raise ExceptionGroup(SECRET, [ValueError(SECRET), OSError(2, SECRET)]) from cause
    except ExceptionGroup as error:
        found = record(error)
        row = logging.LogRecord(
            "coi_tui",
            logging.ERROR,
            "",
            0,
            "it failed",
            (),
            (type(error), error, error.__traceback__),
        )
    assert [line for line in found.splitlines() if not line.startswith(" ")] == [
        "ExceptionGroup",
        "ValueError",
        "FileNotFoundError",
        "KeyError",
    ]
    assert f"{__name__}:" in found
    assert SECRET not in LogFormatter().format(row)


GONE = 128 + signal.SIGHUP


async def test_a_window_that_closes_without_a_signal_ends_the_app(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reader of keys at the end of its file would go round for ever."""
    ours, theirs = os.openpty()
    try:
        monkeypatch.setattr(application, "window_file", lambda: theirs)
        monkeypatch.setattr(application, "WINDOW_EVERY", 0.02)
        async with demo(tmp_path, stage="anchors") as trip:
            told, signalled = list[int](), trip.app._signalled

            def tell(number: int) -> None:
                told.append(number)
                signalled(number)

            monkeypatch.setattr(trip.app, "_signalled", tell)
            await trip.pilot.pause(0.1)
            assert trip.app.is_running, "the window is there"
            os.close(ours)
            await trip.until(lambda: trip.app.return_code == GONE, "the end")
            assert not trip.app.sessions.controllers
            assert told == [signal.SIGHUP], "once"
    finally:
        os.close(theirs)


async def test_a_signal_ends_the_app_where_a_session_cannot_be_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It said so on a screen that nobody saw, and stayed for ever."""

    def gone(_: object) -> None:
        raise StoreError("The folder is gone.")

    async with demo(tmp_path, stage="anchors") as trip:
        session = trip.bench.session
        with monkeypatch.context() as patched:
            patched.setattr(type(session), "close", gone)
            trip.app._signalled(signal.SIGHUP)
            await trip.until(lambda: trip.app.return_code == GONE, "the end")
        assert isinstance(trip.app.fault, CoiError), "told on the terminal, where there is one"
        session.close()


@pytest.mark.skipif(
    sys.platform != "linux", reason="reads the processor time of a process from /proc"
)
@pytest.mark.timeout(600)
def test_random_input_on_a_terminal_ends_nothing_and_is_answered(tmp_path: Path) -> None:
    found = fuzz(1, make_home(tmp_path), steps=3 * ANSWERS_EVERY)
    assert found.fine, (found.ends, found.hangs, found.told, found.damaged)
    assert found.steps == 3 * ANSWERS_EVERY
    assert found.answers, "it was asked"
    assert found.sessions >= 2


MODELS = ("pydantic", "coi_tui.config")  # loaded after the first frame, beside it
HEAVY = (
    "openai",
    "httpx",
    "httpx2",
    "jinja2",
    "numpy",
    "pypdfium2",
    "genai_prices",
    "rapidfuzz",
    "bibtexparser",
    "pylatexenc",
    "tomlkit",
    "coi_tui.cli.run",
    "coi_tui.session.session",
)

PROGRAM = f"""
import asyncio, sys
import coi_tui.app
coi_tui.app.WARM_UP_AFTER = 3600  # on a slow machine it would begin before the look at what is loaded
heavy = {HEAVY!r}
assert not [m for m in (*heavy, *{MODELS!r}) if m in sys.modules], ("import", [m for m in (*heavy, *{MODELS!r}) if m in sys.modules])

async def frame():
    from coi_tui.config import Settings
    from coi_tui.paths import paths
    app = coi_tui.app.CoiApp(paths(), Settings())
    async with app.run_test(size=(80, 24)) as pilot:
        while not app.screen.loaded:
            await pilot.pause(0.01)
        await pilot.pause()

asyncio.run(frame())
loaded = [m for m in heavy if m in sys.modules]
assert not loaded, ("first frame", loaded)
"""


def test_nothing_heavy_before_a_session_is_opened(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={"COI_HOME": str(tmp_path), "PATH": "/usr/bin:/bin", "TERM": "xterm"},
    )
    assert done.returncode == 0, done.stderr
