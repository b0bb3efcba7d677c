"""The main part of a proposal: three pages at most, nothing twice, what is cut goes on in the appendix, and a line on what is open."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from coi_tui.export.latex import latex
from coi_tui.export.markdown import proposal
from coi_tui.export.options import WITH_APPENDIX, MainPart, ProposalOptions
from coi_tui.export.snapshot import SessionSnapshot
from coi_tui.model.document import Manuscript, Passage, Section

from .building import COT, PAPERS, TREE, Builder, anchor_why, chain_of_three, full, idea, paper, plan, section, whole

GIVEN = MainPart(
    "# Gates for steps\n\n## In short\n\nA gate reads each step [P1].\n\n## Papers that it cites\n\n- [P1] Tree of Thoughts (2023).\n",
    "A text of the recorded run, not assembled from this session.",
)


WORDS = 2_500


def prose(name: str, paragraphs: int, sentences: int = 8) -> str:
    """Paragraphs of some eighty words, no two sentences alike."""
    told = [[f"Sentence {n} of paragraph {p} about {name} says a thing of its own." for n in range(sentences)] for p in range(paragraphs)]
    return "\n\n".join(" ".join(one) for one in told)


def long_session(**fields: object) -> SessionSnapshot:
    b = Builder()
    chain_of_three(b)
    texts = {"final": prose("the idea", 25), "difference": prose("difference", 5), "challenges": prose("risks", 4), "contributions": []}
    b.text("1/idea", {**idea(), **texts, **fields})
    b.text("1/exp", plan(design=prose("design", 12)))
    return b.subject()


def main_of(text: str) -> str:
    return text.partition("\n## Appendix\n")[0]


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"final": prose("one paragraph", 1, 300)},
        {"difference": prose("difference", 40), "challenges": prose("risks", 40), "contributions": [prose(n, 1, 2) for n in ("a", "b")]},
    ],
)
def test_what_exceeds_three_pages_goes_on_in_the_appendix_where_the_text_says(fields: dict[str, object]) -> None:
    snapshot = long_session(**fields)
    alone, text = proposal(snapshot), whole(snapshot)
    assert len(alone.split()) <= WORDS
    assert len(alone.split()) > WORDS / 2
    for title, place in re.findall(r"^## (.+)\n(?:(?!## ).*\n)*?\(continued in the appendix, (A\.\d+)\)$", alone, re.MULTILINE):
        head, rest = ("Experiment plan", "design") if title == "Experiment" else ("The idea part by part", "")
        assert f"### {place} {head}\n" in text
        assert rest in section(text, head)
    assert "(continued in the appendix, A." in alone
    for one in (alone, text.removeprefix(main_of(text))):
        said = re.findall(r"Sentence \d+ of paragraph \d+ about .+? says a thing of its own\.", one)
        assert len(said) == len(set(said)), "nothing stands twice"
    kept = " ".join(str(snapshot.state.value(at)) for at in ("1/idea#final", "1/idea#difference", "1/exp#design"))
    assert all(f"{sentence.strip()}." in text for sentence in kept.split(".")[:-1]), "nothing is lost"
    assert not re.search(r"[^.†]\n\n\(continued", alone), "no cut within a sentence"


def test_a_text_without_room_leaves_its_place() -> None:
    """Many references: whole parts go."""
    papers = [paper(f"2201.{n:05d}", f"A Study of Gates Number {n} in Chains of Thought", 2022, "Ada Ott", "Bo Bar") for n in range(150)]
    b = Builder({p.id: p for p in papers} | PAPERS)
    chain_of_three(b)
    b.text("1/idea", idea(final=" ".join(f"“{p.title}” gates a step." for p in papers), contributions=[]))
    alone = proposal(b.subject())
    assert len(alone.split()) <= WORDS
    assert re.search(r"^\(continued in the appendix, A\.3\)$", alone, re.MULTILINE)
    listed = set(re.findall(r"^(\d+)\. <span", alone, re.MULTILINE))
    assert listed == set(re.findall(r"\\\[(\d+)\\\]", alone))


def test_references_are_those_of_the_main_part_and_the_appendix_has_the_others() -> None:
    b, more = full()
    b.text("1/idea", idea(final="Tree of Thoughts searches (Wei et al., 2022). “Tree of Thoughts” says so."))
    text = whole(b.subject(**more))
    assert "Tree of Thoughts [\\[1\\]](#ref-1) searches (Wei et al., 2022 [\\[2\\]](#ref-2))" in section(text, "The idea")
    listed = re.compile(r"^(\d+)\. <span.+?\). (.+?)\. \*", re.MULTILINE)
    assert section(text, "The idea").count("#ref-1") == 1, "a paper is cited where it is first named"
    own, others = (listed.findall(section(text, part)) for part in ("References", "Further references"))
    assert own == [("1", TREE.title), ("2", COT.title)]
    assert [int(n) for n, _ in others] == [3, 4, 5, 6]
    assert proposal(b.subject(**more)) == main_of(text).replace("says it.*", "says it. Appendix: coi export chains --appendix.*") + (
        "" if main_of(text).endswith("\n") else "\n"
    )


def test_the_line_says_who_wrote_it_and_what_is_open_with_its_place() -> None:
    b, more = full()
    b.text("1/idea", idea(), "person")
    more["fresh"] = {"1/exp": "stale"}
    line, text = (lambda text: (text.split("\n\n")[1], text))(whole(b.subject(**more)))
    assert "made with Chain of Ideas, written by a person, written by a language model (A.9): idea 1, the leader of the matches." in line
    assert "stale (A.1)" in line
    places = dict(re.findall(r"([\w ]+?)(?: \d+)? \((A\.\d+)\)", line.partition("Open: ")[2]))
    heads = dict(re.findall(r"^### (A\.\d+) (.+)$", text, re.MULTILINE))
    assert {kind.strip(): heads[place] for kind, place in places.items()} == {
        "stale": "Warnings", "undecided": "Warnings", "novelty of another version": "Novelty evidence",
        "not addressed": "Review points and answers", "unverified title": "Works without a paper", "unconfirmed link": "Warnings",
        "unsupported": "Sentences about earlier work",
    }  # fmt: skip
    assert "## Warnings" not in main_of(text)


def test_a_mark_stands_after_what_no_paper_says_and_is_explained() -> None:
    b = Builder()
    chain_of_three(b)
    b.text("1/idea", idea())
    assert "No earlier work gates single steps. †" in section(whole(b.subject()), "How it differs")
    assert "† after a sentence: no passage" in proposal(b.subject()).split("\n\n")[1]
    b.text("1/idea", idea(difference="It is small.", motivation="It is."))
    assert "†" not in proposal(b.subject())


def test_a_manuscript_is_the_main_part() -> None:
    b = Builder()
    chain_of_three(b)
    b.text("1/idea", idea())
    own = Manuscript(
        "A manuscript",
        (Section("Introduction", (Passage("1/idea", prose("intro", 40)),)), Section("Method", (Passage("1/idea", "Gate."),))),
        Passage("1/idea", "In short [1].", "model", (("[1]", TREE.id),)), 1,
    )  # fmt: skip
    snapshot = replace(b.subject(), document=replace(b.subject().document, manuscripts=(own,)))
    text = proposal(snapshot)
    assert re.findall(r"^##? (.+)$", text, re.MULTILINE) == ["A manuscript", "In short", "Introduction", "Method", "References"]
    assert len(text.split()) <= WORDS
    assert "In short [\\[1\\]](#ref-1)." in text
    assert "(continued in the appendix, A.4)" in text


def test_a_main_part_that_is_given_stands_in_place_of_the_assembled_one_and_says_whose_it_is() -> None:
    b, more = full()
    text = proposal(b.subject(**more), replace(WITH_APPENDIX, main=GIVEN))
    title, line, rest = text.split("\n\n", 2)
    assert title == "# Gates for steps"
    assert line.startswith("*A text of the recorded run, not assembled from this session. Exported ")
    assert rest.startswith(f"{GIVEN.text.partition(chr(10))[2].strip()}\n\n## Appendix")
    assert "Let a verifier gate each step" in section(text, "The idea part by part")
    assert "## Appendix" not in proposal(b.subject(**more), ProposalOptions(main=GIVEN))


def test_latex_has_the_same_main_part() -> None:
    snapshot = long_session()
    text = latex(snapshot)
    assert re.findall(r"\\section\{(.+?)\}", text) == re.findall(r"^## (.+)$", proposal(snapshot), re.MULTILINE)[:-1]
    assert text.count("continued in the appendix, A.") == proposal(snapshot).count("continued in the appendix, A.")
    assert r"\appendix" not in text


def test_a_session_without_an_idea_says_so() -> None:
    b = Builder()
    b.place("1/0", COT.id, **anchor_why())
    text = proposal(b.subject())
    assert "Not made yet. No idea has been chosen. What there is of each branch is in the appendix." in section(text, "The idea")
    assert "Open: unfinished (A.1)" in text
