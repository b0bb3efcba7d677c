"""A failure is told with the server's own words, where it happened and what helps, wherever the
command line tells it."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.coi_process import environment
from tests.support.standins.small_server import JSON, serving

from .conftest import KEY, Run, in_this_process

SAID = "Held back by rule 7 of the house."


WORDS = f"\x1b[31mHeld back by rule 7\nof the house. {KEY} {'x' * 9000}"
"""What a terminal would obey, with the key in it."""


@pytest.fixture
def coi(tmp_path: Path) -> Iterator[Run]:
    """A command line whose language model refuses everything in words of its own."""
    body = json.dumps({"error": {"message": WORDS, "code": "house_rule"}}).encode()
    with serving(lambda _: (400, JSON, body)) as server:
        config = tmp_path / "config" / "config.toml"
        config.parent.mkdir()
        config.write_text("[semantic_scholar]\nretries = 0\n", encoding="utf-8")
        at = f"{server.url}/v1"
        urls = {"OPENAI_BASE_URL": at, "COI_SEMANTIC_SCHOLAR_URL": "http://127.0.0.1:9"}
        env = environment(tmp_path, None, {**urls, "OPENAI_API_KEY": KEY})
        yield lambda *arguments, stdin=None: in_this_process(env, *arguments, stdin=stdin)


def test_every_command_tells_the_servers_own_words(coi: Run, tmp_path: Path) -> None:
    ran = coi("run", "graph drawing", "--name", "s", "--branches", "1", "--yes")
    assert ran.code == 1, ran.err
    told = {
        "run": ran.err,
        "json": coi("show", "s", "Q1", "--json").out,
        **{look: coi(look, "s", "Q1").out for look in ("show", "why")},
        "log": coi("log", "s").out,
    }
    for command, text in told.items():
        assert SAID in text, (command, text)
        assert "\x1b" not in text, command
        assert "x" * 2000 not in text, command
        assert "Q1" in text, command
        assert KEY not in text, command
    for command in ("run", "show", "why", "log"):
        assert "questions" in told[command], (command, "the step that failed")
    for command in ("run", "show"):
        assert "coi resume s" in told[command], (command, "what helps")
    (tmp_path / "out").mkdir()
    coi("export", "s", "--appendix", "-o", str(tmp_path / "out" / "s.md"))
    assert SAID not in (tmp_path / "out" / "s.md").read_text(encoding="utf-8")


def test_papers_of_a_suite_are_told_so_too(coi: Run, tmp_path: Path) -> None:
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "one.md").write_text("# A paper\n\nIts text.\n", encoding="utf-8")
    ran = coi("arena", "from-papers", str(folder), "-o", str(tmp_path / "s.toml"), "--yes")
    assert ran.code == 1
    assert SAID in ran.err
