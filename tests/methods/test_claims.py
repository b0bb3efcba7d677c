"""COI-12: an idea's claims: passages that really stand in a paper, the verdict that follows from
them, and claims that a person wrote."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from coi_tui.methods.base.replies import ClaimVerdict
from coi_tui.methods.citing import contains_quote
from coi_tui.methods.ideas.novelty import (
    MOST_CLAIMS,
    cells,
    closeness,
    of_person,
)
from coi_tui.methods.nova.method import Nova
from coi_tui.model.content import ClaimCell, NoveltyReport
from coi_tui.model.papers import Paper
from tests.support.desk import copy_of
from tests.support.script import CLAIM_KINDS

TEXT = "Sparse Gates. We train “gates” that drop passages – before reading – so that half of the cost is saved. Graphs do not help."
PAPER = Paper(id="DOI:1/x", title="Sparse Gates", abstract=TEXT.removeprefix("Sparse Gates. "))


@pytest.mark.parametrize(
    ("passage", "found"),
    [
        ("gates that drop passages", True),
        ('We train "Gates" that  drop passages - before reading', True),
        ("Sparse Gates we train", True),
        ("train gates ... half of the cost is saved.", True),
        ("half of the cost […] train gates", False),
        ("gates that drop documents", False),
        ("ates that drop passages", False),
        ("drop passages", False),
        ("half-cost gates", False),
        ("...", False),
        ("", False),
    ],
)
def test_a_passage_stands_in_a_text_word_for_word(passage: str, found: bool) -> None:
    assert contains_quote(passage, TEXT) == found


def said(claim: int, judgement: Any, passage: str = "gates that drop passages") -> ClaimVerdict:
    return ClaimVerdict(claim=claim, passage=passage, judgement=judgement)


def test_a_passage_that_does_not_stand_in_the_paper_is_dropped_and_the_cell_says_what_was_said() -> (
    None
):
    first, second, third, fourth = cells(
        [said(1, "same"), said(2, "same", "made up by the model"), said(4, "overlaps", "")],
        4,
        PAPER,
    )
    assert first == ClaimCell(claim=1, judgement="same", passage="gates that drop passages")
    assert second == ClaimCell(claim=2, claimed="same")
    assert third == ClaimCell(claim=3)
    assert fourth == ClaimCell(claim=4, claimed="overlaps")


def test_a_claim_that_is_judged_twice_and_differently_has_no_passage_and_one_that_is_not_there_is_ignored() -> (
    None
):
    assert cells(
        [said(1, "same"), said(1, "different"), said(1, "same"), said(7, "same")], 1, PAPER
    ) == [ClaimCell(claim=1)]
    assert cells([said(1, "same"), said(1, "same")], 1, PAPER)[0].judgement == "same"


def row(word: str) -> ClaimCell:
    """``same``; ``-`` for none; ``!same`` where the passage was dropped."""
    if word.startswith("!"):
        return ClaimCell(claimed=word[1:])
    return ClaimCell() if word == "-" else ClaimCell(judgement=word)


@pytest.mark.parametrize(
    ("words", "verdict"),
    [
        ("same same - -", "close match"),
        ("same - - same", "close match"),
        ("same - - -", "partial"),
        ("overlaps same same same", "partial"),
        ("same !same - -", "partial"),
        ("!same - - -", "partial"),
        ("- overlaps - -", "partial"),
        ("different different - -", "not close"),
        ("!different - - -", "not close"),
        ("- - - -", "not close"),
    ],
)
def test_the_verdict_follows_from_the_cells(words: str, verdict: str) -> None:
    assert closeness([row(word) for word in words.split()], CLAIM_KINDS) == verdict


@pytest.mark.parametrize(
    ("same", "verdict"),
    [
        (("problem", "mechanism"), "close match"),
        (("mechanism", "why it works"), "partial"),
        ((), "not close"),
    ],
)
def test_nova_10_close_is_the_same_problem_and_the_same_approach(
    same: tuple[str, ...], verdict: str
) -> None:
    words = [row("same" if kind in same else "different") for kind in CLAIM_KINDS]
    assert closeness(words, CLAIM_KINDS, Nova.novelty.wanted) == verdict


def test_claims_of_a_person_are_read_line_by_line() -> None:
    rows = [
        {
            "name": "Mechanism",
            "description": "Gates drop passages before they are read by the large model.",
        },
        {"name": "A line: of its own", "description": "with more"},
        {"name": "Anything", "description": ""},
    ]
    first, second, third = of_person(rows)
    assert (first.kind, first.text) == ("mechanism", rows[0]["description"])
    assert {"gates", "passages"} <= set(first.queries[0].lower().split())
    assert (second.kind, second.text) == ("", "A line: of its own: with more")
    assert (third.kind, third.text, third.queries) == ("", "Anything", ["anything"])
    assert of_person(None) == []
    assert len(of_person([rows[0]] * 20)) == MOST_CLAIMS


# In a session


OWN = "- mechanism: gates drop passages\n- why it works: most passages are never used\n- setting: question answering"


def test_a_persons_claims_make_the_report_stale_and_are_kept_through_every_check(
    tmp_path: Path,
) -> None:
    desk = copy_of(tmp_path, "one")
    assert desk.marks() == {}
    before = len(desk.model.of("coi_novelty_queries"))
    desk.session.edits.save("1/claims", OWN)
    assert desk.session.freshness("1/nov").status == "stale"
    assert desk.session.freshness("1/idea").status == "fresh"
    for _ in range(2):
        outcome = desk.refresh(["1/nov"], again=True)
        assert outcome.failed == {}
        report = desk.session.state.read("1/nov", NoveltyReport)
        assert report is not None
        assert report.claims_by == "you"
        assert [claim.kind for claim in report.claims] == ["mechanism", "why it works", "setting"]
        assert [s.claim for s in report.searches] == [1, 2, 3, 0]
        assert report.searches[0].query == "gates drop passages"
        assert desk.session.freshness("1/nov").status == "fresh"
    assert len(desk.model.of("coi_novelty_queries")) == before, "they are not asked for"
    desk = desk.reopen()
    assert desk.session.edits.text_of("1/claims") == OWN
    while "claims" not in desk.session.undo():
        pass  # each check that was made anew
    report = desk.session.state.read("1/nov", NoveltyReport)
    assert report is not None
    assert report.claims_by == "", "the report from before them is in use again"
