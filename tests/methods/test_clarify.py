"""Questions before a draft: asked on request or at the pace of a setting, and read by the draft once
a person has answered."""

from pathlib import Path
from typing import Any, cast

import pytest

from coi_tui.engine.declarations import Scope
from coi_tui.methods.ideas.clarify import ASKED
from coi_tui.services.llm.chat import ChatRequest
from tests.support.desk import SMALL, Desk, copy_of

ANSWERED = "1. Who reads it?\nNurses on night shifts."


def ask(desk: Desk, branch: str = "1") -> str:
    plan = desk.planner.to_make([f"{branch}/{ASKED}"], "Ask me")
    desk.finish(plan)
    return f"{branch}/{ASKED}"


def run(desk: Desk, until: str = "ideas") -> None:
    desk.finish(desk.planner.to_stage(until, Scope((1,))))


def last(desk: Desk, prompt: str) -> ChatRequest:
    return next(r for r in reversed(desk.model.requests) if r.prompt == prompt)


def test_the_draft_reads_what_a_person_answered_and_not_the_questions_alone(tmp_path: Path) -> None:
    desk = copy_of(tmp_path, "small", "ideas")
    assert f"1/{ASKED}" not in {row.address for row in desk.session.rows()}
    at = ask(desk)
    assert at in {row.address for row in desk.session.rows()}
    assert last(desk, "ask_first").values["material"], "it sees what the draft is made from"
    fresh = desk.session.freshness
    assert fresh("1/idea").ok
    desk.edits.save(at, ANSWERED)
    assert fresh("1/idea").status == "stale"
    assert fresh("2/idea").ok
    assert fresh(at).ok, "an answer is not stale because a paper changed"
    desk.refresh(["1/dir", "1/idea"])
    for prompt in ("coi_direction", "work_out"):
        assert "Nurses on night shifts." in last(desk, prompt).user
    assert fresh("1/idea").ok
    desk.session.undo()
    assert desk.state.in_use("1/idea") is not None
    assert fresh("1/idea").ok, "the idea from before the answers is in use again"


def test_at_its_own_pace_a_run_asks_once_and_waits_for_the_answer(tmp_path: Path) -> None:
    desk = Desk.new(tmp_path, SMALL.model_copy(update={"ask_first": True, "branches": 1}))
    run(desk)
    state = desk.state
    assert state.in_use(f"1/{ASKED}") is not None
    assert state.in_use("1/dir") is state.in_use("1/idea") is None
    assert f"1/{ASKED}" in desk.session.shortfall("ideas")
    asked = len(desk.model.requests)
    run(desk)
    assert len(desk.model.requests) == asked, "nothing is asked twice"
    desk.edits.save(f"1/{ASKED}", ANSWERED)
    run(desk)
    assert desk.state.in_use("1/idea") is not None
    assert sum(r.prompt == "ask_first" for r in desk.model.requests) == 1


def test_the_export_knows_the_share_of_a_persons_words(tmp_path: Path) -> None:
    desk = copy_of(tmp_path, "small", "ideas")
    at = ask(desk)
    before = desk.session.exports.snapshot()
    words = before.own_words
    desk.edits.save(at, f"{desk.content(at)['text']}\nNurses on night shifts.")
    after = desk.session.exports.snapshot()
    assert 0 < after.own_words - words < 0.05, "the questions are not a person's"
    desk.edits.save("1/idea", "## Title\nMine\n\n## Final\n" + "own words " * 5000)
    assert desk.session.exports.snapshot().own_words > 0.9


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        ({"questions": ["a?", "b?"], "counterexample": ""}, "1. a?\n\n2. b?"),
        ({"questions": [], "counterexample": "c"}, "c"),
    ],
)
def test_it_asks_at_most_three_questions_or_gives_one_counterexample(
    tmp_path: Path, reply: dict[str, Any], text: str
) -> None:
    desk = copy_of(tmp_path, "small", "ideas")
    desk.model.say["ask_first"] = lambda _: {"reasoning": "r", **reply}
    assert cast("dict[str, str]", desk.content(ask(desk)))["text"].strip() == text
