"""What a judge sees of two ideas, and what is kept of its word (COI-13)."""

from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from coi_tui.methods.ideas.matches import LEAST_CHARS, MOST_CHARS, alike
from coi_tui.model.content import MatchRecord
from coi_tui.services.llm.chat import ChatRequest
from tests.support.desk import copy_of
from tests.support.script import judged

SENTENCE = "A sentence of so many words stands here. "


def an_idea(sentences: int, mechanism: str = "It does so, as it can.") -> dict[str, str]:
    return {"title": "A title", "mechanism": mechanism, "final": SENTENCE * sentences}


@given(st.integers(1, 120), st.integers(1, 120))
def test_both_texts_are_of_one_length(one: int, other: int) -> None:
    texts = [side["text"] for side in alike(an_idea(one), an_idea(other)).values()]
    longer, shorter = sorted(map(len, texts), reverse=True)
    assert longer <= MOST_CHARS
    assert longer - shorter <= len(SENTENCE) or longer <= LEAST_CHARS


def test_a_sentence_stands_in_both_or_in_neither() -> None:
    assert [s["sentence"] for s in alike(an_idea(1), an_idea(1)).values()] != ["", ""]
    assert [s["sentence"] for s in alike(an_idea(1), an_idea(1, "")).values()] == ["", ""]


def test_a_win_is_slight_where_either_order_says_so(tmp_path: Path) -> None:
    desk = copy_of(tmp_path, "small", "ideas")

    def says(request: ChatRequest) -> dict[str, Any]:
        first: Any = request.values["first"]
        straight = first["title"] == desk.content("1/idea")["title"]
        reply = judged(0 if straight else 1)
        reply["clarity"]["margin"] = "slightly" if straight else "clearly"
        return reply

    desk.model.say["coi_match"] = says
    assert desk.run("selection").state == "done"
    held = desk.content("A/1-2")
    assert (set(held["results"].values()), held["slight"]) == ({1}, ["clarity"])
    desk.session.decide("vote", "A/1-2", {"criteria": [*held["results"]], "winner": 1})
    assert "slightly left" in str(desk.session.document("A/1-2"))


def test_a_match_of_before_is_read_as_it_was() -> None:
    stored = {"first": 1, "second": 2, "results": {"clarity": 1}, "length_ratio": 1.4}
    match = MatchRecord.from_stored(stored)
    assert (match.results, match.slight) == ({"clarity": 1}, [])
