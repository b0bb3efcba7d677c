"""The proposal as a document, in Markdown: its parts, warnings and references (COI-16)."""

from __future__ import annotations

import re

import pytest
from markdown_it import MarkdownIt

from coi_tui.model.content import NoveltyReport
from coi_tui.model.document import Manuscript, MethodDocument, Passage, Section
from coi_tui.present.cells import verdict_text
from coi_tui.present.formats.md import markdown
from coi_tui.present.proposal import WORKSHEET, Proposal
from coi_tui.present.snapshot import LIMITS, WITH_APPENDIX, ProposalOptions, SessionSnapshot

from .building import (
    CHECKER,
    COT,
    PAPERS,
    TREE,
    Builder,
    anchor_why,
    chain_of_three,
    full,
    hostile,
    idea,
    paper,
    report,
    row,
    search,
    section,
    whole,
)

TEXT = "Before.\n\n## In short\n\nTrees help [P1][P2].\n\n## Risks\n\n- It may fail [P9]."


def done(origin: str = "model", **more: object) -> str:
    b, kept = full(origin)
    return whole(b.subject(**{**kept, **more}))


def warned(b: Builder, **more: object) -> list[tuple[str, tuple[str, ...]]]:
    warnings = Proposal(b.subject(**more), WITH_APPENDIX).warnings
    return [(warning.kind, warning.addresses) for warning in warnings]


def test_sections_in_order() -> None:
    heads = re.findall(r"^(?:##?|### A\.\d+) (.+)$", done(), re.MULTILINE)
    assert heads == [
        "Evidence-gated chains",
        "In short",
        "The idea",
        "Where it applies",
        "First decisive step",
        "Experiment",
        "Cost and risks",
        "Simplest rival",
        "References",
        "Appendix",
        "Warnings",
        "Topic",
        "Branch",
        "Question",
        "Paper",
        "Trend",
        "Future direction",
        "Idea",
        "Novelty report",
        "Experiment plan",
        "Review",
        "Other ideas",
        "Ratings",
        "How this was made",
        "Further references",
    ]


# -- the main part


def test_references_are_those_of_the_main_part_and_the_appendix_has_the_others() -> None:
    b, more = full()
    b.text(
        "1/idea",
        idea(
            summary="No earlier work gates single steps.",
            final="Tree of Thoughts searches (Wei et al., 2022). “Tree of Thoughts” says so.",
        ),
    )
    text = whole(b.subject(**more))
    assert (
        "Tree of Thoughts [\\[1\\]](#ref-1) searches (Wei et al., 2022 [\\[2\\]](#ref-2))"
        in section(text, "The idea")
    )
    listed = re.compile(r"^(\d+)\. <span.+?\). (.+?)\. ", re.MULTILINE)
    assert section(text, "The idea").count("#ref-1") == 1, (
        "a paper is cited where it is first named"
    )
    own, others = (
        listed.findall(section(text, part)) for part in ("References", "Further references")
    )
    assert own == [("1", TREE.title), ("2", COT.title)]
    assert [int(n) for n, _ in others] == [3, 4, 5, 6]
    alone, main = markdown(b.subject(**more)), text.partition("\n## Appendix\n")[0]
    assert alone.split("\n\n", 2)[2].strip() == main.split("\n\n", 2)[2].strip()


def test_a_proposal_that_was_written_is_the_main_part_and_its_labels_are_citations() -> None:
    b = Builder()
    chain_of_three(b)
    b.text("1/idea", idea())
    b.text("1/proposal", {"title": "Gates", "text": TEXT, "papers": [TREE.id, COT.id]})
    text = markdown(b.subject())
    heads = ["Gates", "The idea", "In short", "Risks", "References"]
    assert re.findall(r"^##? (.+)$", text, re.MULTILINE) == heads
    assert "Trees help [\\[1\\]](#ref-1)[\\[2\\]](#ref-2)." in section(text, "In short")
    assert section(text, "Risks").strip() == "- It may fail \\[P9\\]."


