"""Taking a session away for good: its file, its copies, and what stands beside them."""

from __future__ import annotations

from pathlib import Path

from coi_tui.model.errors import StoreError
from coi_tui.paths import Paths
from coi_tui.session.look.names import session_path


def session_files(paths: Paths, name: str) -> list[Path]:
    """Every file of a session: itself, SQLite's companions, and its backup copies. Raises UsageError when there is no such session."""
    from coi_tui.store.backups import copies

    path = session_path(paths, name, existing=True)
    beside = [path.with_name(path.name + suffix) for suffix in ("-wal", "-shm", "-journal", ".lock")]
    return [p for p in [path, *beside, *copies(paths.backups, path)] if p.exists()]


def forget_session(paths: Paths, name: str) -> list[Path]:
    """Delete them. Raises StoreError when the session is open elsewhere or a file cannot be deleted."""
    from coi_tui.store.session_file import SessionFile

    files = session_files(paths, name)
    with SessionFile.open(session_path(paths, name, existing=True), backups=paths.backups) as held:
        if held.read_only:
            raise StoreError(f"{name} was not forgotten: {held.read_only_reason}.", "Close it elsewhere first.")
    for file in reversed(files):
        try:
            file.unlink(missing_ok=True)
        except OSError as error:
            raise StoreError(f"{file} could not be deleted ({error.strerror}).", "Check its permissions, then do it again.") from None
    return files
