"""Sections that a method hands over, as Markdown."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from coi_tui.model.document import (
    Bullets,
    Citation,
    PaperEntry,
    PaperList,
    Paragraph,
    Passage,
    Section,
)
from coi_tui.present.bibliography import Bibliography
from coi_tui.present.render import render, render_line

from .building import COT, PAPERS, TREE, unlinked

MARKUP = st.text(
    alphabet=st.sampled_from(list("ab1 \n\t#*_-+=>`~|[]()!<&;:/\\$@.^\"'{}“”é")), max_size=40
)


def test_sections_nest_and_texts_are_escaped() -> None:
    inner = Section(
        ("From ", Citation(TREE.id), " on"), (Passage("1/dir", "# One\n\n- two", "person"),)
    )
    said = render(
        Section(
            "A *title*",
            (Paragraph("Read <this>."), Bullets(("- x", ("see ", Citation(COT.id)))), inner),
        ),
        Bibliography(PAPERS),
    )
    assert unlinked(said).split("\n\n") == [
        "## A \\*title\\*",
        "Read &lt;this>.",
        "- \\- x\n- see Wei et al. 2022 \\[1\\]",
        "### From Yao et al. 2023 \\[2\\] on",
        "*The researcher's own words.*",
        "\\# One",
        "- two",
    ]


@given(MARKUP, MARKUP)
@example(" >", "")
def test_a_line_of_pieces_makes_no_markup(before: str, after: str) -> None:
    said = unlinked(render_line((before, Citation(COT.id), after), Bibliography(PAPERS)))
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(said)
    assert {t.type for t in tokens} <= {"paragraph_open", "inline", "paragraph_close"}
    assert {c.type for t in tokens for c in t.children or ()} <= {"text", "text_special", "entity"}


def test_notes_belong_to_their_paper_also_in_a_long_list() -> None:
    entries = tuple(PaperEntry(COT.id, ("a note",)) for _ in range(12))
    html = MarkdownIt("commonmark").render(
        render(Section("Papers", (PaperList(entries),)), Bibliography(PAPERS))
    )
    assert html.count("<ol") == 1
    assert html.count("<ul") == 12
