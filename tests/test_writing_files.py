"""Writing exports: never over a file without a yes, never half of one."""

import os
import subprocess
from pathlib import Path

import pytest

from coi_tui.model.errors import UsageError
from coi_tui.paths import write_files


def test_a_file_never_overwrites_without_a_yes(tmp_path: Path) -> None:
    target = tmp_path / "proposal.md"
    write_files({target: "one ü\n"})
    with pytest.raises(UsageError, match="exists"):
        write_files({target: "two\n"})
    assert target.read_text(encoding="utf-8") == "one ü\n"
    write_files({target: "two\n"}, overwrite=True)
    assert target.read_bytes() == b"two\n"
    assert [p.name for p in tmp_path.iterdir()] == ["proposal.md"]


def test_a_file_says_why_it_cannot(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="folder"):
        write_files({tmp_path: "x"})
    with pytest.raises(UsageError, match="cannot be written"):
        write_files({tmp_path / "none" / "p.md": "x"})
    assert list(tmp_path.iterdir()) == []


def test_a_new_file_is_for_its_owner_alone_and_one_that_is_replaced_keeps_rights_and_link(
    tmp_path: Path,
) -> None:
    new, real, link = (tmp_path / name for name in ("new.md", "real.md", "link.md"))
    real.write_text("old", encoding="utf-8")
    real.chmod(0o664)
    link.symlink_to(real)
    write_files({new: "one"})
    write_files({link: "two"}, overwrite=True)
    assert link.is_symlink()
    assert real.read_text(encoding="utf-8") == "two"
    assert [path.stat().st_mode & 0o777 for path in (new, real)] == [0o600, 0o664]


def test_a_pipe_is_written_to_and_never_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE, text=True)
    write_files({pipe: "through the pipe\n"}, overwrite=True)
    assert reader.communicate(timeout=30)[0] == "through the pipe\n"
    assert pipe.is_fifo()
    assert [p.name for p in tmp_path.iterdir()] == ["pipe"]