def test_a_manuscript_is_the_main_part_until_a_proposal_is_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    b = Builder()
    chain_of_three(b)
    b.text("1/idea", idea())
    short = Passage("1/idea", "In short [1].", "model", (("[1]", TREE.id),))
    own = Manuscript("A manuscript", (Section("Method", (Passage("1/idea", "Gate."),)),), short, 1)
    document = MethodDocument(manuscripts=(own,))
    monkeypatch.setattr(SessionSnapshot, "of_method", lambda self, branches: document)
    text = markdown(b.subject())
    heads = ["A manuscript", "In short", "Method", "References"]
    assert re.findall(r"^##? (.+)$", text, re.MULTILINE) == heads
    assert "In short [\\[1\\]](#ref-1)." in text
    b.text("1/proposal", {"title": "Gates", "text": TEXT, "papers": []})
    assert markdown(b.subject()).startswith("# Gates\n")


@pytest.mark.parametrize("count", range(1, 30, 4))
def test_every_beginning_of_a_session_can_be_exported(count: int) -> None:
    b, more = full()
    b.entries = b.entries[:count]
    subject = b.subject(calls=more["calls"])
    text = whole(subject)
    assert text.startswith("# ")
    if subject.branch is None:
        assert "Unfinished" in [kind for kind, _ in warned(b)]
    assert "is novel" not in text.lower()
    assert not re.search(r"\bNone\b(?![.:])", text)


def test_no_branch_at_all() -> None:
    text = whole(SessionSnapshot("empty", "Chain of Ideas", "", Builder().subject().state))
    assert text.startswith("# empty\n")
    assert "#ref-" not in text


def test_a_worksheet_is_said_to_be_one_near_the_top() -> None:
    assert WORKSHEET.partition(".")[0] in done("drafter").split("\n\n")[1]
    assert WORKSHEET.partition(".")[0] not in done("model")


# -- references and works


def test_references_are_papers_of_the_session_each_once() -> None:
    text = done()
    both = section(text, "References") + section(text, "Further references")
    entries = re.findall(r"^(\d+)\. <span id=\"ref-(\d+)\"></span>(.+)$", both, re.MULTILINE)
    assert [n for n, _, _ in entries] == [n for _, n, _ in entries]
    assert [int(n) for n, _, _ in entries] == list(range(1, len(PAPERS) + 1))
    assert {t for p in PAPERS.values() for t in [p.title] if any(t in e[2] for e in entries)} == {
        p.title for p in PAPERS.values()
    }
    assert set(re.findall(r"\(#ref-(\d+)\)", text)) <= {n for n, _, _ in entries}
    assert "<https://arxiv.org/abs/2201.11903>" in text


def test_one_paper_under_two_ids_is_one_reference() -> None:
    b = Builder()
    twin = paper("x", COT.title, 2022, "J. Wei").model_copy(
        update={"id": "S2:" + "a" * 40, "ids": {"arXiv": "2201.11903", "S2": "a" * 40}}
    )
    b.papers[twin.id] = twin
    b.place("1/0", COT.id, **anchor_why())
    b.place("2/0", twin.id, **anchor_why())
    assert len(re.findall(r"^\d+\. <span", whole(b.subject()), re.MULTILINE)) == 1


def test_a_title_named_in_a_text_is_cited_or_marked() -> None:
    b = Builder()
    chain_of_three(b)
    text = (
        "“Least to most prompting” helps; “A Survey of Everything Under the Sun” says so,"
        ' as does "Gated Minds: Towards Careful Machines" (2024).'
    )
    called = 'We call it “the gate” and quote "step by step, then stop".'
    b.text("1/idea", idea(problem=text, mechanism=called))
    made = whole(b.subject())
    assert "Least-to-Most Prompting" in section(made, "Further references")
    listed = section(made, "Warnings")
    for title in (
        "A Survey of Everything Under the Sun",
        "Gated Minds: Towards Careful Machines",
    ):
        assert title in listed
    assert warned(b).count(("Unverified title", ("1/idea",))) == 2


