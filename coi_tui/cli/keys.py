"""The keys of all screens, and the names under which a person can set others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from coi_tui.config_file import read_display
from coi_tui.model.errors import UsageError
from coi_tui.model.suggest import did_you_mean
from coi_tui.paths import paths
from coi_tui.screens import (  # noqa: F401  with these come all screens
    ballot_screen,
    home,
    own_papers_screen,
    settings_screen,
    workbench,
)
from coi_tui.screens.base import CoiScreen
from coi_tui.widgets.key_actions import MOVE, MOVES, KeyAction


def tables(kind: type[CoiScreen[Any]] = CoiScreen) -> dict[str, tuple[KeyAction, ...]]:
    """The key actions of every screen by its place, and those that move on all."""
    found = {kind.PLACE or MOVE: kind.ACTIONS or MOVES}
    for below in kind.__subclasses__():
        found |= tables(below)
    return found


def named() -> dict[str, KeyAction]:
    """Every action by the name of its setting, such as ``workbench.accept``."""
    return {f"{place}.{a.id}": a for place, table in sorted(tables().items()) for a in table}


def check_keys(name: str, typed: str) -> None:
    """Raises UsageError where no action has that name, or another one of its screen such a key."""
    own, known = read_display(paths().config_file).keys, named()
    if name not in known:
        hint = did_you_mean(name, known, "`coi config keys` lists them.")
        raise UsageError(f"There is no action {name[:60]!r}.", hint)
    for other, action in known.items():
        same = other != name and other.partition(".")[0] == name.partition(".")[0]
        if same and {*typed.split(",")} & {*own.get(other, action.keys).split(",")}:
            raise UsageError(f"{other} has that key.", "Give that action another one first.")


def key_lines() -> Iterator[str]:
    """A line for each action: its name, its keys, what it does; then what the settings name that is
    no action."""
    own, known = read_display(paths().config_file).keys, named()
    for name, action in known.items():
        key = f"{own[name]} (yours)" if name in own else action.keys or "-"
        yield f"{name:28} {key:24} {action.help}"
    for name in own.keys() - known.keys():
        yield f"! {name} is no action. {did_you_mean(name, known)}".rstrip()
