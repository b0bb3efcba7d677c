"""``coi means`` and ``coi against``, as a person types them."""

from __future__ import annotations

import json
from pathlib import Path

from tests.e2e.conftest import Run
from tests.support.desk import copy_of


def test_means_are_said_and_a_plan_is_checked_against_them(offline: Run, tmp_path: Path) -> None:
    session = copy_of(tmp_path, "one").session
    file = str(session.core.file.path)
    session.close()
    assert "You have named no means." in offline("means", file).out
    unsaid = offline("means", file, "--check", "1/exp", "--yes")
    assert (unsaid.code, "say first what means you have" in unsaid.err) == (2, True)
    said = offline(
        "means", file, "--compute", "2 GPUs", "--weeks", "6 weeks", "--reason", "the lab's"
    )
    assert said.out.startswith("Your means: compute: 2 GPUs; weeks: 6 weeks.")
    checked = offline("means", file, "--check", "1/exp")
    assert checked.code == 0, checked.err
    assert "Plan: Check 1/exp against your means" in checked.err
    assert "cannot tell. To write:" in offline("show", file, "1/check").out
    named_again = offline("means", file, "--weeks", "6 weeks", "--check", "1/exp", "--yes")
    assert (named_again.code, "done     1/check" in named_again.err) == (0, True)
    assert "Your means already say that" in offline("means", file, "--weeks", "6 weeks").err
    unasked = offline("means", file, "--weeks", "")
    assert (unasked.code, unasked.err.startswith("Makes stale 1/check.\n")) == (3, True)
    assert (
        "1/check" in offline("means", file, "--weeks", "", "--yes").out
    )  # it is to be checked again
    assert json.loads(offline("means", file, "--json").out) == {"means": {"compute": "2 GPUs"}}
    assert offline("means", file, "--clear", "--compute", "1 GPU").code == 2
    assert "named no means" in offline("means", file, "--clear").out


def test_a_search_against_an_idea_shows_its_plan_first(offline: Run, tmp_path: Path) -> None:
    session = copy_of(tmp_path, "one").session
    file = str(session.core.file.path)
    session.close()
    done = offline("against", file, "1/idea")
    assert "Plan: Search against 1/idea" in done.err
    assert (done.code, "done     1/nov        search against" in done.err) == (0, True)
    assert "Nothing leaves this machine" in done.err
    assert "Against it, " in offline("show", file, "1/nov").out


def test_means_are_kept_on_one_line_of_a_bounded_length(offline: Run, tmp_path: Path) -> None:
    session = copy_of(tmp_path, "one").session
    file = str(session.core.file.path)
    session.close()
    assert (
        offline("means", file, "--compute", "2\x1b[31m GPUs\n\tat night", "--people", " ").code == 0
    )
    assert json.loads(offline("means", file, "--json").out) == {
        "means": {"compute": "2 GPUs at night"}
    }
    long = offline("means", file, "--data", "x" * 1_001)
    assert (long.code, "1,001 characters" in long.err) == (2, True)
    assert json.loads(offline("means", file, "--json").out) == {
        "means": {"compute": "2 GPUs at night"}
    }
