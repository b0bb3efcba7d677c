"""The main part of a proposal: the proposal where one was written, else idea and plan, with a line
on what is open."""

from __future__ import annotations

import re
from dataclasses import replace

from coi_tui.model.document import Manuscript, Passage, Section
from coi_tui.present.markdown import proposal

from .building import COT, TREE, Builder, anchor_why, chain_of_three, full, idea, section, whole

TEXT = "Before.\n\n## In short\n\nTrees help [P1][P2].\n\n## Risks\n\n- It may fail [P9]."


def main_of(text: str) -> str:
    return text.partition("\n## Appendix\n")[0]


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
    listed = re.compile(r"^(\d+)\. <span.+?\). (.+?)\. \*", re.MULTILINE)
    assert section(text, "The idea").count("#ref-1") == 1, (
        "a paper is cited where it is first named"
    )
    own, others = (
        listed.findall(section(text, part)) for part in ("References", "Further references")
    )
    assert own == [("1", TREE.title), ("2", COT.title)]
    assert [int(n) for n, _ in others] == [3, 4, 5, 6]
    alone = proposal(b.subject(**more)).replace(" Appendix: coi export chains --appendix.*", "*")
    assert alone.strip() == main_of(text).strip()


def test_the_line_says_who_wrote_it_and_what_is_open_with_its_place() -> None:
    b, more = full()
    b.text("1/idea", idea(), "person")
    more["fresh"] = {"1/exp": "stale"}
    line, text = (lambda text: (text.split("\n\n")[1], text))(whole(b.subject(**more)))
    assert (
        "made with Chain of Ideas, written by a person, written by a language model (A.9): idea 1, the leader of the matches."
        in line
    )
    assert "stale (A.1)" in line
    places = dict(re.findall(r"([\w ]+?)(?: \d+)? \((A\.\d+)\)", line.partition("Open: ")[2]))
    heads = dict(re.findall(r"^### (A\.\d+) (.+)$", text, re.MULTILINE))
    assert {kind.strip(): heads[place] for kind, place in places.items()} == {
        "stale": "Warnings",
        "undecided": "Warnings",
        "novelty of another version": "Novelty evidence",
        "not addressed": "Review points and answers",
        "unverified title": "Works without a paper",
        "unconfirmed link": "Warnings",
        "not made yet": "Warnings",
    }
    assert "## Warnings" not in main_of(text)


def test_a_proposal_that_was_written_is_the_main_part_and_its_labels_are_citations() -> None:
    b = Builder()
    chain_of_three(b)
    b.text("1/idea", idea())
    b.text("1/proposal", {"title": "Gates", "text": TEXT, "papers": [TREE.id, COT.id]})
    text = proposal(b.subject())
    assert re.findall(r"^##? (.+)$", text, re.MULTILINE) == [
        "Gates",
        "The idea",
        "In short",
        "Risks",
        "References",
    ]
    assert "Trees help [\\[1\\]](#ref-1)[\\[2\\]](#ref-2)." in section(text, "In short")
    assert "- It may fail \\[P9\\]." in section(text, "Risks").replace("\\- ", "- ")


def test_a_manuscript_is_the_main_part_until_a_proposal_is_written() -> None:
    b = Builder()
    chain_of_three(b)
    b.text("1/idea", idea())
    short = Passage("1/idea", "In short [1].", "model", (("[1]", TREE.id),))
    own = Manuscript("A manuscript", (Section("Method", (Passage("1/idea", "Gate."),)),), short, 1)
    snapshot = replace(b.subject(), document=replace(b.subject().document, manuscripts=(own,)))
    text = proposal(snapshot)
    assert re.findall(r"^##? (.+)$", text, re.MULTILINE) == [
        "A manuscript",
        "In short",
        "Method",
        "References",
    ]
    assert "In short [\\[1\\]](#ref-1)." in text
    b.text("1/proposal", {"title": "Gates", "text": TEXT, "papers": []})
    assert proposal(replace(b.subject(), document=snapshot.document)).startswith("# Gates\n")


def test_a_session_without_an_idea_says_so() -> None:
    b = Builder()
    b.place("1/0", COT.id, **anchor_why())
    text = proposal(b.subject())
    assert (
        "Not made yet. No idea has been chosen. What there is of each branch is in the appendix."
        in section(text, "The idea")
    )
    assert "Open: unfinished (A.1)" in text
