"""What must not be loaded before a session is opened, and how the first frame looks without it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from coi_tui.config import Keys, Settings
from coi_tui.paths import paths
from coi_tui.session.session import Session

MODELS = ("pydantic", "coi_tui.config")  # loaded after the first frame, beside it
HEAVY = (
    "openai",
    "httpx",
    "httpx2",
    "jinja2",
    "numpy",
    "pypdfium2",
    "genai_prices",
    "rapidfuzz",
    "bibtexparser",
    "pylatexenc",
    "tomlkit",
)

PROGRAM = f"""
import asyncio, sys
import coi_tui.app
heavy = {HEAVY!r}
assert not [m for m in (*heavy, *{MODELS!r}) if m in sys.modules], ("import", [m for m in (*heavy, *{MODELS!r}) if m in sys.modules])

async def frame():
    from coi_tui.config import Settings
    from coi_tui.paths import paths
    app = coi_tui.app.CoiApp(paths(), Settings())
    async with app.run_test(size=(80, 24)) as pilot:
        while not app.screen.loaded:
            await pilot.pause(0.01)
        await pilot.pause()

asyncio.run(frame())
loaded = [m for m in heavy if m in sys.modules]
assert not loaded, ("first frame", loaded)
"""


def test_nothing_heavy_before_a_session_is_opened(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={"COI_HOME": str(tmp_path), "PATH": "/usr/bin:/bin", "TERM": "xterm"},
    )
    assert done.returncode == 0, done.stderr


OPENING = """
import sys
from coi_tui.config import Keys, Settings
from coi_tui.paths import paths
from coi_tui.session.session import Session

with Session.open("made", paths=paths(), settings=Settings(), keys=Keys()) as session:
    assert session.queries.rows()
    assert session.queries.detail("topic").parts
    assert not session.read_only_reason
    assert "numpy" not in sys.modules
    others = [m for m in sys.modules if m.startswith("coi_tui.methods.") and m.endswith(".method") and m != "coi_tui.methods.coi.method"]
    assert not others, others
"""


def test_a_session_is_opened_and_looked_at_without_what_only_writing_needs(tmp_path: Path) -> None:
    Session.create(
        "made",
        "a topic",
        paths=paths({"COI_HOME": str(tmp_path)}),
        settings=Settings(),
        keys=Keys(),
    ).close()
    done = subprocess.run(
        [sys.executable, "-c", OPENING],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={"COI_HOME": str(tmp_path), "PATH": "/usr/bin:/bin", "TERM": "xterm"},
    )
    assert done.returncode == 0, done.stderr
