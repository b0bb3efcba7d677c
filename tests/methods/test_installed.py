"""The example package as an installed one: listed, run, missed and broken."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from coi_tui.cli import main as coi
from coi_tui.methods import registry
from coi_tui.prompts import loader
from coi_tui.services.llm import offline

Install = Callable[[str, str], None]
SKETCH = "coi_sketch.method:SPEC"
RUN = ["run", "retrieval memory", "--method", "sketch", "--offline", "--yes", "--until", "ideas"]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Writes what pip writes of a package with a method, for one test only."""
    monkeypatch.setenv("COI_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(registry, "METHODS", dict(registry.METHODS))
    monkeypatch.setattr(loader, "ADDED", [])
    monkeypatch.setattr(offline, "DRAFTS", dict(offline.DRAFTS))
    site = tmp_path / "site"
    monkeypatch.syspath_prepend(str(site))

    def write(package: str, value: str) -> None:
        info = site / f"{package.replace('-', '_')}-1.0.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[coi_tui.methods]\nit = {value}\n")
        registry.broken_plugins.cache_clear()

    registry.broken_plugins.cache_clear()
    yield write
    registry.broken_plugins.cache_clear()


def gone(package: str, folder: Path) -> None:
    """The package is not installed any more."""
    for file in (folder / "site").glob(f"{package}*/*"):
        file.unlink()
    registry.METHODS.pop("Sketch", None)
    registry.broken_plugins.cache_clear()


def test_it_is_listed_with_its_package_and_runs(
    install: Install, capsys: pytest.CaptureFixture[str]
) -> None:
    install("coi-sketch", SKETCH)
    assert coi(["methods"]) == 0
    listed = {line.split()[0]: line for line in capsys.readouterr().out.splitlines()}
    assert "coi-sketch 1.0" in listed["Sketch"]
    assert "built in" in listed["SciPIP"]
    assert coi([*RUN, "--name", "tried"]) == 0
    assert coi(["show", "tried", "--json"]) == 0
    rows = {row["address"] for row in json.loads(capsys.readouterr().out)["rows"]}
    assert {"K1/background", "K1/hits", "K1/1/idea", "K1/3/idea"} <= rows
    assert coi(["export", "tried", "--appendix", "--out", "-"]) == 0
    assert " Background\n" in capsys.readouterr().out


def test_without_the_package_its_sessions_are_shown_and_its_settings_stay(
    install: Install, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    install("coi-sketch", SKETCH)
    assert coi(["config", "set", "sketch.branches", "2"]) == 0
    assert coi([*RUN, "--name", "tried"]) == 0
    gone("coi_sketch", tmp_path)
    capsys.readouterr()
    assert coi(["show", "tried", "--json"]) == 0
    rows = {row["address"] for row in json.loads(capsys.readouterr().out)["rows"]}
    assert {"K1/background", "K1/hits", "K1/2/idea"} <= rows
    assert "K1/3/idea" not in rows
    assert coi(["show", "tried", "K1/background"]) == 0
    assert "To write" in capsys.readouterr().out
    assert coi(["undo", "tried"]) == 2
    assert "Sketch (coi-sketch 1.0)" in capsys.readouterr().err
    assert coi(["config", "set", "scipip.branches", "3"]) == 0
    assert coi(["config", "list"]) == 0
    capsys.readouterr()
    assert coi(["doctor"]) == 0
    (line,) = (row for row in capsys.readouterr().out.splitlines() if " methods " in row)
    assert line.startswith("ok ")
    assert "sketch" in line
    install("coi-sketch-again", SKETCH)
    assert coi(["config", "list"]) == 0
    values = dict(row.split()[:2] for row in capsys.readouterr().out.splitlines())
    assert values["sketch.branches"] == "2"


@pytest.mark.parametrize(
    ("value", "place"),
    [
        ("coi_sketch.nothing:SPEC", "coi_sketch.nothing"),
        ("coi_sketch.method:Sketch", "coi_sketch.method:Sketch"),
    ],
)
def test_a_package_that_cannot_be_loaded_is_named_and_stops_nothing(
    value: str, place: str, install: Install, capsys: pytest.CaptureFixture[str]
) -> None:
    install("coi-broken", value)
    assert coi(["methods"]) == 1
    said = capsys.readouterr().err
    assert "coi-broken 1.0" in said
    assert place in said
    assert coi(["doctor"]) == 1
    assert "coi-broken 1.0" in capsys.readouterr().out
    assert coi(["run", "a topic", "--method", "one call", "--offline", "--yes"]) == 0
