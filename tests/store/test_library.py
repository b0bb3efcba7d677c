"""The shared library: kept where it can be, missed nowhere."""

import os
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from coi_tui.model.errors import StoreError
from coi_tui.model.papers import Citations, Paper
from coi_tui.store.library_file import LibraryFile

from .making import as_nobody, open_folder


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "library.db"


@pytest.fixture
def library(path: Path) -> Iterator[LibraryFile]:
    with LibraryFile(path) as opened:
        yield opened


def test_papers_and_replies(library: LibraryFile, path: Path) -> None:
    papers = [Paper(id=f"p{n}", title=f"P{n}") for n in range(1200)]
    assert library.remember_papers(papers)
    assert library.remember_reply("k", {"data": [1, None]})
    library.close()
    with LibraryFile(path) as again:
        assert again.all_papers() == sorted(papers, key=lambda paper: paper.id)
        assert again.paper("p3") == papers[3]
        assert again.paper("none") is None
        kept = again.cached("k")
        assert kept is not None
        assert kept[0] == {"data": [1, None]}
        assert kept[1].startswith("20")
        assert again.cached("x") is None
        assert again.notices == []


def test_the_newer_record_wins_and_is_filled(library: LibraryFile) -> None:
    library.remember_papers([Paper(id="p", title="P", venue="V")])
    library.remember_papers([Paper(id="p", title="Q", citations=Citations(count=5))])
    paper = library.paper("p")
    assert paper is not None
    assert (paper.title, paper.venue, paper.citations.count) == ("Q", "V", 5)
    library.remember_reply("k", 1)
    library.remember_reply("k", 2)
    assert (library.cached("k") or [None])[0] == 2


def test_embeddings(library: LibraryFile) -> None:
    library.remember_embeddings("m", {"a": [0.5, -1.25], "b": (1.0,)})
    assert library.embeddings(["a"], "other") == {}
    found = library.embeddings(["b", "a", "c"], "m")
    assert {key: vector.tolist() for key, vector in found.items()} == {
        "b": [1.0],
        "a": [0.5, -1.25],
    }


@pytest.mark.parametrize("kind", ["no database", "another format", "another program"])
def test_a_file_that_cannot_be_used_is_moved_aside(
    library: LibraryFile, path: Path, kind: str
) -> None:
    library.close()
    if kind == "no database":
        path.write_bytes(b"no database" * 1000)
    else:
        number = "user_version" if kind == "another format" else "application_id"
        with closing(sqlite3.connect(path)) as raw:
            raw.execute(f"PRAGMA {number} = 9")
    before = path.read_bytes()
    with LibraryFile(path) as again:
        assert len(again.notices) == 1
        assert again.remember_reply("k", 1)
    (aside,) = [p for p in path.parent.iterdir() if ".damaged-" in p.name]
    assert aside.read_bytes() == before


def test_damage_met_in_use(library: LibraryFile, path: Path) -> None:
    for n in range(200):
        library.remember_reply(f"k{n}", "x" * 3000)
    library.close()
    size = path.stat().st_size
    with path.open("r+b") as raw:
        raw.seek(4096)
        raw.write(b"\xa5" * (size - 4096))
    with LibraryFile(path) as again:
        assert again.cached("k7") is None
        assert again.remember_reply("k7", 1)
        assert len(again.notices) == 1


def test_full_disk_is_said_and_stops_nobody(library: LibraryFile) -> None:
    library._call(lambda: library._db.execute("PRAGMA max_page_count = 20").fetchone())
    assert not library.remember_reply("big", "x" * 1_000_000)
    assert not library.remember_reply("big", "x" * 1_000_000)
    assert len(library.notices) == 1
    assert library.remember_reply("small", 1)
    with pytest.raises(StoreError, match="JSON"):
        library.remember_reply("bad", float("nan"))


@pytest.mark.skipif(sys.platform == "win32", reason="rights of POSIX")
def test_where_nothing_can_be_written_it_lives_in_memory() -> None:
    folder = open_folder()
    code = """
import sys
from pathlib import Path
from coi_tui.store.library_file import LibraryFile
library = LibraryFile(Path(sys.argv[1]))
print(library.remember_reply("k", 1), library.cached("k")[0], len(library.notices), library.notices[0])
library.close()
"""
    folder.chmod(0o555)
    try:
        out = as_nobody(code, folder / "library.db")
    finally:
        folder.chmod(0o755)
    assert out.startswith("True 1 1 The library library.db cannot be used")
    assert os.listdir(folder) == []
    folder.rmdir()
