"""The method of the tutorial ``docs/add-a-method.md``, word for word as it stands there, registered
and run by the command line."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

from coi_tui.cli import run as coi
from coi_tui.engine.declarations import MethodSpec
from coi_tui.methods import registry
from coi_tui.prompts import loader
from coi_tui.services.llm import drafter

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "add-a-method.md").read_text(
    encoding="utf-8"
)


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", TEXT, re.DOTALL)


@pytest.fixture
def sketch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MethodSpec:
    """The method, registered for one test only."""
    monkeypatch.setenv("COI_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(registry, "METHODS", dict(registry.METHODS))
    monkeypatch.setattr(loader, "ADDED", [])
    monkeypatch.setattr(drafter, "DRAFTS", dict(drafter.DRAFTS))
    folder = tmp_path / "prompts"
    folder.mkdir()
    for prompt in blocks("markdown"):
        name = re.search(r'^name = "(\w+)"', prompt, re.MULTILINE)
        assert name is not None
        (folder / f"{name[1]}.md").write_text(prompt, encoding="utf-8")
    module = ModuleType("sketch_of_the_tutorial")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec("\n".join(blocks("python")), module.__dict__)
    declared = module.__dict__["SPEC"]
    assert isinstance(declared, MethodSpec)
    spec = replace(declared, prompts=folder)
    registry.register(spec)
    return spec


def test_the_command_of_the_tutorial_runs_it(
    sketch: MethodSpec, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        coi(
            [
                "run",
                "retrieval memory",
                "--method",
                "sketch",
                "--offline",
                "--until",
                "ideas",
                "--yes",
                "--name",
                "tried",
            ]
        )
        == 0
    )
    assert coi(["show", "tried", "S1/background"]) == 0
    assert "Nothing was looked up yet" in capsys.readouterr().out
    assert coi(["show", "tried", "S1/3/idea"]) == 0
    assert "Sketch 3" in capsys.readouterr().out
    assert coi(["show", "tried", "--json"]) == 0
    rows = {row["address"] for row in json.loads(capsys.readouterr().out)["rows"]}
    assert {"S1/background", "S1/hits", "S1/1/idea", "S1/2/idea", "S1/3/idea"} <= rows
    assert coi(["resume", "tried", "--yes"]) == 0
    assert coi(["export", "tried", "--appendix", "--out", "-"]) == 0
    assert "## Background" in capsys.readouterr().out


def test_its_settings_are_those_of_its_section(
    sketch: MethodSpec, capsys: pytest.CaptureFixture[str]
) -> None:
    assert coi(["config", "set", "sketch.branches", "2"]) == 0
    assert coi(["config", "set", "sketch.length", "2"]) != 0
    assert (
        coi(
            [
                "run",
                "a topic",
                "--method",
                "Sketch",
                "--offline",
                "--until",
                "ideas",
                "--yes",
                "--name",
                "two",
            ]
        )
        == 0
    )
    assert coi(["show", "two"]) == 0
    shown = capsys.readouterr().out
    assert "S1/2/idea" in shown
    assert "S1/3/idea" not in shown
    assert coi(["run", "a topic", "--method", "Sketch", "--offline", "--yes", "--length", "3"]) == 2
    assert "Sketch has no setting 'length'" in capsys.readouterr().err
