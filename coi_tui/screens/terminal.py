"""The terminal: where copies go, what is written to a window that is closed, and which signs are
painted at all."""

from __future__ import annotations

import asyncio
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import webbrowser
from collections.abc import Callable, Sequence
from typing import IO, TYPE_CHECKING, Any

from rich.segment import Segment
from textual.app import App
from textual.color import Color
from textual.filter import LineFilter
from textual.notifications import Notification

from coi_tui.model.text import PLAIN
from coi_tui.process import LOG

if TYPE_CHECKING:
    from textual.driver import Driver


PATIENCE = 2.0
"""Seconds that a program gets to take the text."""


def open_page(url: str, copy: Callable[[str], object]) -> str:
    """Open a page in the browser; over ssh its address is copied instead. Returns what was done."""
    if os.environ.get("SSH_CONNECTION"):
        copy(url)
        return f"Over ssh no browser is opened; the address is copied: {url}"
    if webbrowser.open(url):
        return f"Opened {url}"
    return f"No browser could be opened; the address is {url}"


def programs() -> list[Sequence[str]]:
    """The programs that are there and have a desktop to talk to, the likeliest first."""
    wanted: list[tuple[Sequence[str], bool]] = [
        (("pbcopy",), True),
        (("wl-copy",), bool(os.environ.get("WAYLAND_DISPLAY"))),
        (("xclip", "-selection", "clipboard"), bool(os.environ.get("DISPLAY"))),
        (("clip.exe",), True),
    ]
    return [command for command, there in wanted if there and shutil.which(command[0])]


