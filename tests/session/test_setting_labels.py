"""Settings in words: no two look the same, and numbers have their unit."""

from __future__ import annotations

from coi_tui.config import Settings
from coi_tui.session.admin.setting_labels import label_of, with_unit
from coi_tui.session.settings import all_settings


def test_every_setting_has_a_label_of_its_own_and_none_is_a_raw_key() -> None:
    names = list(all_settings(Settings()))
    labels = [label_of(name) for name in names]
    assert not [label for label in labels if "_" in label or "." in label]
    same = [n for n, label in zip(names, labels, strict=True) if labels.count(label) > 1]
    assert same == ["budget_usd", "budget_tokens"], "these two differ by their unit"


def test_numbers_have_their_unit() -> None:
    assert label_of("semantic_scholar.pace_s") == "Semantic Scholar: pause between requests"
    assert with_unit("semantic_scholar.pace_s", 1.5, "1.5") == "1.5 s"
    assert with_unit("answers_days", 30, "30") == "30 days"
    assert with_unit("budget_usd", None, "(not set)") == "(not set)"
    assert with_unit("display.motion", True, "true") == "true"
