"""Identity of papers: the rules one by one."""

from __future__ import annotations

import pytest

from coi_tui.literature.title_match import authors_agree, match_title, title_similarity, years_agree

from .helpers import paper


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Sparse widgets", "Sparse widgets II"),
        ("Sparse widgets, part I", "Sparse widgets, part II"),
        ("Sparse widgets for planning", "Sparse widgets for planning: part II"),
        ("Sparse widgets for planning", "Sparse widgets for planning: revisited"),
        ("Sparse widgets for planning tasks", "Sparse widgets for planning tasks revisited"),
        ("Learning with supervised widget models", "Learning with unsupervised widget models"),
        (
            "Widgets on iid data of many kinds everywhere",
            "Widgets on non-iid data of many kinds everywhere",
        ),
        ("Widget-3 technical report", "Widget-4 technical report"),
        ("Widgets: a survey", "Widgets: a tour"),
        ("", "Widgets"),
    ],
)
def test_titles_that_are_two(one: str, other: str) -> None:
    assert title_similarity(one, other).difference
    assert title_similarity(other, one).difference


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Sparse widgets: planning in the small", "Sparse Widgets"),
        ("$L_2$-uniform widgets", "L2-Uniform Widgets"),
        ("Widgets under $\\varepsilon$-noise", "Widgets under ϵ-noise"),
        ("$\\text{Di}^2$Widget", "Di2Widget"),
        ("Deep learning of wigdets and gadegts", "Deep learning of widgets and gadgets"),
        ("Deeplearning of widgets", "Deep learning of widgets"),
    ],
)
def test_titles_that_may_be_one(one: str, other: str) -> None:
    assert not title_similarity(one, other).difference
    assert not title_similarity(other, one).difference


def test_people() -> None:
    assert authors_agree(("Wei, J.",), ("Jason Wei", "Denny Zhou"))
    assert authors_agree(("Wei J",), ("Jason Wei",))
    assert authors_agree(("Ana García",), ("A. Garcia",))
    assert authors_agree(("Liu et al.",), ("Bo Liu", "Ann Foo"))
    assert authors_agree(("Liu et al.",), ("Ann Foo", "Bo Liu")) is False
    assert authors_agree(("Bo Liu",), ("Ann Liu",)) is False
    assert authors_agree(("A B", "C D", "E F"), ("A B", "G H", "I J")) is False
    assert authors_agree((), ("A B",)) is None
    assert authors_agree(("...",), ("A B",)) is None
    assert (years_agree(2020, 2021), years_agree(2020, 2022), years_agree(None, 2020)) == (
        True,
        False,
        None,
    )


def test_a_dropped_subtitle_needs_year_and_author() -> None:
    whole = paper("S2:1", "Sparse widgets: planning in the small", year=2020, authors=("Ann Foo",))
    assert (
        match_title("Sparse widgets", [whole], 2020, ["A. Foo"]).note
        == "title similarity 1.00 without the subtitle"
    )
    assert match_title("Sparse widgets", [whole], 2020).paper is None
    assert match_title("Sparse widgets", [whole], None, ["A. Foo"]).paper is None
    plain = paper("S2:2", "Sparse widgets", year=2020, authors=("Ann Foo",))
    assert match_title("Sparse widgets", [whole, plain], 2020, ["A. Foo"]).paper == plain
