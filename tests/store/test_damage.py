"""Sound means sound: damage in a session file or its write-ahead log is never called sound, and
what is lost is named."""

import shutil
from pathlib import Path

import pytest

from benchmarks.damage import KINDS, campaign
from coi_tui.model.papers import Paper
from coi_tui.present.proposal import Proposal
from coi_tui.present.snapshot import WITH_APPENDIX
from coi_tui.session.session import Session
from coi_tui.store.chain import mark_path
from coi_tui.store.session_file import SessionFile
from tests.e2e.conftest import in_this_process
from tests.support.desk import SMALL, Desk, bare

from .making import call, new_session, version


@pytest.fixture
def killed(tmp_path: Path) -> Path:
    """A session as a killed program leaves it: entries 3 and 4 are in the write-ahead log alone."""
    place = tmp_path / "killed"
    place.mkdir()
    with new_session(tmp_path) as file:
        file.commit(entries=[version(1), version(2)], calls=[call("a")])
        file.checkpoint()
        file.commit(entries=[version(3)], calls=[call("b")], papers=[Paper(id="p", title="P")])
        file.commit(entries=[version(4)])
        file.save_draft("1/idea", "half a sentence", None, {})
        for part in ("one.coi.db", "one.coi.db-wal", ".one.coi.db.mark"):
            shutil.copy(tmp_path / part, place / part)
    return place / "one.coi.db"


def _wal(path: Path) -> Path:
    return path.with_name(path.name + "-wal")


def _found(path: Path, *, read_only: bool = True) -> list[str]:
    with SessionFile(path, read_only=read_only) as file:
        return file.verify()


def test_a_sample_of_the_damage_is_never_called_sound() -> None:
    tally = campaign(2 * len(KINDS), seed=7)
    assert tally.missed == []
    assert {kind for kind, *_ in KINDS} == tally.counts.keys()
    assert sum(found["unharmed"] for found in tally.counts.values()) < len(KINDS)


def test_a_killed_session_is_sound(killed: Path) -> None:
    assert _found(killed) == []
    with SessionFile(killed) as file:
        assert file.notices == []
        assert len(file.load().entries) == 4
    assert _found(killed) == []
    assert [p.name for p in killed.parent.iterdir()] == ["one.coi.db"], (
        "nothing is left beside a session that was closed"
    )


def test_a_lost_write_ahead_log_is_told(killed: Path) -> None:
    _wal(killed).unlink()
    lost = "Lost with the write-ahead log: 5 changes."
    assert _found(killed) == [lost]
    with SessionFile(killed) as file:
        assert file.notices == [lost]
        file.commit(entries=[version(3, "another")])
        assert file.verify() == file.notices
    again = _found(killed)
    assert len(again) == 1, "the loss is told after the session was worked on, too"


@pytest.mark.parametrize("spoil", [b"", b"no mark at all", b"0" * 64 + b"\n{}"])
def test_a_mark_that_cannot_be_read_stops_nothing(killed: Path, spoil: bytes) -> None:
    mark_path(killed).write_bytes(spoil)
    assert _found(killed) == []
    assert _found(killed, read_only=False) == []


def test_the_end_of_a_job_brings_everything_into_the_file(tmp_path: Path) -> None:
    desk = Desk.new(tmp_path, SMALL)
    file = desk.session.file
    desk.run("chains")
    shutil.copy(file.path, tmp_path / "copy.coi.db")  # without its log
    with SessionFile(tmp_path / "copy.coi.db") as copy:
        assert len(copy.load().entries) == len(file.load().entries)
        assert len(copy.calls()) == len(file.calls()) > 0
    desk.session.close()


def test_commands_tell_of_a_loss_and_exports_warn(killed: Path, tmp_path: Path) -> None:
    Session.create("one", "a topic", bare(tmp_path)).close()
    with Session.open("one", bare(tmp_path)) as session:
        session.decide("note", "topic", "a thought")
        path, kept = session.file.path, tmp_path / "kept"
        kept.mkdir()
        for part in (path, mark_path(path)):
            shutil.copy(part, kept / part.name)
    for part in kept.iterdir():
        shutil.copy(part, path.with_name(part.name))
    with Session.open("one", bare(tmp_path)) as session:
        assert len(session.notices) == 1
        assert session.notices[0].startswith("Lost with the write-ahead log: 2 changes.")
        assert session.verify() == session.notices
        found = Proposal(session.exports.snapshot(), None).warnings
        warnings = [w.text for w in found if w.kind == "Damaged"]
        assert warnings == [f"the session file is not as it was written: {session.notices[0]}"]
        assert "Damaged" in session.exports.text("md", WITH_APPENDIX)
        assert '"Damaged"' in session.exports.text("json")
    assert in_this_process({"COI_HOME": str(tmp_path)}, "verify", "one").code == 1
