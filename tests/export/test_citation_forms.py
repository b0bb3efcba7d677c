"""The two forms of citations, the choice of parts, and the chain as a diagram."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from coi_tui.export.bibtex import bibtex
from coi_tui.export.escape import inline, paragraphs
from coi_tui.export.markdown import proposal
from coi_tui.export.mermaid import label, mermaid
from coi_tui.export.options import PARTS, USUAL, ProposalOptions, parts_from
from coi_tui.model.document import Diagram, DiagramArrow
from coi_tui.model.errors import UsageError
from coi_tui.model.text import clean_line

from .building import COT, PAPERS, SCRATCH, TREE, Builder, chain_of_three, full, idea, paper

EVERYTHING = tuple(PARTS)
KEYS = {
    "besta2023graph",
    "lightman2023lets",
    "nye2021show",
    "wei2022chain",
    "yao2023tree",
    "zhou2022least",
}


def written(parts: tuple[str, ...] = USUAL, citations: Any = "plain", **more: Any) -> str:
    b, kept = full()
    return proposal(b.subject(**{**kept, **more}), ProposalOptions(parts, citations, appendix=True))


def heads(text: str, level: int) -> list[str]:
    return re.findall(rf"^{'#' * level} (.+)$", text, re.MULTILINE)


# -- plain


def test_a_mark_leads_to_its_entry_in_the_list() -> None:
    html = MarkdownIt("commonmark", {"html": True}).enable("table").render(written())
    marks = set(re.findall(r'<a href="#ref-(\d+)">\[\1\]</a>', html))
    entries = re.findall(r'<li>\n?<span id="ref-(\d+)"></span>', html)
    assert [int(n) for n in entries] == list(range(1, len(PAPERS) + 1))
    assert marks == set(entries)


# -- pandoc


def test_citations_for_pandoc_have_the_keys_of_the_bibtex_file() -> None:
    b, kept = full()
    snapshot = b.subject(**kept)
    text = proposal(snapshot, ProposalOptions(EVERYTHING, "pandoc", appendix=True))
    in_text = set(re.findall(r"(?<![\w&])@([a-z0-9]+)", text.split("\n---\n", 1)[1]))
    assert in_text == KEYS == set(re.findall(r"^@\w+\{(.+),$", bibtex(snapshot), re.MULTILINE))
    assert (
        "[Let's Verify Step by Step](https://arxiv.org/abs/2305.20050) [@lightman2023lets]" in text
    )
    assert "Link: @yao2023tree cites @wei2022chain (starter library" in text
    assert "# References\n\n::: {#refs}\n:::\n" in text
    assert "#ref-" not in text


def test_the_head_of_the_file_has_title_date_and_every_paper() -> None:
    b = Builder()
    chain_of_three(b)
    b.text(
        "1/idea",
        idea(
            'Gates: a "study" of [@all] -- #1', problem="“Least-to-Most Prompting” splits a task."
        ),
    )
    text = proposal(b.subject(), ProposalOptions(citations="pandoc", appendix=True))
    opening, head, body = text.split("---\n", 2)
    found = {
        name: json.loads(value)
        for name, value in re.findall(r"^(title|date|nocite): (.+)$", head, re.MULTILINE)
    }
    assert opening == ""
    assert found["title"] == 'Gates: a "study" of \\[&#64;all\\] -- #1'
    assert found["date"] == "2026-11-20"
    assert set(found["nocite"].split(", ")) == {
        f"@{key}" for key in KEYS - {"besta2023graph", "lightman2023lets"}
    }
    assert heads(body, 1)[:3] == ["In short", "The idea", "Where it applies"]
    assert "All" not in heads(body, 1)


def test_no_text_of_the_session_becomes_a_citation() -> None:
    b = Builder()
    chain_of_three(b)
    b.text(
        "1/idea",
        idea(
            mechanism="Ask @wei2022chain and [@nobody2020], mail a@b.org, read @{key}.\n(a) One.\niv. Two. x^2^"
        ),
    )
    text = proposal(b.subject(), ProposalOptions(citations="pandoc", appendix=True))
    method = text.split("### Mechanism")[1].split("\n### ")[0]
    assert "@" not in method
    assert "(a\\) One." in method
    assert "iv\\. Two. x\\^2\\^" in method


@given(st.text(alphabet=st.sampled_from(list("a1 @[]{}^(i).\n")), max_size=30))
def test_text_shown_is_the_text_given(text: str) -> None:
    html = MarkdownIt("commonmark").render(paragraphs(text))
    assert "@" not in inline(text)
    assert re.sub(r"<[^>]+>", " ", html).split() == text.split()


# -- parts


def test_parts_stand_in_the_order_chosen_and_no_others() -> None:
    text = written(("review", "idea", "novelty"))
    assert [head.partition(" ")[2] for head in heads(text, 3)] == [
        "Warnings",
        "Topic",
        "Review points and answers",
        "The idea part by part",
        "Novelty evidence",
        "Works without a paper",
        "Further references",
    ]


def test_notes_are_written_only_where_they_are_asked_for() -> None:
    b, kept = full()
    b.decide("note", "1/idea", text="MY NOTE: ask *her*")
    snapshot = b.subject(**kept)
    assert "MY NOTE" not in proposal(snapshot)
    text = proposal(snapshot, ProposalOptions((*USUAL, "notes"), appendix=True))
    assert (
        "The researcher's notes\n\n#### On the idea of branch 1 (1/idea)\n\nMY NOTE: ask \\*her\\*"
        in text
    )


@pytest.mark.parametrize(
    "parts", [("chain",), ("novelty", "idea"), ("experiment", "review"), ("diagram",), EVERYTHING]
)
def test_a_session_without_a_chosen_idea(parts: tuple[str, ...]) -> None:
    text = written(parts, branch=None)
    assert any("of idea 2" in head for head in heads(text, 3)) == bool({*parts} - {"diagram"})
    assert ("The chain of papers" in heads(text, 4)) == ("chain" in parts)
    assert text.count("```mermaid") == (2 if "diagram" in parts else 0)


def test_all_ideas_in_a_table() -> None:
    lines = written(("table",)).split(" All ideas\n\n")[1].split("\n\n")[0].split("\n")
    assert lines[2:] == [
        "| 1 | Evidence-gated chains | How do chains of thought fail? | 3 papers, 2021 to 2023 | partial | yes |  |",
        "| 2 | Graphs that forget | How can thoughts be searched? | 1 paper, 2023 | INCONCLUSIVE | no |  |",
    ]
    assert " All ideas\n" not in written()
    assert " All ideas\n" not in proposal(
        Builder().subject(), ProposalOptions(("table",), appendix=True)
    )


def test_names_of_parts() -> None:
    assert parts_from(["review", "idea", "review"]) == ("review", "idea")
    for wrong in (["idea", "all"], []):
        with pytest.raises(UsageError, match="part"):
            parts_from(wrong)


# -- the chain as Mermaid


def test_the_chain_as_a_diagram() -> None:
    text = written(EVERYTHING)
    assert "The chain as a diagram\n\n```mermaid\nflowchart LR\n" in text
    assert (
        '    n1["Nye 2021<br/>Show Your Work#58; Scratchpads for Intermediate Computation"]\n'
        in text
    )
    assert '    n1 -.->|"cited by, unconfirmed"| n2\n    n2 -->|"cited by"| n3\n```' in text
    assert "mermaid" not in written()
    assert len(re.findall(r'<span id="ref-', written(("diagram",)))) == 3


HOSTILE = 'x"]\n```\nclick n1 "javascript:alert(1)" %% <b>`#quot; end;'


def test_no_label_can_leave_its_quotes() -> None:
    evil = paper("2201.11903", HOSTILE, 2022, HOSTILE)
    text = mermaid(
        Diagram((evil.id, TREE.id), (DiagramArrow(evil.id, TREE.id, HOSTILE),)),
        {evil.id: evil, TREE.id: TREE},
    )
    lines = text.split("\n")
    assert len(lines) == 6
    assert all(re.fullmatch(r'    n\d\["[^"`<>%]*<br/>[^"`<>]*"\]', line) for line in lines[2:4])
    assert re.fullmatch(r'    n1 -->\|"[^"`<>%|]*"\| n2', lines[4])


@given(st.text(max_size=40))
def test_a_label_says_what_was_given(text: str) -> None:
    said = label(text)
    assert not set(said) & set('"<>`[]{}|%&')
    assert re.sub(r"#(\d+);", lambda m: chr(int(m[1])), said).split() == clean_line(text).split()


def test_papers_that_are_missing_leave_no_arrow() -> None:
    text = mermaid(Diagram((COT.id,), (DiagramArrow(SCRATCH.id, COT.id, "cited by"),)), PAPERS)
    assert text.count("\n") == 3
