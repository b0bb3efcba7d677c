"""Sources of sentences: labels in prompts, ids in texts, and quoted words that are really there."""

from pathlib import Path
from typing import Any

import pytest

from coi_tui.literature.citations import marks_in, without_mark
from coi_tui.methods.base.reply_models import Reply, Sources
from coi_tui.methods.chain.chains import Chains
from coi_tui.methods.citing import CitationLabels, contains_quote
from coi_tui.model.address import slot
from coi_tui.model.content import CitedSource
from coi_tui.model.document import Paragraph, Section
from coi_tui.model.papers import Paper
from coi_tui.present.cells import UNQUOTED
from coi_tui.services.llm.chat import ChatRequest
from coi_tui.services.llm.reply_reading import hints_of, read_reply
from tests.support.desk import ONE, Desk
from tests.support.script import HashModel

A = Paper(id="arXiv:2201.11903", title="Chains of thought", abstract="We ask for steps.")
B = Paper(id="DOI:10.1/b", title="Trees of thought", abstract="We search a tree of steps.")
PAPERS = {paper.id: paper for paper in (A, B)}


class Part(Reply):
    said: str


class Text(Reply):
    text: str
    inner: list[Part] = []
    parts: list[str] = []
    sources: Sources = []


def shown() -> CitationLabels:
    rows = [{"paper": A.id, "problem": "Answers come without reasons."}, {"paper": B.id}]
    return CitationLabels(
        {"chain": rows, "said": f"As [{A.id}] and [{B.id}] found, not [DOI:10.1/c]."}, PAPERS
    )


def test_each_paper_gets_one_label_and_marks_become_labels() -> None:
    values = shown().values
    assert [row["label"] for row in values["chain"]] == ["P1", "P2"]
    assert values["said"] == "As [P1] and [P2] found, not [DOI:10.1/c]."


C = Paper(id="S2:9f", title="Visual encodings", year=2021, authors=("Alex Kale", "Jo Doe"))
D = Paper(id="S2:d0", title="Encodings again", year=2021, authors=("Mia Kale", "Ed Roe"))
SUBJECT = f"It begins with steps [{A.id}], [{B.id}]. [{C.id}] seeks encodings [DOI:10.1/c]."


@pytest.mark.parametrize("cites", [True, False])
def test_a_mark_of_a_paper_that_this_prompt_does_not_show_is_its_short_name(cites: bool) -> None:
    values: dict[str, Any] = {"idea": {"text": SUBJECT}}
    text = CitationLabels(values, {**PAPERS, C.id: C}, cites=cites).values["idea"]["text"]
    names = [f"[{paper.short()}]" for paper in (A, C)]
    assert names[1] == "[Kale et al. 2021]"
    assert f". {names[1]} seeks encodings [DOI:10.1/c]." in text
    assert text.startswith(f"It begins with steps {names[0]}, [")
    assert not any(paper.id in text for paper in (A, B, C))


def test_short_names_in_a_reply_are_ids_again_and_two_of_a_name_stay_apart() -> None:
    said = f"[{C.id}] and [{D.id}] differ, and [{C.id}] is first."
    given = CitationLabels({"said": said}, {C.id: C, D.id: D})
    assert given.values["said"] != said
    assert given.resolved(Text(text=given.values["said"])).text == said


def test_a_label_of_no_paper_stays_where_a_sentence_begins_with_it() -> None:
    assert reply("[P7] seeks encodings. So does [P8].").text == "[P7] seeks encodings. So does."


def reply(text: str, *sources: tuple[str, str]) -> Text:
    found = Text(
        text=text, sources=[CitedSource(paper=label, words=words) for label, words in sources]
    )
    return shown().resolved(found)


def test_labels_become_ids_and_unknown_ones_go() -> None:
    found = reply("One [P1]. Both [P1, P2]. Both again [P1; p2]. None [P7]. Some [P2, P9].")
    one, two = f"[{A.id}]", f"[{B.id}]"
    assert found.text == f"One {one}. Both {one}{two}. Both again {one}{two}. None. Some {two}."
    assert reply("An array [0] and [Px] stay [1].").text == "An array [0] and [Px] stay [1]."


def test_labels_within_the_parts_of_a_reply_become_ids_too() -> None:
    found = shown().resolved(Text(text="x", inner=[Part(said="As [P2] did.")]))
    assert found.inner == [Part(said=f"As [{B.id}] did.")]


def test_what_is_said_of_a_paper_from_memory_is_no_passage_of_it() -> None:
    row = {"paper": A.id, "same": "Both write their steps down.", "left": "", "said": "x"}
    given = Text(text="x", sources=[CitedSource(paper="P1", words="write their steps down")])
    assert not CitationLabels({"rivals": [row]}, PAPERS).resolved(given).sources[0].found


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("We ask for steps", True),
        ("Answers come without reasons.", True),  # what was read of it
        ("we  ASK for “steps”", True),
        ("We search a tree", False),  # of the other paper
        ("We ask for stairs", False),
        ("steps", False),  # too short to show anything
        ("", False),
    ],
)
def test_quoted_words_are_looked_for_in_the_paper(words: str, found: bool) -> None:
    (source,) = reply("They ask for steps [P1].", ("P1", words)).sources
    assert (source.paper, source.found) == (A.id, found)


