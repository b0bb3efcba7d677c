"""The first interrupt of a run that waits for a service ends it: nothing that only waits, or costs
nothing, is waited for."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.support.coi_process import environment, opened, start
from tests.support.standins.small_server import serving

ENDS_S = 25
"""Far less than what any of these services would be waited for, and far more than the end of a
process takes on a busy machine."""


@pytest.mark.parametrize("kind", ["silent", "too many"])
def test_the_first_interrupt_ends_a_run_that_waits_for_papers(kind: str, tmp_path: Path) -> None:
    later = {"retry-after": "60"}
    with serving(lambda _: (429, later, b"{}"), silent=kind == "silent") as server:
        url = f"{server.url}/graph/v1"
        env = environment(tmp_path, extra={"COI_SEMANTIC_SCHOLAR_URL": url, "COI_OFFLINE": ""})
        process = start(
            env, "run", "invented topic of a test", "--name", "run", "--branches", "1", "--yes"
        )
        try:
            assert server.asked.wait(60)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=ENDS_S)
        finally:
            process.kill()
    assert process.returncode == 130, err
    assert "Stopping" in err
    assert "Traceback" not in out + err
    with opened(tmp_path, "run") as session:
        assert session.file.failures() == [], "it was stopped, nothing failed"
