"""Sizes: nothing is cut in silence, panes give way, and below the least size one line asks for
room."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from coi_tui import screens
from coi_tui.model.document import ROW_KEYS
from coi_tui.screens.base import CoiScreen
from coi_tui.screens.commands import WORKBENCH_ACTIONS
from coi_tui.widgets.key_actions import Item, lay_out

from .helpers import demo


async def test_a_tiny_terminal_asks_for_room_and_comes_back(tmp_path: Path) -> None:
    async with demo(tmp_path, stage="anchors") as t:
        await t.go("1/0")
        await t.resize(50, 10)
        assert "coi-tui needs 60x16; this is 50x10" in t.text
        assert len([line for line in t.lines if line.strip()]) == 1
        await t.resize(80, 24)
        assert t.bench.chain.address == "1/0"
        assert t.bench.focused is t.bench.chain


async def test_focus_is_visible_without_colour(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with demo(tmp_path) as t:
        assert "╔═ [1] Chain" in t.text
        assert "╭─ [2] Detail" in t.text
        assert any(line.startswith("║>") for line in t.lines)
        await t.press("tab")
        assert "╔═ [2] Detail" in t.text


def kinds(kind: type[CoiScreen[Any]] = CoiScreen) -> Iterator[type[CoiScreen[Any]]]:
    """Every kind of screen and sheet that has keys."""
    for module in pkgutil.walk_packages(screens.__path__, f"{screens.__name__}."):
        importlib.import_module(module.name)
    for below in kind.__subclasses__():
        if below.PLACE:
            yield below
        yield from kinds(below)


def test_every_key_has_a_method_and_no_key_is_there_twice() -> None:
    found = set(kinds())
    assert len(found) > 20
    for kind in found:
        keys = [key for a in kind.ACTIONS for key in a.keys.split(",") if key]
        assert len(keys) == len(set(keys)), kind
        assert len({a.id for a in kind.ACTIONS}) == len(kind.ACTIONS), kind
        if kind.PLACE != "workbench":  # its keys are commands of its parts
            by_name = {
                *getattr(kind, "GOES_ON", ()),
                *("vote_left", "vote_right", "vote_tie"),
                *(ROW_KEYS if kind.PLACE == "content" else ()),
            }
            assert [
                a.id
                for a in kind.ACTIONS
                if a.id not in by_name
                and not any(hasattr(k, f"do_{a.id}") for k in found if k.PLACE == kind.PLACE)
            ] == [], kind
    assert sum(bool(action.keys) for action in WORKBENCH_ACTIONS) <= 40


@pytest.mark.parametrize("width", range(58, 130, 3))
def test_a_footer_of_any_width_fits(width: int) -> None:
    items = [Item(str(n), "x" * (n % 3 + 1), "word" * (n % 4 + 1)) for n in range(14)]
    tail = [Item("q", "q", "sessions"), Item("help", "?", "more")]
    body = lay_out(items, tail, width)
    assert sum(i.width for i in (*body, *tail)) + 2 * (len(body) + len(tail) - 1) <= width
    assert body == items[: len(body)]
