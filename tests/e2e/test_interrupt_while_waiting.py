"""The first interrupt of a run that waits for a service ends it: nothing that only waits, or costs
nothing, is waited for."""

from __future__ import annotations

import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.coi_process import environment, opened, start

ENDS_S = 25
"""Far less than what any of these services would be waited for, and far more than the end of a
process takes on a busy machine."""
ANSWERS = {
    "silent": b"",
    "too many": b"HTTP/1.1 429 Too Many Requests\r\nRetry-After: 60\r\nContent-Length: 2\r\n\r\n{}",
}


@contextmanager
def service(answer: bytes) -> Iterator[tuple[str, threading.Event]]:
    """A service that answers everything alike, or nothing; the event is set once it was asked."""
    asked = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as server:
        held: list[socket.socket] = []

        def serve() -> None:
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                held.append(connection)
                threading.Thread(target=talk, args=(connection,), daemon=True).start()

        def talk(connection: socket.socket) -> None:
            try:
                while connection.recv(65_536):
                    if answer:
                        connection.sendall(answer)
                    asked.set()
            except OSError:
                return

        threading.Thread(target=serve, daemon=True).start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}/graph/v1", asked
        for connection in held:
            connection.close()


@pytest.mark.parametrize("kind", ["silent", "too many"])
def test_the_first_interrupt_ends_a_run_that_waits_for_papers(kind: str, tmp_path: Path) -> None:
    with service(ANSWERS[kind]) as (url, asked):
        env = environment(tmp_path, extra={"COI_SEMANTIC_SCHOLAR_URL": url, "COI_OFFLINE": ""})
        process = start(
            env, "run", "invented topic of a test", "--name", "run", "--branches", "1", "--yes"
        )
        try:
            assert asked.wait(60)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=ENDS_S)
        finally:
            process.kill()
    assert process.returncode == 130, err
    assert "Stopping" in err
    assert "Traceback" not in out + err
    with opened(tmp_path, "run") as session:
        assert session.file.failures() == [], "it was stopped, nothing failed"
