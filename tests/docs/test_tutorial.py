"""``docs/add-a-method.md`` shows the example package as it is."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "examples" / "coi-sketch"
TEXT = (ROOT / "docs" / "add-a-method.md").read_text(encoding="utf-8")
SHOWN = dict(re.findall(r"`([\w./]+)`:\n\n```\w+\n(.*?)```\n", TEXT, re.DOTALL))


@pytest.mark.parametrize("name", SHOWN)
def test_a_file_is_shown_as_it_is(name: str) -> None:
    assert SHOWN[name] == (PACKAGE / name).read_text(encoding="utf-8")


def test_every_file_is_shown_and_the_package_is_small() -> None:
    files = {str(f.relative_to(PACKAGE)) for f in PACKAGE.rglob("*.*") if f.suffix != ".pyc"}
    assert files == {*SHOWN, "coi_sketch/__init__.py"}
    code = sum(len(SHOWN[name].splitlines()) for name in SHOWN if name.endswith(".py"))
    assert code <= 150
