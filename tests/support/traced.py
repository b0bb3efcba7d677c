"""``python -m tests.support.traced``: the own files in which a function runs from a key to the
repaint, for ``x`` (reject) and Enter on a paper of the demo session."""

from __future__ import annotations

import asyncio
import sys
import tempfile
import threading
from collections import Counter
from pathlib import Path
from types import FrameType

import coi_tui
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


async def main() -> None:
    trace = Trace()
    threading.setprofile(trace)  # before the session's own thread begins
    sys.setprofile(trace)
    with tempfile.TemporaryDirectory() as folder:
        async with demo(Path(folder), stage="novelty") as trip:
            await trip.go(PAPER)
            await trip.idle()
            trace.watches = True
            for key in ("x", "enter"):
                await trip.press(key)
                await trip.idle()
            trace.watches = False
            found = Counter(file for file, _ in trace.seen)
            slot = trip.bench.session.state.slot(PAPER)
            print(f"{len(found)} files, {found.total()} functions; {PAPER} is now {slot.verdict}")
            for file, functions in sorted(found.items()):
                print(f"{functions:4}  {file}")


if __name__ == "__main__":
    asyncio.run(main())
