"""Merging by keys gives what comparing every record with every other gives, whatever comes in
whatever portions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coi_tui.literature import paper_records
from coi_tui.literature.ids import known_ids
from coi_tui.literature.paper_records import fill_gaps, merge_papers, same_work
from coi_tui.literature.title_match import compact_title, heads
from coi_tui.model.papers import Paper

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


def test_a_record_is_compared_with_few_others(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = 0

    def counted(one: Paper, other: Paper) -> bool:
        nonlocal asked
        asked += 1
        return same_work(one, other)

    monkeypatch.setattr(paper_records, "same_work", counted)
    same = [Paper(id=f"DOI:10.1/{n}", title="A study of ideas", year=n) for n in range(600)]
    merge_papers(same)
    assert asked <= 600 * paper_records.MOST_ALIKE, "600 records make 180,000 pairs"
