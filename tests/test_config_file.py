"""Changing one line of the settings file: everything else in it stays as it was, and nothing that
would not hold is written."""

import os
import re
import stat
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from coi_tui.cli import cli, main
from coi_tui.config_file import read_display
from coi_tui.model.errors import UsageError
from coi_tui.paths import paths
from coi_tui.session.settings import (
    ALL,
    load_settings,
    set_typed,
    set_value,
    settings_now,
    unset_value,
)

BOTH = (
    'give both prices, in dollars per million tokens: coi config set llm.prices.MODEL "2.50 10.00"'
)
START = """# my settings
budget_usd = 5.0  # enough for a month

[llm]
# the server here
base_url = "http://localhost:11434/v1"

[llm.main]
model = "some-model"

[llm.prices."odd.name"]
input = 1.0
output = 2.0

[coi]
branches = 2
"""


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("budget_usd", 2),
        ("llm.reader.model", "r"),
        ("coi.branches", 4),
        ("display.theme", "light"),
        ("llm.main.temperature", 0.2),
    ],
)
def test_one_setting_changes_and_every_comment_stays(
    tmp_path: Path, key: str, value: object
) -> None:
    file = tmp_path / "config.toml"
    file.write_text(START)
    os.chmod(file, 0o640)
    set_value(file, key, value)
    text = file.read_text()
    after, at = tomllib.loads(text), key.split(".")
    found = after
    for part in at:
        found = found[part]
    assert found == value
    assert all(
        line in text for line in ("# my settings", "# enough for a month", "# the server here")
    )
    assert stat.S_IMODE(file.stat().st_mode) == 0o600, "settings may hold the password of a server"
    assert unset_value(file, key)
    assert load_settings(file, {}).llm.base_url == "http://localhost:11434/v1"


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("llm.main.modle", "x", "Did you mean llm.main.model"),
        ("coi.branches", 9, "coi.branches must be less than or equal to 5. Nothing was changed."),
        ("llm.main.model", "sk-" + "a" * 30, "looks like an API key"),
        ("llm.base_url", "https://h/v1?api_key=abcdef123", "looks like an API key"),
        ("llm.main.model", "a1b2" * 10, "looks like an API key"),
        ("llm.prices.gpt-4.1.input", 3, "llm.prices.gpt-4.1.input is not valid: " + BOTH),
        ("llm.prices.m", "2.50", BOTH),
        ("llm.prices.m", "-1 2", "must be greater than or equal to 0"),
        ("llm.prices.", "1 2", "no such setting"),
        ("display.theme", "pink", "there is no theme 'pink'"),
        ("display.theme", "grubox", "the nearest is gruvbox"),
        ("foo.bar", 1, "There is no such setting: 'foo.bar'. `coi config list`"),
        ("source", 5, "'5' is not a source of papers"),
        ("source", True, "is not a source of papers"),
        ("source", ["openalex", 5], "'5' is not a source of papers"),
        ("llm.base_url", "my server:11434", "llm.base_url is not valid"),
        ("llm.base_url", "http://user:pass@", "llm.base_url is not valid"),
        ("llm.base_url", "http://h:port/v1", "llm.base_url is not valid"),
        ("llm.base_url", "http://h/v1?deployment=x", "llm.base_url is not valid"),
        ("openalex.base_url", "ftp://api.openalex.org", "openalex.base_url is not valid"),
        ("coi.known_until", "tomorrow", "known_until"),
        ("virsci.known_until", "2024-13", "known_until"),
        ("llm.draft_models", ["a", "b"], "llm.draft_models must be"),
        ("llm.main.temperature", float("nan"), "llm.main.temperature must be"),
        ("llm.timeout_s", float("inf"), "llm.timeout_s must be"),
        ("semantic_scholar.pace_s", float("inf"), "semantic_scholar.pace_s must be"),
        ("budget_usd", float("inf"), "budget_usd must be"),
        ("llm.prices.m", "inf 2", "llm.prices.m.input must be"),
        ("answers_days", 10**9, "answers_days must be"),
    ],
)
def test_what_is_not_taken_is_told_and_nothing_is_written(
    tmp_path: Path, key: str, value: object, words: str
) -> None:
    file = tmp_path / "config.toml"
    file.write_text(START)
    with pytest.raises(UsageError) as caught:
        set_value(file, key, value)
    assert words in str(caught.value)
    assert file.read_text() == START


def test_the_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COI_HOME", str(tmp_path))
    monkeypatch.setenv("COI_MODEL", "from-the-environment")
    do = CliRunner()

    def said(*words: str) -> str:
        return do.invoke(
            cli, ["config", *words], standalone_mode=False, catch_exceptions=False
        ).output

    assert "is set in" in said("set", "budget_usd", "2.5")
    origins = {s.key: s.origin for s in settings_now(paths().config_file)}
    assert origins["budget_usd"] == "file"
    assert origins["llm.main.model"] == "environment COI_MODEL"
    assert origins["coi.branches"] == "default"
    assert "from-the-environment" in said("list")
    assert "is set in" in said("set", "display.theme", "16"), (
        "it reads as a number and is a name; before, it was refused"
    )
    assert main(["config", "set", "budget_usd", "-3"]) == 2
    assert "back to its default" in said("unset", "budget_usd")


