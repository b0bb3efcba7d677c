"""``python scripts/screens.py [FOLDER]``: the pictures of the README, drawn from the recorded
session into ``docs/screens``."""

from __future__ import annotations

import asyncio
import os
import re
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from coi_tui.app import CoiApp  # noqa: E402  the folder above is not installed
from coi_tui.config import Keys, Settings  # noqa: E402
from coi_tui.paths import Paths  # noqa: E402
from coi_tui.screens.workbench import WorkbenchScreen  # noqa: E402
from coi_tui.session.files import session_path  # noqa: E402
from coi_tui.session.recorded_session import RECORDED, unpack_session  # noqa: E402
from tests.ui.helpers import Trip  # noqa: E402

SIZE = (120, 36)
AT = {"wall": "W1/wall", "workbench": "1/idea"}
"""The rows that are shown."""


async def pictures(out: Path) -> list[Path]:
    """The wall of the recorded session, its workbench at the idea that was worked out, and the list
    of sessions; equal screens are equal files."""
    paths = Paths(data=Path("data"), config=Path("config"), cache=Path("cache"))
    paths.sessions.mkdir(parents=True)
    unpack_session(session_path(paths, RECORDED), RECORDED)
    app = CoiApp(paths, Settings(), Keys(), session=RECORDED)
    files = []
    async with app.run_test(size=SIZE) as pilot:
        trip = Trip(app, pilot)
        await trip.on(WorkbenchScreen)
        for name in ("wall", "workbench", "home"):
            if name in AT:
                await trip.go(AT[name])
            if name == "wall":
                await trip.press("enter")
            await trip.idle()
            svg = app.export_screenshot(title="coi-tui")
            files.append(out / f"{name}-{SIZE[0]}x{SIZE[1]}.svg")
            files[-1].write_text(re.sub(r"terminal-\d+", "terminal-0", svg), encoding="utf-8")
            await trip.press("q")
    return files


def main() -> None:
    out = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "docs" / "screens").resolve()
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)  # paths on the screen read the same everywhere
        for file in asyncio.run(pictures(out)):
            sys.stdout.write(f"{file}\n")


if __name__ == "__main__":
    main()
