"""Blocks and plain texts as Markdown: text from outside stays text, lists stay lists."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from coi_tui.model.document import (
    Block,
    Bullets,
    Paragraph,
    Passage,
    Quote,
    Section,
    Table,
    TableRow,
    Transcript,
    Turn,
)
from coi_tui.model.text import clean_line
from coi_tui.present.bibliography import Bibliography
from coi_tui.present.formats.md import Markdown, plain_blocks, without_claims

from .building import COT, PAPERS, TREE

MARKUP = st.text(
    alphabet=st.sampled_from(list("ab1 \n\t#*_-+=>`~|[]()!<&;:/\\$@.^\"'{}“”é")), max_size=60
) | st.text(max_size=60)
HOSTILE = (
    "[x](javascript:alert(1))",
    "<script>alert(1)</script>",
    "# heading",
    "1. item",
    "+ x",
    "> quoted",
    "a | b",
    "**bold** _it_ ~~gone~~",
    "&lt;b&gt;",
    "[^1]: note",
    "a\\|b",
    "https://evil.example/x",
    "```\ncode",
    "a\n===\nb",
)


def rendered(*blocks: Block) -> str:
    return "\n\n".join(Markdown(Bibliography(PAPERS)).blocks(blocks))


def line(text: str) -> str:
    return Markdown(Bibliography({})).line(text)


def parse(text: str) -> list[Token]:
    return MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text)


def shown(tokens: list[Token]) -> str:
    """The text that a reader sees; fails on any inline token that is not text or a line break."""
    out = ""
    for token in tokens:
        for child in token.children or ():
            assert child.type in ("text", "softbreak", "hardbreak", "text_special", "entity"), child
            out += child.content if child.content else " "
        out += " "
    return out


@given(MARKUP)
def test_a_line_is_shown_as_it_is_and_makes_no_markup(text: str) -> None:
    for lead in ("", "- ", "**Label**: ", "## x "):
        tokens = parse(lead + line(text))
        if lead == "":
            assert {t.type for t in tokens} <= {"paragraph_open", "inline", "paragraph_close"}
            assert shown(tokens).split() == without_claims(text).split()
        bad = ("html_block", "fence", "code_block", "blockquote_open", "hr")
        assert not any(t.type in bad for t in tokens)


@given(MARKUP, MARKUP)
@example(" >", "")
def test_a_line_with_a_mark_makes_no_markup(before: str, after: str) -> None:
    said = Markdown(Bibliography(PAPERS)).line(f"{before}\ue000{after}", {"\ue000": COT.id})
    tokens = parse(said.replace("](#ref-1)", "").replace("[\\[1", "\\[1"))
    assert {t.type for t in tokens} <= {"paragraph_open", "inline", "paragraph_close"}
    assert {c.type for t in tokens for c in t.children or ()} <= {"text", "text_special", "entity"}


@given(MARKUP)
def test_a_text_is_paragraphs_and_lists_and_nothing_becomes_a_heading(text: str) -> None:
    tokens = parse(rendered(Passage("", text)))
    kinds = {t.type.rpartition("_")[0] for t in tokens} - {""}
    assert kinds <= {"paragraph", "bullet_list", "ordered_list", "list_item"}
    shown(tokens)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_in_every_place(text: str) -> None:
    said = line(text)
    assert shown(parse(said)).strip() == clean_line(text)
    cells = rendered(Table(("A", "B"), (TableRow((text, "end")),)))
    assert sum(t.type == "td_open" for t in parse(cells)) == 2
    items = parse(rendered(Bullets((text,))))
    opened = [t.type for t in items if t.type.endswith("_open")]
    assert opened == ["bullet_list_open", "list_item_open", "paragraph_open"]


def test_github_makes_no_address_of_a_text() -> None:
    assert "https://" not in line("see https://evil.example")
    assert "www." not in line("see www.evil.example")
    assert "@" not in line("mail me@evil.example")


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ("One\ntwo\n\nThree", [(("One", "two"), None), (("Three",), None)]),
        ("Lead:\n- a\n• b\n+ c\nEnd", [(("Lead:",), None), (("a", "b", "c"), 0), (("End",), None)]),
        ("1. a\n2) b", [(("a", "b"), 1)]),
        ("3. a\n4. b\n- c", [(("a", "b"), 3), (("c",), 0)]),
        ("1. alone", [(("1. alone",), None)]),
        ("2022. A year\n1. one", [(("2022. A year", "1. one"), None)]),
    ],
)
def test_a_plain_text_in_blocks(
    text: str, blocks: list[tuple[tuple[str, ...], int | None]]
) -> None:
    assert list(plain_blocks(text)) == blocks


def test_an_item_with_a_bullet_of_its_own_is_one_item() -> None:
    assert rendered(Bullets(("- item",)), Paragraph("- item")) == "- item\n\n- item"
    cell = rendered(Table(("A",), (TableRow(("-2",)),)))
    assert cell.endswith("| -2 |")


def test_every_kind_of_block() -> None:
    inner = Section(
        "From here",
        (Passage("1/dir", "# One\n\n- two\n- three [1]", "model", (("[1]", COT.id),)),),
        TREE.id,
    )
    row = TableRow(
        ("partial", "A title"), "k", (Section("Why", (Quote("a passage", "same"),)),), COT.id
    )
    turns = Transcript((Turn("Ada", "Hello.", "to Bo"), Turn("Bo", "gone", mark="deleted")))
    said = rendered(
        Section("A *title*", (Paragraph("Read <this>."), Bullets(("- x",)), inner)),
        Table(("", "title"), (row,)),
        turns,
    )
    assert said.replace("](#ref-1)", "").replace("](#ref-2)", "").split("\n\n") == [
        "## A \\*title\\*",
        "Read \\<this>.",
        "- x",
        "### From here [\\[1\\]",
        "\\# One",
        "- two\n- three [\\[2\\]",
        "|  | title |\n| --- | --- |\n| partial | A title [\\[2\\] |",
        "**A title [\\[2\\]**",
        "## Why",
        "> “a passage” (same)",
        "## Ada to Bo",
        "Hello.",
    ]


def test_a_claim_is_put_in_quotation_marks() -> None:
    assert (
        without_claims("This idea is novel, and Is\n Novel indeed")
        == "This idea is “novel”, and Is “Novel” indeed"
    )
    assert without_claims("this novelty, a novel step") == "this novelty, a novel step"


@pytest.mark.parametrize(
    "text", ["p < 0.05 and > 3", "recall@10 of 5 & 6", "<5% of AT&T", "a <- b", "x <= y"]
)
def test_signs_that_mean_nothing_in_markdown_stay_as_they_are(text: str) -> None:
    assert line(text) == text


@pytest.mark.parametrize(
    "text",
    ["<b>x</b>", "@wei2022 says", "[-@wei]", "a@b.org", "<http://x.org>", "<!-- x -->", "<?x"],
)
def test_signs_that_mean_something_are_shown_all_the_same(text: str) -> None:
    shown = line(text)
    assert shown != text
    assert "&lt;" not in shown
    (inline,) = [token for token in parse(shown) if token.type == "inline"]
    assert "".join(token.content for token in inline.children or ()) == text