@pytest.mark.parametrize(
    ("key", "typed", "meant"),
    [
        ("llm.base_url", "localhost:11434", "http://localhost:11434"),
        ("llm.base_url", "127.0.0.1:8080/v1", "http://127.0.0.1:8080/v1"),
        ("openalex.base_url", "[::1]:9000", "http://[::1]:9000"),
        ("llm.main.model", "4", "4"),
    ],
)
def test_what_can_be_meant_in_one_way_only_is_taken_as_that(
    tmp_path: Path, key: str, typed: str, meant: str
) -> None:
    file = tmp_path / "config.toml"
    set_typed(file, key, typed)
    found: object = load_settings(file, {}, ALL)
    for part in key.split("."):
        found = getattr(found, part)
    assert found == meant


@pytest.mark.parametrize("typed", ['["a", "b"]', "{ a = 1 }"])
def test_a_list_or_table_is_not_taken_for_a_text(tmp_path: Path, typed: str) -> None:
    file = tmp_path / "config.toml"
    with pytest.raises(UsageError, match=r"llm\.main\.model must be"):
        set_typed(file, "llm.main.model", typed)
    assert not file.exists()


def test_one_setting_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COI_HOME", str(tmp_path))
    monkeypatch.setenv("COI_MODEL", "from-the-environment")

    def got(key: str) -> str:
        assert main(["config", "get", key]) == 0
        return capsys.readouterr().out.strip()

    assert got("llm.main.model") == "from-the-environment"
    assert got("coi.branches") == "3"
    assert main(["config", "get", "coi.branch"]) == 2
    assert "coi.branches" in capsys.readouterr().err


@pytest.mark.parametrize(
    "model",
    [
        "anthropic-claude-sonnet-4-20250514",
        "gpt-4.1-mini",
        "meta-llama/Llama-3.3-70B-Instruct-Turbo-Free",
    ],
)
def test_long_names_of_models_are_no_keys_and_have_prices(tmp_path: Path, model: str) -> None:
    file = tmp_path / "config.toml"
    set_value(file, "llm.main.model", model)
    set_typed(file, f"llm.prices.{model}", "2.5 10")
    found = load_settings(file, {})
    assert found.llm.main.model == model
    assert (found.llm.prices[model].input, found.llm.prices[model].output) == (2.5, 10)
    assert unset_value(file, f"llm.prices.{model}")
    assert not unset_value(file, f"llm.prices.{model}")


def test_one_command_sets_the_models_of_both_roles(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COI_HOME", str(tmp_path))
    monkeypatch.delenv("COI_READER_MODEL", raising=False)
    monkeypatch.setenv("COI_MODEL", "of-the-environment")
    said = CliRunner().invoke(cli, ["config", "models", "large", "small"])
    assert said.exit_code == 0
    assert "COI_MODEL is set and overrides this" in said.output
    llm = load_settings(paths().config_file, {}).llm
    assert (llm.main.model, llm.reader.model) == ("large", "small")
    assert main(["config", "models", "one", "sk-" + "a" * 30]) == 2
    assert load_settings(paths().config_file, {}).llm.main.model == "large", "both or none"
    assert main(["config", "models", "one"]) == 0
    llm = load_settings(paths().config_file, {}).llm
    assert (llm.main.model, llm.reader.model) == ("one", "")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[coi]\nlength = 40\n", "coi.length must be less than or equal to 12"),
        ("[coi]\nlenght = 4\n", "coi.lenght is unknown"),
        ("[semantic_scolar]\nretries = 1\n", "semantic_scolar is unknown"),
        ("[llm.prices.m]\noutput = 1.0\n", "llm.prices.m is not valid: " + BOTH),
    ],
)
def test_what_is_wrong_in_the_file_is_told_by_its_name(
    tmp_path: Path, text: str, said: str
) -> None:
    file = tmp_path / "config.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=re.escape(f"In the settings file {file}, {said}.")):
        load_settings(file, {})


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("text", [START, "# only a remark\n", ""])
def test_a_byte_order_mark_is_no_part_of_the_settings(
    tmp_path: Path, text: str, newline: str
) -> None:
    """Editors of Windows write one; all else stays when a setting changes."""
    file = tmp_path / "config.toml"
    file.write_bytes(text.replace("\n", newline).encode("utf-8-sig"))
    budget = load_settings(file, {}).budget_usd
    assert (budget == 5.0) == (text == START)
    set_value(file, "coi.branches", 4)
    assert tomllib.loads(file.read_text("utf-8-sig"))["coi"]["branches"] == 4
    load_settings(file, {})
    assert all(line in file.read_text("utf-8") for line in text.splitlines() if "#" in line)


@pytest.mark.parametrize("display", ["[display]\ntheme = 'light'\n", "[display]\ntheme='16'\n"])
def test_the_display_is_read_behind_a_byte_order_mark(tmp_path: Path, display: str) -> None:
    (tmp_path / "config.toml").write_bytes(display.encode("utf-8-sig"))
    assert read_display(tmp_path / "config.toml", {}).theme in ("textual-light", "ansi-dark")
