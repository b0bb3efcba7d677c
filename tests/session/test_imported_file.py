"""The file of imported papers: what adding in portions leaves is what merging everything would leave, whatever became of the index."""

from __future__ import annotations

import errno
import os
import random
import tempfile
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

SPOILT = ("nothing", "index gone", "index damaged", "touched", "last line without its end", "cut off")


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
@given(st.lists(st.tuples(st.lists(records(), max_size=4), st.sampled_from(SPOILT)), min_size=1, max_size=5), st.integers(0, 9))
def test_adding_in_portions_equals_merging_again(portions: list[tuple[list[Paper], str]], removed: int) -> None:
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


def test_adding_reads_no_more_papers_than_may_be_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
