"""Copies: the terminal's own way (OSC 52), a program of the system, and a file where no program took the text."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from textual.app import App

PATIENCE = 2.0
"""Seconds that a program gets to take the text."""


def programs() -> list[Sequence[str]]:
    """The programs that are there and have a desktop to talk to, the likeliest first."""
    wanted: list[tuple[Sequence[str], bool]] = [
        (("pbcopy",), True),
        (("wl-copy",), bool(os.environ.get("WAYLAND_DISPLAY"))),
        (("xclip", "-selection", "clipboard"), bool(os.environ.get("DISPLAY"))),
        (("clip.exe",), True),
    ]
    return [command for command, there in wanted if there and shutil.which(command[0])]


def hand_over(text: str) -> str:
    """The program that took the text, or nothing. It may take up to ``PATIENCE`` seconds each: for a worker thread."""
    for command in programs():
        encoded = text.encode("utf-16") if command[0] == "clip.exe" else text.encode()
        try:
            done = subprocess.run(
                command, input=encoded, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=PATIENCE, check=False
            )
        except (OSError, subprocess.TimeoutExpired):
            continue
        if done.returncode == 0:
            return command[0]
    return ""


def put_aside(text: str) -> Path:
    """The text in a file of its own that only this user can read."""
    handle, name = tempfile.mkstemp(prefix="coi-copy-", suffix=".md")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    return Path(name)


async def copy(app: App[object], text: str, what: str) -> str:
    """Copy a text and say where it went. No terminal says whether it took an OSC 52, so a file is written where no program did."""
    app.copy_to_clipboard(text)
    program = await asyncio.to_thread(hand_over, text)
    if program:
        return f"Copied {what} with {program}."
    try:
        path = await asyncio.to_thread(put_aside, text)
    except OSError as error:
        return f"Sent {what} to the terminal (OSC 52), which may not accept it; no file could be written ({error.strerror})."
    return f"Sent {what} to the terminal (OSC 52), which may not accept it; it is also in {path}"
