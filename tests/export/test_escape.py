"""Text from outside stays text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from coi_tui.model.text import clean_line
from coi_tui.present.escape import claims_quoted, inline, paragraphs, table

MARKUP = st.text(
    alphabet=st.sampled_from(list("ab1 \n\t#*_-+=>`~|[]()!<&;:/\\$@.^\"'{}“”é")), max_size=60
) | st.text(max_size=60)
HOSTILE = (
    "[x](javascript:alert(1))",
    "![x](http://e.org/a.png)",
    "<script>alert(1)</script>",
    "# heading",
    "- item",
    "1. item",
    "2) item",
    "+ x",
    "> quoted",
    "---",
    "===",
    "a | b",
    "`code` ``",
    "**bold** _it_ ~~gone~~",
    "&lt;b&gt;",
    "[^1]: note",
    "[x]: http://e.org",
    "\\",
    "a\\|b",
    "    indented",
    "\tindented",
    "https://evil.example/x",
    "www.evil.example",
    "$x$",
    "<https://e.org>",
    "```\ncode",
    "a\n===\nb",
    "2022.",
)


def parse(text: str) -> list[Token]:
    return (
        MarkdownIt("commonmark", {"linkify": False}).enable(["table", "strikethrough"]).parse(text)
    )


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
def test_inline_text_is_shown_as_it_is_and_makes_no_markup(text: str) -> None:
    for lead in ("", "- ", "**Label**: ", "## "):
        tokens = parse(lead + "x " + inline(text)) if lead == "## " else parse(lead + inline(text))
        if lead == "":
            assert {t.type for t in tokens} <= {"paragraph_open", "inline", "paragraph_close"}
            assert shown(tokens).split() == claims_quoted(clean_line(text)).split()
        assert not any(
            t.type in ("html_block", "fence", "code_block", "blockquote_open", "hr") for t in tokens
        )


@given(MARKUP)
def test_paragraphs_stay_paragraphs_and_nothing_becomes_a_heading(text: str) -> None:
    tokens = parse(paragraphs(text))
    assert {t.type for t in tokens} <= {"paragraph_open", "inline", "paragraph_close"}
    assert shown(tokens).split() == claims_quoted(clean_line(text)).split()


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_in_every_place(text: str) -> None:
    said = inline(text)
    assert shown(parse(said)).strip() == clean_line(text)
    rows = [t for t in parse(table(("A", "B"), [(said, "end")])) if t.type == "td_open"]
    assert len(rows) == 2
    item = parse(f"- {said}")
    assert [t.type for t in item if t.type.endswith("_open")] == [
        "bullet_list_open",
        "list_item_open",
        "paragraph_open",
    ]


def test_github_makes_no_address_of_a_text() -> None:
    assert "://" in inline("https://evil.example").replace("\\", "")
    assert "https://" not in inline("see https://evil.example")
    assert "www." not in inline("see www.evil.example")
    assert "@" not in inline("mail me@evil.example")


def test_a_claim_is_put_in_quotation_marks() -> None:
    assert (
        inline("This idea is novel, and Is\n Novel indeed")
        == "This idea is “novel”, and Is “Novel” indeed"
    )
    assert inline("this novelty, a novel step") == "this novelty, a novel step"
