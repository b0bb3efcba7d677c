"""Making a session file: it appears under its name only when it is whole."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from coi_tui.model.entries import Decision, Version
from coi_tui.model.errors import StoreError
from coi_tui.private_files import FILE_MODE, make_folder
from coi_tui.store.appending import append, batch
from coi_tui.store.backups import clear_companions
from coi_tui.store.migrations import session_migrations
from coi_tui.store.opening import database


def make(path: Path, meta: Mapping[str, str], entries: Sequence[Decision | Version] = ()) -> None:
    """Build a new file under a name of its own, then give it its name unless that is taken."""
    make_folder(path.parent)
    if path.exists():
        raise _taken(path)
    fresh = path.with_name(f".{path.name}.{os.getpid()}.new")
    fresh.unlink(missing_ok=True)
    try:
        _fill(fresh, meta, entries)
        clear_companions(path)
        _publish(fresh, path)
    finally:
        fresh.unlink(missing_ok=True)
        clear_companions(fresh)


def _fill(fresh: Path, meta: Mapping[str, str], entries: Sequence[Decision | Version]) -> None:
    db = database(fresh, "rwc")
    try:
        session_migrations().apply(db)
        with db.atomic():
            for key, value in meta.items():
                db.execute("INSERT INTO meta (key, value) VALUES (?, ?)", [key, value])
            append(db, batch(entries, (), (), (), ()), fresh.name)
    finally:
        db.close()


def _publish(fresh: Path, path: Path) -> None:
    """Name the file, without ever replacing another."""
    try:
        os.link(fresh, path)
    except FileExistsError:
        raise _taken(path) from None
    except OSError:  # a disk without hard links: claim the name first, then replace our own empty file
        try:
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, FILE_MODE))
        except FileExistsError:
            raise _taken(path) from None
        os.replace(fresh, path)


def _taken(path: Path) -> StoreError:
    return StoreError(f"The session {path} exists already, so nothing was written.", "Choose another name.")
