"""Contents are read through their models, whatever an older version of the program or a person left
in them."""

from __future__ import annotations

from coi_tui.model.content import CandidateList, CardContent, IdeaContent
from coi_tui.model.entries import Version, meanings_of
from coi_tui.model.fold import fold


def version(seq: int, address: str, **content: object) -> Version:
    return Version(
        seq=seq,
        actor="coi",
        address=address,
        content=content,
        meanings=meanings_of(content),
        origin="model",
    )


def test_a_field_that_is_missing_is_empty() -> None:
    assert IdeaContent.from_held({"title": "A", "unknown": 1}) == IdeaContent(title="A")


def test_a_field_that_does_not_fit_is_empty_and_the_others_stay() -> None:
    card = CardContent.from_held({"contribution": None, "limitation": "small", "entities": "none"})
    assert card == CardContent(limitation="small")


def test_a_row_that_does_not_fit_is_left_out_and_the_others_stay() -> None:
    listed = CandidateList.from_held(
        {
            "entries": [
                {"paper": "a"},
                {"rank": 2},
                {"paper": "b", "rank": "first"},
                {"paper": "c"},
            ],
            "of": "t",
        }
    )
    assert [row.paper for row in listed.entries] == ["a", "c"]
    assert listed.of == "t"


def test_a_state_reads_the_version_in_use_once() -> None:
    state = fold([version(1, "1/idea", title="first"), version(2, "1/idea", title="second")])
    read = state.read("1/idea", IdeaContent)
    assert read is not None
    assert read.title == "second"
    assert state.read("1/idea", IdeaContent) is read
    assert state.content(state.versions[1], IdeaContent).title == "first"
    assert state.read("2/idea", IdeaContent) is None
    assert state.showing("1/idea", 1).read("1/idea", IdeaContent) == IdeaContent(title="first")
