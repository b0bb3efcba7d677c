"""Homes, command lines and the starter library, for every end-to-end test."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from benchmarks.coi_process import Ran, coi, environment
from benchmarks.faults import QUICK
from benchmarks.standins import Settings, StandInProcess, make_corpus

Run = Callable[..., Ran]
KEY = "sk-f4k3-e2e-fake-0123456789abcdef"
S2_KEY = "s2-f4k3-e2e-fake-key-fedcba9876543210"
MODELS = {"COI_MODEL": "standin-main", "COI_READER_MODEL": "standin-reader"}
"""Names that the stand-in lists, so that ``coi doctor`` finds them there."""
TOPIC = make_corpus().topics[0]


@pytest.fixture
def offline(tmp_path: Path) -> Run:
    """``offline("ls")``: a command line with a home of its own and nothing set up."""
    return lambda *arguments, stdin=None: coi(environment(tmp_path), *arguments, stdin=stdin)


@pytest.fixture(scope="session")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StandInProcess]:
    """Quick, sound services, shared by the tests of one worker."""
    with StandInProcess(Settings(latency=QUICK), tmp_path_factory.mktemp("services") / "server.jsonl") as pair:
        yield pair


@pytest.fixture
def online(tmp_path: Path, services: StandInProcess) -> Run:
    """The same against the services, with keys in the environment."""
    env = environment(tmp_path, services, {"OPENAI_API_KEY": KEY, "SEMANTIC_SCHOLAR_API_KEY": S2_KEY, **MODELS})
    return lambda *arguments, stdin=None: coi(env, *arguments, stdin=stdin)


@lru_cache
def starter(kind: str) -> tuple[dict[str, Any], ...]:
    """Rows of the starter library as it is shipped: ``papers`` or ``links``."""
    import coi_tui.literature.starter as package

    folder = Path(package.__path__[0])
    files = sorted(f for f in folder.rglob("*.jsonl") if f.parent.name == kind)
    return tuple(json.loads(line) for f in files for line in f.read_text(encoding="utf-8").splitlines() if line.strip())
