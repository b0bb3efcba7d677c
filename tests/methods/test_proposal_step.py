"""The proposal cell: written for the winner, mended once, cited by labels, stale, undone, killed
and resumed like any text."""

import re
from pathlib import Path

import pytest

from tests.support.desk import Desk, copy_of
from tests.support.script import Say


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """A session that is done up to its review."""
    return copy_of(tmp_path, "one")


def written(desk: Desk, *texts: str) -> list[str]:
    """Run to the end with these answers; the texts that the model was asked for again."""
    replies = iter(texts)
    desk.model.say = {"coi_proposal": lambda _: {"title": "A proposal", "text": next(replies)}}
    desk.model.requests.clear()
    assert desk.run("proposal").state == "done", desk.session.failed
    assert {request.prompt for request in desk.model.requests} == {"coi_proposal"}
    return [request.reask[1] for request in desk.model.requests if request.reask]


def test_it_is_one_call_for_the_winner_that_sees_idea_plan_and_papers_by_label(desk: Desk) -> None:
    assert written(desk, "## In short\n\nAll **new** [P1, P2].") == []
    assert re.findall("<<<paper (.+)", desk.model.requests[0].user)[:2] == ["P1", "P2"]
    held = desk.content("1/proposal")
    one, two = re.findall(r"\[(\S+?)\]", held["text"])
    assert held["text"] == f"## In short\n\nAll new [{one}][{two}]."
    assert {one, two} <= desk.state.papers.keys()
    assert desk.run("proposal").state == "done"
    assert len(desk.model.requests) == 1, "it is made once"


def clear(*sentences: str) -> Say:
    return lambda _: {"sentences": sentences}


def proposal(desk: Desk, text: str, again: Say) -> tuple[str, list[str]]:
    """The proposal that comes of a first text and an answer to what is asked about it; the prompts
    that were sent."""
    first: Say = lambda _: {"title": "A proposal", "text": text}  # noqa: E731
    desk.model.say = {"coi_proposal": first, "coi_sentences": again}
    desk.model.requests.clear()
    assert desk.run("proposal").state == "done", desk.session.failed
    return desk.content("1/proposal")["text"], [request.prompt for request in desk.model.requests]


def test_for_sentences_that_a_reader_cannot_follow_only_these_are_asked_for(desk: Desk) -> None:
    text = (
        "## In short\n\nRows stay [P1]. As before, they count.\n\n## Risks\n\n- The old rule fails."
    )
    answer = clear("They count\nonce [P9].", "It fails on ties.", "One too many.")
    said, prompts = proposal(desk, text, answer)
    assert prompts == ["coi_proposal", "coi_sentences"]
    request = desk.model.requests[1]
    for marked in ("[[1]] As before, they count.", "- [[2]] The old rule fails.", "“The old rule”"):
        assert marked in request.user
    assert re.sub(r"\[\S+:\S+\]", "[id]", said) == (
        "## In short\n\nRows stay [id]. They count once.\n\n## Risks\n\n- It fails on ties."
    )
    assert "A reader cannot follow" not in dict(desk.session.detail("1/proposal").parts)


def test_what_is_still_unclear_stays_and_the_person_is_told(desk: Desk) -> None:
    said, _ = proposal(desk, "Rows stay. The old rule fails.", clear("The old rule fails so."))
    assert said == "Rows stay. The old rule fails so."
    assert (
        "“The old rule”" in dict(desk.session.detail("1/proposal").parts)["A reader cannot follow"]
    )


def test_where_the_sentences_cannot_be_had_the_proposal_is_kept(desk: Desk) -> None:
    said, prompts = proposal(desk, "Rows stay. The old rule fails.", lambda _: "no answer")
    assert said == "Rows stay. The old rule fails."
    assert prompts.count("coi_proposal") == 1


def test_what_it_puts_right_is_said(desk: Desk) -> None:
    reply = {"title": "T", "corrections": ["2 times 3 is 6 and not 5."], "text": "Six."}
    desk.model.say = {"coi_proposal": lambda _: reply}
    assert desk.run("proposal").state == "done"
    assert "2 times 3 is 6 and not 5." in str(desk.session.why("1/proposal"))


def test_headings_alone_are_sent_back_and_then_the_texts_stand_as_they_are(desk: Desk) -> None:
    asked = written(desk, "## Motivation (with an example)", "## In short\n\n## Risks\n")
    assert len(asked) == 1
    assert "the heading “Motivation (with an example)” without a text" in asked[0]
    assert desk.content("1/idea")["final"] in desk.content("1/proposal")["text"]
