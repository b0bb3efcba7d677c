"""The look-out for keys sees what it should."""

from __future__ import annotations

import re
from pathlib import Path

from tests.conftest import KEY_MARK, files_with_keys

NAMED = re.compile(r"""\b\w*KEY\s*=\s*["']([^"']{8,})["']""")


def test_every_fake_key_of_the_suite_holds_the_mark() -> None:
    root = Path(__file__).parent
    used = {
        key
        for file in root.rglob("*.py")
        for key in NAMED.findall(file.read_text(encoding="utf-8"))
    }
    used = {key for key in used if not key.isupper()}  # names of variables, not keys
    assert used
    assert [key for key in used if KEY_MARK not in key] == []


def test_a_key_in_a_file_is_found(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    held = tmp_path / "deep" / "a.log"
    held.write_text(f"address?api_key=oa%2B{KEY_MARK}%2Fkey", encoding="utf-8")
    assert files_with_keys(tmp_path) == [str(held)]
    held.unlink()
    assert files_with_keys(tmp_path) == []
