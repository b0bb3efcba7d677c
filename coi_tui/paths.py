"""Where files live, files and folders for this user alone, and the border for files that a person hands
over. ``COI_HOME`` puts data, config and cache under one folder.

What a researcher writes and reads is private: the folders that are made here can be entered, and
the files read, by their owner only.
"""

from __future__ import annotations

import os
import shlex
import stat
import subprocess
import tempfile
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from platformdirs import PlatformDirs

from coi_tui.model.errors import StoreError, UsageError, why_not_written
from coi_tui.model.text import clean

APP = "coi-tui"


@dataclass(frozen=True)
class Paths:
    """The folders and files of one installation. Nothing is created by asking for it."""

    data: Path
    config: Path
    cache: Path

    @property
    def sessions(self) -> Path:
        return self.data / "sessions"

    @property
    def backups(self) -> Path:
        return self.data / "backups"

    @property
    def library(self) -> Path:
        """What sessions have met."""
        return self.data / "library.db"

    @property
    def own_papers(self) -> Path:
        """The papers that the researcher imported."""
        return self.data / "my_papers.json"

    @property
    def zotero(self) -> Path:
        """What was taken from Zotero, and when."""
        return self.data / "zotero.json"

    @property
    def own_lists(self) -> Path:
        """The lists that were imported, each with the ids of its papers."""
        return self.data / "my_lists.json"

    @property
    def imported_texts(self) -> Path:
        """The texts of the researcher's PDFs, a file each."""
        return self.data / "my_texts"

    @property
    def config_file(self) -> Path:
        return self.config / "config.toml"

    @property
    def prompts(self) -> Path:
        """A prompt file here replaces the built-in one of the same name."""
        return self.config / "prompts"

    @property
    def log(self) -> Path:
        return self.cache / "coi.log"


def paths(environ: dict[str, str] | None = None) -> Paths:
    """The paths for this environment; ``COI_HOME`` wins over the platform's own places."""
    home = (os.environ if environ is None else environ).get("COI_HOME", "").strip()
    if home:
        root = Path(home).expanduser()
        return Paths(data=root / "data", config=root / "config", cache=root / "cache")
    dirs = PlatformDirs(APP, appauthor=False)
    return Paths(
        data=Path(dirs.user_data_dir),
        config=Path(dirs.user_config_dir),
        cache=Path(dirs.user_cache_dir),
    )


# -- private files

FILE_MODE = 0o600
FOLDER_MODE = 0o700


def make_folder(folder: Path) -> None:
    """Make a folder, and those above it that are missing. Raises OSError."""
    missing = [above for above in folder.parents if not above.exists()]
    for each in (*reversed(missing), folder):
        each.mkdir(mode=FOLDER_MODE, exist_ok=True)


def make_file(file: Path) -> None:
    """Make an empty file where there is none, for another library to write into. Raises OSError."""
    os.close(os.open(file, os.O_CREAT | os.O_WRONLY, FILE_MODE))


def write_whole(file: Path, content: str | bytes, *, mode: int = FILE_MODE) -> None:
    """Put a content in the place of a file; it is on the disk when this returns.

    Raises OSError, also for a missing folder; then nothing has changed.
    """
    number, part = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name[:40]}.")
    try:
        with os.fdopen(number, "wb") as out:
            out.write(content.encode("utf-8") if isinstance(content, str) else content)
            out.flush()
            os.fsync(out.fileno())
        os.chmod(part, mode)
        os.replace(part, file)
    except BaseException:
        Path(part).unlink(missing_ok=True)
        raise


def write_files(files: Mapping[Path, str | bytes], overwrite: bool = False) -> None:
    """Write each text to its path; a file that is replaced keeps its rights, and a device or a pipe
    is written to. Raises UsageError for a folder, a file that exists (without ``overwrite``; then
    nothing is written), and one that cannot be written, which is then as it was before."""
    path = Path()
    try:
        modes = {path: path.stat().st_mode for path in files if path.exists()}
        for path, mode in modes.items():
            if stat.S_ISDIR(mode):
                raise UsageError(f"{path} is a folder.", "Give the name of a file.")
            if stat.S_ISREG(mode) and not overwrite:
                raise UsageError(
                    f"{path} already exists.",
                    "Choose another name, or say that it may be overwritten.",
                )
        for path, text in files.items():
            mode = modes.get(path, stat.S_IFREG | FILE_MODE)
            if stat.S_ISREG(mode):
                write_whole(Path(os.path.realpath(path)), text, mode=stat.S_IMODE(mode))
            else:
                path.write_bytes(text.encode() if isinstance(text, str) else text)
    except OSError as error:
        why, hint = why_not_written(error)
        raise UsageError(f"{path} cannot be written: {why}.", hint) from None


