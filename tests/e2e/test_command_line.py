"""The command line as programs and people meet it: help, exit codes, JSON, and no key anywhere."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.coi_process import Ran, coi, environment
from tests.support.standins import QUICK, Faults, Settings, StandInProcess, select

from .conftest import IMPATIENT, KEY, S2_KEY, TOPIC, Run

LOOKS = {"ls", "show", "why", "log", "verify", "doctor", "where", "export"}
COMMANDS = LOOKS | {"demo", "run", "resume", "refresh", "decide", "edit", "undo", "redo"}
HEAVY = {
    *("textual", "openai", "httpx", "numpy", "jinja2", "rapidfuzz", "pypdfium2", "genai_prices"),
    *("bibtexparser", "pylatexenc", "tomlkit", "coi_tui.session.service_setup"),
}
"""What no command needs that only shows something."""
WITHOUT_A_SESSION = {"asyncio", "pydantic", "sqlite3", "coi_tui.session", "coi_tui.present"}
PROBE = """
import sys
from coi_tui.__main__ import main
try:
    main()
except SystemExit as end:
    code = end.code
print(code, *sys.modules, file=sys.stderr)
"""


def imported(*arguments: str, home: Path) -> tuple[str, set[str]]:
    """What a command prints, and the modules that it has imported at its end."""
    done = subprocess.run(
        [sys.executable, "-c", PROBE, *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "COLUMNS": "100", "COI_HOME": str(home)},
    )
    code, *modules = done.stderr.splitlines()[-1].split()
    assert code == "0", done.stderr[:1000]
    return done.stdout, set(modules)


def test_a_session_is_shown_with_nothing_that_only_screens_and_jobs_need(tmp_path: Path) -> None:
    imported("new", TOPIC, "--name", "made", "--offline", home=tmp_path)
    out, modules = imported("show", "made", home=tmp_path)
    assert TOPIC in out
    assert not modules & HEAVY
    commands = {name for name in modules if name.startswith("coi_tui.cli.")}
    assert commands == {"coi_tui.cli.output", "coi_tui.cli.show"}
    assert len({name for name in modules if name.startswith("coi_tui")}) <= 166


def test_help_lists_the_commands_and_imports_none_of_them(tmp_path: Path) -> None:
    out, modules = imported("--help", home=tmp_path)
    assert not modules & (HEAVY | WITHOUT_A_SESSION)
    assert {name for name in modules if name.startswith("coi_tui.cli.")} == {"coi_tui.cli.output"}
    listed = [
        line.split()[0] for line in out.splitlines() if line.startswith("  ") and line.strip()
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


def test_everything_down_is_exit_1_with_the_cause_no_empty_proposal_and_no_key(
    tmp_path: Path,
) -> None:
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "config.toml").write_text(IMPATIENT, encoding="utf-8")
    out, down = tmp_path / "proposal.md", Faults(down=True)
    with StandInProcess(Settings(latency=QUICK, chat_faults=down, s2_faults=down)) as pair:
        keys = {"OPENAI_API_KEY": KEY, "SEMANTIC_SCHOLAR_API_KEY": S2_KEY}
        env = environment(tmp_path, pair, keys)
        ran = coi(env, "run", TOPIC, "--name", "run", "--yes", "--out", str(out))
        looked = [coi(env, "doctor"), coi(env, "log", "run")]
    assert ran.code == 1
    assert "HTTP 500" in ran.err
    assert "Failed at Q1" in ran.err
    assert "`coi resume run` tries what failed again" in ran.err
    assert not out.exists()
    one_sentence(ran)
    assert_no_key([ran, *looked], tmp_path)


# -- a whole run, looked at from all sides


def test_json_for_programs_parses_and_no_key_is_written(
    online: Run, services: StandInProcess, tmp_path: Path
) -> None:
    ran: list[Ran] = []

    def data(*arguments: str) -> Any:
        ran.append(online(*arguments))
        assert ran[-1].code == 0, (arguments, ran[-1].err)
        return json.loads(ran[-1].out)

    own = ("--branches", "2", "--no-one-call")  # which of the ideas wins is not the point here
    run = data("run", TOPIC, "--name", "all", "--yes", "--json", *own)
    assert (run["state"], run["failed"], run["stage"]) == ("done", {}, "proposal")
    (listed,) = data("ls", "--json")
    assert (listed["name"], listed["summary"]["step"]) == ("all", "proposal")
    rows = data("show", "all", "--json")["rows"]
    assert {"Q1", "1/0", "1/idea", "A/1-2"} <= {row["address"] for row in rows}
    assert data("show", "all", "1/idea", "--json")["content"]["final"]
    assert data("papers", "reading", "all", "--json")["entries"][0]["paper"]["id"]
    assert data("refresh", "all", "--again", "1/dir", "--yes", "--json")["made"]
    assert data("resume", "all", "--yes", "--json")["state"] == "done"
    assert data("export", "all", "--format", "json")
    for looked in (("why", "all", "1/idea"), ("log", "all"), ("where",), ("doctor",)):
        ran.append(online(*looked))
        assert ran[-1].out
    for kind in ("md", "bib"):
        ran.append(
            online("export", "all", "--format", kind, "--out", str(tmp_path / f"out.{kind}"))
        )
    assert all(one.code == 0 for one in ran)
    assert_no_key(ran, tmp_path)
    assert select(services.entries(), "chat")  # the keys did go somewhere: to the services


def assert_no_key(ran: list[Ran], folder: Path) -> None:
    files = [file.read_bytes() for file in folder.rglob("*") if file.is_file()]
    for secret in (KEY, S2_KEY):
        assert not any(secret in one.out + one.err for one in ran)
        assert not any(secret.encode() in content for content in files)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("config", "set", "budget_usd", "-4"), ("budget_usd",)),
        (("config", "set", "answers_days", "-1"), ("answers_days",)),
        (("config", "set", "answers_days", "never"), ("answers_days", "whole number")),
        (("config", "set", "vectors.use", "maybe"), ("vectors.use", "true", "false")),
        (("config", "set", "budget_usd", "much"), ("budget_usd", "a number")),
        (("config", "set", "llm.draft_models", '["a","b"]'), ("llm.draft_models", "text")),
        (("config", "models", ""), ("coi doctor",)),
        (("config", "models", "  ", "reader"), ("coi doctor",)),
        (("show", "s", "1/+9"), ("coi show", "1/+9")),
        (("show", "s", "7/idea"), ("branches", "7/idea")),
        (("ideas", "vote", "s", "1/idea", "1/idea", "1/idea"), ("two", "1/idea")),
        (("ideas", "against", "s", "topic"), ("1/idea",)),
        (("diff", "s", "topic", "1", "99"), ("topic", "v99")),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_a_wrong_argument_is_told_in_a_sentence(
    small: Run, arguments: tuple[str, ...], told: tuple[str, ...]
) -> None:
    ran = small(*arguments)
    assert ran.code in (1, 2)
    assert not ran.out
    assert "No such option" not in ran.err
    assert "parse" not in ran.err
    assert [word for word in told if word not in ran.err] == [], ran.err


def test_a_folder_without_pdfs_and_a_list_of_nothing_fail(offline: Run, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    ran = offline("papers", "add", str(tmp_path / "empty"))
    assert ran.code != 0
    assert str(tmp_path / "empty") in ran.err
    broken = tmp_path / "broken.bib"
    broken.write_text("@article{a, title={x")
    assert offline("papers", "add", str(broken)).code == 1
