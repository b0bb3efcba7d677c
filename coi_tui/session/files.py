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
from coi_tui.model.text import clean_line, nearest
from coi_tui.paths import Paths, writing

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
    """Archive a session (``when``: the ISO time), or take it back with an empty time; it keeps its
    place in the list. Raises StoreError where it is open elsewhere or cannot be written."""
    from coi_tui.store.session_file import SessionFile
    from coi_tui.store.summary import peek

    opened = peek(path).opened
    with SessionFile(path) as file:
        file.set_meta("archived", when)
        file.set_meta("opened", opened)


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

    path = session_path(paths, name, existing=True)
    endings = ("", "-wal", "-shm", "-journal", ".lock")
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
