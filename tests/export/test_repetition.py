"""One paragraph stands once in an export."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from coi_tui.methods.coi.drafts.idea_draft import draft_final_idea

from coi_tui.export.bibliography import normalise
from coi_tui.export.options import WITH_APPENDIX
from coi_tui.export.repetition import REPEATED, Told
from coi_tui.session.recorded_run import unpack_session
from tests.support.desk import Desk

from .building import Builder, chain_of_three, idea, plan, whole

MOTIVATION = "Every step of a chain can go wrong. Nobody sees it before the answer does."
METHOD = "A verifier reads each step. It asks for another one where the step does not follow."
CLAIMS = ["A gate that reads single steps of a chain.", "A data set of chains that drift away from their task.", "A study of its cost."]


def repeated(text: str, least: int = 8) -> list[str]:
    """Paragraphs and list items of a document that stand in it more than once; tables, headings, code and lists of papers are none."""
    bare = re.sub(r"^```.*?^```|^\|.*$|^#.*$", "", text, flags=re.MULTILINE | re.DOTALL)
    said = (normalise(re.sub(r"^\s*(?:[-*]|\d+\\?\.)\s", "", line)) for line in bare.split("\n") if "](https://" not in line)
    return [line for line, n in Counter(said).items() if n > 1 and len(line.split()) >= least]


def of_an_idea(**fields: str) -> str:
    b = Builder()
    chain_of_three(b)
    b.text("1/idea", idea(motivation=MOTIVATION, method=METHOD, contributions=CLAIMS, **fields))
    return whole(b.subject())


@pytest.mark.parametrize("glue", [" ", "\n", "\n\n"])
def test_a_summary_that_only_repeats_is_left_out(glue: str) -> None:
    text = of_an_idea(final=glue.join([MOTIVATION, METHOD, *CLAIMS]))
    assert "## In short" not in text
    assert [text.count(part) for part in (MOTIVATION, METHOD, *CLAIMS)] == [1] * 5


def test_a_worksheet_that_carries_own_sentences_on_says_them_once() -> None:
    novelty = "No earlier work reads single steps of a chain."
    draft = {"motivation": MOTIVATION, "method": METHOD, "contributions": CLAIMS, "novelty": novelty}
    final = draft_final_idea({"draft": draft, "topic": "chains of thought", "chain": [], "bad_cases": []})
    assert METHOD.split(". ", maxsplit=1)[0] in str(final["final"])
    text = of_an_idea(novelty=novelty, final=str(final["final"]), difference=str(final["difference"]))
    assert repeated(text) == []
    assert "To write: " in text


def test_a_plan_and_another_idea_that_repeat_the_idea() -> None:
    b = Builder()
    chain_of_three(b)
    b.text("1/idea", idea(motivation=MOTIVATION, method=METHOD))
    b.text("2/idea", idea("The same again", final=METHOD))
    b.text("1/dir", {"text": MOTIVATION, "note": ""})
    b.text("1/exp", plan(design=f"{METHOD}\n\nBoth are run on the same items, with and without a gate.", metrics="Accuracy."))
    text = whole(b.subject(branch=1))
    assert (text.count(MOTIVATION), text.count(METHOD)) == (1, 1)
    assert text.count(REPEATED) == 2
    assert text.split("## Experiment\n\n")[1].startswith(f"{METHOD}\n\nBoth are run")


def test_short_lines_and_new_sentences_may_stand_beside_old_ones() -> None:
    told = Told()
    first = "1. The gate reads each step before the next one is written."
    assert told.fresh(first) == first
    assert told.fresh("- the gate reads each step, before the next one is written") == ""
    assert told.fresh("Accuracy.\nAccuracy.") == "Accuracy.\nAccuracy."
    longer = "The gate reads each step before the next one is written. It is small."
    assert told.fresh(longer) == longer


def test_no_paragraph_stands_twice_in_the_recorded_session(tmp_path: Path) -> None:
    unpack_session(tmp_path / "recorded.coi.db", "recorded")
    desk = Desk.at(tmp_path / "recorded.coi.db")
    assert repeated(desk.session.exports.text("md", WITH_APPENDIX)) == []
    desk.session.close()
