"""What a person typed wrong gets one sentence that says what was wrong and what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Run


@pytest.fixture
def small(offline: Run) -> Run:
    """A command line whose session ``s`` has rows and no text."""
    assert offline("new", "graph drawing", "--name", "s", "--offline").code == 0
    return offline


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
