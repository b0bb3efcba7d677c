"""A closed window: writing to it raises nothing, so that the thread that writes goes on taking frames."""

from __future__ import annotations

import io

import pytest
from textual.drivers._writer_thread import MAX_QUEUED_WRITES, WriterThread

from coi_tui.screens.terminal import Quiet


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


def test_an_open_file_is_written_as_ever() -> None:
    file = io.StringIO()
    quiet = Quiet(file)
    quiet.write("a")
    quiet.flush()
    assert file.getvalue() == "a"
    assert quiet.isatty() is False
