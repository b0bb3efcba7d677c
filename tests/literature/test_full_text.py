"""Two dozen PDFs of different make: what is read of each, in which order, with which headings and
references; none stops the app."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coi_tui.literature.sections import find_passage, references, sections
from coi_tui.services.pdf.full_text import pdf_to_text
from tests.support.pdfs import MAKES

BOUND_S = 20.0


@pytest.mark.parametrize("name", MAKES)
async def test_each_make_of_pdf(name: str) -> None:
    made = MAKES[name]()
    got = await pdf_to_text(made.data, timeout_s=BOUND_S)
    if made.refused:
        assert got.kind == "none"
        assert made.refused in got.note.lower() or made.refused in got.note
        return
    assert got.kind == "full text", got.note
    places = [got.text.find(mark) for mark in made.order]
    assert -1 not in places
    assert places == sorted(places)
    for piece in made.holds:
        assert piece in got.text
    if made.note:
        assert made.note in got.note
    if made.headings:
        assert tuple(s.shown for s in sections(got.text) if s.title) == tuple(
            h.replace(". ", " ", 1) for h in made.headings
        )
    assert len(references(got.text)) == made.references


@given(
    st.lists(
        st.sampled_from(
            [
                "1 Introduction",
                "2 Method",
                "2.1 Parts",
                "Abstract",
                "References",
                "[1] A. Bar. A title, 2020.",
                "a b c",
                "",
            ]
        )
    )
)
def test_sections_cover_any_text_without_a_gap(lines: list[str]) -> None:
    text = "\n".join(lines)
    parts = sections(text)
    assert "".join(text[p.start : p.end] for p in parts) == text
    assert all(text[r.start : r.end].strip() for r in references(text))


def test_list_items_are_no_headings_and_numbers_count_up() -> None:
    text = "1 Introduction\nText.\n3 Apples Are Red\n2 Method\n2.1 First Part\n2.3 Left Out\n2.2 Second Part\n3 Results\n1 Again One"
    assert [s.shown for s in sections(text)] == [
        "1 Introduction",
        "2 Method",
        "2.1 First Part",
        "2.2 Second Part",
        "3 Results",
    ]


def test_a_passage_is_found_where_it_stands_and_not_where_nothing_is_like_it() -> None:
    text = (
        "Birds fly south in autumn and return in spring. "
        "The gate checks each draft for evidence before it is kept. Rain falls on the plain."
    )
    found = find_passage(text, "A gate checks every draft for evidence before keeping it.")
    assert found is not None
    assert text[slice(*found)].startswith("The gate checks")
    assert (
        find_passage(text, "Quantum computers factor integers with polynomial resources.") is None
    )
    assert find_passage("", "Anything that is long enough to be looked for.") is None
