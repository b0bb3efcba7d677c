"""What a prompt shows: each text once and whole, what the researcher said before the task, and how
long the text is that is rewritten."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from coi_tui.config import LlmSettings, Settings
from coi_tui.engine.declarations import Scope
from coi_tui.methods.base.labelled import bearing_on
from coi_tui.methods.ideas.clarify import ASKED
from coi_tui.methods.one_call import OneCallSettings
from coi_tui.methods.prompt_calls import SOURCES
from coi_tui.model.content import ExperimentPlan
from coi_tui.model.entries import Call
from coi_tui.model.experiment_plans import most_words
from coi_tui.model.papers import NOT_OWN
from coi_tui.model.text import first_sentences
from coi_tui.services.llm.chat import ChatRequest
from coi_tui.services.llm.replies import fields_of
from tests.session.test_five_methods import made as made
from tests.support.desk import ONE, Desk, copy_of, stale
from tests.support.script import HashModel, reply_to

MEANS = "One laptop, six nurses, three months."
LEAST = 60
"""Characters from which on a line is a text and no name."""


# -- once, and whole


def repeated(calls: Iterable[Call]) -> list[tuple[str, str]]:
    """Lines of quoted material that stand in a prompt twice."""
    found = []
    for call in calls:
        before = str(call.request.get("user", "")).partition("\n\nTask: ")[0]
        lines = [line for line in before.splitlines() if len(line) >= LEAST]
        found += [(call.prompt, line) for line in set(lines) if lines.count(line) > 1]
    return found


def test_no_prompt_of_any_method_quotes_a_text_twice(tmp_path: Path, made: Path) -> None:
    every = Desk.copied(made, tmp_path)
    asked = [call for call in every.session.calls.values() if call.kind == "chat"]
    assert len({call.prompt for call in asked}) > 40
    assert repeated(asked) == []
    one = copy_of(tmp_path, "one", "proposal")
    assert repeated(call for call in one.session.calls.values() if call.kind == "chat") == []


def test_a_passage_of_the_novelty_report_is_not_quoted_once_more_with_the_abstract(
    tmp_path: Path,
) -> None:
    desk = copy_of(tmp_path, "one", "ideas")

    def judged(request: ChatRequest) -> dict[str, Any]:
        first: Any = request.values["papers"][0]  # type: ignore[index]
        passage = first["abstract"].removeprefix(f"({NOT_OWN}) ")
        claim = {"claim": 1, "passage": passage, "judgement": "overlaps"}
        return {"verdicts": [{"id": first["id"], "reason": "Both do it.", "claims": [claim]}]}

    desk.model.say["coi_novelty_verdicts"] = judged
    desk.run("proposal")
    row = next(row for row in desk.content("1/nov")["papers"] if row["verdict"] == "partial")
    assert desk.model.of("coi_proposal")[0].user.count(row["cells"][0]["passage"]) == 1


TEXT = "One is short. Two has 2.5 parts, e.g. this. " * 40


@pytest.mark.parametrize("most", [20, 100, 999])
def test_a_text_is_cut_after_a_sentence_and_shows_it(most: int) -> None:
    cut = first_sentences(TEXT, most)
    assert len(cut) <= most
    kept = cut.removesuffix(" [...]")
    assert cut != kept
    assert kept[-1] == "."
    assert TEXT.startswith(kept)
    assert first_sentences(TEXT, len(TEXT)) == TEXT


def test_of_a_sentence_that_is_too_long_whole_words_are_left() -> None:
    assert first_sentences("words " * 20, 30) == "words words words words [...]"
    assert len(first_sentences("x" * 99, 30)) == 30


def test_the_sentence_that_bears_on_an_idea_is_whole_though_it_is_long() -> None:
    sentence = " ".join(f"word{n}" for n in range(70)) + "."
    assert bearing_on(f"{sentence} More of it.", ["word3"], 45).startswith(sentence)


# -- what the researcher has, and answered


def last(desk: Desk, prompt: str) -> ChatRequest:
    return desk.model.of(prompt)[-1]


def stands_before_the_task(request: ChatRequest, text: str) -> bool:
    before, task, after = request.user.partition("\n\nTask: ")
    return bool(task) and text in before and text not in after and ">>>" not in after


def make(desk: Desk, *addresses: str) -> None:
    outcome = asyncio.run(desk.go(desk.session.planner.to_make(list(addresses), "Make")))
    assert outcome.state == "done", desk.session.failed


def test_means_are_known_to_ideas_and_to_the_questions_before_them(tmp_path: Path) -> None:
    desk = copy_of(tmp_path, "small", "ideas")
    desk.session.edits.save("means", MEANS)
    assert not stale(desk), "ideas that are there stay as they are"
    make(desk, f"1/{ASKED}")
    assert MEANS in last(desk, "ask_first").user
    outcome = asyncio.run(desk.go(desk.session.planner.to_refresh(["1/idea"], again=True)))
    assert outcome.state == "done"
    assert stands_before_the_task(last(desk, "work_out"), MEANS)
    outcome = asyncio.run(desk.go(desk.session.planner.to_refresh(["1/sketch1"], again=True)))
    assert outcome.state == "done"
    assert stands_before_the_task(last(desk, "sketches"), MEANS), "and to the sketches"


@pytest.mark.parametrize(
    "cells",
    [
        "S1/brainstorm S1/first S1/improved S1/1/idea",
        "N1/drafts N1/seed1.1 N1/1/initial N1/1/modules N1/1/idea",
        "V1/said1.1 V1/said1.2 V1/draft1.1 V1/draft1.2 V1/abstract1.1 V1/abstract1.2",
        "E1/1/plan E1/1/step2 E1/1/section2 E1/1/idea",
        "O1/1/idea",
    ],
)
def test_means_are_known_to_all_that_writes_ideas_in_every_method(
    made: Path, tmp_path: Path, cells: str
) -> None:
    desk = Desk.copied(made, tmp_path, HashModel())
    fresh = stale(desk)
    desk.session.edits.save("means", MEANS)
    assert stale(desk) == fresh, "what is there stays as it is"
    for address in cells.split():
        asyncio.run(desk.go(desk.session.planner.to_refresh([address], again=True)))
        asked = [one for one in desk.model.requests if one.address == address]
        assert asked, address
        assert all(stands_before_the_task(one, MEANS) for one in asked), address


@pytest.mark.parametrize("operator", ["feasible", "simplify"])
def test_an_operator_is_shown_the_means_once(tmp_path: Path, operator: str) -> None:
    desk = copy_of(tmp_path, "small", "ideas")
    desk.session.edits.save("means", MEANS)
    made = desk.session.decide("derive", "1/idea", {"operator": operator})
    plan = desk.session.planner.to_stage(
        "ideas", Scope((f"{made.address}/1",), instance=made.address)
    )
    assert asyncio.run(desk.go(plan)).state == "done"
    assert last(desk, "derive").user.count(MEANS) == 1
    assert stands_before_the_task(last(desk, "derive"), MEANS)


def test_answers_stand_before_the_task_and_count_more_than_the_direction(tmp_path: Path) -> None:
    desk = copy_of(tmp_path, "small", "ideas")
    make(desk, f"1/{ASKED}")
    desk.session.edits.save(f"1/{ASKED}", "Nurses on night shifts.")
    desk.refresh(["1/dir", "1/idea"])
    for prompt in ("coi_direction", "work_out"):
        request = last(desk, prompt)
        assert stands_before_the_task(request, "Nurses on night shifts.")
        assert "the direction" in request.user.partition("answers>>>")[2].partition("Task: ")[0]


def test_the_direction_sees_the_evidence_of_the_cards(tmp_path: Path) -> None:
    desk = Desk.new(tmp_path, ONE.model_copy(update={"length": 3, "forward": 1, "backward": 1}))
    desk.run("ideas")
    cards = [one for one in desk.session.state.cells if one.endswith(".card")]
    for card in cards:
        assert f"evidence: {desk.content(card)['evidence']}" in last(desk, "coi_direction").user
    desk.session.edits.save(cards[0], "## evidence\nTen people, no control.")
    assert "1/dir" in stale(desk)


# -- what a card does not say


def test_a_card_may_be_silent_and_what_it_does_not_say_is_not_shown(tmp_path: Path) -> None:
    def silent(request: ChatRequest) -> dict[str, Any]:
        return {**reply_to(request), "problem": "", "move": "", "limits": ""}

    desk = Desk.new(
        tmp_path,
        ONE.model_copy(update={"length": 3, "forward": 1, "backward": 1}),
        HashModel({"coi_read": silent}),
    )
    assert desk.run("ideas").state == "done", desk.session.failed
    assert {request.prompt for request in desk.model.requests if request.reask} == set()
    for prompt in ("coi_trend", "coi_direction", "work_out"):
        assert "move:" not in last(desk, prompt).user
        assert "evidence:" in last(desk, prompt).user or prompt == "work_out"
    shown = dict(desk.session.detail("1/0.card").parts)
    assert "Evidence" in shown
    assert not {"Problem", "Move", "Limits"} & set(shown)
    desk.session.edits.save("1/0.card", "## evidence\nTen people.")
    assert not desk.session.freshness("1/dir").needs
    desk.refresh()
    assert not stale(desk)


def test_a_card_that_says_nothing_at_all_is_none(tmp_path: Path) -> None:
    empty = dict.fromkeys(("problem", "move", "evidence", "use", "limits"), "")
    desk = Desk.new(tmp_path, ONE, HashModel({"coi_read": lambda _: empty}))
    assert desk.run("cards").failed


# -- how long


def words_said(request: ChatRequest) -> str:
    return request.user.partition("\n\nTask: ")[2]


def test_what_is_rewritten_is_told_how_long_it_is(tmp_path: Path) -> None:
    desk = copy_of(tmp_path, "one", "review")
    desk.session.settings = Settings(llm=LlmSettings(base_url="http://127.0.0.1:9/v1"))
    final = "Every word of it counts. " * 80
    desk.session.edits.save("1/idea", f"## final\n{final}")
    desk.session.decide("ask", "1/idea", "make it more about access")
    asyncio.run(desk.go(desk.session.planner.to_rewrite("1/idea")))
    assert "final 400" in words_said(last(desk, "coi_ask"))
    desk.session.decide("ask", "1/dir", "make it more about access")
    asyncio.run(desk.go(desk.session.planner.to_rewrite("1/dir")))
    made = desk.session.decide("derive", "1/idea", {"operator": "simplify"})
    plan = desk.session.planner.to_stage(
        "ideas", Scope((f"{made.address}/1",), instance=made.address)
    )
    desk.model.say["coi_ask"] = lambda _: {"text": f"## final\n{final}"}
    asyncio.run(desk.go(plan))
    parent: Any = last(desk, "derive").values["parents"]
    longest = len(parent[0]["final"].split())
    assert f"has {longest} words" in words_said(last(desk, "derive"))
    desk.session.decide("tick", "1/review", 1)
    asyncio.run(desk.go(desk.session.planner.to_refine("1/exp")))
    shown: Any = last(desk, "coi_refine").values["experiment"]
    most = most_words(ExperimentPlan.from_stored(shown)) * 9 // 10
    assert f"at most {most} words" in words_said(last(desk, "coi_refine"))


# -- what the schema offers


def test_a_reply_that_is_shown_no_paper_is_asked_for_no_sources(tmp_path: Path) -> None:
    """Neither by the prompt nor by the schema that is sent with it."""
    cited = Desk.new(tmp_path / "one", ONE)
    bare = Desk.new(tmp_path / "two", OneCallSettings(), method="One call")
    offered = []
    for desk in (cited, bare):
        desk.run("proposal")
        for request in desk.model.requests:
            there = SOURCES in request.schema["properties"]
            assert there == (SOURCES in fields_of(request.user)), request.prompt
            assert there == ("square brackets, such as [P1]" in request.user), request.prompt
        offered.append(SOURCES in last(desk, "coi_proposal").schema["properties"])
    assert offered == [True, False]
