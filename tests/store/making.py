"""Values and processes for the store's tests."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from coi_tui.model.entries import Call, Decision, Version, meanings_of
from coi_tui.store.session_file import SessionFile

ROOT = Path(__file__).parents[2]
META = {"name": "a session", "topic": "chains", "method": "coi"}


def decision(seq: int, **more: object) -> Decision:
    fields = {
        "seq": seq,
        "time": "2026-01-01T00:00:00Z",
        "actor": "you",
        "action": "pin",
        "address": "1/0",
        "group": f"d{seq}",
        **more,
    }
    return Decision.model_validate(fields)


def version(seq: int, text: str = "a text", **more: object) -> Version:
    content = {"idea": text}
    fields = {
        "seq": seq,
        "time": "2026-01-01T00:00:00Z",
        "actor": "coi",
        "address": "1/idea",
        "content": content,
        "meanings": meanings_of(content),
        "origin": "model",
        **more,
    }
    return Version.model_validate(fields)


def call(key: str, **more: object) -> Call:
    return Call.model_validate(
        {
            "key": key,
            "kind": "chat",
            "address": "1/idea",
            "reply": {"text": f"reply to {key}"},
            **more,
        }
    )


def new_session(folder: Path, name: str = "one", backups: Path | None = None) -> SessionFile:
    return SessionFile.create(folder / f"{name}.coi.db", META, backups=backups)


def script(code: str, *args: object) -> subprocess.Popen[str]:
    """A Python process of its own that runs ``code`` with coi_tui at hand."""
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, args)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


_DROP_RIGHTS = """
import os
import sqlite_utils, sqlite_utils.db
import coi_tui.store.library_file, coi_tui.store.session_file, coi_tui.store.summary
if os.getuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
"""


def as_nobody(code: str, *args: object) -> str:
    """What a process without root's rights prints (root may write everywhere)."""
    process = script(_DROP_RIGHTS + code, *args)
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 0, out
    return out


def open_folder() -> Path:
    """A folder that other users may enter, unlike pytest's own."""
    folder = Path(tempfile.mkdtemp(prefix="coi-store-"))
    folder.chmod(0o755)
    return folder
