"""The pages of ``docs/reference`` say what commands, keys, settings and tables are now, and each
decision record whether it is in force."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def reference() -> ModuleType:
    spec = importlib.util.spec_from_file_location("reference", ROOT / "scripts" / "reference.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_pages_are_those_that_the_code_gives(reference: ModuleType) -> None:
    assert reference.outdated() == [], "run python scripts/reference.py"


def test_a_record_that_does_not_say_whether_it_is_in_force_is_refused(
    reference: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reference, "DECISIONS", tmp_path)
    record = tmp_path / "0007-a-title.md"
    record.write_text("# 7. A title\n\n**Status:** superseded by [8](0008.md).\n\nWhy.\n")
    assert (
        "[7. A title](0007-a-title.md): superseded by [8](0008.md)."
        in reference.pages()["../decisions/README.md"]
    )
    for text in ("# 7. A title\n\nWhy.\n", "# 8. A title\n\n**Status:** in force.\n"):
        record.write_text(text)
        with pytest.raises(ValueError, match=record.name):
            reference.pages()
