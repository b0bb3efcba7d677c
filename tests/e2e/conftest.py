"""Homes, command lines and the starter library, for every end-to-end test."""

import contextlib
import io
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from unittest import mock

import pytest

from tests.support.coi_process import Ran, environment
from tests.support.standins import QUICK, Settings, StandInProcess, make_corpus

Run = Callable[..., Ran]
KEY = "sk-f4k3-e2e-fake-0123456789abcdef"
S2_KEY = "s2-f4k3-e2e-fake-key-fedcba9876543210"
MODELS = {"COI_MODEL": "standin-main", "COI_READER_MODEL": "standin-reader"}
"""Names that the stand-in lists, so that ``coi doctor`` finds them there."""
TOPIC = make_corpus().topics[0]
UNPACED = "[semantic_scholar]\npace_s = 0\n"
"""No pace after the first 429, or a run would take a minute; the waits after each failure stay."""
IMPATIENT = UNPACED + "retries = 1\n[llm]\nretries = 1\n"


def _text(data: bytes) -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(data), "utf-8")


def in_this_process(env: Mapping[str, str], *arguments: str, stdin: str | None = None) -> Ran:
    """A command line as ``coi`` runs it, but without a process of its own, which takes a second to
    start."""
    from coi_tui.cli import main

    said, told, started = _text(b""), _text(b""), time.perf_counter()
    with (
        mock.patch.dict(os.environ, env, clear=True),
        mock.patch.object(sys, "stdin", _text((stdin or "").encode())),
        contextlib.redirect_stdout(said),
        contextlib.redirect_stderr(told),
    ):
        code = main(arguments)
    texts = []
    for stream in (said, told):
        stream.flush()
        texts.append(stream.buffer.getvalue().decode("utf-8"))  # type: ignore[attr-defined]
    return Ran(code, texts[0], texts[1], time.perf_counter() - started)


@pytest.fixture
def offline(tmp_path: Path) -> Run:
    """``offline("ls")``: a command line with a home of its own and nothing set up."""
    return lambda *arguments, stdin=None: in_this_process(
        environment(tmp_path), *arguments, stdin=stdin
    )


@pytest.fixture
def small(offline: Run) -> Run:
    """A command line whose session ``s`` has rows and no text."""
    assert offline("new", "graph drawing", "--name", "s", "--offline").code == 0
    return offline


@pytest.fixture(scope="session")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StandInProcess]:
    """Quick, sound services, shared by the tests of one worker."""
    with StandInProcess(
        Settings(latency=QUICK), tmp_path_factory.mktemp("services") / "server.jsonl"
    ) as pair:
        yield pair


@pytest.fixture
def online(tmp_path: Path, services: StandInProcess) -> Run:
    """The same against the services, with keys in the environment."""
    env = environment(
        tmp_path, services, {"OPENAI_API_KEY": KEY, "SEMANTIC_SCHOLAR_API_KEY": S2_KEY, **MODELS}
    )
    return lambda *arguments, stdin=None: in_this_process(env, *arguments, stdin=stdin)
