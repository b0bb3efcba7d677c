"""A model server whose replies are sound but for some items: a seeded sample of ``benchmarks.replies``."""

from __future__ import annotations

import pytest

from benchmarks.replies import accepted_echoes, run
from benchmarks.standins.item_faults import ECHOES


@pytest.mark.parametrize("seed", [1, 4])
def test_bad_items_cost_no_branch_and_nothing_is_invented(seed: int) -> None:
    found = run(seed)
    assert found.reached, found
    assert found.invented == []
    assert found.notes.total() > 0, found


def test_no_reply_that_repeats_the_example_of_its_prompt_is_accepted() -> None:
    assert accepted_echoes() == []


@pytest.mark.parametrize("style", ECHOES[:2])
def test_a_run_of_nothing_but_examples_makes_no_text(style: str) -> None:
    found = run(0, echo=style)
    assert (found.state, found.made_by_model) == ("failed", 0), found
