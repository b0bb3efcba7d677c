"""Opening: locks, formats, damage, copies, disks that cannot be written."""

from __future__ import annotations

import os
import shutil
import sqlite3
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from coi_tui.model.errors import StoreError
from coi_tui.store import backups as copies
from coi_tui.store.backups import restore
from coi_tui.store.chain import put_row
from coi_tui.store.connection import NEWER, is_held, utc_now
from coi_tui.store.session_file import DISK_FULL, NOT_WRITABLE, OPEN_ELSEWHERE, SessionFile

from .making import as_nobody, call, new_session, open_folder, script, version

HOLD = """
import sys
from pathlib import Path
from coi_tui.store.chain import put_row
from coi_tui.store.session_file import SessionFile
file = SessionFile(Path(sys.argv[1]))
print(file.read_only_reason or "writing", flush=True)
sys.stdin.readline()
file.close()
"""


def test_second_process_reads_only(tmp_path: Path) -> None:
    with new_session(tmp_path) as first:
        first.commit(entries=[version(1)])
    holder = script(HOLD, first.path)
    assert holder.stdout is not None
    assert holder.stdout.readline().strip() == "writing"
    with SessionFile(first.path) as second:
        assert (second.read_only, second.read_only_reason) == (True, OPEN_ELSEWHERE)
        assert len(second.load().entries) == 1
        assert second.verify() == []
        with pytest.raises(StoreError, match="read-only"):
            second.commit(entries=[version(2)])
        with pytest.raises(StoreError, match="read-only"):
            second.set_ui("a", 1)
        with pytest.raises(StoreError, match="read-only"):
            second.save_draft("1", "", None, {})
        holder.communicate("go\n", timeout=30)
    with SessionFile(first.path) as third:
        assert not third.read_only
        assert third.read_only_reason == ""


def test_killed_holder_leaves_no_lock(tmp_path: Path) -> None:
    with new_session(tmp_path) as first:
        first.commit(entries=[version(1)])
    holder = script(HOLD, first.path)
    assert holder.stdout is not None
    holder.stdout.readline()
    assert is_held(tmp_path / "one.coi.db.lock")
    holder.kill()
    holder.communicate()
    assert not is_held(tmp_path / "one.coi.db.lock")
    with SessionFile(first.path) as again:
        assert not again.read_only


def test_newer_format_is_refused(tmp_path: Path) -> None:
    with new_session(tmp_path) as made:
        made.commit(entries=[version(1)])
    raw = sqlite3.connect(made.path)
    raw.execute("PRAGMA user_version = 99")
    raw.commit()
    raw.close()
    before = made.path.read_bytes()
    with pytest.raises(StoreError, match=NEWER):
        SessionFile(made.path, backups=tmp_path / "b")
    assert made.path.read_bytes() == before
    assert not (tmp_path / "one.coi.db.lock").exists()


