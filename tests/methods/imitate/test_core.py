"""The parts of Imitate-and-Evolve that need no session: pairs, passages, citations."""

from coi_tui.methods.imitate.kinds import LineRange, PairScore, PassageRow, SectionContent
from coi_tui.methods.imitate.manuscript import (
    LONGEST_RANGE,
    MISSING,
    PassageSource,
    cut,
    lines_of,
    section_marks,
    with_names,
)
from coi_tui.methods.imitate.tasks import pair_labels, rank_pairs
from coi_tui.model.papers import Paper


def paper(name: str, year: int | None = 2020, *authors: str) -> Paper:
    return Paper(id=f"arXiv:{name}", title=f"On {name}", year=year, authors=authors)


def test_ie_3_no_pair_is_lost_or_there_twice_whatever_is_said() -> None:
    said = [("A1-B2", 3), ("A2-B1", 9), ("A2-B1", 9), ("A0-B0", 10)]
    scores = [PairScore(id=label, reason="r", score=score) for label, score in said]
    found = rank_pairs(pair_labels("ab", "bcd"), scores)
    assert [(row["algorithm"] + row["application"], row["score"]) for row in found] == [
        *[("ac", 3), ("ab", 0), ("ad", 0), ("bc", 0), ("bd", 0)],
    ], "a paper is no pair with itself"


def test_ie_6_passages_are_cut_from_the_text_by_the_lines_that_are_asked_for() -> None:
    lines = tuple(f"{n}." for n in range(1, 13))
    sources = [
        PassageSource("P1", lines, "full text", paper("moss")),
        PassageSource("S1", ("four.",), "section 1", section=1),
    ]
    asked = [
        *[("P1", 3, 2), ("P1", 2, 3), ("S1", 1, 9), ("P1", 4, 12)],
        *[("P9", 1, 1), ("P1", 13, 13)],
    ]
    ranges = [LineRange(source=s, shows="it", first=a, last=b) for s, a, b in asked]
    of_moss = {"paper": "arXiv:moss", "shows": "it"}
    long = " ".join(lines[3 : 3 + LONGEST_RANGE])
    assert cut(sources, ranges) == [
        PassageRow(where="full text, lines 2-3", text="2. 3.", **of_moss),
        PassageRow(where="section 1, line 1", text="four.", section=1, shows="it"),
        PassageRow(where="full text, lines 4-11", text=long, **of_moss),
    ]


def test_ie_6_of_a_long_text_the_lines_nearest_to_the_step_are_shown_under_their_own_numbers() -> (
    None
):
    lines = (*(f"Filler words number {n}." for n in range(100)), "Moss grows on glass.")
    shown = PassageSource("P1", lines).nearest("moss on glass", 5)
    assert len(shown) == 5
    assert shown[-1] == (101, "Moss grows on glass.")
    assert shown == sorted(shown)
    assert lines_of("A heading\n\nSUMMARY\nIt grows. It stops.") == (
        *("A heading", "SUMMARY", "It grows.", "It stops."),
    )


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
    assert section_marks(SectionContent(text=text, cited=cited))[:3] == (
        ("(Green et al., 2020)", "arXiv:moss"),
        ("Green et al., 2020", "arXiv:moss"),
        ("Clear, 2021", "arXiv:glass"),
    )
