"""Runs ``python -m coi_tui`` as a real process against loopback services, and formats tables of
what came of it."""

import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from coi_tui.session.session import Session
from tests.support.desk import bare
from tests.support.standins.servers import ROOT, StandInProcess, StandIns

NOT_PASSED_ON = ("OPENAI_", "SEMANTIC_SCHOLAR_", "COI_", "PYTEST_")


def environment(
    home: Path,
    pair: StandInProcess | StandIns | None = None,
    extra: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """The environment of a run: without this process's keys and service addresses; all files are in
    ``home``."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(NOT_PASSED_ON)}
    urls = (
        {}
        if pair is None
        else {"OPENAI_BASE_URL": pair.chat_url, "COI_SEMANTIC_SCHOLAR_URL": pair.s2_url}
    )
    paths = [str(ROOT), kept.get("PYTHONPATH", "")]
    kept["PYTHONPATH"] = os.pathsep.join(path for path in paths if path)
    return {**kept, **urls, "COI_HOME": str(home), **(extra or {})}


@dataclass(frozen=True)
class Ran:
    """A finished process."""

    code: int
    out: str
    err: str
    seconds: float


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "coi_tui", *arguments]


def coi(
    env: Mapping[str, str], *arguments: str, stdin: str | None = None, timeout: float = 300
) -> Ran:
    """Run one command line and wait for it; its time is taken from the start of the process to its
    end."""
    started = time.perf_counter()
    done = subprocess.run(
        command(*arguments),
        env=dict(env),
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
        **({"input": stdin} if stdin is not None else {"stdin": subprocess.DEVNULL}),
    )
    return Ran(done.returncode, done.stdout, done.stderr, time.perf_counter() - started)


def start(env: Mapping[str, str], *arguments: str) -> subprocess.Popen[str]:
    """Start one command line in a process group of its own."""
    return subprocess.Popen(
        command(*arguments),
        env=dict(env),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def opened(home: Path, name: str) -> Session:
    """A session of a home, to be read."""

    return Session.open(name, bare(home), read_only=True)


def table(rows: Sequence[Sequence[object]], head: Sequence[str]) -> str:
    """Columns of text, the first to the left, the rest to the right."""
    lines = [list(head), *([str(cell) for cell in row] for row in rows)]
    widths = [max(len(line[n]) for line in lines) for n in range(len(head))]
    return "\n".join(
        "  ".join([line[0].ljust(widths[0]), *map(str.rjust, line[1:], widths[1:])]).rstrip()
        for line in lines
    )
