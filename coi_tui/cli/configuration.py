"""Settings: ``coi config``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from coi_tui.cli.output import as_json, json_option, say, tell

if TYPE_CHECKING:
    from pathlib import Path


def _file() -> Path:
    from coi_tui.paths import paths

    return paths().config_file


@click.group()
def config() -> None:
    """Show and change settings. API keys are not settings: they come from the environment or the
    keyring."""


@config.command("list")
@click.option("--types", is_flag=True, help="Show which values each takes and what it is for.")
@json_option
def list_(types: bool, json_out: bool) -> None:
    """List every setting with its value and where it comes from."""
    from coi_tui.session.settings import settings_now

    found = settings_now(_file())
    if json_out:
        as_json(
            [
                {
                    "key": s.key,
                    "value": s.public,
                    "from": s.origin,
                    "takes": s.takes,
                    "help": s.help,
                }
                for s in found
            ]
        )
        return
    for s in found:
        say(f"{s.key:34} {s.help} ({s.takes})" if types else f"{s.key:34} {s.shown:34} {s.origin}")


@config.command("set")
@click.argument("key")
@click.argument("value")
def set_(key: str, value: str) -> None:
    """Set one setting, such as llm.main.model or budget_usd. `coi config list --types` says which
    values each takes.

    The prices of a model are set together, in dollars per million tokens of input and of output:
    coi config set llm.prices.MODEL "2.50 10.00"
    """
    from coi_tui.session.settings import set_typed

    file = _file()
    set_typed(file, key, value)
    tell(_set_in(file, key))


def _set_in(file: Path, key: str) -> str:
    from coi_tui.session.settings import overrides

    variable = overrides().get(key)
    rest = f" {variable} is set and overrides this until you unset it." if variable else ""
    return f"{key} is set in {file}.{rest}"


@config.command()
@click.argument("writer")
@click.argument("reader", default="")
def models(writer: str, reader: str) -> None:
    """Set the model that writes and the one that reads papers; without READER one model does both.
    `coi doctor` lists models."""
    from coi_tui.config_file import check_no_secret
    from coi_tui.session.settings import set_value

    file, both = _file(), {"main": writer, "reader": reader}
    check_no_secret(both)
    for role, name in both.items():
        set_value(file, f"llm.{role}.model", name)
        tell(_set_in(file, f"llm.{role}.model"))


@config.command()
@click.argument("key")
def unset(key: str) -> None:
    """Reset one setting to its default."""
    from coi_tui.session.settings import unset_value

    file = _file()
    tell(
        f"{key} is back to its default."
        if unset_value(file, key)
        else f"{file} does not set {key}; the default applies."
    )
