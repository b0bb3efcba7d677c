"""A text in the researcher's own editor: a private temporary file, read back as data."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from coi_tui.model.errors import UsageError
from coi_tui.model.text import clean
from coi_tui.paths import MOST_TEXT, read_file

MARK = "<!-- coi-tui: write below this line; it and all above it are taken off -->"


def editor_command(environ: Mapping[str, str] | None = None) -> list[str]:
    """$VISUAL, else $EDITOR, as a command with its arguments. Raises UsageError when neither is set
    or the program is not there."""
    import shutil

    env = os.environ if environ is None else environ
    said = env.get("VISUAL", "").strip() or env.get("EDITOR", "").strip()
    hint = "Set VISUAL or EDITOR, or go on in the editor of the app."
    if not said:
        raise UsageError("No editor is set.", hint)
    try:
        command = shlex.split(said)
    except ValueError:
        command = []
    if not command or shutil.which(command[0], path=env.get("PATH")) is None:
        raise UsageError(f"The editor {said[:60]!r} was not found.", hint)
    return command


def header(name: str, about: Sequence[str]) -> str:
    """The commented lines above the text."""
    lines = [f"coi-tui: {name}", *about, "An empty or unchanged text changes nothing."]
    return "".join(f"<!-- {line.replace('--', '- -')} -->\n" for line in lines) + MARK + "\n"


@contextlib.contextmanager
def text_file(name: str, text: str, about: Sequence[str]) -> Iterator[Path]:
    """The text in a file that only its owner can read; it is taken away again, whatever happens."""
    stem = re.sub(r"[^A-Za-z0-9+-]+", "-", name).strip("-")[:40] or "text"
    fd, place = tempfile.mkstemp(prefix=f"coi-{stem}-", suffix=".md", text=False)
    path = Path(place)
    try:
        with os.fdopen(fd, "w", encoding="utf-8", newline="\n") as file:
            file.write(header(name, about) + text)
        yield path
    finally:
        path.unlink(missing_ok=True)


def read_back(path: Path, before: str) -> str | None:
    """The text as it was left, cleaned; None where it is empty or as before. Raises UsageError for
    a file that cannot be read."""
    try:
        raw = read_file(path, MOST_TEXT).decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(
            f"The edited file could not be read ({type(error).__name__}).",
            "Your text here is as it was.",
        ) from None
    _, mark, below = raw.partition(f"{MARK}\n")
    said = clean(below if mark else raw)
    said = (
        said if before.endswith("\n") else said.removesuffix("\n")
    )  # editors end a file with a line end of their own
    return None if not said.strip() or said == before else said


def run_editor(command: Sequence[str], path: Path) -> int:
    """Run it and wait; its exit code. Raises UsageError when it cannot be started."""
    try:
        return subprocess.run([*command, str(path)], check=False).returncode
    except OSError as error:
        raise UsageError(
            f"The editor could not be started ({error.strerror}).", "Your text here is as it was."
        ) from None
