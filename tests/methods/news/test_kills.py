"""A program that is killed anywhere in a look loses nothing: between two calls, between the last call
and the version, between the version and the decision that it was seen, and after that."""

import shutil
from pathlib import Path

from coi_tui.engine.recorder import Event
from coi_tui.methods.news import Seen, news_of
from coi_tui.model.entries import Version
from tests.support.desk import copy_of

from .helpers import CountedFetch, RecordedDesk, SayingSource, ids, look, paper_at, with_new


def as_on_disk(file: Path, folder: Path) -> Path:
    """What a kill at this moment leaves: the file and its write-ahead log, without any closing."""
    folder.mkdir()
    for tail in ("", "-wal"):
        if (part := file.with_name(file.name + tail)).exists():
            shutil.copy(part, folder / f"killed.coi.db{tail}")
    return folder / "killed.coi.db"


def recorded(file: Path, source: SayingSource) -> RecordedDesk:
    desk = RecordedDesk.at(file, source=source)
    assert isinstance(desk, RecordedDesk)
    desk.counted = CountedFetch()
    return desk


def test_a_kill_anywhere_loses_nothing_and_nothing_is_asked_twice(tmp_path: Path) -> None:
    made = copy_of(tmp_path / "made", "one", "review")
    source = SayingSource(with_new(made.world, paper_at(made, "1/0"), 1), lists=True)
    desk = recorded(made.closed(), source)
    file, killed = desk.session.file.path, list[Path]()

    def listen(event: Event) -> None:
        if event.kind in ("call", "task done"):
            killed.append(as_on_disk(file, tmp_path / f"at{len(killed)}"))

    assert look(desk, listen).state == "done"
    first, asked = news_of(desk.state), desk.counted.sent
    assert ids(first) == ["arXiv:2603.00001"]
    assert len(killed) == asked + 1, (
        "each call is on the disk before the next one, then the version"
    )
    for number, left in enumerate(killed):
        again = recorded(left, source)
        session = again.session
        kept = sum(call.address == "news" for call in session.file.calls())
        assert kept > number or number == asked
        assert session.verify() == []
        assert Seen.of(session.state).version == 0
        there = news_of(session.state)
        assert ids(there) == (ids(first) if number == asked else []), "all of a look or nothing"
        if number < asked:
            assert look(again).state == "done"
            assert again.counted.sent == asked - kept, "what was answered is not asked again"
            assert news_of(session.state).content == first.content
        session.close()
    desk.session.decide("seen", "news")
    after = recorded(as_on_disk(file, tmp_path / "seen"), source)
    assert after.session.verify() == []
    assert news_of(after.session.state).seen
    look(after)
    assert ids(news_of(after.session.state)) == [], "what was seen is not shown again"
    versions = [e for e in after.session.journal.entries if isinstance(e, Version)]
    assert sum(one.address == "news" for one in versions) == 2
