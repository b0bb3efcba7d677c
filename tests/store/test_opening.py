"""Opening: locks, formats, damage, copies, disks that cannot be written; files that are brought in."""

import os
import shutil
import sqlite3
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from benchmarks.hostile_imports import CASES, campaign
from coi_tui.model.errors import StoreError
from coi_tui.model.papers import Paper
from coi_tui.store import backups
from coi_tui.store import backups as copies
from coi_tui.store.backups import restore
from coi_tui.store.chain import put_row
from coi_tui.store.connection import NEWER, unfinished, utc_now
from coi_tui.store.creation import import_copy
from coi_tui.store.session_file import NOT_WRITABLE, OPEN_ELSEWHERE, SessionFile
from coi_tui.store.summary import SessionSummary, peek, read_summary

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
    new_session(tmp_path, backups=place).close()
    path = tmp_path / "one.coi.db"
    assert len(copies.copies(place, path)) == 1
    for minutes in (10, 29, 31, 45, 70, 105, 140):
        now = start + timedelta(minutes=minutes)
        monkeypatch.setattr("coi_tui.store.session_file.utc_now", lambda now=now: now)
        before = {*copies.copies(place, path)}
        SessionFile(path, backups=place).close()
        for new in {*copies.copies(place, path)} - before:
            made.append(minutes)
            os.utime(new, (now.timestamp(), now.timestamp()))
    assert made == [31, 70, 105, 140]
    found = copies.copies(place, path)
    assert [round((copies.taken(c) - start).total_seconds() / 60) for c in found] == [140, 105, 70]
    assert all(map(copies.is_good, found))
    assert {*found[0].parent.iterdir()} == {*found}


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
@pytest.mark.parametrize("what", ["folder", "file", "folder in WAL mode"])
def test_what_cannot_be_written_is_read(what: str) -> None:
    folder = open_folder()
    with new_session(folder) as file:
        file.commit(entries=[version(1)])
    if what == "folder in WAL mode":
        raw = sqlite3.connect(file.path)
        raw.execute("PRAGMA journal_mode = WAL")
        put_row(raw, "ui", "a", "1")
        raw.commit()
        raw.close()
    file.path.chmod(0o444 if what == "file" else 0o666)
    folder.chmod(0o777 if what == "file" else 0o555)
    try:
        assert as_nobody(LOOK, file.path).splitlines() == ["ok", NOT_WRITABLE, "1 []"]
    finally:
        folder.chmod(0o755)
        shutil.rmtree(folder)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "backups"


def _copy_at(file: SessionFile, place: Path, minutes: int) -> Path:
    """A copy by a clock that is so many minutes off."""
    with sqlite3.connect(file.path) as connection:
        copy = backups.back_up(connection, place, file.path)
    when = (utc_now() + timedelta(minutes=minutes)).timestamp()
    os.utime(copy, (when, when))
    return copy


def test_the_longest_log_comes_first_whatever_the_clock_said(tmp_path: Path, place: Path) -> None:
    with new_session(tmp_path) as file:
        file.commit(entries=[version(1)])
        early = _copy_at(file, place, 60 * 24 * 365)
        file.commit(entries=[version(2)])
        late = _copy_at(file, place, 0)
        file.set_ui("place", {"at": "1/idea"})
        last = _copy_at(file, place, -5)
        assert backups.copies(place, file.path) == [last, late, early]
        assert backups.last_good(place, file.path) == last
        assert not backups.due(place, file.path, utc_now())
        assert backups.due(place, file.path, utc_now() + timedelta(hours=1)), (
            "a copy from the future does not stand for one of now"
        )


def test_what_killed_processes_left_is_removed_after_a_day_and_nothing_else(tmp_path: Path) -> None:
    left, building = (unfinished(tmp_path / f"{name}.coi.db") for name in ("two", "three"))
    notes = tmp_path / ".notes.new"
    for file in (left, building, notes):
        file.touch()
    for file in (left, notes):
        os.utime(file, (0, 0))
    new_session(tmp_path).close()
    assert {file.name for file in tmp_path.iterdir()} == {building.name, notes.name, "one.coi.db"}


@pytest.fixture
def sent(tmp_path: Path) -> Path:
    """A session that somebody else made."""
    with new_session(tmp_path / "theirs") as file:
        file.commit(
            entries=[version(1, calls=[1])], calls=[call("a")], papers=[Paper(id="p", title="P")]
        )
        file.save_draft("1/idea", "half a sentence", 1, {"a": 1})
        file.set_ui("place", {"at": "1/idea"})
        file.set_meta("summary", '{"ideas": 3}')
        file.set_meta("archived", "2026-01-01")
    return file.path


def test_a_sample_of_the_hostile_files_does_no_harm() -> None:
    found = campaign(CASES[::4])
    assert {title: outcome.harm for title, outcome in found.items() if outcome.harm} == {}
    assert {"refused", "clean"} == {outcome.imported for outcome in found.values()}


def test_rows_come_along_and_the_copy_is_a_session_of_its_own(sent: Path, tmp_path: Path) -> None:
    target = tmp_path / "mine" / "two.coi.db"
    import_copy(sent, target, "two")
    with SessionFile(sent) as theirs, SessionFile(target) as mine:
        old, new = theirs.load(), mine.load()
        assert (new.entries, new.papers, mine.calls(replies=True)) == (
            old.entries,
            old.papers,
            theirs.calls(replies=True),
        )
        assert (mine.drafts(), mine.ui()) == (theirs.drafts(), theirs.ui())
        assert (new.meta["name"], new.meta["topic"], read_summary(new.meta["summary"])) == (
            "two",
            old.meta["topic"],
            SessionSummary(ideas=3),
        )
        assert "archived" not in new.meta
        assert new.meta["id"] != old.meta["id"]
        assert mine.verify() == []
    assert [file.name for file in target.parent.iterdir()] == ["two.coi.db"]


def test_a_copy_never_takes_the_place_of_a_session(sent: Path, tmp_path: Path) -> None:
    with new_session(tmp_path) as file:
        file.commit(entries=[version(1, "mine")])
    before = file.path.read_bytes()
    with pytest.raises(StoreError, match="already exists"):
        import_copy(sent, file.path, "one")
    assert file.path.read_bytes() == before


def test_a_file_of_something_else_is_not_called_damaged(tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("only words")
    with pytest.raises(StoreError, match=r"^notes.txt is not a session file"):
        import_copy(notes, tmp_path / "two.coi.db", "two")


def test_a_summary_is_cleaned(tmp_path: Path) -> None:
    said = '{"step": "a\\u001b[2Jb", "stale": ["1/idea", 5], "calls": -1, "papers": "3", "known_usd": null, "pick": ["x"], "ideas": 2, "x": 1}'
    assert read_summary(said) == SessionSummary(step="ab", stale=("1/idea", "5"), ideas=2)
    assert read_summary("[]") == read_summary("{") == SessionSummary()
    assert peek(tmp_path).state == "unreadable"
