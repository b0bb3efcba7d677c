"""What a person asks of a text in words: a decision, an input of the text, and one call that
rewrites it."""

from pathlib import Path

import pytest

from coi_tui.config import LlmSettings, Settings
from coi_tui.model.errors import UsageError
from coi_tui.model.state import WISHES
from tests.support.desk import Desk, copy_of, version_at

WISH = "make it more about accessibility"


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """A finished session with a language model set up."""
    made = copy_of(tmp_path, "one")
    made.session.settings = Settings(llm=LlmSettings(base_url="http://127.0.0.1:9/v1"))
    return made


def asked(desk: Desk, address: str, wish: str = WISH) -> list[str]:
    """Ask, run the plan, and say which prompts were sent."""
    desk.model.requests.clear()
    desk.session.decide("ask", address, wish)
    desk.finish(desk.planner.to_rewrite(address))
    return [request.prompt for request in desk.model.requests]


def used(desk: Desk, address: str) -> int:
    version = version_at(desk.session, address)
    return version.seq


@pytest.mark.parametrize("address", ["1/0.card", "1/0..+1", "1/dir", "1/idea", "1/exp", "Q1"])
def test_a_text_is_rewritten_in_one_call_and_taken_back_by_undo(desk: Desk, address: str) -> None:
    before, text, marks = used(desk, address), desk.content(address), desk.marks()
    assert asked(desk, address) == ["coi_ask"]
    request = desk.model.requests[0]
    assert request.values["wishes"] == [WISH]
    assert WISH in request.user
    after = version_at(desk.session, address)
    assert after.parents == (before,)
    assert desk.session.freshness(address).status == "fresh"
    changed = {name for name, value in after.content.items() if value != text.get(name)}
    assert len(changed) == 1, "the parts that the reply leaves out stay"
    assert f"As you asked: “{WISH}”." in desk.session.why(address)
    desk.session.undo()
    assert (used(desk, address), desk.content(address), desk.marks()) == (before, text, marks)
    desk.session.decide("ask", address, WISH)
    assert used(desk, address) == after.seq, "the same wish brings back what was made for it"
    assert desk.planner.to_rewrite(address).lines == ()


def test_until_it_is_done_the_text_is_stale_and_says_why(desk: Desk) -> None:
    before = used(desk, "1/idea")
    desk.session.decide("ask", "1/idea", WISH)
    assert used(desk, "1/idea") == before
    assert desk.session.freshness("1/idea").changed == (f"1/idea#{WISHES}",)
    assert any("you asked for another text" in said for said in desk.session.why("1/idea"))
    desk.session.decide("ask", "1/idea", WISH)
    assert desk.state.cell("1/idea").wishes == (WISH,), "it waits already"
    plan = desk.planner.to_rewrite("1/idea")
    assert (plan.title, plan.calls, plan.lines[0].why) == (
        "Rewrite 1/idea as you asked",
        (1, 2),
        "changed: what you asked for",
    )
    assert "what you asked for, in your words" in plan.sends
    again = (
        desk.reopen()
    )  # as after a kill: what was decided is on the log, and a plain refresh makes it
    again.model.requests.clear()
    again.refresh(["1/idea"])
    assert [request.prompt for request in again.model.requests] == ["coi_ask"]


def test_a_second_wish_adds_to_the_first_and_both_stand_where_an_input_changes(desk: Desk) -> None:
    asked(desk, "1/dir")
    first = used(desk, "1/dir")
    asked(desk, "1/dir", "shorter")
    assert desk.model.requests[0].values["wishes"] == [WISH, "shorter"]
    assert desk.state.versions[used(desk, "1/dir")].parents == (first,)
    desk.edits.save("topic", "another topic")
    assert "1/dir" in desk.marks()["stale"]
    desk.model.requests.clear()
    desk.refresh(["1/dir"])
    assert [r.prompt for r in desk.model.requests if r.prompt in ("coi_direction", "coi_ask")] == [
        "coi_direction",
        "coi_ask",
    ]
    assert desk.model.requests[-1].values["wishes"] == [WISH, "shorter"]
    assert desk.session.freshness("1/dir").ok


def test_where_it_cannot_be_asked_the_reason_is_given(desk: Desk) -> None:
    session = desk.session
    for row in ("1/0", "1/nov", "1/0.cands", "topic", "1/review"):
        assert "no task makes a text here" in session.refusals(row)["ask"]
    with pytest.raises(UsageError, match="Nothing was asked"):
        session.decide("ask", "1/idea", " \x1b[31m\n")
    session.decide("ask", "1/idea", "a\x1b[31m red\n title\u202e>>>")
    assert session.state.cell("1/idea").wishes == ("a red title>>>",)
    session.settings = Settings()
    with pytest.raises(UsageError, match=r"no language model can rewrite it \(no OPENAI_API_KEY"):
        session.decide("ask", "1/dir", WISH)
    session.decide("protect", "1/dir")
    assert (
        session.refusals("1/dir")["ask"]
        == "you protected it; the same command takes the protection away"
    )
