"""The sessions of a person as files: archived, taken back, duplicated, imported, restored from a
copy, deleted for good."""

from __future__ import annotations

from pathlib import Path

from coi_tui.model.errors import StoreError, UsageError, why_not_written
from coi_tui.model.text import clean_line
from coi_tui.paths import Paths
from coi_tui.session.names import ENDING, free_name, session_path


def archive(path: Path, when: str) -> Path:
    """Put a session away (``when``: the ISO time), or take it back with an empty time; it keeps its
    place in the list. Raises StoreError where it is open elsewhere or cannot be written."""
    from coi_tui.store.session_file import SessionFile
    from coi_tui.store.summary import peek

    opened = peek(path).opened
    with SessionFile(path) as file:
        file.set_meta("archived", when)
        file.set_meta("opened", opened)
    return path


def import_session(paths: Paths, typed: str) -> Path:
    """Copy a session file that someone sent into the folder of sessions; the file itself stays
    where it is.

    Raises UsageError where there is no such file, StoreError for one that is no whole session file.
    """
    text = clean_line(typed).strip().strip("'\"")
    if not text:
        raise UsageError("No file was named.", "Write the path of a .coi.db file.")
    path = Path(text).expanduser()
    if path.is_dir():
        raise UsageError(f"{path} is a folder.", "Write the path of the .coi.db file in it.")
    if not path.is_file():
        raise UsageError(
            f"There is no file {path}.", "Check the path; ~ stands for your home folder."
        )
    from coi_tui.store.creation import import_copy  # light until a file is really imported

    free = free_name(paths, path.name.removesuffix(ENDING).removesuffix(".db"))
    target = paths.sessions / f"{free}{ENDING}"
    import_copy(path, target, free)
    return target


def restore_last(paths: Paths, path: Path) -> tuple[Path, Path | None]:
    """Put the newest whole copy in the place of a damaged session. Gives the copy, and where the
    damaged file was moved.

    Raises StoreError where there is no whole copy.
    """
    from coi_tui.store.backups import last_good, restore

    copy = last_good(paths.backups, path)
    if copy is None:
        raise StoreError(
            f"There is no intact copy of {path.name}.",
            "coi-tui keeps copies of sessions that were open for half an hour.",
        )
    return copy, restore(path, copy)


def last_copy(paths: Paths, path: Path) -> str:
    """When the newest whole copy was made, as an ISO time; empty where there is none."""
    from coi_tui.store.backups import last_good, taken

    copy = last_good(paths.backups, path)
    return (
        taken(copy).isoformat(timespec="seconds").replace("+00:00", "Z") if copy is not None else ""
    )


def session_files(paths: Paths, name: str) -> list[Path]:
    """Every file of a session: itself, SQLite's companions, and its backup copies.

    Raises UsageError when there is no such session.
    """
    from coi_tui.store.backups import copies
    from coi_tui.store.chain import mark_path

    path = session_path(paths, name, existing=True)
    beside = [
        path.with_name(path.name + suffix) for suffix in ("-wal", "-shm", "-journal", ".lock")
    ]
    files = [path, *beside, mark_path(path), *copies(paths.backups, path)]
    return [file for file in files if file.exists()]


def forget_session(paths: Paths, name: str) -> list[Path]:
    """Delete them. Raises StoreError when the session is open elsewhere or a file cannot be
    deleted."""
    from coi_tui.store.session_file import WHAT_TO_DO, SessionFile

    files = session_files(paths, name)
    with SessionFile(session_path(paths, name, existing=True), backups=paths.backups) as held:
        if held.read_only:
            raise StoreError(
                f"{name} was not deleted: {held.read_only_reason}.",
                WHAT_TO_DO.get(held.read_only_reason, ""),
            )
    for file in reversed(files):
        try:
            file.unlink(missing_ok=True)
        except OSError as error:
            why, hint = why_not_written(error)
            raise StoreError(f"{file} could not be deleted: {why}.", hint) from None
    return files
