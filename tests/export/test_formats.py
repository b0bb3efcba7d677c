"""The formats of an export are found by their files."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from coi_tui.present import formats
from coi_tui.session.exports import titles_of_formats

NEW = """
from coi_tui.present.formats import Format
FORMAT = Format("every letter turned", lambda snapshot, options: snapshot.name[::-1])
"""


def test_a_new_format_is_one_new_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "turned.py").write_text(NEW, encoding="utf-8")
    monkeypatch.setattr(formats, "__path__", [*formats.__path__, str(tmp_path)])
    monkeypatch.delitem(sys.modules, "coi_tui.present.formats.turned", raising=False)
    assert "turned" in formats.names()
    assert titles_of_formats()["turned"] == "every letter turned"
    assert list(titles_of_formats())[:4] == ["docx", "html", "md", "tex"], (
        "those of the proposal first"
    )
