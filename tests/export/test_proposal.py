"""The proposal as a document, in Markdown: its parts, warnings and references (COI-16)."""

import re
from typing import Any

import click
import pytest
from markdown_it import MarkdownIt

from coi_tui.cli import cli
from coi_tui.methods.evidence.cards import NOT_FOUND
from coi_tui.methods.registry import SessionMethods
from coi_tui.model.document import Manuscript, MethodDocument, Passage, Section
from coi_tui.present.formats.md import markdown
from coi_tui.present.proposal import WORKSHEET, Proposal
from coi_tui.present.snapshot import (
    MOST_LINES,
    WAYS,
    WITH_APPENDIX,
    ProposalOptions,
)

from .building import (
    CHECKER,
    COT,
    LEAST,
    PAPERS,
    TREE,
    Builder,
    chain_of_three,
    full,
    hostile,
    idea,
    plan,
    report,
    section,
    whole,
)

TEXT = f"Before.\n\n## In short\n\nTrees help [{TREE.id}][{COT.id}].\n\n## Risks\n\n- It may fail [P9]."


def warned(b: Builder, **more: object) -> list[tuple[str, tuple[str, ...]]]:
    warnings = Proposal(b.subject(**more), WITH_APPENDIX).warnings
    return [(warning.kind, warning.addresses) for warning in warnings]


# -- the main part


def test_references_are_those_of_the_main_part_and_the_appendix_has_the_others() -> None:
    b = full()
    said = "Tree of Thoughts searches (Wei et al., 2022). “Tree of Thoughts” says so."
    b.text("1/idea", idea(summary="No earlier work gates single steps.", final=said))
    text = whole(b.subject())
    cited = section(text, "The idea")
    assert (
        "Tree of Thoughts [\\[1\\]](#ref-1) searches (Wei et al., 2022 [\\[2\\]](#ref-2))" in cited
    )
    assert cited.count("#ref-1") == 1, "a paper is cited where it is first named"
    listed = re.compile(r"^(\d+)\. <span id=\"ref-(\d+)\".+?\). (.+?)\. ", re.MULTILINE)
    own, others = (
        listed.findall(section(text, part)) for part in ("References", "Further references")
    )
    assert own == [("1", "1", TREE.title), ("2", "2", COT.title)]
    assert [n for n, _, _ in own + others] == [str(n) for n in range(1, len(PAPERS) + 1)]
    assert {title for _, _, title in own + others} == {p.title for p in PAPERS.values()}
    assert set(re.findall(r"\(#ref-(\d+)\)", text)) <= {n for _, n, _ in own + others}
    assert "<https://arxiv.org/abs/2201.11903>" in text
    alone, main = markdown(b.subject()), text.partition("\n## Appendix\n")[0]
    assert alone.split("\n\n", 2)[2].strip() == main.split("\n\n", 2)[2].strip()