def test_full_disk_at_opening_leaves_reading(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with new_session(tmp_path) as file:
        file.commit(entries=[version(1)])

    def full(*_: object, **__: object) -> bool:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr("coi_tui.store.session_file.prepare_for_writing", full)
    with SessionFile(file.path) as again:
        assert again.read_only_reason == DISK_FULL
        assert "disk is full" in again.notices[0]
        assert len(again.load().entries) == 1
    assert not (tmp_path / "one.coi.db.lock").exists()


def _scramble(path: Path) -> None:
    size = path.stat().st_size
    with path.open("r+b") as raw:
        raw.seek(4096)
        raw.write(b"\xa5" * (size - 4096))


def _behead(path: Path) -> None:
    path.write_bytes(b"this is no database at all" * 400)


def _cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def _empty(path: Path) -> None:
    os.truncate(path, 0)


@pytest.mark.parametrize("spoil", [_scramble, _behead, _cut, _empty])
def test_damaged_file_names_the_last_good_copy_and_restores(
    tmp_path: Path, spoil: Callable[[Path], None]
) -> None:
    place = tmp_path / "backups"
    with new_session(tmp_path, backups=place) as file:
        file.commit(entries=[version(n, "x" * 2000) for n in range(1, 30)])
        good = file.back_up()
        file.set_ui("a", 1)
        bad = file.back_up()
    assert good
    assert bad
    _scramble(bad)
    spoil(file.path)
    with pytest.raises(StoreError, match="damaged") as caught:
        SessionFile(file.path, backups=place)
    assert str(good) in str(caught.value)
    assert not (tmp_path / "one.coi.db.lock").exists()
    aside = restore(file.path, good)
    assert aside is not None
    assert aside.exists()
    with SessionFile(file.path, backups=place) as again:
        assert len(again.load().entries) == 29
        assert again.verify() == []


def test_restore_refuses_a_bad_copy_and_an_open_session(tmp_path: Path) -> None:
    with new_session(tmp_path, backups=tmp_path / "b") as file:
        good = file.back_up()
        assert good
        with pytest.raises(StoreError, match="open elsewhere"):
            restore(file.path, good)
    (tmp_path / "bad.coi.db").write_bytes(b"nothing")
    with pytest.raises(StoreError, match="not a complete session"):
        restore(file.path, tmp_path / "bad.coi.db")
    file.path.unlink()
    assert restore(file.path, good) is None
    SessionFile(file.path).close()


def test_copies_at_opening_three_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place, start, made = tmp_path / "b", utc_now(), list[int]()
    with new_session(tmp_path, backups=place) as file:
        file.commit(entries=[version(1)])
    assert len(copies.copies(place, file.path)) == 1
    for minutes in (10, 29, 31, 45, 70, 105, 140):
        now = start + timedelta(minutes=minutes)
        monkeypatch.setattr("coi_tui.store.session_file.utc_now", lambda now=now: now)
        before = copies.copies(place, file.path)
        SessionFile(file.path, backups=place).close()
        for new in {*copies.copies(place, file.path)} - {*before}:
            made.append(minutes)
            os.utime(new, (now.timestamp(), now.timestamp()))
    assert made == [31, 70, 105, 140]
    found = copies.copies(place, file.path)
    assert [copies.taken(copy) - start for copy in found] == [
        pytest.approx(timedelta(minutes=n), abs=timedelta(seconds=1)) for n in (140, 105, 70)
    ]
    assert found[0].parent == place / "one"
    assert all(copies.is_good(copy) for copy in found)
    assert {p.name for p in found[0].parent.iterdir()} == {p.name for p in found}


def test_backup_if_due_and_without_a_place(tmp_path: Path) -> None:
    with new_session(tmp_path) as file:
        assert file.back_up() is None
    with SessionFile(file.path, backups=tmp_path / "b") as again:
        assert again.back_up(if_due=True) is None
        copies.copies(tmp_path / "b", file.path)[0].unlink()
        assert again.back_up(if_due=True) is not None


def test_a_copy_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    with new_session(tmp_path) as file:
        file.commit(entries=[version(1)])
    (tmp_path / "b").write_text("a file where the folder should be")
    with SessionFile(file.path, backups=tmp_path / "b") as again:
        assert not again.read_only
        assert len(again.notices) == 1
        assert "No backup" in again.notices[0]
        with pytest.raises(StoreError):
            again.back_up()
        again.commit(entries=[version(2)])


def test_copied_file_opens_elsewhere(tmp_path: Path) -> None:
    with new_session(tmp_path) as file:
        file.commit(entries=[version(n) for n in range(1, 50)], calls=[call("k")])
    assert [p.name for p in tmp_path.iterdir()] == ["one.coi.db"]
    (tmp_path / "else where").mkdir()
    shutil.copy(file.path, tmp_path / "else where" / "two.coi.db")
    with SessionFile(tmp_path / "else where" / "two.coi.db") as copy:
        assert copy.verify() == []
        assert len(copy.load().entries) == 49
        assert copy.find_call("k") is not None


LOOK = """
import sys
from pathlib import Path
from coi_tui.store.chain import put_row
from coi_tui.store.session_file import SessionFile
from coi_tui.store.summary import peek
path = Path(sys.argv[1])
print(peek(path).state)
file = SessionFile(path, backups=path.parent / "b")
print(file.read_only_reason)
print(len(file.load().entries), file.verify())
file.close()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="rights of POSIX")
@pytest.mark.parametrize("what", ["folder", "file"])
def test_what_cannot_be_written_is_read(what: str) -> None:
    folder = open_folder()
    with new_session(folder) as file:
        file.commit(entries=[version(1)])
    folder.chmod(0o555 if what == "folder" else 0o777)
    file.path.chmod(0o666 if what == "folder" else 0o444)
    try:
        assert as_nobody(LOOK, file.path).splitlines() == ["ok", NOT_WRITABLE, "1 []"]
    finally:
        folder.chmod(0o755)
        shutil.rmtree(folder)


@pytest.mark.skipif(sys.platform == "win32", reason="rights of POSIX")
def test_a_file_left_in_wal_mode_is_read_where_nothing_can_be_written() -> None:
    folder = open_folder()
    with new_session(folder) as file:
        file.commit(entries=[version(1)])
    raw = sqlite3.connect(file.path)
    raw.execute("PRAGMA journal_mode = WAL")
    put_row(raw, "ui", "a", "1")
    raw.commit()
    raw.close()
    file.path.chmod(0o644)  # shared by its owner
    folder.chmod(0o555)
    try:
        assert as_nobody(LOOK, file.path).splitlines() == ["ok", NOT_WRITABLE, "1 []"]
    finally:
        folder.chmod(0o755)
        shutil.rmtree(folder)
