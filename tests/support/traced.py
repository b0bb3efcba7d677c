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
from tests.ui.helpers import Trip, demo

PAPER = "1/+1"
ROOT = str(Path(coi_tui.__file__).parent)


async def traced(trip: Trip, *keys: str) -> Counter[str]:
    """Functions that run in each own file, in this thread and in those that begin meanwhile, until
    nothing is under way any more. A session file's own thread has begun before."""
    seen: set[tuple[str, str]] = set()

    def note(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call" and (file := frame.f_code.co_filename).startswith(ROOT):
            seen.add((file.removeprefix(ROOT), frame.f_code.co_qualname))

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        for key in keys:
            await trip.press(key)
            await trip.idle()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return Counter(file for file, _ in seen)


async def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        async with demo(Path(folder), stage="novelty") as trip:
            await trip.go(PAPER)
            await trip.idle()
            found = await traced(trip, "x", "enter")
            slot = trip.bench.session.state.slot(PAPER)
            print(f"{len(found)} files, {found.total()} functions; {PAPER} is now {slot.verdict}")
            for file, functions in sorted(found.items()):
                print(f"{functions:4}  {file}")


if __name__ == "__main__":
    asyncio.run(main())
