"""The look-out for keys sees what it should."""

import re
from pathlib import Path

from tests.conftest import KEY_MARK

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
