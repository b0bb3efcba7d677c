"""The parts of Imitate-and-Evolve that need no session: pairs, steps, passages, citations, and
which revision of a section counts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coi_tui.methods.imitate.contents import GateContent, GateRow, LineRange, PairScore
from coi_tui.methods.imitate.manuscript import (
    Section,
    revised_section,
    step_content,
    step_values,
)
from coi_tui.methods.imitate.passages import (
    LONGEST_RANGE,
    MISSING,
    MOST_PASSAGES,
    Text,
    cut,
    lines_of,
    marks_in,
    shown_lines,
    with_names,
)
from coi_tui.methods.imitate.tasks import pair_labels, ranked
from coi_tui.model.content import Named
from coi_tui.model.papers import Paper


def paper(name: str, year: int | None = 2020, *authors: str) -> Paper:
    return Paper(id=f"arXiv:{name}", title=f"On {name}", year=year, authors=authors)


# -- pairs


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
    scores = [row.get("score", 0) for row in found]
    assert scores == sorted(scores, reverse=True)


# -- the plan


def test_ie_5_a_step_keeps_what_it_imitates_apart_from_its_purpose() -> None:
    step = step_content("Method", "How it works.", "algorithm paper, 2.1 Method")
    assert step_values(2, step) == {
        "number": 2,
        "title": "Method",
        "purpose": "How it works.",
        "like": "algorithm paper, 2.1 Method",
    }
    assert step_values(1, step_content("Method", "How.", ""))["like"] == ""
    assert step_values(1, None)["title"] == ""


# -- evidence


def lines(*said: str) -> tuple[str, ...]:
    return said


def ranges(source: str, first: int, last: int) -> LineRange:
    return LineRange(source=source, shows="it", first=first, last=last)


def test_ie_6_passages_are_cut_from_the_text_by_the_lines_that_are_asked_for() -> None:
    texts = [
        Text("P1", lines("one.", "two.", "three."), "full text", paper="arXiv:a"),
        Text("S1", lines("four."), section=1),
    ]
    asked = [
        ranges("P1", 3, 2),
        ranges("P1", 2, 3),
        ranges("S1", 1, 9),
        ranges("P9", 1, 1),
        ranges("P1", 4, 4),
    ]
    found, strange = cut(texts, asked)
    assert found == [
        {"where": "full text, lines 2-3", "text": "two. three.", "paper": "arXiv:a", "shows": "it"},
        {"where": "line 1", "text": "four.", "section": 1, "shows": "it"},
    ]
    assert strange == 2


@given(
    st.lists(
        st.tuples(st.sampled_from(["P1", "P2", "?"]), st.integers(1, 60), st.integers(1, 60)),
        max_size=30,
    )
)
def test_ie_6_a_passage_is_always_what_stands_in_the_text(
    asked: list[tuple[str, int, int]],
) -> None:
    texts = [
        Text(label, tuple(f"{label} line {n}." for n in range(1, 41)), paper=label)
        for label in ("P1", "P2")
    ]
    found, _ = cut(texts, [ranges(*one) for one in asked])
    assert len(found) <= MOST_PASSAGES
    for row in found:
        whole = " ".join(next(text.lines for text in texts if text.paper == row["paper"]))
        assert row["text"] in whole
        assert row["text"].count(".") <= LONGEST_RANGE


def test_ie_6_of_a_long_text_the_lines_nearest_to_the_step_are_shown_under_their_own_numbers() -> (
    None
):
    text = Text("P1", (*(f"Filler words number {n}." for n in range(100)), "Moss grows on glass."))
    shown = shown_lines(text, "moss on glass", 5)
    assert len(shown) == 5
    assert (101, "Moss grows on glass.") in shown
    assert [n for n, _ in shown] == sorted(n for n, _ in shown)
    assert lines_of("A heading\n\nIt grows. It stops.") == ("A heading", "It grows.", "It stops.")
    assert lines_of("SUMMARY\nIt grows.\nAND LIMITS\nIt stops.") == (
        "SUMMARY",
        "It grows.",
        "AND LIMITS",
        "It stops.",
    )


# -- citations


def test_citations_name_papers_that_were_shown_and_mark_those_that_were_not() -> None:
    labels = {
        "P1": paper("moss", 2020, "Ada Green", "Bo Stone"),
        "P2": paper("glass", 2021, "Cy Clear"),
    }
    text, cited = with_names("Moss grows [P1, P2]. Glass breaks [P7]. It grew [P1].", labels)
    assert (
        text
        == f"Moss grows (Green et al., 2020; Clear, 2021). Glass breaks ({MISSING}). It grew (Green et al., 2020)."
    )
    assert cited == ["arXiv:moss", "arXiv:glass"]


def test_the_words_that_stand_for_a_citation_are_found_again() -> None:
    papers = [
        paper("moss", 2020, "Ada Green", "Bo Stone"),
        paper("glass", 2020, "Bea Green"),
        paper("gone", 1999, "Dee Dust"),
    ]
    found = marks_in(
        "Moss grows (Green et al., 2020). Both do (Green et al., 2020; “On glass”, 2020).", papers
    )
    assert found == (
        ("(Green et al., 2020)", "arXiv:moss"),
        ("Green et al., 2020", "arXiv:moss"),
        ("“On glass”, 2020", "arXiv:glass"),
    )


# -- review


@pytest.mark.parametrize(
    ("there", "kept", "revised"), [("a", True, True), ("a", False, False), ("mine", True, False)]
)
def test_ie_10_a_revision_counts_only_where_it_was_kept_and_made_from_the_text_that_stands_there(
    there: str, kept: bool, revised: bool
) -> None:
    gate = GateContent(
        rows=[GateRow(section=1, old="a", new="b", outcome="better")],
        texts=[Named(name="1", description="b")] if kept else [],
    )
    first = Section(1, "Moss", there)
    assert revised_section(first, gate) == (Section(1, "Moss", "b", True) if revised else first)
