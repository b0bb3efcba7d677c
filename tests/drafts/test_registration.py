"""The drafts are handed to the built-in drafter by prompt name."""

from __future__ import annotations

import pytest

from coi_tui.llm import drafter
from coi_tui.methods.drafts import register_drafts
from tests.support.drafts import DRAFTS


def test_all_are_registered_under_their_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drafter, "DRAFTS", {})
    register_drafts()
    register_drafts()
    assert drafter.DRAFTS == DRAFTS
