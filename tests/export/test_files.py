"""Writing exports: never over a file without a yes, never half of one, all or none of several."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from coi_tui.export.files import write_all, write_new
from coi_tui.model.errors import UsageError


def test_write_new_never_overwrites_without_a_yes(tmp_path: Path) -> None:
    target = tmp_path / "proposal.md"
    write_new(target, "one ü\n")
    with pytest.raises(UsageError, match="exists"):
        write_new(target, "two\n")
    assert target.read_text(encoding="utf-8") == "one ü\n"
    write_new(target, "two\n", overwrite=True)
    assert target.read_bytes() == b"two\n"
    assert [p.name for p in tmp_path.iterdir()] == ["proposal.md"]


def test_write_new_says_why_it_cannot(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="folder"):
        write_new(tmp_path, "x")
    with pytest.raises(UsageError, match="cannot be written"):
        write_new(tmp_path / "none" / "p.md", "x")
    assert list(tmp_path.iterdir()) == []


def test_write_new_keeps_a_link_and_writes_what_it_points_to(tmp_path: Path) -> None:
    real, link = tmp_path / "real.md", tmp_path / "link.md"
    real.write_text("old", encoding="utf-8")
    link.symlink_to(real)
    write_new(link, "new", overwrite=True)
    assert link.is_symlink()
    assert real.read_text(encoding="utf-8") == "new"


LONG = "x" * 251
"""A name that takes ``.md`` and not ``.json``: disks allow 255 characters."""


@pytest.mark.parametrize("overwrite", [False, True])
def test_where_the_second_file_fails_the_first_is_not_there_either(
    tmp_path: Path, overwrite: bool
) -> None:
    wanted = [
        (tmp_path / f"{LONG}.md", "one"),
        (tmp_path / f"{LONG}.json", "two"),
        (tmp_path / "three.bib", "three"),
    ]
    with pytest.raises(UsageError, match=r"json cannot be written: .*Nothing was written"):
        write_all(wanted, overwrite=overwrite)
    assert list(tmp_path.iterdir()) == []


def test_where_the_second_file_fails_what_the_first_was_to_replace_is_there_again(
    tmp_path: Path,
) -> None:
    first = tmp_path / f"{LONG}.md"
    first.write_text("mine", encoding="utf-8")
    first.chmod(0o640)
    before = first.stat()
    with pytest.raises(UsageError, match="Nothing was written"):
        write_all([(first, "one"), (tmp_path / f"{LONG}.json", "two")], overwrite=True)
    assert first.read_text(encoding="utf-8") == "mine"
    assert (first.stat().st_ino, first.stat().st_mode) == (before.st_ino, before.st_mode)
    assert list(tmp_path.iterdir()) == [first]


@pytest.mark.parametrize("links", [True, False])
@pytest.mark.parametrize("failing", [2, 3, 4])
def test_a_disk_that_fails_at_any_rename_leaves_all_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, links: bool, failing: int
) -> None:
    """Also where there are no hard links, and the old files are renamed instead."""
    paths = [tmp_path / name for name in ("a.md", "b.json", "c.bib")]
    for path in paths[:2]:
        path.write_text(f"old {path.name}", encoding="utf-8")
    replace, done = os.replace, 0

    def once_full(source: Path, target: Path) -> None:
        nonlocal done
        done += 1
        if done == failing:
            raise OSError(errno.ENOSPC, "No space left on device")
        replace(source, target)

    def no_links(source: Path, target: Path) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "replace", once_full)
    if not links:
        monkeypatch.setattr(os, "link", no_links)
    if links and failing == 4:
        write_all([(p, f"new {p.name}") for p in paths], overwrite=True)
        assert {p.name: p.read_text(encoding="utf-8") for p in tmp_path.iterdir()} == {
            p.name: f"new {p.name}" for p in paths
        }
        return
    with pytest.raises(UsageError, match="the disk is full"):
        write_all([(p, f"new {p.name}") for p in paths], overwrite=True)
    assert {p.name: p.read_text(encoding="utf-8") for p in tmp_path.iterdir()} == {
        p.name: f"old {p.name}" for p in paths[:2]
    }


def test_a_file_that_comes_in_between_is_not_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = tmp_path / "a.md", tmp_path / "b.md"
    fsync, written = os.fsync, 0

    def and_another_comes(fd: int) -> None:
        nonlocal written
        written += 1
        fsync(fd)
        if written == 2:
            second.write_text("somebody else's", encoding="utf-8")

    monkeypatch.setattr(os, "fsync", and_another_comes)
    with pytest.raises(UsageError, match=r"already exists\. Nothing was written"):
        write_all([(first, "one"), (second, "two")])
    assert [p.name for p in tmp_path.iterdir()] == ["b.md"]
    assert second.read_text(encoding="utf-8") == "somebody else's"


def test_an_export_is_for_its_owner_alone_and_one_that_is_replaced_keeps_its_rights(
    tmp_path: Path,
) -> None:
    new, shared = tmp_path / "new.md", tmp_path / "shared.md"
    shared.write_text("old", encoding="utf-8")
    shared.chmod(0o664)
    write_all([(new, "one"), (shared, "two")], overwrite=True)
    assert [path.stat().st_mode & 0o777 for path in (new, shared)] == [0o600, 0o664]


@pytest.mark.skipif(sys.platform == "win32", reason="named pipes and devices of Unix")
@pytest.mark.parametrize("overwrite", [False, True])
def test_a_pipe_is_written_to_and_never_replaced(tmp_path: Path, overwrite: bool) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE, text=True)
    write_new(pipe, "through the pipe\n", overwrite=overwrite)
    assert reader.communicate(timeout=30)[0] == "through the pipe\n"
    assert pipe.is_fifo()
    assert [p.name for p in tmp_path.iterdir()] == ["pipe"]


@pytest.mark.skipif(sys.platform == "win32", reason="named pipes and devices of Unix")
@pytest.mark.parametrize("overwrite", [False, True])
def test_a_device_made_for_this_is_written_to_and_never_replaced(
    tmp_path: Path, overwrite: bool
) -> None:
    device = tmp_path / "null"
    try:
        os.mknod(device, 0o600 | stat.S_IFCHR, os.makedev(1, 3))
        device.write_text("", encoding="utf-8")
    except OSError as error:
        pytest.skip(f"only root may make devices, and not everywhere: {error}")
    write_new(device, "gone\n", overwrite=overwrite)
    assert device.is_char_device()
    assert [p.name for p in tmp_path.iterdir()] == ["null"]


@pytest.mark.skipif(sys.platform == "win32", reason="named pipes and devices of Unix")
def test_a_device_is_written_to_also_through_a_link_and_beside_a_file(tmp_path: Path) -> None:
    link, file = tmp_path / "link", tmp_path / "a.md"
    link.symlink_to("/dev/null")
    write_all([(link, "gone"), (file, "here")])
    assert Path("/dev/null").is_char_device()
    assert link.is_symlink()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.md", "link"]