# -- warnings


def test_a_warning_for_each_stale_failed_and_undecided_part() -> None:
    b, more = full()
    fresh = {
        "1/dir": "stale",
        "1/idea": "upstream",
        "1/nov": "fresh",
        "1/exp": "kept",
        "2/dir": "stale",
        "2/nov": "stale",
    }
    found = warned(b, **{**more, "fresh": fresh, "failures": {"1/+2.cands": "no answer"}})
    expected = [
        ("Failed", ("1/+2.cands",)),
        ("Stale", ("1/dir",)),
        ("Stale upstream", ("1/idea",)),
        ("Stale", ("2/nov",)),
        ("Undecided", ("1/-1", "1/+1")),
        ("Not addressed", ("1/review",)),
    ]
    assert [warning for warning in found if warning in expected] == expected
    assert ("Stale", ("2/dir",)) not in found


@pytest.mark.parametrize(
    ("rows", "searches"),
    [
        ([], [search(hits=0, result="empty")]),
        ([row(CHECKER, "not close")], [search(), search("b", 0, "failed", note="429")]),
    ],
)
@pytest.mark.parametrize("verdict", ["INCONCLUSIVE", ""])
def test_an_inconclusive_report_is_said_to_be_one(
    rows: list[dict[str, object]], searches: list[dict[str, object]], verdict: str
) -> None:
    b = Builder()
    chain_of_three(b)
    seq = b.text("1/idea", idea())
    b.text("1/nov", report(rows, searches, verdict, seq))
    assert ("Novelty INCONCLUSIVE", ("1/nov",)) in warned(b)
    assert "INCONCLUSIVE" in section(whole(b.subject()), "Novelty report").split("\n\n")[0]


def test_a_report_without_its_counts_is_read_through_its_model() -> None:
    b, more = full()
    b.text("1/nov", {"verdict": "close match", "papers": [row(CHECKER, "close match")]})
    assert ("Close match", ("1/nov",)) in warned(b, **more)
    text = section(whole(b.subject(**more)), "Novelty report")
    assert CHECKER.title in text.replace("\\", "")
    state = b.subject().state

    found = state.read("1/nov", NoveltyReport)
    assert found is not None
    assert verdict_text(found) in text


# -- how it was made


def test_how_it_was_made() -> None:
    text = section(done(), "How this was made")
    assert "big-2026" in text
    assert "| coi\\_idea | 1 | abcdef012345 | built in | 2 |" in text
    assert "2,000" in text
    assert "0.01" in text
    assert "accept 1/0, arXiv:2201.11903: the classic." in text
    assert LIMITS[0] in text


def test_notes_are_written_only_where_they_are_asked_for() -> None:
    b, kept = full()
    b.decide("note", "1/idea", text="MY NOTE: ask *her*")
    snapshot = b.subject(**kept)
    assert "MY NOTE" not in whole(snapshot)
    text = markdown(snapshot, ProposalOptions(appendix=True, notes=True))
    assert "MY NOTE: ask \\*her\\*" in text


# -- text from outside


def test_hostile_texts_make_no_markup() -> None:
    text = whole(hostile())
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text)
    links = {
        str(c.attrs["href"]) for t in tokens for c in t.children or () if c.type == "link_open"
    }
    assert links - {"https://doi.org/10.1/a%29b%28c"} == {"#ref-1"}
    assert not any(t.type.startswith("html") for t in tokens)
    html = {c.content for t in tokens for c in t.children or () if c.type == "html_inline"}
    assert html == {'<span id="ref-1">', "</span>"}
    heads = {tokens[i + 1].content for i, t in enumerate(tokens) if t.type == "heading_open"}
    assert not any(h.startswith("head") for h in heads)


def test_nothing_is_called_novel() -> None:
    b, more = full()
    b.text("1/idea", idea(summary="This gate is novel.", final="It is\nnovel and **is novel**."))
    assert "is novel" not in whole(b.subject(**more)).lower()