def test_a_manuscript_is_the_main_part_until_a_proposal_is_written_whose_labels_are_citations(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    b = chain_of_three()
    short = Passage("1/idea", "In short [1].", "model", (("[1]", TREE.id),))
    own = Manuscript("A manuscript", (Section("Method", (Passage("1/idea", "Gate."),)),), short, 1)
    document = MethodDocument(manuscripts=(own,))
    monkeypatch.setattr(SessionMethods, "document", lambda self, state, branches: document)
    text = markdown(b.subject())
    heads = ["A manuscript", "In short", "Method", "References"]
    assert re.findall(r"^##? (.+)$", text, re.MULTILINE) == heads
    assert "In short [\\[1\\]](#ref-1)." in text
    b.text("1/proposal", {"title": "Gates", "text": TEXT})
    text = markdown(b.subject())
    heads = ["Gates", "The idea", "In short", "Risks", "References"]
    assert re.findall(r"^##? (.+)$", text, re.MULTILINE) == heads
    assert "Trees help [\\[1\\]](#ref-1)[\\[2\\]](#ref-2)." in section(text, "In short")
    assert section(text, "Risks").strip() == "- It may fail \\[P9\\]."


@pytest.mark.parametrize("count", range(0, 28, 4))
def test_every_beginning_of_a_session_can_be_exported(count: int) -> None:
    b = full()
    b.entries = b.entries[:count]
    subject = b.subject()
    text = whole(subject)
    assert text.startswith("# ")
    assert ("Unfinished" in [kind for kind, _ in warned(b)]) is (subject.branch is None)
    assert "is novel" not in text.lower()
    assert not re.search(r"\bNone\b(?![.:])", text)


def test_a_worksheet_is_said_to_be_one_near_the_top() -> None:
    sentence = WORKSHEET.partition(".")[0]
    drafted, written = (whole(full(origin).subject()) for origin in ("drafter", "model"))
    assert sentence in drafted.split("\n\n")[1]
    assert sentence not in written


def test_a_title_named_in_a_text_is_cited_or_counted() -> None:
    b = chain_of_three()
    text = (
        "“Least to most prompting” helps; “A Survey of Everything Under the Sun” says so,"
        ' as does "Gated Minds: Towards Careful Machines" (2024).'
    )
    called = 'We call it “the gate” and quote "step by step, then stop".'
    b.text("1/idea", idea(problem=text, mechanism=called))
    made = whole(b.subject())
    assert "Least-to-Most Prompting" in section(made, "Further references")
    assert "Unverified" not in section(made, "Warnings")
    assert "unverified title 2" in section(made, "Warnings")
    assert warned(b).count(("Unverified title", ("1/idea",))) == 2


def test_works_that_the_main_part_names_stand_in_its_references_or_are_marked_there() -> None:
    b = chain_of_three()
    found, missing, never = (
        "A Short Name",
        "A Survey of Everything Under the Sun",
        "Gates for All of Us",
    )
    looked = [
        {"title": found, "status": "found", "paper": LEAST.id},
        {"title": missing, "status": NOT_FOUND},
    ]
    b.text("1/rivals", {"named": looked})
    b.text("1/exp", plan(references=[found, missing]))
    b.text("1/idea", idea(works=[], final=f"“{never}” says so, unlike Foo et al. (2019)."))
    text = markdown(b.subject())
    listed = section(text, "References")
    assert LEAST.title in listed, "from memory, and found"
    main = text.partition("## References")[0]
    for work in (missing, never, "Foo et al. (2019)"):
        assert work in listed
        assert work in main.split("\n\n")[1], "a reader is told at the top"
    assert "3 cited works" in main
    assert found not in main.split("\n\n")[1]
    # of a proposal what it names itself, not what an idea or a plan listed before
    b.text("1/proposal", {"title": "Gates", "text": f"## In short\n\nAs “{missing}” has it."})
    listed = section(markdown(b.subject()), "References")
    assert missing in listed
    assert not {LEAST.title, never} & set(listed.split("“"))


def test_a_title_that_was_looked_up_and_not_found_is_warned_of() -> None:
    b = chain_of_three()
    title = "A Survey of Everything Under the Sun"
    b.text("1/rivals", {"named": [{"title": title, "status": NOT_FOUND}]})
    b.text("1/idea", idea(problem=f"“{title}” says so."))
    assert ("Unconfirmed title", ("1/idea",)) in warned(b)
    assert title in section(whole(b.subject()), "Warnings")


# -- warnings


def test_a_warning_for_each_stale_failed_and_undecided_part() -> None:
    fresh = {"1/dir": "stale", "1/idea": "upstream", "1/nov": "fresh", "1/exp": "kept"}
    fresh |= {"2/dir": "stale", "2/nov": "stale"}
    found = warned(full(), fresh=fresh, failures={"1/+2.cands": "no answer"})
    expected = [
        ("Failed", ("1/+2.cands",)),
        ("Stale", ("1/dir", "2/nov")),
        ("Stale upstream", ("1/idea",)),
        ("Not addressed", ("1/review",)),
        ("Undecided", ("1/-1", "1/+1")),
    ]
    assert [warning for warning in found if warning in expected] == expected


def lines_of(b: Builder, **more: object) -> list[str]:
    return Proposal(b.subject(**more), WITH_APPENDIX).warning_lines


def test_the_gravest_warnings_have_a_line_each_and_the_last_one_counts_the_others() -> None:
    b = full()
    b.text("1/nov", report("close match", (CHECKER, "close match")))
    failures = {"1/+2.cands": "no answer"}
    few = lines_of(b, failures=failures)
    assert [line.partition(":")[0] for line in few] == [
        "Failed",
        "Close match",
        "Not made yet",
        "Unconfirmed link",
        "Not addressed",
    ]
    lines = lines_of(b, failures=failures, fresh={"1/dir": "stale", "2/nov": "stale"})
    assert [line.partition(":")[0] for line in lines[:-1]] == [
        "Failed",
        "Close match",
        "Stale",
        "Not made yet",
    ]
    assert len(lines) == MOST_LINES
    assert lines[-1].startswith("2 more")
    assert "undecided" not in "".join(lines).lower(), "what is undecided is counted above"
    assert section(whole(b.subject(failures=failures)), "Warnings").count("\n- ") == len(few)


@pytest.mark.parametrize("way", WAYS.values())
def test_each_warning_names_commands_that_there_are(way: str) -> None:
    for said in re.findall(r"coi ([^,;.]+)", way.format(name="chains", at="1/dir")):
        command: click.Command | None = cli
        words = said.split()
        while isinstance(command, click.Group):
            command = command.get_command(click.Context(command), words.pop(0))
        assert command is not None, said
        assert command.make_context("", words).params["name"] == "chains"


@pytest.mark.parametrize("verdict", ["INCONCLUSIVE", ""])
def test_an_inconclusive_report_is_said_to_be_one(verdict: str) -> None:
    b = chain_of_three()
    b.text("1/nov", report(verdict, (CHECKER, "not close")))
    assert ("Novelty INCONCLUSIVE", ("1/nov",)) in warned(b)
    assert "INCONCLUSIVE" in section(whole(b.subject()), "Novelty report").split("\n\n")[0]


# -- how it was made


def test_notes_are_written_only_where_they_are_asked_for() -> None:
    b = full()
    b.decide("note", "1/idea", text="MY NOTE: ask *her*")
    assert "MY NOTE" not in whole(b.subject())
    text = markdown(b.subject(), ProposalOptions(appendix=True, notes=True))
    assert "MY NOTE: ask \\*her\\*" in text


# -- text from outside


def test_hostile_texts_make_no_markup() -> None:
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(whole(hostile()))
    inside: list[Any] = [child for token in tokens for child in token.children or ()]
    links = {child.attrs["href"] for child in inside if child.type == "link_open"}
    assert links - {"https://doi.org/10.1/a%29b%28c"} == {"#ref-1"}
    assert not any(token.type.startswith("html") for token in tokens)
    html = {child.content for child in inside if child.type == "html_inline"}
    assert html == {'<span id="ref-1">', "</span>"}
    heads = {tokens[i + 1].content for i, t in enumerate(tokens) if t.type == "heading_open"}
    assert not any(head.startswith("head") for head in heads)
