"""The page on security: each promise names a test that exists, and the audit of packages finds what
it should."""

import re
import runpy
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
AUDIT: dict[str, Any] = runpy.run_path(str(ROOT / "scripts" / "audit.py"))


def promises() -> list[str]:
    """The rows of the tables whose second column is a test."""
    tables = re.findall(r"\| promise \| test \|\n\|---\|---\|\n((?:\|.*\n)+)", PAGE)
    return [row for table in tables for row in table.splitlines()]


def test_each_promise_names_a_test() -> None:
    assert len(promises()) > 20
    assert [row for row in promises() if not re.search(r"`tests/[\w/]+\.py", row)] == []


def test_the_tests_that_are_named_exist() -> None:
    missing = []
    for file, name in re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", PAGE):
        path = ROOT / file
        if not path.exists() or (name and f"def {name}(" not in path.read_text(encoding="utf-8")):
            missing.append(f"{file}::{name}")
    assert missing == []


def test_a_version_that_an_advisory_names_is_found() -> None:
    advisories = [
        {
            "package": "h11",
            "fixed": "0.16.0",
            "id": "CVE-2025-43859",
            "about": "malformed chunked bodies are accepted",
        }
    ]
    versions = AUDIT["locked"]("# a comment\nh11==0.14.0\nJinja2==3.1.6\n")
    assert set(versions) == {"h11", "jinja2"}
    assert AUDIT["findings"](versions, advisories) == [
        "h11 0.14.0 has CVE-2025-43859 (malformed chunked bodies are accepted); 0.16.0 mends it."
    ]
    assert AUDIT["findings"](AUDIT["locked"]("h11==0.16.0\n"), advisories) == []
