"""Our part of the driver: a closed window raises nothing when written to, and ``^z`` is heeded as
long as the terminal is ours."""

from __future__ import annotations

import io
import signal

import pytest
from textual.app import App
from textual.driver import Driver
from textual.drivers._writer_thread import MAX_QUEUED_WRITES, WriterThread

from coi_tui.screens.terminal import Quiet, quiet


class Closed(io.StringIO):
    def write(self, text: str) -> int:
        raise OSError(5, "Input/output error")

    def flush(self) -> None:
        raise OSError(5, "Input/output error")


@pytest.mark.timeout(20)
def test_a_hundred_frames_to_a_closed_window_hold_nobody_up() -> None:
    thread = WriterThread(Quiet(Closed()))  # type: ignore[arg-type]
    thread.start()
    for _ in range(MAX_QUEUED_WRITES * 4):
        thread.write("frame")
    thread.stop()
    assert not thread.is_alive()


class Taker(Driver):
    """Notes who heeds ``^z`` at the moment that the terminal is taken, and when it is given
    back."""

    fileno = 0
    heeded: list[bool]

    def write(self, data: str) -> None:
        raise AssertionError(data)

    def disable_input(self) -> None:
        raise AssertionError

    def start_application_mode(self) -> None:
        self.heeded = [signal.getsignal(signal.SIGTSTP) is not signal.SIG_DFL]

    def stop_application_mode(self) -> None:
        self.heeded.append(signal.getsignal(signal.SIGTSTP) is not signal.SIG_DFL)


async def test_a_sleep_asked_for_while_the_terminal_is_taken_or_given_back_is_heeded() -> None:
    """It was lost under a program that leads its own session, and slept with the terminal half
    taken in a shell."""
    before = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
    try:
        driver = quiet(Taker)(App())
        driver.start_application_mode()
        driver.stop_application_mode()
        assert getattr(driver, "heeded", None) == [True, True]
        assert signal.getsignal(signal.SIGTSTP) is signal.SIG_DFL
    finally:
        signal.signal(signal.SIGTSTP, before)
