from collections.abc import Sequence
from functools import reduce
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coi_tui.literature.ids import known_ids
from coi_tui.literature.paper_records import fill_gaps, merge_papers, same_work
from coi_tui.literature.title_match import (
    authors_agree,
    compact_title,
    heads,
    match_title,
    misremembered,
    normalise_title,
    show_title,
    title_similarity,
    years_agree,
)
from coi_tui.model.papers import Paper

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


BASES = (
    "Gates that weigh evidence for drafts",
    "Gates that weigh evidence: a study of drafts",
    "Gates that weigh evidence",
    "Chains of ideas, part II",
    "Chains of ideas, part III",
    "GPT 3 learns to plan further steps",
    "GPT 4 learns to plan further steps",
    "Deep nets",
    "Deep nets - revisited in the wild",
    "机器学习 in practice",
    "",
    "A: B: C",
)
AUTHORS = ("Ann Wei", "A. Wei", "Wei, B.", "Bo Foo", "Foo B", "Liu et al.", "Bar, Cy", "")


@st.composite
def titles(draw: st.DrawFn) -> str:
    """One of a few titles, often with an error or two."""
    title = draw(st.sampled_from(BASES))
    for _ in range(draw(st.integers(0, 2))):
        at, kind = (
            draw(st.integers(0, max(0, len(title) - 2))),
            draw(st.sampled_from(("drop", "add", "swap", "other"))),
        )
        if kind == "swap":
            title = title[:at] + title[at : at + 2][::-1] + title[at + 2 :]
        else:
            title = (
                title[:at]
                + {"drop": "", "add": title[at : at + 1] + "e", "other": "x"}[kind]
                + title[at + 1 :]
            )
    return title


@st.composite
def records(draw: st.DrawFn) -> Paper:
    ids = {}
    for scheme, values in (
        ("DOI", ("10.1/a", "10.1/b")),
        ("arXiv", ("2101.00001", "2101.00002")),
        ("ACL", ("P19-1001", "P19-1002")),
    ):
        if draw(st.integers(0, 4)) == 0:
            ids[scheme] = draw(st.sampled_from(values))
    number = draw(st.integers(0, 40))
    return Paper(
        id=next(iter(f"{scheme}:{value}" for scheme, value in ids.items()), f"title:{number}"),
        ids=ids,
        title=draw(titles()),
        year=draw(st.sampled_from((None, 2019, 2020, 2021, 2023))),
        authors=tuple(draw(st.lists(st.sampled_from(AUTHORS), max_size=3))),
        abstract=draw(st.sampled_from((None, "one", "two"))),
    )


def forms(paper: Paper) -> set[str]:
    """The letters of its title, with and without the subtitle."""
    return {compact_title(paper.title), *(head for head, _ in heads(paper.title))} - {""}


def compared_with_all(papers: Sequence[Paper]) -> list[Paper]:
    """The same by comparing every pair: what merging means."""
    group = list(range(len(papers)))

    def join(a: int, b: int) -> None:
        first, second = sorted((group[a], group[b]))
        group[:] = [first if g == second else g for g in group]

    for a, b in combinations(range(len(papers)), 2):
        one, other = papers[a], papers[b]
        if one.id == other.id or known_ids(one).items() & known_ids(other).items():
            join(a, b)
        if forms(one) & forms(other) and same_work(one, other):
            join(a, b)
    roots = dict.fromkeys(group)
    return [
        reduce(fill_gaps, (p for p, g in zip(papers, group, strict=True) if g == root))
        for root in roots
    ]


@settings(max_examples=50)
@given(st.lists(records(), max_size=9))
def test_merging_by_keys_equals_comparing_all(papers: list[Paper]) -> None:
    assert merge_papers(papers) == compared_with_all(papers)
