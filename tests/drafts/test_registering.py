"""The drafts are handed to the built-in drafter by prompt name."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import ModuleType

import pytest

from coi_tui.methods.coi.drafts import DRAFTS, register_all


def test_all_are_registered_under_their_names(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: dict[str, object] = {}

    def register(name: str) -> Callable[[object], object]:
        return lambda draft: seen.setdefault(name, draft)

    stand_in = ModuleType("coi_tui.llm.drafter")
    stand_in.__dict__["register"] = register
    monkeypatch.setitem(sys.modules, "coi_tui.llm.drafter", stand_in)
    register_all()
    assert seen == DRAFTS
