"""The parts of Imitate-and-Evolve that need no session: pairs, passages, citations."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coi_tui.methods.imitate.kinds import LineRange, PairScore, PassageRow, SectionContent
from coi_tui.methods.imitate.manuscript import (
    LONGEST_RANGE,
    MISSING,
    MOST_PASSAGES,
    Source,
    cut,
    lines_of,
    marks_in,
    outcome,
    with_names,
)
from coi_tui.methods.imitate.tasks import pair_labels, ranked
from coi_tui.model.papers import Paper


def paper(name: str, year: int | None = 2020, *authors: str) -> Paper:
    return Paper(id=f"arXiv:{name}", title=f"On {name}", year=year, authors=authors)


@given(st.integers(1, 6), st.integers(1, 6), st.data())
def test_ie_3_no_pair_is_lost_or_there_twice_whatever_is_said(
    rows: int, columns: int, data: st.DataObject
) -> None:
    one, other = [f"a{n}" for n in range(rows)], [f"b{n}" for n in range(columns)]
    ids = st.sampled_from([*pair_labels(one, other), "A0-B0", "?"])
    said = data.draw(
        st.lists(
            st.builds(PairScore, id=ids, reason=st.just("r"), score=st.integers(1, 10)), max_size=40
        )
    )
    found = ranked(pair_labels(one, other), said)
    assert sorted((row["algorithm"], row["application"]) for row in found) == sorted(
        pair_labels(one, other).values()
    )
    scores = [row["score"] for row in found]
    assert scores == sorted(scores, reverse=True)


# -- evidence


def ranges(source: str, first: int, last: int) -> LineRange:
    return LineRange(source=source, shows="it", first=first, last=last)


def test_ie_6_passages_are_cut_from_the_text_by_the_lines_that_are_asked_for() -> None:
    moss = paper("moss")
    sources = [
        Source("P1", ("one.", "two.", "three."), "full text", moss),
        Source("S1", ("four.",), "section 1", section=1),
    ]
    asked = [("P1", 3, 2), ("P1", 2, 3), ("S1", 1, 9), ("P9", 1, 1), ("P1", 4, 4)]
    assert cut(sources, [ranges(*one) for one in asked]) == (
        [
            PassageRow(where="full text, lines 2-3", text="two. three.", paper=moss.id, shows="it"),
            PassageRow(where="section 1, line 1", text="four.", section=1, shows="it"),
        ],
        2,
    )


@given(
    st.lists(
        st.tuples(st.sampled_from(["P1", "P2", "?"]), st.integers(1, 60), st.integers(1, 60)),
        max_size=30,
    )
)
def test_ie_6_a_passage_is_always_what_stands_in_the_text(
    asked: list[tuple[str, int, int]],
) -> None:
    sources = [
        Source(label, tuple(f"{label} line {n}." for n in range(1, 41)), paper=paper(label))
        for label in ("P1", "P2")
    ]
    found = cut(sources, [ranges(*one) for one in asked])
    assert len(found) <= MOST_PASSAGES
    for row in found:
        assert any(row.text in " ".join(source.lines) for source in sources)
        assert row.text.count(".") <= LONGEST_RANGE


def test_ie_6_of_a_long_text_the_lines_nearest_to_the_step_are_shown_under_their_own_numbers() -> (
    None
):
    lines = (*(f"Filler words number {n}." for n in range(100)), "Moss grows on glass.")
    shown = Source("P1", lines).nearest("moss on glass", 5)
    assert len(shown) == 5
    assert (101, "Moss grows on glass.") in shown
    assert [n for n, _ in shown] == sorted(n for n, _ in shown)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("A heading\n\nIt grows. It stops.", ("A heading", "It grows.", "It stops.")),
        (
            "SUMMARY\nIt grows.\nAND LIMITS\nIt stops.",
            ("SUMMARY", "It grows.", "AND LIMITS", "It stops."),
        ),
        ("", ()),
    ],
)
def test_ie_6_sentences_and_headings_are_lines(text: str, lines: tuple[str, ...]) -> None:
    assert lines_of(text) == lines


# -- citations


def test_citations_name_papers_that_were_shown_mark_others_and_are_found_again() -> None:
    labels = {
        "P1": paper("moss", 2020, "Ada Green", "Bo Stone"),
        "P2": paper("glass", 2021, "Cy Clear"),
        "P3": paper("sand", 2019, "Di Dune"),
        "P4": paper("dust", 2019, "Ed Dune"),
        "P5": paper("gone", None, "Flo Gone"),
    }
    text, cited = with_names("Moss [P1, P2]. Glass [P7]. It grew [P1]. Sand [P3 and P5].", labels)
    assert text == (
        f"Moss (Green et al., 2020; Clear, 2021). Glass ({MISSING}). It grew (Green et al., 2020)."
        " Sand (“On sand”, 2019; “On gone”, n.d.)."
    )
    assert [*cited.values()] == ["arXiv:moss", "arXiv:glass", "arXiv:sand", "arXiv:gone"]
    assert marks_in(SectionContent(text=text.partition(" Glass")[0], cited=cited)) == (
        ("Green et al., 2020", "arXiv:moss"),
        ("Clear, 2021", "arXiv:glass"),
    )
    assert marks_in(SectionContent(text=text, cited=cited))[0] == (
        "(Green et al., 2020)",
        "arXiv:moss",
    )


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [(6, 7, "better"), (6, 6, "as good"), (6, 5, "rolled back"), (None, 9, "not compared")],
)
def test_ie_10_two_ratings_decide(before: int | None, after: int | None, said: str) -> None:
    assert outcome(before, after) == said
    assert outcome(before, None) == "not compared"
