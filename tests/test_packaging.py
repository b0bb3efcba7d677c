"""What is shipped: each file once, the data files with it, and links at the root for readers."""

import re
import subprocess
import sys
import zipfile
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LINKED = ("screens", "widgets", "prompts")


@pytest.mark.parametrize("name", LINKED)
def test_the_links_at_the_root_show_the_package_folders(name: str) -> None:
    """A checkout without symbolic links has a small text file with the target in it instead."""
    link = ROOT / name
    target = link.readlink().as_posix() if link.is_symlink() else link.read_text().strip()
    assert target == f"coi_tui/{name}"


def test_the_wheel_holds_every_file_of_the_package_once(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = Counter(archive.namelist())
    assert max(names.values()) == 1
    tracked = subprocess.run(
        ["git", "ls-files", "coi_tui"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    expected = tracked.stdout.split() if tracked.returncode == 0 else []
    assert [name for name in expected if name not in names and (ROOT / name).exists()] == []
    assert not [name for name in names if name.split("/")[0] in (*LINKED, "tests", "benchmarks")]
    assert [name for name in names if name.endswith("entry_points.txt")]


def test_nothing_imports_through_the_links() -> None:
    """Code says coi_tui.screens: through a link every class would be loaded a second time."""
    through = re.compile(rf"^\s*(?:from|import) (?:{'|'.join(LINKED)})\b", re.MULTILINE)
    files = [file for folder in ("coi_tui", "tests") for file in (ROOT / folder).rglob("*.py")]
    assert [file for file in files if through.search(file.read_text(encoding="utf-8"))] == []
