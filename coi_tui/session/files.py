"""Sessions by their names, as files: archived, imported, restored from a copy, deleted permanently;
and addresses and versions as people type them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Set
from pathlib import Path
from typing import TYPE_CHECKING

from coi_tui.model.address import cell_ref, slot
from coi_tui.model.errors import StoreError, UnknownAddress, UsageError
from coi_tui.model.suggest import did_you_mean
from coi_tui.model.text import clean_line, listed
from coi_tui.paths import Paths, writing
from coi_tui.store.connection import has_wal, iso, session_name, utc_now
from coi_tui.store.connection import session_files as named_files
from coi_tui.store.summary import list_sessions, peek

if TYPE_CHECKING:
    from coi_tui.model.state import State

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


def session_path(paths: Paths, name: str, *, existing: bool = False, whole: bool = False) -> Path:
    """The file behind a session's name, or a path to a ``.coi.db`` file taken as it is. Of an
    ``existing`` one the beginning of the name will do, or ``-`` for the last, unless the ``whole``
    name is asked for. Raises UsageError naming what is wrong."""
    typed = clean_line(name)
    if typed.endswith(".db") and ("/" in typed or Path(typed).exists()):
        path = Path(typed).expanduser()
    else:
        path = _named(paths, typed.removesuffix(ENDING))
    return path if path.exists() or not existing else _meant(paths, typed, whole)


def _meant(paths: Paths, typed: str, whole: bool) -> Path:
    """The session that somebody means who did not write its whole name; ``whole``: nothing else
    will do."""
    known = named_files(paths.sessions) if paths.sessions.exists() else {}
    last = last_session(paths) if typed == LAST and not whole else None
    if found := known.get(typed) or last:
        return found
    begun = [] if whole else [name for name in known if name.startswith(typed)]
    if len(begun) == 1:
        return known[begun[0]]
    if begun:
        raise UsageError(f"{typed!r} begins several names: {listed(begun)}.", "Write more of it.")
    hint = did_you_mean(typed.removesuffix(ENDING), known, "`coi ls` lists the sessions there are.")
    raise UsageError(f"There is no session {typed!r}.", hint)


LAST = "-"
"""Typed for the session that was used last."""


def last_session(paths: Paths) -> Path | None:
    """The session that was used last and is not archived; None where there is none."""
    return next((one.path for one in list_sessions(paths.sessions) if not one.archived), None)


def _named(paths: Paths, name: str) -> Path:
    if not name or name[0] == "." or _NOT_IN_NAMES.search(name) or len(name.encode()) > 120:
        raise UsageError(
            f"{name[:60]!r} cannot be the name of a session.",
            "Use letters, digits, hyphens and blanks.",
        )
    return paths.sessions / f"{name}{ENDING}"


def archive_session(path: Path, *, back: bool = False) -> None:
    """Archive a session, or take it back; it keeps its place in the list. Raises StoreError where it
    is open elsewhere or cannot be written."""
    from coi_tui.store.session_file import SessionFile

    opened = peek(path).opened
    with SessionFile(path) as file:
        file.set_meta("archived", "" if back else iso(utc_now()))
        file.set_meta("opened", opened)


def rename_session(paths: Paths, path: Path, new: str) -> Path:
    """Give a session another name. Raises UsageError for one that is taken or cannot be a name,
    StoreError where the session is open elsewhere or cannot be written."""
    from coi_tui.store.session_file import SessionFile

    target = _named(paths, clean_line(new))
    if target.exists():
        raise UsageError(f"There is a session {new!r} already.", "Choose another name.")
    with SessionFile(path) as file:
        file.set_meta("name", session_name(target))
    if has_wal(path):  # a reader holds a part of the session outside of its file
        raise StoreError(f"{path.name} is being read, so it keeps its name.", "Try again later.")
    with writing(f"{path.name} cannot be renamed"):
        path.rename(target)
    return target


def copy_session(paths: Paths, path: Path, new: str = "") -> Path:
    """Make a copy of a session, a session of its own from then on. Raises UsageError for a name that
    cannot be one, StoreError where it is taken or the session is damaged."""
    from coi_tui.store.creation import import_copy

    target = _named(paths, clean_line(new) or free_name(paths, session_name(path)))
    import_copy(path, target, session_name(target))
    return target


def import_session(paths: Paths, typed: str) -> Path:
    """Copy a session file that someone sent into the folder of sessions; the file itself stays
    where it is.

    Raises UsageError where there is no such file, StoreError for one that is no whole session file.
    """
    path = Path(clean_line(typed).strip("'\"")).expanduser()
    if not path.is_file():
        raise UsageError(f"There is no file {path}.", "Write the path of a .coi.db file.")
    from coi_tui.store.creation import import_copy  # light until a file is really imported

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

    path = session_path(paths, name, existing=True, whole=True)
    endings = ("", "-wal", "-shm", "-journal", ".lock", ".proposals", ".taken")
    companions = [path.with_name(path.name + ending) for ending in endings]
    lost = [f for f in path.parent.iterdir() if f.name.startswith(f"{path.name}.lost-")]
    files = [*companions, mark_path(path), *lost, *copies(paths.backups, path)]
    return [file for file in files if file.exists()]


def forget_session(paths: Paths, name: str) -> list[Path]:
    """Delete them. Raises StoreError when the session is open elsewhere or a file cannot be
    deleted."""
    from coi_tui.store.session_file import WHAT_TO_DO, SessionFile

    files = session_files(paths, name)
    with SessionFile(files[0], backups=paths.backups) as opened:
        if why := opened.read_only_reason:
            raise StoreError(f"{name} was not deleted: {why}.", WHAT_TO_DO.get(why, ""))
    for file in reversed(files):
        with writing(f"{file} could not be deleted"):
            file.unlink(missing_ok=True)
    return files


# addresses and versions as people type them


def require_known(state: State, address: str, rows: Set[str], *, made: bool) -> None:
    """Raises UnknownAddress for an address of a branch, a match or a place in a chain that the
    session does not have.

    A text that has not been made yet is no reason: there are decisions about those too. ``rows``
    gives the addresses in the tree; ``made``: whether the methods of the session make cells of this
    name.
    """
    at = cell_ref(address)
    if at.form == "match":
        there = {at.branch, at.rival} <= set(state.branches)
    elif at.form == "pair":
        there = {slot(at.branch, at.pos), slot(at.branch, at.newer)} <= rows
    elif at.form in ("attached", "place"):
        there = at.slot in rows
    else:
        inside = at.branch in (*state.branches, *state.instances)
        there = address in rows or not at.branch or (made and inside)
    if not there and not state.cell(address).versions:
        known = ", ".join(map(str, state.branches)) or "none"
        hint = f"Its branches are {known}."
        if at.branch in state.branches:
            hint = f"`coi show NAME` lists the rows of branch {at.branch}."
        raise UnknownAddress(f"There is no {address} in this session.", hint)


def find_version(state: State, address: str, text: str) -> int:
    """The entry number of a typed version: ``v2`` is the second of its cell, as ``2`` is where that
    is no entry number of the cell's. Raises UsageError."""
    typed, versions = text.strip().casefold(), state.cell(address).versions
    number = typed.removeprefix("v")
    if not number.isdigit():
        raise UsageError(
            f"{text!r} is not a version.", "Say v1, v2 ... as the history counts them."
        )
    if typed == number and int(number) in versions:
        return int(number)
    if not 1 <= int(number) <= len(versions):
        raise UsageError(f"{address} has no version v{number}.", f"It has {len(versions)}.")
    return versions[int(number) - 1]
