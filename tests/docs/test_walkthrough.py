"""``docs/tutorial.md``, command by command, offline."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from benchmarks.coi_process import environment
from tests.e2e.conftest import in_this_process

TUTORIAL = (Path(__file__).resolve().parents[2] / "docs" / "tutorial.md").read_text(encoding="utf-8")


def commands() -> list[str]:
    return [line for block in re.findall(r"```sh\n(.*?)```", TUTORIAL, re.DOTALL) for line in block.splitlines()]


def test_the_tutorial_can_be_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    env, said = environment(tmp_path / "home"), {}
    for line in commands():
        words = shlex.split(line)
        if words[0] == "echo":
            Path(words[-1]).write_text(words[1], encoding="utf-8")
            continue
        ran = in_this_process(env, *words[1:])
        assert ran.code == 0, (line, ran.err)
        said[line] = ran.out
    assert len(said) > 25
    assert "[-" in said["coi diff thoughts 1/dir"]
    assert said["coi history thoughts 1/idea"].startswith("v2")
    assert "1. metrics (" in in_this_process(env, "show", "thoughts", "1/review").out
    assert "waits until you adopt it" in said["coi history thoughts 1/exp"]
    assert "#" in (tmp_path / "proposal.md").read_text(encoding="utf-8")
    assert "@" in (tmp_path / "proposal.bib").read_text(encoding="utf-8")
