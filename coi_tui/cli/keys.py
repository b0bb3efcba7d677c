"""The keys of all screens, and the names under which a person can set others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from coi_tui.config_file import own_keys, read
from coi_tui.model.errors import UsageError
from coi_tui.model.suggest import did_you_mean
from coi_tui.paths import paths
from coi_tui.screens import (  # noqa: F401  with these come all screens
    ballot_screen,
    home,
    own_papers,
    settings_screen,
    workbench,
)
from coi_tui.screens.base import CoiScreen
from coi_tui.widgets.key_actions import MOVE, MOVES, KeyAction


def tables() -> dict[str, tuple[KeyAction, ...]]:
    """The key actions of every screen by its place, and those that move on all."""
    return {MOVE: MOVES, **_below(CoiScreen)}


def _below(kind: type[CoiScreen[Any]]) -> dict[str, tuple[KeyAction, ...]]:
    found = {kind.PLACE: kind.ACTIONS} if kind.PLACE else {}
    for below in kind.__subclasses__():
        found |= _below(below)
    return found


def named() -> dict[str, KeyAction]:
    """Every action by the name of its setting, such as ``workbench.accept``."""
    return {f"{place}.{a.id}": a for place, table in sorted(tables().items()) for a in table}


def check_key(name: str, typed: str) -> None:
    """Raises UsageError where no action has that name, or one of its screen has such a key."""
    if name not in (known := named()):
        hint = did_you_mean(name, known, "`coi config keys` lists them.")
        raise UsageError(f"There is no action {name[:60]!r}.", hint)
    place, own, wanted = name.partition(".")[0], _own(), {*typed.split(",")}
    for other, action in known.items():
        there = wanted & {*own.get(other, action.keys).split(",")}
        if there and other != name and other.startswith(f"{place}."):
            raise UsageError(
                f"{there.pop()} is the key of {other}.", "Give that another one first."
            )


def _own() -> dict[str, str]:
    return own_keys(read(paths().config_file)[1].get("keys"))


def key_lines(place: str) -> Iterator[str]:
    """A line for each action of a place, or of all: its name, its keys, what it does; then what the
    settings name that is no action. Raises UsageError for an unknown place."""
    own = _own()
    if place and place not in (known := tables()):
        hint = did_you_mean(place, known, f"There are {', '.join(known)}.")
        raise UsageError(f"There is no screen {place!r}.", hint)
    for name, action in named().items():
        if name.startswith(f"{place}." if place else ""):
            key = f"{own[name]} (yours)" if name in own else action.keys or "-"
            yield f"{name:28} {key:24} {action.help}"
    for name in own.keys() - named().keys():
        yield f"! {name} is no action. {did_you_mean(name, named())}".rstrip()
