"""The sessions of a person as files: their names, archived, imported, restored from a copy, deleted
permanently."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

from coi_tui.model.errors import StoreError, UsageError, why_not_written
from coi_tui.model.text import clean_line, nearest
from coi_tui.paths import Paths

ENDING = ".coi.db"
_SAFE = re.compile(r"[^a-z0-9]+")
_NOT_IN_NAMES = re.compile(r'[/\\:*?"<>|\0]')


def slug(topic: str, limit: int = 40) -> str:
    """A file name for a topic: letters, digits and hyphens, at most ``limit`` characters, cut
    between words."""
    plain = unicodedata.normalize("NFKD", topic).encode("ascii", "ignore").decode().lower()
    words = _SAFE.sub("-", plain).strip("-")
    if len(words) > limit:
        words = words[:limit].rsplit("-", 1)[0]
    return words or "session"


def free_name(paths: Paths, topic: str) -> str:
    """The topic's slug, with a number where a session of that name exists."""
    name = base = slug(topic)
    number = 1
    while (paths.sessions / f"{name}{ENDING}").exists():
        number += 1
        name = f"{base}-{number}"
    return name


def session_path(paths: Paths, name: str, *, existing: bool = False) -> Path:
    """The file behind a session's name, or a path to a ``.coi.db`` file taken as it is. Raises
    UsageError naming what is wrong."""
    typed = clean_line(name)
    if typed.endswith(ENDING) and ("/" in typed or Path(typed).exists()):
        path = Path(typed).expanduser()
    else:
        path = _named(paths, typed.removesuffix(ENDING))
    if existing and not path.exists():
        known = [p.name.removesuffix(ENDING) for p in sorted(paths.sessions.glob(f"*{ENDING}"))]
        near = nearest(path.name.removesuffix(ENDING), known)
        hint = f"Did you mean {near}?" if near else "`coi ls` lists the sessions there are."
        raise UsageError(f"There is no session {typed!r}.", hint)
    return path


def _named(paths: Paths, name: str) -> Path:
    if not name or name[0] == "." or _NOT_IN_NAMES.search(name) or len(name.encode()) > 120:
        raise UsageError(
            f"{name[:60]!r} cannot be the name of a session.",
            "Use letters, digits, hyphens and blanks.",
        )
    return paths.sessions / f"{name}{ENDING}"


def archive(path: Path, when: str) -> None:
    """Archive a session (``when``: the ISO time), or take it back with an empty time. Raises
    StoreError."""
    from coi_tui.store.session_file import set_archived

    set_archived(path, when)


def import_session(paths: Paths, typed: str) -> Path:
    """Copy a session file that someone sent into the folder of sessions; the file itself stays
    where it is.

    Raises UsageError where there is no such file, StoreError for one that is no whole session file.
    """
    path = Path(clean_line(typed).strip("'\"")).expanduser()
    if not path.is_file():
        raise UsageError(f"There is no file {path}.", "Write the path of a .coi.db file.")
    from coi_tui.store.imports import import_copy  # light until a file is really imported

    free = free_name(paths, path.name.removesuffix(ENDING).removesuffix(".db"))
    target = paths.sessions / f"{free}{ENDING}"
    import_copy(path, target, free)
    return target


def last_copy(paths: Paths, path: Path) -> str:
    """When the newest whole copy was made, as an ISO time; empty where there is none."""
    from coi_tui.store.backups import last_good, taken

    copy = last_good(paths.backups, path)
    return taken(copy).isoformat(timespec="seconds").replace("+00:00", "Z") if copy else ""


def restore_last(paths: Paths, path: Path) -> None:
    """Put the newest whole copy in the place of a damaged session, which is renamed. Raises
    StoreError where there is no whole copy."""
    from coi_tui.store.backups import last_good, restore

    copy = last_good(paths.backups, path)
    if copy is None:
        raise StoreError(
            f"There is no intact copy of {path.name}.",
            "coi-tui keeps copies of sessions that were open for half an hour.",
        )
    restore(path, copy)


def session_files(paths: Paths, name: str) -> list[Path]:
    """Every file of a session: itself, SQLite's companions, what was salvaged of losses, and its
    backup copies.

    Raises UsageError when there is no such session.
    """
    from coi_tui.store.backups import copies
    from coi_tui.store.chain import mark_path

    path = session_path(paths, name, existing=True)
    endings = ("", "-wal", "-shm", "-journal", ".lock")
    companions = [path.with_name(path.name + ending) for ending in endings]
    lost = [f for f in path.parent.iterdir() if f.name.startswith(f"{path.name}.lost-")]
    files = [*companions, mark_path(path), *lost, *copies(paths.backups, path)]
    return [file for file in files if file.exists()]


def forget_session(paths: Paths, name: str) -> list[Path]:
    """Delete them. Raises StoreError when the session is open elsewhere or a file cannot be
    deleted."""
    from coi_tui.store.session_file import SessionFile
    from coi_tui.store.session_opening import what_to_do

    files = session_files(paths, name)
    with SessionFile.open(files[0], backups=paths.backups) as opened:
        if why := opened.read_only_reason:
            raise StoreError(f"{name} was not deleted: {why}.", what_to_do(why))
    for file in reversed(files):
        try:
            file.unlink(missing_ok=True)
        except OSError as error:
            why, hint = why_not_written(error)
            raise StoreError(f"{file} could not be deleted: {why}.", hint) from None
    return files
