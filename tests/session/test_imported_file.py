"""The file of imported papers: what adding in portions leaves is what merging everything would leave, whatever became of the index."""

from __future__ import annotations

import errno
import os
import random
import signal
import sys
import tempfile
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coi_tui.literature.deduplication import merge_papers
from coi_tui.model.errors import StoreError
from coi_tui.model.papers import Paper
from coi_tui.session.papers import imported_file
from coi_tui.session.papers.imported_file import HeldPapers, add_papers, read_papers, remove_paper
from tests.literature.test_merging import made, records

SPOILT = (
    "nothing",
    "index gone",
    "index damaged",
    "touched",
    "last line without its end",
    "cut off",
)


def spoil(file: Path, how: str) -> None:
    index = file.with_name("my.index")
    if how == "index gone":
        index.unlink(missing_ok=True)
    elif how == "index damaged":
        index.write_bytes(b"SQLite format 3\0 no more")
    elif how == "touched":
        os.utime(file, ns=(1, 1))
    elif how == "last line without its end":
        file.write_bytes(file.read_bytes().rstrip(b"\n"))
    elif how == "cut off":
        with file.open("ab") as out:
            out.write(b'{"id": "DOI:10.1/half", "tit')


@settings(max_examples=10, deadline=None)
@given(
    st.lists(
        st.tuples(st.lists(records(), max_size=4), st.sampled_from(SPOILT)), min_size=1, max_size=5
    ),
    st.integers(0, 9),
)
def test_adding_in_portions_equals_merging_again(
    portions: list[tuple[list[Paper], str]], removed: int
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "my.jsonl"
        for papers, how in portions:
            before = read_papers(file)
            added = add_papers(file, papers)
            after = read_papers(file)
            assert after == merge_papers([*before, *papers])
            assert {p.id for p in added.new} == {p.id for p in after} - {p.id for p in before}
            assert all(added.became[p.id] in after for p in papers)
            if removed < len(after):
                assert remove_paper(file, after[removed].id) == after[removed]
                assert read_papers(file) == after[:removed] + after[removed + 1 :]
            if file.exists():
                spoil(file, how)


def test_adding_reads_no_more_papers_than_may_be_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    papers, read = made(300, authors=("Ann Wei",)), list[int]()
    add_papers(tmp_path / "my.jsonl", papers[:299])
    one = HeldPapers.record

    def counted(held: HeldPapers, number: int) -> Paper:
        read.append(number)
        return one(held, number)

    monkeypatch.setattr(HeldPapers, "record", counted)
    monkeypatch.setattr(imported_file, "_lines", None)
    before = (tmp_path / "my.jsonl").stat().st_size
    assert add_papers(tmp_path / "my.jsonl", papers[299:]).new == tuple(papers[299:])
    assert len(read) <= 2
    with (tmp_path / "my.jsonl").open("rb") as file:
        file.seek(before)
        assert Paper.model_validate_json(file.read()) == papers[299]


def test_a_full_disk_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, papers = tmp_path / "my.jsonl", made(9)
    add_papers(file, papers[:5])
    was = file.read_bytes()

    def full(number: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as on_disk:
        on_disk.setattr(os, "fsync", full)
        with pytest.raises(StoreError, match="No space left"):
            add_papers(file, papers[5:])
    assert file.read_bytes() == was
    assert len(add_papers(file, random.Random(1).sample(papers, 9)).new) == 4


@pytest.mark.skipif(
    sys.platform == "win32", reason="a limit that kills in the midst of writing is POSIX"
)
def test_a_kill_while_papers_are_added_leaves_all_of_them_or_none(tmp_path: Path) -> None:
    papers = made(12)
    lengths = [len(f"{p.model_dump_json(exclude_defaults=True)}\n".encode()) for p in papers[5:]]
    for written in (0, 1, lengths[0], lengths[0] + 7, sum(lengths[:4]), sum(lengths) - 1):
        file = tmp_path / str(written) / "my.jsonl"
        add_papers(file, papers[:5])
        was = file.stat().st_size
        assert killed_while_adding(file, papers[5:], most=was + written) == signal.SIGXFSZ
        assert file.stat().st_size == was + written
        assert read_papers(file) == papers[:5]
        assert len(add_papers(file, papers[5:]).new) == 7
        assert read_papers(file) == papers
        assert sorted(path.name for path in file.parent.iterdir()) == ["my.index", "my.jsonl"]


def killed_while_adding(file: Path, papers: list[Paper], most: int) -> int:
    """Add papers in a process of its own, which is killed where a file grows beyond ``most`` bytes. Returns the signal."""
    import resource

    child = os.fork()
    if not child:
        try:
            signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
            add_papers(file, papers)
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WTERMSIG(status)


def test_a_file_that_a_person_changed_after_a_kill_loses_nothing(tmp_path: Path) -> None:
    file, papers = tmp_path / "my.jsonl", made(9)
    add_papers(file, papers[:5])
    end = file.stat().st_size
    with file.open("rb") as held:
        tail = sha256(held.read()[-4096:]).hexdigest()
    file.with_name("my.jsonl.appending").write_text(f"{end} {tail}\n")
    add_lines = "".join(f"{p.model_dump_json(exclude_defaults=True)}\n" for p in papers[5:7])
    file.write_text(file.read_text(encoding="utf-8") + add_lines, encoding="utf-8")
    assert read_papers(file) == papers[:5]  # as after a kill
    kept = file.read_text(encoding="utf-8").splitlines(keepends=True)[1:]
    file.write_text("".join(kept), encoding="utf-8")
    assert read_papers(file) == papers[1:7]
    add_papers(file, papers[7:])
    assert read_papers(file) == papers[1:]
