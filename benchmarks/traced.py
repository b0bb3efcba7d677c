"""``python -m benchmarks.traced``: the own files in which a function runs from a key to the
repaint, for ``x`` (reject) and Enter on a paper of the demo session; with ``--run``, from ``coi
run`` to its question whether to run the plan."""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import threading
from collections import Counter
from pathlib import Path
from types import FrameType
from unittest import mock

import click

import coi_tui
from coi_tui.cli import jobs, main
from coi_tui.methods.chain.chains import Chains
from tests.ui.helpers import demo

PAPER = "1/+1"
ROOT = str(Path(coi_tui.__file__).parent)


class Trace:
    """Notes the functions of own files that run while it watches, in every thread that begins after
    ``threading.setprofile``."""

    def __init__(self) -> None:
        self.watches = False
        self.seen: set[tuple[str, str]] = set()

    def __call__(self, frame: FrameType, event: str, _argument: object) -> None:
        file = frame.f_code.co_filename
        if self.watches and event == "call" and file.startswith(ROOT):
            self.seen.add((file.removeprefix(ROOT), frame.f_code.co_qualname))

    def show(self, what: str) -> None:
        """Print the files with the numbers of their functions."""
        found = Counter(file for file, _ in self.seen)
        print(f"{len(found)} files, {found.total()} functions; {what}")
        for file, functions in sorted(found.items()):
            print(f"{functions:4}  {file}")


def of_run(trace: Trace) -> None:
    """The second of two runs, since the first imports what it needs."""

    def end(*_: object, **__: object) -> None:
        trace.watches = False
        raise click.Abort

    for trace.watches in (False, True):
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(jobs, "ask", end):
            os.environ |= {"COI_HOME": folder, "OPENAI_BASE_URL": "http://127.0.0.1:9/v1"}
            main(["run", "dense passage retrieval"])
    trace.show("coi run to its question")


async def of_keys(trace: Trace) -> None:
    with tempfile.TemporaryDirectory() as folder:
        async with demo(Path(folder), stage="novelty") as trip:
            await trip.go(PAPER)
            await trip.idle()
            trace.watches = True
            for key in ("x", "enter"):
                await trip.press(key)
                await trip.idle()
            trace.watches = False
            trace.show(f"{PAPER} is now {Chains.of(trip.bench.session.state).slot(PAPER).verdict}")


if __name__ == "__main__":
    watching = Trace()
    threading.setprofile(watching)  # before the session's own thread begins
    sys.setprofile(watching)
    if "--run" in sys.argv:
        of_run(watching)
    else:
        asyncio.run(of_keys(watching))
