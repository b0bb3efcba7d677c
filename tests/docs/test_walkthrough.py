"""``docs/tutorial.md``, command by command, offline, with what it says that they print."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.e2e.conftest import in_this_process
from tests.support.coi_process import environment

TUTORIAL = (Path(__file__).resolve().parents[2] / "docs" / "tutorial.md").read_text(
    encoding="utf-8"
)
STEPS = re.findall(r"```sh\n(.*?)```\n\n```text\n(.*?)```", TUTORIAL, re.DOTALL)
"""Commands, and lines that they print; ``...`` stands for what is left out."""


def test_the_tutorial_can_be_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert len(STEPS) == TUTORIAL.count("```sh")
    env = environment(tmp_path / "home", extra={"COLUMNS": "100"})
    for commands, shown in STEPS:
        told: list[str] = []
        for line in commands.splitlines():
            words = shlex.split(line)
            if words[0] == "echo":
                Path(words[-1]).write_text(words[1], encoding="utf-8")
                continue
            ran = in_this_process(env, *words[1:])
            assert ran.code == 0, (line, ran.err)
            told += [*ran.err.splitlines(), *ran.out.splitlines()]
        for line in shown.splitlines():
            pattern = re.compile(".*".join(map(re.escape, line.split("..."))))
            assert any(pattern.fullmatch(one.rstrip()) for one in told), (line, told)
    assert "#" in (tmp_path / "proposal.md").read_text(encoding="utf-8")
    assert "@" in (tmp_path / "proposal.bib").read_text(encoding="utf-8")
