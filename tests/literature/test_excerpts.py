"""What is shown of a long paper: how it begins and ends, what bears on the subject, the nearest
references; in its order, within the limit, gaps shown."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coi_tui.literature.excerpts import GAP, excerpt

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
