"""Two dozen PDFs of different make: what is read of each, in which order, with which headings and
references; none stops the app. Passages and excerpts of them."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coi_tui.literature.excerpts import GAP, excerpt
from coi_tui.literature.sections import find_passage, references, sections
from coi_tui.services.pdf.full_text import extract_pdf
from coi_tui.services.sources.types import PdfText
from tests.support.pdfs import MAKES

BOUND_S = 20.0


async def text_of(data: bytes, timeout_s: float = 20, max_mb: float = 40) -> PdfText:
    return (await extract_pdf(data, timeout_s, max_mb)).text


@pytest.mark.parametrize("name", MAKES)
async def test_each_make_of_pdf(name: str) -> None:
    made = MAKES[name]()
    got = await text_of(made.data, timeout_s=BOUND_S)
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


FILLER = "The corridor was painted again in the usual colour of the season before the guests came."
RULE = "We let the parser ask a clarifying question whenever two readings are equally likely."
FOUND = "On 1,200 dialogues the parser that asks is right in 81% of the cases."
LIMIT = "The parser asks at most once, and only in English."
NEAR = "Ada Byron. 2021. When should a parser ask a clarifying question."


def paper(filler: int, *, references: bool = True) -> str:
    many = [FILLER.replace("corridor", f"corridor {n}") for n in range(filler)]
    listed = [f"Bo Stone. {1990 + n}. Corridors of the year {n} and their paint." for n in range(9)]
    parts = [
        "Asking instead of guessing\n\nAbstract\n\nA parser asks a question where it would guess.",
        f"1 Introduction\n\n{' '.join(many[: filler // 2])}",
        f"2 Method\n\n{' '.join(many)} {RULE} {' '.join(many)}",
        f"3 Experiments\n\n{' '.join(many)}\n\n{FOUND} {' '.join(many)}",
        f"4 Limitations\n\n{LIMIT}",
    ]
    if references:
        parts.append("References\n\n" + "\n\n".join([*listed[:5], NEAR, *listed[5:]]))
    return "\n\n".join(parts)


def test_what_bears_on_the_subject_is_shown_in_its_order_with_gaps() -> None:
    shown = excerpt(paper(60), ["when a parser should ask"], 2_500)
    places = [shown.index(one) for one in ("A parser asks", RULE, FOUND, LIMIT, NEAR)]
    assert places == sorted(places)
    assert GAP in shown
    assert "2 Method" in shown
    assert shown.count("Bo Stone") < 9


def test_a_text_that_is_short_enough_is_shown_as_it_is() -> None:
    text = paper(2)
    assert excerpt(text, ["parsers"], len(text)) == text


@settings(derandomize=True, max_examples=60, deadline=None)
@given(st.integers(0, 80), st.integers(1_500, 12_000), st.booleans(), st.integers(0, 99))
def test_never_much_longer_than_asked_and_never_empty(
    filler: int, most: int, references: bool, seed: int
) -> None:
    text = paper(filler, references=references)
    lines = text.split("\n")
    broken = "\n".join(Random(seed).sample(lines, len(lines)))
    for one in (text, broken, text.replace("\n", " "), text.replace(" ", "")):
        shown = excerpt(one, ["a parser asks"], most)
        assert shown
        assert len(shown) <= max(most * 1.1, 200)


@pytest.mark.parametrize("text", ["", "x" * 50_000, "a. " * 20_000, "1 Introduction\n" * 3_000])
def test_texts_that_are_no_papers(text: str) -> None:
    assert len(excerpt(text, ["parsers"], 4_000)) <= 4_400
