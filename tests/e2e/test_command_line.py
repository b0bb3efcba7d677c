"""The command line as programs and people meet it: help, exit codes, JSON, and no key anywhere."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.coi_process import Ran, coi, environment
from tests.support.standins import QUICK, Faults, Settings, StandInProcess, select

from .conftest import IMPATIENT, KEY, S2_KEY, TOPIC, Run

LOOKS = {"ls", "show", "why", "log", "verify", "doctor", "where", "export"}
COMMANDS = LOOKS | {"demo", "run", "resume", "refresh", "decide", "edit", "undo", "redo"}
HEAVY = (
    "textual",
    "openai",
    "httpx",
    "numpy",
    "bibtexparser",
    "pylatexenc",
    "tomlkit",
)
PROBE = """
import sys
from coi_tui.__main__ import main
sys.argv = ["coi", "--help"]
try:
    main()
except SystemExit as end:
    code = end.code
print(code, *[name for name in {heavy!r} if name in sys.modules], file=sys.stderr)
"""


def test_help_lists_the_commands_and_imports_nothing_heavy() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROBE.format(heavy=HEAVY)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "COLUMNS": "100"},
    )
    assert done.stderr.split() == ["0"], done.stderr
    listed = [
        line.split()[0]
        for line in done.stdout.splitlines()
        if line.startswith("  ") and line.strip()
    ]
    assert set(listed) >= COMMANDS


# -- exit codes


def one_sentence(ran: Ran) -> None:
    """The person reads a cause, and never a traceback."""
    assert ran.err.strip()
    assert "Traceback" not in ran.err + ran.out


@pytest.mark.parametrize(
    "arguments",
    [
        ("run",),
        ("run", "x", "--branches", "99"),
        ("run", "   ", "--offline", "--yes"),
        ("no-such-command",),
        ("show", "no-such-session"),
        ("run", "x", "--until", "nowhere", "--offline", "--yes"),
    ],
)
def test_usage_is_exit_2(arguments: tuple[str, ...], offline: Run) -> None:
    ran = offline(*arguments)
    assert ran.code == 2, ran.err
    one_sentence(ran)


def test_without_a_yes_and_without_anybody_to_ask_nothing_is_sent(tmp_path: Path) -> None:
    with StandInProcess(Settings(latency=QUICK), tmp_path / "server.jsonl") as pair:
        ran = coi(environment(tmp_path, pair), "run", TOPIC, "--name", "run")
        sent = pair.entries()
    assert ran.code == 3
    assert "--yes" in ran.err
    assert "calls, " in ran.err  # the plan with its range came first
    assert sent == []


@pytest.mark.parametrize("name", [("--name", "chosen"), ()])
def test_a_refused_plan_does_not_block_its_repetition(name: tuple[str, ...], online: Run) -> None:
    wanted = ("run", TOPIC, *name, "--branches", "1", "--until", "questions")
    assert online(*wanted).code == 3, "nobody can be asked"
    ran = online(*wanted, "--yes")
    assert ran.code == 0, ran.err
    assert len(json.loads(online("ls", "--json").out)) == 1, "the refused plan leaves no session"
    again = online(*wanted, "--yes")
    if name:
        assert again.code == 1, "something was made in it"
        assert (
            "already exists, so nothing was written. Choose another name, or go on with it: `coi resume chosen`."
            in again.err
        )
    assert len(json.loads(online("ls", "--json").out)) == (1 if name else 2)


def test_a_budget_that_would_be_passed_is_exit_3(tmp_path: Path, services: StandInProcess) -> None:
    (tmp_path / "config").mkdir()
    prices = '[llm.main]\nmodel = "m"\n[llm.reader]\nmodel = "r"\n[llm.prices]\nm = "2.5 10"\nr = "0.15 0.6"\n'
    (tmp_path / "config" / "config.toml").write_text(prices, encoding="utf-8")
    env = environment(tmp_path, services)
    ran = coi(env, "run", TOPIC, "--name", "run", "--yes", "--json", "--budget", "0.05")
    data = json.loads(ran.out)
    assert (ran.code, data["state"]) == (3, "waiting")
    assert 0 < data["spent_usd"] <= 0.05
    assert "budget" in data["stopped_because"].lower()
    assert "budget" in ran.err.lower()


def test_everything_down_is_exit_1_with_the_cause_and_no_empty_proposal(tmp_path: Path) -> None:
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "config.toml").write_text(IMPATIENT, encoding="utf-8")
    out = tmp_path / "proposal.md"
    down = Faults(down=True)
    with StandInProcess(Settings(latency=QUICK, chat_faults=down, s2_faults=down)) as pair:
        ran = coi(
            environment(tmp_path, pair), "run", TOPIC, "--name", "run", "--yes", "--out", str(out)
        )
    assert ran.code == 1
    assert "HTTP 500" in ran.err
    assert "Failed at Q1" in ran.err
    assert "Nothing needs" not in ran.err
    assert "`coi resume run` tries what failed again" in ran.err
    assert not out.exists()
    one_sentence(ran)


# -- a whole run, looked at from all sides


def test_json_of_every_command_parses_and_no_key_is_written(
    online: Run, services: StandInProcess, tmp_path: Path
) -> None:
    said: list[Ran] = []

    def data(*arguments: str, stdin: str | None = None) -> object:
        ran = online(*arguments, stdin=stdin)
        said.append(ran)
        assert ran.code == 0, (arguments, ran.err)
        return json.loads(ran.out)

    run = data("run", TOPIC, "--name", "all", "--yes", "--json", "--branches", "2")
    assert isinstance(run, dict)
    assert (run["state"], run["failed"], run["stage"]) == ("done", {}, "proposal")
    listed = data("ls", "--json")
    assert isinstance(listed, list)
    assert listed[0]["name"] == "all"
    tree = data("show", "all", "--json")
    assert isinstance(tree, dict)
    assert {"Q1", "1/0", "1/idea", "A/1-2"} <= {row["address"] for row in tree["rows"]}
    cell = data("show", "all", "1/idea", "--json")
    assert isinstance(cell, dict)
    assert cell["content"]["final"]
    assert data("why", "all", "1/idea", "--json")
    assert data("decide", "all", "1/+1", "accept", "--json")
    assert data("edit", "all", "1/t0", "--file", "-", "--json", stdin="My own words.\n")
    assert data("undo", "all", "--json")
    assert data("redo", "all", "--json")
    assert data("refresh", "all", "--yes", "--json")
    assert data("resume", "all", "--yes", "--json")
    assert data("log", "all", "--json")
    assert data("verify", "all", "--json") == {"sound": True, "findings": []}
    assert data("where", "--json")
    assert data("doctor", "--json")
    assert data("export", "all", "--format", "json")
    for kind in ("md", "bib"):
        said.append(
            online("export", "all", "--format", kind, "--out", str(tmp_path / f"out.{kind}"))
        )
    assert all(ran.code == 0 for ran in said)
    for secret in (KEY, S2_KEY):
        assert not any(secret in ran.out + ran.err for ran in said)
        holders = [
            str(f) for f in tmp_path.rglob("*") if f.is_file() and secret.encode() in f.read_bytes()
        ]
        assert holders == []
    assert select(services.entries(), "chat")  # the keys did go somewhere: to the services


def test_no_key_is_written_when_services_refuse(tmp_path: Path) -> None:
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "config.toml").write_text(IMPATIENT, encoding="utf-8")
    down = Faults(down=True)
    with StandInProcess(Settings(latency=QUICK, chat_faults=down, s2_faults=down)) as pair:
        env = environment(
            tmp_path, pair, {"OPENAI_API_KEY": KEY, "SEMANTIC_SCHOLAR_API_KEY": S2_KEY}
        )
        said = [
            coi(env, "run", TOPIC, "--name", "run", "--yes"),
            coi(env, "doctor"),
            coi(env, "log", "run"),
            coi(env, "where"),
        ]
    for secret in (KEY, S2_KEY):
        assert not any(secret in ran.out + ran.err for ran in said)
        assert not [
            f for f in tmp_path.rglob("*") if f.is_file() and secret.encode() in f.read_bytes()
        ]
