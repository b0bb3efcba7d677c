"""Sentences about earlier work: which are, on which passage each stands, and how those on none are marked."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coi_tui.export.earlier_work import EXCEPT, NO_STATEMENT, RULES, EarlierWork, sentence_spans, systems
from coi_tui.export.options import WITH_APPENDIX
from coi_tui.export.support import Evidence
from coi_tui.model.papers import Paper
from tests.support.desk import copy_of

PAPERS = {
    "a": Paper(
        id="a", title="ReQuill: Rewriting drafts with a critic", year=2021, authors=("Ada Moss", "Ben Orr"),
        abstract="A critic reads each draft and names one flaw. The writer repairs the flaw until the critic stays silent.",
    ),
    "b": Paper(
        id="b", title="Planning harbour cranes by tides", year=2019, authors=("Cem Dag",),
        abstract="Tides decide when a crane can load. Our planner cuts waiting time by 12 % in three harbours.",
    ),
}  # fmt: skip
RULE = EarlierWork(systems(PAPERS))


@pytest.mark.parametrize(
    ("sentence", "why"),
    [
        ("Existing multi-agent planning methods ignore the tide.", "earlier work"),
        ("Most recent studies stop at one harbour.", "earlier work"),
        ("State-of-the-art systems need a map.", "earlier work"),
        ("The paper leaves open how large a crane may be.", "earlier work"),
        ("It has been widely shown that critics agree too soon.", "has been done"),
        ("This loop was introduced by two groups at once.", "was done by others"),
        ("Researchers found that readers skip the end.", "others say"),
        ("It is well known that tides repeat.", "others say"),
        ("The field moves from writing to judging.", "the field"),
        ("One such planner reduces waiting by 12 % in three harbours.", "a result of others"),
        ("ReQuill repairs one flaw at a time.", "names a system"),
        ("Therefore ReQuill (2021) is slow.", "names a system"),
        # and what is none
        ("Each draft is read by two critics.", ""),
        ("We will compare it with existing methods.", ""),
        ("Compare with recent methods on three harbours.", ""),
        ("Do earlier methods ignore the tide?", ""),
        ("To write: what earlier work says.", ""),
        ("Worksheet on earlier papers.", ""),
        ("This plan will beat earlier work by 5 %.", ""),
        ("The claim fails below a gain of 20 points.", ""),
    ],
)
def test_which_sentences_are_about_earlier_work(sentence: str, why: str) -> None:
    assert RULE.why(sentence, names_paper=False) == why


def test_a_sentence_that_names_a_paper_is_always_about_earlier_work_unless_it_asks() -> None:
    assert RULE.why("Compare with Moss and Orr (2021).", names_paper=True) == "names a paper"
    assert RULE.why("Is it better than Moss and Orr (2021)?", names_paper=True) == ""
    assert all(rule.name and rule.words.pattern for rule in (*RULES, *EXCEPT, *NO_STATEMENT))


@settings(derandomize=True, max_examples=60, deadline=None)
@given(st.text(alphabet='Ab .!?\n“”"()-12é', max_size=60))
def test_spans_are_in_order_and_leave_out_blanks_only(text: str) -> None:
    spans = list(sentence_spans(text))
    assert all(a < b for a, b in spans)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))
    assert all(text[a:b] == text[a:b].strip() for a, b in spans)


def test_sentences_end_neither_in_quotations_nor_after_abbreviations() -> None:
    text = "See Wei et al. It names “No. Not now. Never” and stops. 2. Next\n## motivation\n- Last one"
    assert [text[a:b] for a, b in sentence_spans(text)] == [
        "See Wei et al. It names “No. Not now. Never” and stops.", "Next", "Last one",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("sentence", "status", "paper"),
    [
        ("Earlier work lets a critic name one flaw of each draft.", "supported", "a"),
        ("Earlier work trains the critic on tides of the moon.", "unsupported", ""),
        ("ReQuill repairs each flaw until its critic is silent.", "supported", "a"),
        ("ReQuill decides when cranes can load by the tides.", "unsupported", ""),
        ("Dag (2019) cuts waiting time by 12 % in harbours.", "supported", "b"),
        ("Moss and Orr (2021) cut waiting time by 12 % in harbours.", "unsupported", ""),
        ("It begins with Dag (2019).", "supported", "b"),
        ("Quandry et al. (2019) cut waiting time in harbours.", "unverified", ""),
        ("The older card says: “when a crane can load”.", "supported", "b"),
    ],
)
def test_a_sentence_stands_on_the_passage_that_says_so(sentence: str, status: str, paper: str) -> None:
    (found,) = Evidence(PAPERS).check(sentence)
    assert (found.status, found.paper) == (status, paper)
    assert bool(found.passage) == (status == "supported")


def test_marks_in_the_app_and_the_export(tmp_path: Path) -> None:
    session = copy_of(tmp_path).session
    address = f"{session.state.ideas()[0]}/idea"
    own = next(p for p in session.state.papers.values() if p.abstract and p.title)
    invented = "Earlier work has shown that lighthouse keepers prefer marmalade."
    session.edits.save(address, f"## final\nThis is ours. {invented} Then “{own.title}” is named.\nIt follows Quandry et al. (2019).\n")
    support = session.queries.support
    assert invented in {one.text for one in support.of(address) if one.status == "unsupported"}
    head, said = next(part for part in session.queries.detail(address).parts if "about earlier work" in part[0])
    assert "1 UNVERIFIED" in head
    assert f"- {invented}" in said
    assert "Quandry" not in said, "it stands under UNVERIFIED already"
    line = next(one for one in support.lines(address) if own.title in one.sentence)
    assert (line.status, line.paper, line.passage) == ("supported", own.id, own.title)
    kept = support.evidence
    session.decisions.pick(address)
    assert support.evidence is kept, "a decision that changes no evidence gathers none anew"
    made = session.exports.text("md", WITH_APPENDIX)
    assert f"{invented} **[unsupported]** Then" in made
    assert "**Unsupported**" in made
    assert "Sentences about earlier work" in made
    rows = json.loads(session.exports.text("json"))["support"][address]
    assert {row["status"] for row in rows} >= {"supported", "unsupported", "unverified"}
    assert next(row for row in rows if row["sentence"] == invented)["passage"] is None