def test_a_source_with_an_unknown_label_is_dropped() -> None:
    assert reply("Nothing.", ("P7", "We ask for steps"), ("paper", "We ask")).sources == []


def test_a_model_cannot_say_itself_that_words_were_found() -> None:
    given = Text.model_validate(
        {"text": "x [P1]", "sources": [{"paper": "[P1]", "words": "not there", "found": True}]}
    )
    assert [source.found for source in shown().resolved(given).sources] == [False]


def test_a_label_in_brackets_is_no_placeholder_and_echoes_cost_no_reply() -> None:
    """With the fields of a prompt to compare with, as a language model's reply is read."""
    hints = hints_of("Task: write.\n- sources: an object with paper (its label) and words\n")
    given = '{"text": "x [P1]", "sources": [{"paper": "[P1]", "words": "We ask for steps"}]}'
    assert len(read_reply(given, "stop", Text, hints).value.sources) == 1
    echo = '{"text": "x", "sources": [{"paper": "[its label]", "words": "<words>"}]}'
    assert read_reply(echo, "stop", Text, hints).value.sources == []


@pytest.mark.parametrize(
    ("odd", "number"),
    [
        ("null", 0),
        ('"P1"', 0),
        ('[{"paper": "P1"}, "P2", {"paper": "P1", "words": "We ask for steps"}]', 1),
    ],
)
def test_sources_that_cannot_be_read_cost_no_reply(odd: str, number: int) -> None:
    read = read_reply(f'{{"text": "x", "sources": {odd}}}', "stop", Text, None)
    assert len(read.value.sources) == number


def test_the_papers_of_a_text_are_found_by_their_marks() -> None:
    text = f"One [{A.id}], an array [0], a stranger [DOI:10.1/c], again [{A.id}]."
    assert marks_in(text, PAPERS) == {f"[{A.id}]": A.id}


def test_a_quote_may_leave_words_out_at_an_ellipsis() -> None:
    text = "We ofﬁcially ask the model for intermediate steps."
    assert contains_quote("We officially ... intermediate steps", text)
    assert not contains_quote("intermediate steps ... We officially ask", text)


@pytest.mark.parametrize(
    ("said", "number"),
    [
        (f"As “Chains of Thought Everywhere” [{A.id}] says.", 0),
        ("As “Chains of Thought Everywhere” says. So do we.", 1),
        ("As 'Let's Verify Step by Step' says.", 1),
        ("We call it “the gate of steps”, and 'Within each region' is one.", 0),
        ("Wei et al. (2022) ask for steps. Prior work stops there.", 2),
        ("The workers' own methods exist: 'no', they said in 2022.", 0),
    ],
)
def test_sentences_that_name_earlier_work_without_a_mark_are_counted(
    said: str, number: int
) -> None:
    assert without_mark(said) == number


# -- in a session


def quoting(request: ChatRequest) -> dict[str, Any]:
    """A direction that cites the first paper with words of it, the second with words that are
    nowhere, and one that was never shown."""
    chain: Any = request.values["chain"]
    words = chain[0]["title"]
    text = "The step [P1] went further [P2] than others [P99]. Prior work stops there."
    sources = [{"paper": "P1", "words": words}, {"paper": "P2", "words": "we invented this quote"}]
    assert f"[P1] {words}" in request.user
    return {"note": "n", "text": text, "sources": [*sources, {"paper": "P99", "words": words}]}


def counted(desk: Desk, address: str) -> bool:
    """Whether its sources end with a count of the sentences that have none."""
    sources = desk.session.detail(address).blocks
    (own,) = (b.blocks for b in sources if isinstance(b, Section) and b.title == "Sources")
    return isinstance(own[-1], Paragraph)


def test_a_cited_text_shows_its_sources_and_prompts_after_it_have_their_own_labels(
    tmp_path: Path,
) -> None:
    short = ONE.model_copy(update={"length": 3, "forward": 1, "backward": 1})
    desk = Desk.new(tmp_path, short, HashModel({"coi_direction": quoting}))
    desk.run("ideas")
    state = desk.state
    one, two = (
        p.id
        for pos in Chains.of(state).chain(1)[:2]
        if (p := Chains.of(state).paper_in(slot(1, pos))) is not None
    )
    content = desk.content("1/dir")
    assert (
        content["text"]
        == f"The step [{one}] went further [{two}] than others. Prior work stops there."
    )
    assert [(s["paper"], s["found"]) for s in content["sources"]] == [(one, True), (two, False)]
    parts = dict(desk.session.detail("1/dir").parts)
    names = [state.papers[paper].short() for paper in (one, two)]
    assert f"The step [{names[0]}] went further [{names[1]}]" in "\n".join(parts.values())
    assert UNQUOTED in parts[state.papers[two].title]
    (idea,) = desk.model.of("sketches")
    assert "The step" in str(idea.values["direction"])
    assert counted(desk, "1/dir")
    desk.edits.save("1/dir", f"## text\nPrior work is weak, but [{one}].\nSo is prior work.")
    assert not counted(desk, "1/dir"), "a person's text is not accused"
    (rivals,) = desk.model.of("coi_rivals")  # which shows no paper under a label
    shown = f"The step [{names[0]}] went further [{names[1]}] than others."
    assert shown in str(rivals.values["thought"])
