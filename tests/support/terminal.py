"""A real process on a pseudo-terminal: what it writes, when, and what is typed into it. For
measurements, signals and kills."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from tests.support import coi_process
from tests.support.desk import bare

ENTER_SCREEN, LEAVE_SCREEN = b"\x1b[?1049h", b"\x1b[?1049l"
SHOW_CURSOR = b"\x1b[?25h"
MOUSE_OFF = b"\x1b[?1000l"
FRAME_END = b"\x1b[?2026l"
"""The end of a synchronised update: everything of a frame has been written when this has."""
_CONTROL = re.compile(
    rb"\x1b\[[0-9;?<>=]*[A-Za-z]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[()][A-Z0-9]|\x1b."
)
WAIT = 30.0

ASK_SYNC, SAY_SYNC = b"\x1b[?2026$p", b"\x1b[?2026;1$y"


def words(output: bytes) -> str:
    """The output without its control sequences; text that was painted in one run stays together."""
    return _CONTROL.sub(b"", output).decode("utf-8", "replace")


class Terminal:
    """A process in a session and process group of its own, its terminal held by this end.

    Everything that was written is kept with the time at which it came. ``until`` waits for a
    condition, never for a time.
    """

    def __init__(
        self,
        arguments: Sequence[str],
        env: Mapping[str, str],
        size: tuple[int, int] = (120, 40),
        folder: Path | None = None,
    ) -> None:
        """``folder``: the one that the process works in."""
        self.chunks: list[tuple[float, bytes]] = []
        self.started = time.perf_counter()
        self.status: int | None = None
        self._asked = 0
        self.pid, self.master = pty.fork()
        if self.pid == 0:  # the child: nothing but becoming the program
            with contextlib.suppress(BaseException):
                if folder is not None:
                    os.chdir(folder)
                os.execvpe(arguments[0], list(arguments), dict(env))
            os._exit(127)
        self.resize(*size)
        self._over = threading.Event()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_raised: object) -> None:
        self.kill()
        self.hang_up()

    def _read(self) -> None:
        while not self._over.is_set():
            try:
                ready, _, _ = select.select([self.master], [], [], 0.05)
                data = os.read(self.master, 65536) if ready else None
            except (OSError, ValueError):
                return
            if data is None:
                continue
            if not data:
                return
            self.chunks.append((time.perf_counter(), data))
            self._answer(data)

    def _answer(self, data: bytes) -> None:
        """What terminals of today say when asked whether they draw a frame at once."""
        if ASK_SYNC in data:
            with contextlib.suppress(OSError):
                os.write(self.master, SAY_SYNC)

    # -- what it wrote

    @property
    def output(self) -> bytes:
        return b"".join(data for _, data in list(self.chunks))

    @property
    def mark(self) -> int:
        """How many bytes have come; ``since`` gives what came after."""
        return len(self.output)

    def since(self, mark: int) -> bytes:
        return self.output[mark:]

    def shows(self, text: str, mark: int = 0) -> bool:
        """True when the text was painted, letter by letter in one run, after ``mark``."""
        return text in words(self.since(mark))

    # -- what is done to it

    def type(self, text: str | bytes) -> float:
        """Send keys as bytes; returns when."""
        sent = time.perf_counter()
        os.write(self.master, text.encode() if isinstance(text, str) else text)
        return sent

    def until(self, holds: Callable[[], object], what: str = "", limit: float = WAIT) -> None:
        """Wait for a condition; the failure says which, and what the terminal shows."""
        end = time.monotonic() + limit
        while not holds():
            if time.monotonic() > end:
                raise AssertionError(
                    f"waited in vain for {what or holds}; the end of what was written: {words(self.output)[-1500:]!r}"
                )
            time.sleep(0.005)

    def sees(self, text: str, mark: int = 0, limit: float = WAIT) -> None:
        """Wait until a text has been painted."""
        self.until(lambda: self.shows(text, mark), f"the text {text!r}", limit)

    def resize(self, width: int, height: int) -> None:
        """Give the terminal another size; the system tells the process by SIGWINCH."""
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))

    def signal(self, number: int) -> None:
        os.kill(self.pid, number)

    @property
    def stopped(self) -> bool:
        """True once the process has been put to sleep by ``^z``."""
        with contextlib.suppress(OSError):
            return Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()[0] == "T"
        return False

    def ended(self) -> bool:
        """True once the process is over; ``status`` is its exit code, negative for a signal."""
        if self.status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = os.waitstatus_to_exitcode(status)
        return self.status is not None

    def end(self, limit: float = WAIT) -> int:
        """Wait for the end, and for its last words to come through; the exit code."""
        self.until(self.ended, "the end of the process", limit)
        self._reader.join(limit)  # a terminal that nobody holds any more ends its reader
        assert self.status is not None
        return self.status

    def kill(self) -> None:
        """``kill -9``, and wait until it is gone."""
        if self.status is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)
            _, status = os.waitpid(self.pid, 0)
            self.status = os.waitstatus_to_exitcode(status)

    def hang_up(self) -> None:
        """Close the terminal, as closing its window does."""
        self._over.set()
        self._reader.join(2)
        with contextlib.suppress(OSError):
            os.close(self.master)


def environment(home: Path, **extra: str) -> dict[str, str]:
    """The environment of an app that knows no keys, no network and nothing of this one's
    settings."""
    plain = coi_process.environment(home, extra={"TERM": "xterm-256color", **extra})
    dropped = ("NO_COLOR", "TEXTUAL")
    kept = {name: value for name, value in plain.items() if not name.startswith(dropped)}
    return {**kept, "COLORTERM": "truecolor"}


def app(home: Path, *arguments: str, size: tuple[int, int] = (120, 40), **extra: str) -> Terminal:
    """The app in a process of its own."""
    return Terminal([sys.executable, "-m", "coi_tui", *arguments], environment(home, **extra), size)


def on_new_session(home: Path, name: str) -> Terminal:
    """The app on a session that was just made, offline, and holds its topic alone."""
    from benchmarks import TOPIC
    from coi_tui.session.session import Session

    Session.create(name, TOPIC, bare(home), offline=True).close()
    return app(home, "--session", name)


def start_run(terminal: Terminal, reading: float = 0.0) -> None:
    """On a workbench: ``g``, the last stage, Enter on its plan where one is shown, and wait until
    the job is on the screen.

    ``reading``: seconds that the person takes for the plan.
    """
    mark = terminal.mark
    terminal.type("g")
    terminal.sees("a plan comes first", mark)
    time.sleep(0.4)  # a sheet drops keys pressed before anyone could read it
    terminal.type("a")  # all branches, to a stage
    terminal.sees("Run to a stage", mark)
    time.sleep(0.4)
    terminal.type("\x1b[F\r")  # End, Enter
    either = ("keep working", "Total       ")
    terminal.until(
        lambda: any(terminal.shows(text, mark) for text in either), "the run or its plan"
    )
    time.sleep(reading)
    end = time.monotonic() + WAIT
    while not terminal.shows("keep working", mark):
        assert time.monotonic() < end, "the run did not begin"
        terminal.type("\r")  # a sheet drops keys pressed before anyone could read it
        with contextlib.suppress(AssertionError):  # one Enter more would go to the workbench
            terminal.sees("keep working", mark, limit=3)
