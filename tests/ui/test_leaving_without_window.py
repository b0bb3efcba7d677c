"""The app ends with its window, also where no signal tells of it and where the sessions cannot be
closed any more."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from coi_tui import app as application
from coi_tui.model.errors import CoiError, StoreError

from .helpers import demo

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