def copy_with_tool(text: str) -> str:
    """The program that took the text, or nothing. It may take up to ``PATIENCE`` seconds each: for
    a worker thread."""
    for command in programs():
        encoded = text.encode("utf-16") if command[0] == "clip.exe" else text.encode()
        try:
            done = subprocess.run(
                command,
                input=encoded,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=PATIENCE,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            continue
        if done.returncode == 0:
            return command[0]
    return ""


async def copy(app: App[object], text: str, what: str) -> str:
    """Copy a text and say where it went. No terminal says whether it took an OSC 52."""
    app.copy_to_clipboard(text)
    program = await asyncio.to_thread(copy_with_tool, text)
    if program:
        return f"Copied {what} with {program}."
    return f"Sent {what} to the terminal (OSC 52), which may not accept it."


class Quiet:
    """A text file whose errors of the device are swallowed once its window is closed.

    The toolkit writes from a thread behind a short queue. An error would end that thread, the queue
    would fill up, and the app would wait for ever to hand over its next frame, with the session
    still open.
    """

    def __init__(self, file: IO[str]) -> None:
        self._to = file

    def write(self, text: str) -> int:
        try:
            return self._to.write(text)
        except OSError:  # the window is closed; SIGHUP is on its way and ends the app
            return len(text)

    def flush(self) -> None:
        try:
            self._to.flush()
        except OSError:
            return

    def __getattr__(self, name: str) -> Any:
        return getattr(self._to, name)


def window_file() -> int | None:
    """The file by which a person's keys come in; None where that is no terminal, and on a system
    that cannot look at it."""
    file = sys.__stdin__
    return file.fileno() if file is not None and hasattr(select, "poll") and file.isatty() else None


def is_closed(file: int) -> bool:
    """Whether the window behind a terminal's file is gone."""
    poll = select.poll()
    poll.register(file, 0)
    return bool(poll.poll(0))


PAUSE = 0.1
"""Seconds without input after which what was typed or pasted at once is over."""


def drop_input(file: int, over: Callable[[], bool]) -> None:
    """Read what is there, and what comes right after it, and use none of it; until nothing comes,
    or ``over``."""
    while not over() and select.select([file], [], [], PAUSE)[0] and os.read(file, 65536):
        pass


def quiet(driver: type[Driver]) -> type[Driver]:
    """The driver with such a file, where it writes to one; and one that reads on after bytes that
    are neither text nor a key."""

    class QuietDriver(driver):  # type: ignore[misc, valid-type]
        def __init__(self, app: Any, **kwargs: Any) -> None:
            super().__init__(app, **kwargs)
            app.terminal = self
            # Textual has no public way to the file that a driver's thread writes to: ``write`` only
            # puts text into that thread's queue.
            file: Any = self.__dict__.get("_file")
            if file is not None:
                self.__dict__["_file"] = Quiet(file)

        def start_application_mode(self) -> None:
            """Take the terminal, and heed ``^z`` and ``fg`` on the event loop.

            Textual heeds them wherever the program is at that moment: in the middle of handing over
            a frame it waits for itself for ever. A SIGCONT that follows no sleep, as one does when
            a window is closed, begins a second reader of keys that nothing ends. Both are heeded
            before the terminal is taken: a ``^z`` in between would sleep on it, or be lost where no
            shell watches.
            """
            for number, heed in self._job_control().items():
                asyncio.get_running_loop().add_signal_handler(number, heed)
            super().start_application_mode()

        def stop_application_mode(self) -> None:
            """Give the terminal back; an editor that runs on it may send us to sleep as it does
            itself."""
            super().stop_application_mode()
            for number in self._job_control():
                asyncio.get_running_loop().remove_signal_handler(number)

        def _job_control(self) -> dict[int, Callable[[], None]]:
            heeded = {"SIGTSTP": self.sleep, "SIGCONT": self.repaint}
            return {
                getattr(signal, name): heed
                for name, heed in heeded.items()
                if hasattr(signal, name) and hasattr(self, "fileno")
            }

        def sleep(self) -> None:
            """Give the terminal back until somebody says ``fg``."""
            self.suspend_application_mode()
            os.kill(os.getpid(), signal.SIGSTOP)
            self.resume_application_mode()
            self.repaint()

        def repaint(self) -> None:
            """Tell the app that others may have written over its screen."""
            self.send_message(self.SignalResume())

        def run_input_thread(self) -> None:
            """Read keys until the end. Textual's reader ends the app at bytes that are no UTF-8,
            and at numbers out of range in a sequence.

            All that came with them is dropped: the rest of a paste must not count as keys.
            """
            while not self.exit_event.is_set():
                try:
                    super().run_input_thread()
                except OSError:  # the terminal is gone
                    raise
                except Exception as error:  # noqa: BLE001  whatever the parser trips over
                    LOG.warning("input that cannot be read was dropped", exc_info=error)
                    drop_input(self.fileno, self.exit_event.is_set)

    return QuietDriver


CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f]")


class NoControls(LineFilter):
    """Drops control characters from every painted line, wherever its text came from.

    Texts are cleaned where they come in; a session file made elsewhere may still hold some, and one
    that reached the terminal could drive it. They have no width, so nothing shifts when they go.
    """

    strange = CONTROLS.search
    """Finds what cannot be painted as it is."""

    def shown(self, text: str) -> str:
        """The text as it is painted."""
        return CONTROLS.sub("", text)

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        painted = list[Segment]()
        for segment in segments:
            if not segment.control and self.strange(segment.text):
                segment = Segment(self.shown(segment.text), segment.style)
            painted.append(segment)
        return painted


class AsciiOnly(NoControls):
    """Swaps the signs in every painted line, while ``enabled``."""

    def __init__(self) -> None:
        super().__init__(enabled=False)

    strange = re.compile(r"[^\x20-\x7e]").search

    def shown(self, text: str) -> str:
        return text.translate(PLAIN)


NO_CONTROLS = NoControls()


class LateNotification(Notification):
    """One whose time may end while its toast is made: a busy machine is enough.

    Textual 8.2 would then set a timer below zero, which never comes to rest and holds the whole
    app.
    """

    LEAST = 0.1
    """Seconds that a toast is shown at least."""

    @property
    def time_left(self) -> float:
        return max(super().time_left, self.LEAST)

    @property
    def has_expired(self) -> bool:
        return super().time_left <= 0
