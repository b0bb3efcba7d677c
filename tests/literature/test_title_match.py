from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coi_tui.literature.paper_records import merge_papers
from coi_tui.literature.title_match import (
    authors_agree,
    match_title,
    misremembered,
    normalise_title,
    show_title,
    title_similarity,
    years_agree,
)

from .helpers import paper, sha


@given(st.text(max_size=80))
def test_normalising_twice_changes_nothing(text: str) -> None:
    once = normalise_title(text)
    assert normalise_title(once) == once


def test_spellings_of_one_title_agree() -> None:
    assert normalise_title("$\\beta$-VAE: <i>Learning</i> &amp; more") == normalise_title(
        "β-VAE — learning and More"
    )
    assert normalise_title(r"Schr\"{o}dinger's \textbf{Cat}") == normalise_title(
        "Schrödinger’s cat"
    )
    assert normalise_title("Chain-of-Thought") == "chain of thought"
    assert normalise_title("机器学习 Models") == "机器学习 models"


def test_a_shown_title_has_no_tags_entities_or_controls() -> None:
    assert (
        show_title("A &lt;b&gt;bold&lt;/b&gt; &amp;amp; x&#27;[31m &#8238;y") == "A bold & x[31m y"
    )
    assert show_title("x < y and y > z") == "x < y and y > z"


CANDIDATES = [
    paper(
        "S2:1",
        "Self-Consistency Improves Chain of Thought Reasoning",
        year=2022,
        authors=("Xuezhi Wang",),
    ),
    paper("S2:2", "Language Models are Few-Shot Learners", year=2020, authors=("Tom Brown",)),
]


def test_a_near_title_matches_when_the_year_agrees() -> None:
    found = match_title("Self-consistency improves chain-of-thought reasoning.", CANDIDATES, 2023)
    assert found == CANDIDATES[0]


def test_a_near_title_without_year_or_author_agreement_does_not_match() -> None:
    title = "Self-consistency improves chains of thought reasoning"
    assert max(title_similarity(title, one.title).score for one in CANDIDATES) > 0.9
    assert match_title(title, CANDIDATES, 2018, ["Ann Other"]) is None


def test_without_anything_to_compare_only_the_very_same_title_counts() -> None:
    assert match_title("Language models are few-shot learners", CANDIDATES, None) == CANDIDATES[1]
    assert match_title("Language models are few-shot learner", CANDIDATES, None) is None


def test_merge_joins_by_id_and_fills_what_the_first_lacks() -> None:
    first = paper("arXiv:2201.11903", "One", year=2022, ids={"arXiv": "2201.11903"})
    second = paper(
        f"S2:{sha(1)}",
        "Other",
        year=2023,
        ids={"arXiv": "2201.11903", "S2": sha(1)},
        abstract="Text",
        published="2023-02",
    )
    (one,) = merge_papers([first, second])
    assert (one.id, one.title, one.abstract, one.year) == ("arXiv:2201.11903", "One", "Text", 2022)
    assert one.ids == {"arXiv": "2201.11903", "S2": sha(1)}
    assert one.published is None  # a date of another year is not the first record's date


def test_merge_keeps_apart_what_only_shares_a_title() -> None:
    a = paper("S2:1", "Introduction", year=2001, authors=("A B",))
    b = paper("S2:2", "Introduction", year=2019, authors=("C D",))
    c = paper("arXiv:2201.00001", "Report", year=2022)
    d = paper("arXiv:2201.00002", "Report", year=2022)
    assert len(merge_papers([a, b, c, d])) == 4


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
    assert authors_agree(("van den Berg",), ("Rianne van den Berg",))
    assert authors_agree(("Lacoste-Julien et al.",), ("Simon Lacoste-Julien", "Martin Jaggi"))
    assert authors_agree(("Bedrax Weiss",), ("Tania Bedrax Weiss",))
    assert authors_agree(("Jean-Luc Roy",), ("Roy, J.-L.",))
    assert authors_agree(("Wei Jason",), ("Jason Wei", "Denny Zhou"))
    assert authors_agree(("Wei Jason",), ("Wendy Jones",)) is False
    assert authors_agree((), ("A B",)) is None
    assert authors_agree(("...",), ("A B",)) is None
    assert (years_agree(2020, 2021), years_agree(2020, 2022), years_agree(None, 2020)) == (
        True,
        False,
        None,
    )


def test_a_dropped_subtitle_needs_year_and_author() -> None:
    whole = paper("S2:1", "Sparse widgets: planning in the small", year=2020, authors=("Ann Foo",))
    assert match_title("Sparse widgets", [whole], 2020, ["A. Foo"]) == whole
    assert match_title("Sparse widgets", [whole], 2020) is None
    assert match_title("Sparse widgets", [whole], None, ["A. Foo"]) is None
    plain = paper("S2:2", "Sparse widgets", year=2020, authors=("Ann Foo",))
    assert match_title("Sparse widgets", [whole, plain], 2020, ["A. Foo"]) == plain


NET = "GNNExplainer: Generating Explanations for Graph Neural Networks"


@pytest.mark.parametrize(
    ("title", "year", "authors", "meant"),
    [
        ("GNNExplainer: Explanations for Graph Networks", 2020, (), True),
        ("GNNExplainer: What Made It Say So", 2019, ("Rex Ying",), True),
        ("GNNExplainer: What Made It Say So", 2019, (), False),
        ("GNNExplainer: Explanations for Graph Networks", 2019, ("Ann Foo",), False),
        ("GNNExplainer: Explanations for Graph Networks", 2012, (), False),
        ("GNNExplainer: Explanations for Graph Networks", None, (), False),
        ("Generating GNNExplainer Explanations for Graph Neural Networks", None, ("A B",), True),
    ],
)
def test_a_name_alone_with_another_subtitle_is_an_invention(
    title: str, year: int | None, authors: tuple[str, ...], meant: bool
) -> None:
    net = paper("a", NET, year=2019, authors=("Rex Ying", "Jure Leskovec"))
    assert misremembered(title, [net], year, authors) == (net if meant else None)