@contextmanager
def writing(trouble: str) -> Iterator[None]:
    """A block that writes or deletes files. An OSError in it becomes a StoreError of these words and
    the cause."""
    try:
        yield
    except OSError as error:
        why, hint = why_not_written(error)
        raise StoreError(f"{trouble}: {why}.", hint) from None


# -- files that a person hands over: a device or a pipe may never end, and a file of a gigabyte is none
# that was meant

MOST_LIST = 64_000_000
"""Bytes of a list of papers: some 30,000 with their abstracts."""
MOST_TEXT = 4_000_000
"""Bytes of a text for a cell."""
MOST_SETTINGS = 1_000_000
"""Bytes of a file of settings, keys or of a prompt."""


def read_file(file: Path, most: int, *, pipe: bool = False) -> bytes:
    """The bytes of a file. ``pipe``: what another program writes into a pipe will do.

    Raises OSError where it cannot be read, UsageError where it is no file or larger than ``most``.
    """
    with open(file, "rb", buffering=0, opener=None if pipe else _at_once) as opened:
        mode = os.fstat(opened.fileno()).st_mode
        if not (stat.S_ISREG(mode) or (pipe and (stat.S_ISFIFO(mode) or stat.S_ISCHR(mode)))):
            raise UsageError(
                f"{file} is not a file, so it was not read.", "Give the name of a file."
            )
        return read_stream(opened, most, str(file))


def read_stream(stream: IO[bytes], most: int, name: str) -> bytes:
    """Everything of a stream. Raises UsageError for more than ``most`` bytes."""
    parts, left = list[bytes](), most + 1
    while left and (part := stream.read(min(left, 1_000_000))):
        parts.append(part)
        left -= len(part)
    if not left:
        raise UsageError(
            f"{name} is larger than {most // 1_000_000} MB, so it was not read.",
            "Give a smaller file, or split it.",
        )
    return b"".join(parts)


def _at_once(path: str, flags: int) -> int:
    """Open without waiting for someone to write into a pipe."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def parse_toml(text: str) -> dict[str, Any]:
    """The content of a TOML text. Raises tomllib.TOMLDecodeError, also where it is nested too
    deeply."""
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise tomllib.TOMLDecodeError("it is nested too deeply") from None


MARK = "<!-- coi-tui: write below this line; it and all above it are taken off -->\n"


def edit_outside(text: str, about: Sequence[str]) -> tuple[str | None, int]:
    """The text as the person's own editor ($VISUAL, else $EDITOR) left it, None where it is empty
    or unchanged, and the editor's exit code. ``about``: comments above the text, which is in a
    private temporary file meanwhile.

    Raises UsageError where no editor can be started, or what it left cannot be read.
    """
    command = os.environ.get("VISUAL", "").strip() or os.environ.get("EDITOR", "").strip()
    if not command:
        raise UsageError("No editor is set.", "Set VISUAL or EDITOR.")
    lines = [*about, "An empty or unchanged text changes nothing."]
    header = "".join(f"<!-- {line.replace('--', '- -')} -->\n" for line in lines)
    with tempfile.TemporaryDirectory(prefix="coi-") as folder:
        path = Path(folder, "text.md")
        path.write_text(header + MARK + text, encoding="utf-8", newline="\n")
        try:
            code = subprocess.run([*shlex.split(command), str(path)], check=False).returncode
            raw = read_file(path, MOST_TEXT).decode("utf-8-sig").replace("\r\n", "\n")
        except (OSError, ValueError) as error:
            raise UsageError(
                f"The text could not be edited with {command[:60]!r} ({type(error).__name__}).",
                "Your text here is as it was.",
            ) from None
    _, mark, below = raw.partition(MARK)
    new = clean(below if mark else raw)
    if not text.endswith("\n"):  # editors end a file with a line end of their own
        new = new.removesuffix("\n")
    return (new if new.strip() and new != text else None), code
