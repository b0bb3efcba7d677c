"""``coi config``: look at settings and change them one by one."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from coi_tui.cli.output import as_json, json_option, say, tell

if TYPE_CHECKING:
    from coi_tui.paths import Paths


@click.group()
def config() -> None:
    """Look at the settings and change them. Keys of services are no settings: they come from the environment or the keyring."""


@config.command("list")
@json_option
def list_(json_out: bool) -> None:
    """Every setting with its value and where it comes from."""
    from coi_tui.session.admin.configuration import settings_now

    found = settings_now(_paths())
    if json_out:
        as_json([{"key": s.key, "value": s.value, "from": s.origin} for s in found])
        return
    for s in found:
        say(f"{s.key:34} {s.shown:34} {s.origin}")


@config.command()
@click.argument("key")
def get(key: str) -> None:
    """The value of one setting."""
    from coi_tui.config import check_key
    from coi_tui.config_file import parts_of
    from coi_tui.session.admin.configuration import settings_now

    check_key(key)
    if key.startswith("llm.prices."):
        from coi_tui.config import load_settings

        *_, name, last = parts_of(key)
        price = load_settings(_paths().config_file).llm.prices.get(name)
        say(str(getattr(price, last)) if price is not None else "(not set)")
        return
    say(next((s.shown for s in settings_now(_paths()) if s.key == key), ""))


@config.command("set")
@click.argument("key")
@click.argument("value")
def set_(key: str, value: str) -> None:
    """Set one setting, such as llm.main.model or budget_usd."""
    from coi_tui.config import set_value
    from coi_tui.config_file import value_of
    from coi_tui.session.admin.configuration import FROM_ENVIRONMENT

    file = _paths().config_file
    set_value(file, key, value_of(value))
    env = FROM_ENVIRONMENT.get(key, "")
    wins = f" The environment wins: {env} is set, so this holds once it is gone." if env and os.environ.get(env, "").strip() else ""
    tell(f"{key} is set in {file}.{wins}")


@config.command()
@click.argument("key")
def unset(key: str) -> None:
    """Go back to the default of one setting."""
    from coi_tui.config import unset_value

    file = _paths().config_file
    tell(f"{key} goes by its default again." if unset_value(file, key) else f"{file} does not set {key}; its default holds.")


@config.command()
def path() -> None:
    """Where the settings file is, or would be."""
    say(str(_paths().config_file))


@config.command()
def edit() -> None:
    """Open the settings file in $VISUAL or $EDITOR; it is taken only if every line of it holds."""
    from coi_tui.session.admin.configuration import edit_settings

    tell(edit_settings(_paths()))


def _paths() -> Paths:
    from coi_tui.paths import paths

    return paths()
